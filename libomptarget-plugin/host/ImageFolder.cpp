//===- ImageFolder.cpp - Images as files with a name ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tool is watching, and files for it. gdb and the sanitizers'
// symbolizers need none: they open an anonymous file through /proc while the
// process lives. valgrind reads a file when it is mapped, by the name in
// /proc/self/maps; perf reads it by that name when recording ends, which is
// after this process.
//
//===----------------------------------------------------------------------===//

#include "ImageFolder.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

using namespace accx;
using namespace accx::host;

static constexpr std::string_view LeftoverPrefix = "accx-perf-";

static const char *setting(const char *Name) {
  const char *Text = std::getenv(Name);
  return Text && *Text ? Text : nullptr;
}

static std::string temporaryFolder() {
  const char *Folder = setting("TMPDIR");
  return Folder ? Folder : "/tmp";
}

/// valgrind preloads libraries of its own into what it runs.
static bool isUnderValgrind() {
  const char *Preloaded = setting("LD_PRELOAD");
  return Preloaded && std::strstr(Preloaded, "/vgpreload_");
}

/// The recording process is the parent of the program that it starts. Debian's
/// has the kernel's version in its name.
static bool isUnderPerf() {
  char Path[64], Name[16] = "";
  std::snprintf(Path, sizeof(Path), "/proc/%d/comm", int(getppid()));
  const int Descriptor = open(Path, O_RDONLY | O_CLOEXEC);
  if (Descriptor < 0)
    return false;
  const ssize_t Length = read(Descriptor, Name, sizeof(Name) - 1);
  close(Descriptor);
  const std::string_view Comm(Name, Length > 0 ? size_t(Length) : 0);
  return Comm == "perf\n" || Comm.starts_with("perf_");
}

/// Removes what recorded processes left that ended more than ten minutes ago.
static void removeOldLeftovers(const std::string &Folder) {
  DIR *Listing = opendir(Folder.c_str());
  if (!Listing)
    return;
  while (const dirent *Entry = readdir(Listing)) {
    const std::string_view Name = Entry->d_name;
    if (!Name.starts_with(LeftoverPrefix))
      continue;
    int Process = 0;
    std::from_chars(Name.data() + LeftoverPrefix.size(),
                    Name.data() + Name.size(), Process);
    struct stat Status;
    const std::string Path = Folder + "/" + Entry->d_name;
    if (Process > 0 && kill(Process, 0) != 0 && errno == ESRCH &&
        lstat(Path.c_str(), &Status) == 0 && S_ISREG(Status.st_mode) &&
        Status.st_uid == geteuid() &&
        std::time(nullptr) - Status.st_mtime > 600)
      unlink(Path.c_str());
  }
  closedir(Listing);
}

static NamedFile createTemporary(FileLife Life) {
  const std::string Folder = temporaryFolder();
  std::string Path = Folder + "/";
  if (Life == FileLife::Leftover) {
    removeOldLeftovers(Folder);
    Path += std::string(LeftoverPrefix) + std::to_string(getpid()) + "-";
  } else {
    Path += "accx-image-";
  }
  Path += "XXXXXX";
  const int Descriptor = mkostemp(Path.data(), O_CLOEXEC);
  return {Descriptor < 0 ? FileLife::None : Life, Descriptor, Path};
}

/// `folder/program-process-number.so`.
static NamedFile createKept(const char *Folder) {
  static std::atomic<unsigned> Count = 0;
  static std::atomic<bool> Told = false;
  const std::string Path =
      std::string(Folder) + "/" + program_invocation_short_name + "-" +
      std::to_string(getpid()) + "-" + std::to_string(Count++) + ".so";
  mkdir(Folder, 0777);
  // Never over what is there: it may be loaded by somebody.
  unlink(Path.c_str());
  const int Descriptor =
      open(Path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
  if (Descriptor >= 0)
    return {FileLife::Kept, Descriptor, Path};
  if (!Told.exchange(true))
    std::fprintf(stderr,
                 "accx: warning: ACCX_HOST_IMAGES: cannot write %s: %s; images "
                 "stay in memory\n",
                 Path.c_str(), std::strerror(errno));
  return {};
}

NamedFile host::createNamedImage() {
  if (const char *Folder = setting("ACCX_HOST_IMAGES"))
    return createKept(Folder);
  if (isUnderValgrind())
    return createTemporary(FileLife::Loading);
  if (isUnderPerf())
    return createTemporary(FileLife::Leftover);
  return {};
}
