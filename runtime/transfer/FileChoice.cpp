//===- FileChoice.cpp - Through the page cache or past it -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileChoice.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileChoice.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace accx;

namespace {

// Kernels have it since 6.5, headers later.
#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif

struct CacheRange {
  uint64_t Offset, Length;
};
struct CacheCounts {
  uint64_t Cached, Dirty, Writeback, Evicted, RecentlyEvicted;
};

enum class InCache { Unknown, No, Yes };

/// Whether at least half of the range is. Asks without reading.
InCache countPages(int Fd, off_t Offset, size_t Size) {
  const CacheRange Range = {static_cast<uint64_t>(Offset), Size};
  CacheCounts Counts = {};
  if (syscall(__NR_cachestat, Fd, &Range, &Counts, 0) != 0)
    return InCache::Unknown;
  const auto Page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return Counts.Cached * Page * 2 >= Size ? InCache::Yes : InCache::No;
}

/// The same for older kernels: reads a byte if that takes no disk.
InCache tryByte(int Fd, off_t Offset) {
  char Byte;
  iovec Part = {&Byte, 1};
  if (preadv2(Fd, &Part, 1, Offset, RWF_NOWAIT) >= 0)
    return InCache::Yes;
  return errno == EAGAIN ? InCache::No : InCache::Unknown;
}

InCache look(int Fd, off_t Offset, size_t Size) {
  const InCache C = countPages(Fd, Offset, Size);
  return C == InCache::Unknown ? tryByte(Fd, Offset) : C;
}

/// Disks want several requests at once, however few threads there are.
constexpr unsigned DirectDepth = 8;
/// One piece is written, and one is ready.
constexpr unsigned LockedDepth = 2;

/// Whether one write at a time goes into the page cache of a file, so that
/// threads would only fight for its lock.
bool locksWrites(int Fd) {
  struct statfs S = {};
  if (fstatfs(Fd, &S) != 0)
    return false;
  switch (static_cast<unsigned long>(S.f_type)) {
  case EXT4_SUPER_MAGIC:
  case XFS_SUPER_MAGIC:
  case BTRFS_SUPER_MAGIC:
  case F2FS_SUPER_MAGIC:
  case OVERLAYFS_SUPER_MAGIC:
  case TMPFS_MAGIC:
  case RAMFS_MAGIC:
    return true;
  default:
    return false;
  }
}

bool isInMemory(int Fd) {
  struct statfs S = {};
  return fstatfs(Fd, &S) == 0 &&
         (S.f_type == TMPFS_MAGIC || S.f_type == RAMFS_MAGIC);
}

/// A file that fits in there is worth keeping in the page cache.
off_t memoryForCache() {
  return static_cast<off_t>(sysconf(_SC_PHYS_PAGES)) / 4 *
         sysconf(_SC_PAGESIZE);
}

std::string rate(double BytesPerNanosecond) {
  char Text[32];
  snprintf(Text, sizeof(Text), "%.2f GB/s", BytesPerNanosecond);
  return Text;
}

} // namespace

bool accx::isCold(int Fd, off_t Offset, size_t Size) {
  constexpr size_t Sample = size_t(64) << 10;
  const size_t First = std::min(Size, Sample);
  if (look(Fd, Offset, First) == InCache::Yes)
    return false;
  const size_t Middle = Size / 2;
  return Size <= Sample ||
         look(Fd, Offset + static_cast<off_t>(Middle),
              std::min(Size - Middle, Sample)) != InCache::Yes;
}

FileChoice::FileChoice(const FileSettings &Settings, int Fd,
                       const struct stat &Stat, bool Out, off_t Offset,
                       size_t Size)
    : Settings(Settings), Fd(Fd), Out(Out), Size(Size), FileSize(Stat.st_size),
      System(Stat.st_dev, Out), File(Stat.st_dev, Stat.st_ino) {
  if (!S_ISREG(Stat.st_mode)) {
    Why = "no regular file";
    return;
  }
  if (!wants(Offset))
    return;
  Direct =
      std::make_unique<DirectFile>(Fd, Out, Offset + static_cast<off_t>(Size));
  if (!Direct->isOpen()) {
    Why = Direct->whyNot();
    Direct.reset();
  }
  // One path for all of it.
  if (Direct && Out && next(Size) == FilePath::Pool)
    Direct.reset();
}

