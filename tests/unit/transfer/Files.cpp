//===- Files.cpp - What tests of files share ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Files.h.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace accx;

/// Before the runtime reads the environment: machines with few cores are to
/// have several threads, too.
[[gnu::constructor(101)]] static void setThreads() {
  setenv("ACCX_FILE_THREADS", "4", 1);
}

Faults &Faults::get() {
  static Faults F;
  return F;
}

/// Whether the call fails; else \p Size is what it may move.
static bool fails(size_t &Size) {
  Faults &F = Faults::get();
  const unsigned Call = ++F.Calls;
  if (const unsigned From = F.FailsFrom; From && Call >= From) {
    errno = F.FailsWith;
    return true;
  }
  if (const unsigned Every = F.Interrupted; Every && Call % Every == 0) {
    errno = EINTR;
    return true;
  }
  if (const unsigned Every = F.Short; Every && Size > 1 && Call % Every == 0)
    Size = 1 + Call * 2654435761U % (Size - 1);
  return false;
}

extern "C" {
ssize_t __real_read(int Fd, void *To, size_t Size);
ssize_t __real_write(int Fd, const void *From, size_t Size);
ssize_t __real_pread(int Fd, void *To, size_t Size, off_t Offset);
ssize_t __real_pwrite(int Fd, const void *From, size_t Size, off_t Offset);

ssize_t __wrap_read(int Fd, void *To, size_t Size) {
  return fails(Size) ? -1 : __real_read(Fd, To, Size);
}
ssize_t __wrap_write(int Fd, const void *From, size_t Size) {
  return fails(Size) ? -1 : __real_write(Fd, From, Size);
}
ssize_t __wrap_pread(int Fd, void *To, size_t Size, off_t Offset) {
  return fails(Size) ? -1 : __real_pread(Fd, To, Size, Offset);
}
ssize_t __wrap_pwrite(int Fd, const void *From, size_t Size, off_t Offset) {
  return fails(Size) ? -1 : __real_pwrite(Fd, From, Size, Offset);
}
}

Folder::Folder() {
  static std::atomic<int> Count{0};
  Path = std::filesystem::temp_directory_path() /
         ("accx-files-" + std::to_string(getpid()) + "-" +
          std::to_string(Count++));
  std::filesystem::create_directory(Path);
}

std::string Folder::file(const char *Name,
                         const std::vector<char> &Bytes) const {
  std::ofstream(file(Name), std::ios::binary)
      .write(Bytes.data(), static_cast<std::streamsize>(Bytes.size()));
  return file(Name);
}

std::vector<char> pattern(size_t Size, unsigned Seed) {
  std::vector<char> Bytes(Size);
  uint64_t State = Seed * 0x9e3779b97f4a7c15U;
  for (char &Byte : Bytes) {
    State = State * 6364136223846793005U + 1442695040888963407U;
    Byte = static_cast<char>(State >> 56);
  }
  return Bytes;
}

std::vector<char> contents(const std::string &Name) {
  std::ifstream In(Name, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}
