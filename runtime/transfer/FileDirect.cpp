//===- FileDirect.cpp - A file past the page cache ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileDirect.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileDirect.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace accx;

namespace {

/// Whether anybody, also this process, has a record lock on the file. A process
/// that closes any descriptor of a file loses its locks on it.
bool isLocked(int Fd) {
  struct flock Lock = {};
  Lock.l_type = F_WRLCK;
  Lock.l_whence = SEEK_SET;
  // Locks of open files conflict with the process's own, so these show.
  return fcntl(Fd, F_OFD_GETLK, &Lock) == 0 && Lock.l_type != F_UNLCK;
}

/// Descriptors that cannot be closed yet, as the program took a lock meanwhile.
class KeptOpen {
  std::mutex Mutex;
  std::vector<int> Fds;

public:
  static KeptOpen &get() {
    static KeptOpen &All = *new KeptOpen;
    return All;
  }
  void add(int Fd) {
    std::lock_guard Lock(Mutex);
    Fds.push_back(Fd);
  }
  void closeUnlocked() {
    std::lock_guard Lock(Mutex);
    std::erase_if(Fds, [](int Fd) { return !isLocked(Fd) && !close(Fd); });
  }
};

/// Writing beyond it is the program's death by SIGXFSZ, unless a thread writes
/// that takes no signals; io_uring chooses its threads itself.
bool exceedsLimit(off_t End) {
  rlimit Limit = {};
  return getrlimit(RLIMIT_FSIZE, &Limit) == 0 &&
         Limit.rlim_cur != RLIM_INFINITY &&
         static_cast<rlim_t>(End) > Limit.rlim_cur;
}

size_t roundUp(size_t Value, size_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

} // namespace

DirectFile::DirectFile(int Program, bool Out, off_t End) {
  KeptOpen::get().closeUnlocked();
  if (isLocked(Program)) {
    Why = "the file is locked";
    return;
  }
  if (Out && exceedsLimit(End)) {
    Why = "RLIMIT_FSIZE";
    return;
  }
  const std::string Path = "/proc/self/fd/" + std::to_string(Program);
  Fd = open(Path.c_str(),
            (Out ? O_WRONLY : O_RDONLY) | O_DIRECT | O_CLOEXEC | O_NOCTTY);
  if (Fd < 0) {
    Why = std::string("no O_DIRECT: ") + strerror(errno);
    return;
  }
  Unit = static_cast<size_t>(std::max(4096L, sysconf(_SC_PAGESIZE)));
  // Disks' blocks, where the system does not say more.
  MemoryUnit = 512;
#ifdef STATX_DIOALIGN
  struct statx S = {};
  if (statx(Fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &S) == 0 &&
      S.stx_mask & STATX_DIOALIGN) {
    if (S.stx_dio_offset_align == 0) {
      Why = "the file system has no O_DIRECT for this file";
      close(Fd);
      Fd = -1;
      return;
    }
    MemoryUnit = std::max<size_t>(S.stx_dio_mem_align, 1);
    Unit = roundUp(Unit, S.stx_dio_offset_align);
  }
#endif
}

DirectFile::~DirectFile() {
  if (Fd < 0)
    return;
  if (isLocked(Fd))
    KeptOpen::get().add(Fd);
  else
    close(Fd);
}

DirectFile::Middle DirectFile::middleOf(const void *Data, size_t Size,
                                        off_t Offset) const {
  const auto From = static_cast<size_t>(Offset);
  const size_t Begin = roundUp(From, Unit) - From;
  if (Begin >= Size)
    return {};
  const size_t Whole = (Size - Begin) / Unit * Unit;
  if ((reinterpret_cast<uintptr_t>(Data) + Begin) % MemoryUnit != 0)
    return {};
  return {Begin, Begin + Whole};
}