/// Whether it is worth opening the file a second time.
bool FileChoice::wants(off_t Offset) {
  if (Settings.Path != FileSettings::Measured) {
    Why = "as ACCX_FILE_PATH says";
    return Settings.Path == FileSettings::DirectOnly;
  }
  if (Size < (Out ? Settings.DirectWritesFrom : Settings.DirectFrom)) {
    Why = "small";
    return false;
  }
  if (isInMemory(Fd)) {
    Why = "a file system in memory";
    return false;
  }
  if (Out)
    return true;
  const uint64_t Before = FileRates::get().readDirectly(File);
  if (Before && Before >= static_cast<uint64_t>(FileSize) &&
      FileSize <= memoryForCache()) {
    Why = "read before, now to be kept in memory";
    return false;
  }
  // A few looks tell whether anything is to be gained.
  constexpr size_t Looks = 16;
  for (size_t I = 0; I < Looks; ++I)
    if (isCold(Fd, Offset + static_cast<off_t>(Size / Looks * I),
               std::min<size_t>(Size / Looks, 4096)))
      return true;
  Why = "cached";
  return false;
}

unsigned FileChoice::depth() const {
  if (Direct)
    return std::max(2 * Settings.Threads, DirectDepth);
  return Out && locksWrites(Fd) ? LockedDepth : Settings.depthFor(Size);
}

FilePath FileChoice::next(size_t Bytes) {
  if (Settings.Path == FileSettings::DirectOnly)
    return FilePath::Direct;
  if (WindowLeft == 0) {
    const char *Reason = "";
    Current = FileRates::get().choose(System, Reason);
    Why = Reason;
    WindowLeft = Out ? Size : Settings.WindowBytes;
  }
  WindowLeft -= std::min(WindowLeft, Bytes);
  return Current;
}

FilePath FileChoice::take(off_t Offset, size_t Bytes) {
  if (!Direct)
    return FilePath::Pool;
  const bool Forced = Settings.Path == FileSettings::DirectOnly;
  const bool IsCold = Out || Forced || isCold(Fd, Offset, Bytes);
  std::lock_guard Lock(Mutex);
  if (GaveUp)
    return FilePath::Pool;
  if (Out)
    return FilePath::Direct;
  (IsCold ? Cold : Cached) += Bytes;
  return IsCold ? next(Bytes) : FilePath::Pool;
}

void FileChoice::giveUp(int Error) {
  std::lock_guard Lock(Mutex);
  GaveUp = true;
  Why = std::string("O_DIRECT failed: ") + strerror(Error);
}

void FileChoice::measured(FilePath P, size_t Bytes, uint64_t Nanoseconds) {
  if (!Out && P == FilePath::Direct)
    FileRates::get().addReadDirectly(File, Bytes);
  std::unique_lock Lock(Mutex);
  // Of reads that had the choice, and of writes that were as long as those.
  const bool Counts =
      Out ? Size >= Settings.DirectWritesFrom
          : Direct != nullptr && (P == FilePath::Direct || Cold > Cached);
  Lock.unlock();
  if (Counts)
    FileRates::get().add(System, P, Bytes, Nanoseconds);
}

std::string FileChoice::reason() {
  const FileRates::Rates R = FileRates::get().rates(System);
  std::lock_guard Lock(Mutex);
  std::string Text = Why;
  if (Cached && Cold)
    Text += (Text.empty() ? "" : ", ") +
            std::to_string(Cached * 100 / (Cached + Cold)) + "% cached";
  else if (Cached)
    Text = "cached";
  if (R.Pool > 0 && R.Direct > 0)
    Text += ", measured: pool " + rate(R.Pool) + ", direct " + rate(R.Direct);
  return Text;
}
