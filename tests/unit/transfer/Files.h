//===- Files.h - What tests of files share ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that goes with the test, descriptors that close, memory with a
// pattern, and faults of the system's calls (the program is linked with
// --wrap).
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TEST_TRANSFER_FILES_H
#define ACCX_TEST_TRANSFER_FILES_H

#include "transfer/FileTransfer.h"

#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

/// What read, write, pread and pwrite do instead of their work; 0: nothing.
struct Faults {
  /// Every so many calls are interrupted, or move less than they are asked to.
  std::atomic<unsigned> Interrupted{0}, Short{0};
  /// The call with this number, and all after it, fail so.
  std::atomic<unsigned> FailsFrom{0};
  std::atomic<int> FailsWith{0};
  std::atomic<unsigned> Calls{0};

  static Faults &get();
  void clear() {
    Interrupted = Short = FailsFrom = Calls = 0;
    FailsWith = 0;
  }
};

/// Faults while it lives.
struct FaultsHere {
  Faults &F = Faults::get();
  FaultsHere() { F.clear(); }
  ~FaultsHere() { F.clear(); }
};

class Folder {
  std::filesystem::path Path;

public:
  Folder();
  ~Folder() { std::filesystem::remove_all(Path); }
  std::string file(const char *Name) const { return Path / Name; }
  /// A file with these bytes.
  std::string file(const char *Name, const std::vector<char> &Bytes) const;
};

/// A descriptor; closed at the end.
class Opened {
  int Fd;

public:
  Opened(const std::string &Name, int Flags)
      : Fd(open(Name.c_str(), Flags | O_CLOEXEC, 0666)) {}
  explicit Opened(int Fd) : Fd(Fd) {}
  ~Opened() { reset(); }
  Opened(const Opened &) = delete;
  Opened &operator=(const Opened &) = delete;
  operator int() const { return Fd; }
  void reset() {
    if (Fd >= 0)
      close(Fd);
    Fd = -1;
  }
};

/// Bytes that differ everywhere.
std::vector<char> pattern(size_t Size, unsigned Seed = 1);
/// All of a file.
std::vector<char> contents(const std::string &Name);

inline accx::Section row(void *Data, size_t Size) {
  return {Data, Size, 1, Size};
}

/// The operation over plain memory.
inline accx::MoveResult
moveBytes(bool Out, void *Data, size_t Size, accx::FilePlace Place,
          const accx::FileSettings &Settings = accx::FileSettings::get()) {
  return accx::moveFile(nullptr, nullptr, {row(Data, Size)}, true, Out, Place,
                        Settings);
}

inline accx::FileSettings settings(accx::FileSettings::Paths Path,
                                   size_t Piece = 0) {
  accx::FileSettings S = accx::FileSettings::get();
  S.Path = Path;
  S.PieceBytes = Piece;
  return S;
}

#endif // ACCX_TEST_TRANSFER_FILES_H
