//===- SmallRead.cpp - Reads that need no thread --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transfer/SmallRead.h"

#include "device/Device.h"
#include "report/Activity.h"
#include "report/PathBytes.h"
#include "transfer/PinnedBlock.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <linux/magic.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace accx;

namespace {

/// Pinned bytes that may be under way so; a device that is busy gets others on
/// their queues' threads.
constexpr size_t MaxBytes = size_t(32) << 20;
std::atomic<size_t> BytesUnderWay{0};

/// What a read leaves until the queue has passed it.
struct ReadTail final : AsyncQueue::Tail {
  PinnedBlock Block;
  std::shared_ptr<void> Keeps;

  ReadTail(Device &D, size_t Size) : Block(&D, Size) {
    BytesUnderWay.fetch_add(Block.size(), std::memory_order_relaxed);
  }
  ~ReadTail() override {
    BytesUnderWay.fetch_sub(Block.size(), std::memory_order_relaxed);
  }
};

/// Whether the file is memory; those are not asked by RWF_NOWAIT.
bool isInMemory(int Fd) {
  struct statfs Of;
  return fstatfs(Fd, &Of) == 0 &&
         (Of.f_type == TMPFS_MAGIC || Of.f_type == RAMFS_MAGIC);
}

/// All or nothing, without waiting for a disk.
bool readCached(int Fd, void *To, size_t Size, off_t Offset) {
  const iovec All = {To, Size};
  ssize_t Bytes = preadv2(Fd, &All, 1, Offset, RWF_NOWAIT);
  if (Bytes < 0 && errno == EOPNOTSUPP && isInMemory(Fd))
    Bytes = pread(Fd, To, Size, Offset);
  return Bytes == static_cast<ssize_t>(Size);
}

} // namespace

bool accx::readAtOnce(AsyncQueue &Q, void *To, size_t Size, int Fd,
                      off_t Offset, std::shared_ptr<void> Keeps) {
  Device &D = Q.device();
  if (Size > SmallReadBytes || !Q.isFree() ||
      BytesUnderWay.load(std::memory_order_relaxed) > MaxBytes)
    return false;
  auto Tail = std::make_unique<ReadTail>(D, Size);
  if (!Tail->Block.data())
    return false;
  ActivityInfo Info;
  Info.Device = D.id();
  Info.What = "read";
  Info.Bytes = Size;
  Info.Queue = Q.index();
  Info.Direction = ActivityInfo::Outside;
  using Clock = std::chrono::steady_clock;
  const auto Begin = Clock::now();
  {
    ActivityScope Scope(ActivityKind::Transfer, Info);
    if (!readCached(Fd, Tail->Block.data(), Size, Offset))
      return false;
  }
  const auto Ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
      Clock::now() - Begin);
  countPath("file read (at once)", /*Out=*/false, Size,
            static_cast<uint64_t>(Ns.count()));
  const accx_copy Copy = {ACCX_TO_DEVICE, To, Tail->Block.data(), Size, 1, 0, 0,
                          nullptr};
  auto Queue = [&D, Copy](accx_queue On) { return D.copy(On, Copy); };
  Tail->Keeps = std::move(Keeps);
  Tail->Source = Q.Source.load(std::memory_order_relaxed);
  Q.issueKnown(Queue);
  Q.leave(std::move(Tail));
  return true;
}
