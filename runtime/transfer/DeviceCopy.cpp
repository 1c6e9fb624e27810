//===- DeviceCopy.cpp - Rectangles between any two devices ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transfer/DeviceCopy.h"

#include "device/Device.h"

#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

using namespace accx;

namespace {

/// Each of the two buffers between devices that do not reach each other.
constexpr size_t StagingBytes = size_t(4) << 20;

/// The two buffers, in memory that is pinned for both devices where they can
/// have it: to pin costs more than to copy, so that what was pinned is kept.
class StagingBuffers {
public:
  struct Pair {
    std::array<char *, 2> Buffers = {};
    const Plugin *To = nullptr, *From = nullptr;
  };

  /// Never destroyed: the runtime may copy while the process ends.
  static StagingBuffers &get() {
    static StagingBuffers &All = *new StagingBuffers;
    return All;
  }

  /// Buffers are null if there is no memory.
  Pair take(Device &To, Device &From) {
    {
      std::lock_guard Lock(Mutex);
      for (auto I = Idle.begin(); I != Idle.end(); ++I)
        if (I->To == &To.plugin() && I->From == &From.plugin()) {
          const Pair Found = *I;
          Idle.erase(I);
          return Found;
        }
    }
    Pair New = {{}, &To.plugin(), &From.plugin()};
    for (char *&B : New.Buffers)
      B = make(To, From);
    return New;
  }
  void give(const Pair &P) {
    std::lock_guard Lock(Mutex);
    if (P.Buffers[0] && P.Buffers[1])
      Idle.push_back(P);
  }

private:
  static char *make(Device &To, Device &From) {
    const bool FromHasQueues =
        !(From.info().features & ACCX_FEATURE_SYNCHRONOUS);
    Device &Owner = FromHasQueues ? From : To;
    Device &Other = FromHasQueues ? To : From;
    auto Pinned = Owner.allocate(StagingBytes, ACCX_MEMORY_HOST);
    if (!Pinned.ok()) // What is not pinned is slower, and as good.
      return new (std::nothrow) char[StagingBytes];
    void *Address = nullptr;
    if (&Other.plugin() != &Owner.plugin())
      (void)Other.plugin().api().pin(Other.handle(), *Pinned, StagingBytes,
                                     &Address);
    return static_cast<char *>(*Pinned);
  }

  std::mutex Mutex;
  std::vector<Pair> Idle;
};

/// A queue of a device's pool; null if its plugin does everything at once.
class PoolQueue {
  Device &D;
  accx_queue Queue = nullptr;

public:
  explicit PoolQueue(Device &D) : D(D) {}
  ~PoolQueue() { D.giveQueue(Queue); }
  PoolQueue(const PoolQueue &) = delete;
  PoolQueue &operator=(const PoolQueue &) = delete;

  Status open() {
    auto Taken = D.takeQueue();
    if (!Taken.ok())
      return Taken.takeStatus();
    Queue = *Taken;
    return Status();
  }
  accx_queue handle() const { return Queue; }
  /// Waits for what is queued, also if \p Queued failed.
  Status finish(Status Queued = {}) {
    Status Waited = D.wait(Queue);
    return Queued.failed() ? std::move(Queued) : std::move(Waited);
  }
};

/// Whether the rows are a rectangle to a copy engine: those that overlap are
/// not.
bool isPitched(const Rectangle &R) {
  return R.Rows.DstStride >= R.Width && R.Rows.SrcStride >= R.Width;
}

Status copyOnHost(const Rectangle &R) {
  return forEachSlab(R, [&](char *Dst, const char *Src) {
    for (size_t Row = 0; Row < R.Rows.Count; ++Row)
      std::memmove(Dst + Row * R.Rows.DstStride, Src + Row * R.Rows.SrcStride,
                   R.Width);
    return Status();
  });
}

/// Queues the copies of \p R, which \p D alone makes.
Status queueOn(Device &D, accx_queue Queue, accx_direction Direction,
               accx_device Peer, const Rectangle &R) {
  const size_t Height = isPitched(R) ? R.Rows.Count : 1;
  return forEachSlab(R, [&](char *Dst, const char *Src) {
    for (size_t Row = 0; Row < R.Rows.Count; Row += Height)
      if (Status S =
              D.copy(Queue, {Direction, Dst + Row * R.Rows.DstStride,
                             Src + Row * R.Rows.SrcStride, R.Width, Height,
                             R.Rows.DstStride, R.Rows.SrcStride, Peer});
          S.failed())
        return S;
    return Status();
  });
}

Status copyBy(Device &D, accx_direction Direction, accx_device Peer,
              const Rectangle &R) {
  PoolQueue Queue(D);
  if (Status S = Queue.open(); S.failed())
    return S;
  return Queue.finish(queueOn(D, Queue.handle(), Direction, Peer, R));
}

/// Copies that go through the host. Each device has a queue; a buffer is filled
/// from the one while the other buffer is emptied into the other.
class StagedCopy {
  Device &To, &From;
  const Rectangle &R;
  PoolQueue Out, In;
  const size_t Piece, Rows;
  const StagingBuffers::Pair Staging;
  /// What is under way to a buffer: where it goes from there.
  struct Part {
    char *Dst = nullptr;
    size_t Width = 0, Height = 0;
  } Arriving;
  unsigned Next = 0;

  /// Brings what is arriving on its way.
  Status passOn() {
    if (!Arriving.Dst)
      return Status();
    const Part P = std::exchange(Arriving, {});
    return To.copy(In.handle(),
                   {ACCX_TO_DEVICE, P.Dst, Staging.Buffers[1 - Next], P.Width,
                    P.Height, R.Rows.DstStride, P.Width, nullptr});
  }

  Status add(char *Dst, const char *Src, size_t Width, size_t Height) {
    // The last part has arrived; the buffer that comes next has been read.
    if (Status S = Out.finish(In.finish()); S.failed())
      return S;
    if (Status S = From.copy(Out.handle(),
                             {ACCX_FROM_DEVICE, Staging.Buffers[Next], Src,
                              Width, Height, Width, R.Rows.SrcStride, nullptr});
        S.failed())
      return S;
    Status Passed = passOn();
    Arriving = {Dst, Width, Height};
    Next = 1 - Next;
    return Passed;
  }

public:
  StagedCopy(Device &To, Device &From, const Rectangle &R)
      : To(To), From(From), R(R), Out(From), In(To),
        Piece(std::min(R.Width, StagingBytes)),
        Rows(isPitched(R)
                 ? std::max<size_t>(
                       1, std::min(R.Rows.Count, StagingBytes / R.Width))
                 : 1),
        Staging(StagingBuffers::get().take(To, From)) {}
  /// Nothing is under way any more.
  ~StagedCopy() { StagingBuffers::get().give(Staging); }

  Status run() {
    for (const char *B : Staging.Buffers)
      if (!B)
        return Status(ErrorCode::OutOfMemory,
                      "no host memory for a copy between devices");
    if (Status S = Out.open(); S.failed())
      return S;
    if (Status S = In.open(); S.failed())
      return S;
    Status Copied = forEachSlab(R, [&](char *Dst, const char *Src) {
      for (size_t Row = 0; Row < R.Rows.Count;) {
        const size_t Height = std::min(Rows, R.Rows.Count - Row);
        for (size_t Begin = 0; Begin < R.Width; Begin += Piece)
          if (Status S = add(Dst + Row * R.Rows.DstStride + Begin,
                             Src + Row * R.Rows.SrcStride + Begin,
                             std::min(Piece, R.Width - Begin), Height);
              S.failed())
            return S;
        Row += Height;
      }
      return Status();
    });
    Copied = Out.finish(std::move(Copied));
    if (Copied.ok())
      Copied = passOn();
    return In.finish(std::move(Copied));
  }
};

} // namespace

Status accx::copyRectangle(const Rectangle &R, Device *To, Device *From) {
  if (R.Width == 0)
    return Status();
  if (!From && !To)
    return copyOnHost(R);
  if (!From)
    return copyBy(*To, ACCX_TO_DEVICE, nullptr, R);
  if (!To)
    return copyBy(*From, ACCX_FROM_DEVICE, nullptr, R);
  if (From == To)
    return copyBy(*From, ACCX_WITHIN_DEVICE, nullptr, R);
  // What is on its way to the other device's memory comes first.
  To->settleTrails();
  if (&From->plugin() == &To->plugin()) {
    Status S = copyBy(*From, ACCX_TO_PEER, To->handle(), R);
    if (S.ok() || S.code() != ErrorCode::Unsupported)
      return S;
  }
  return StagedCopy(*To, *From, R).run();
}

/// On the source's queue, whether or not its thread is to queue it: one
/// operation for all of \p R. Unsupported if the caller could queue it and the
/// devices do not reach each other. \p Together: it may wait with launches.
static Status queueToPeer(const Rectangle &R, Device &To, AsyncQueue &From,
                          bool Together) {
  Device *Source = &From.device(), *Target = &To;
  auto Directly = [=](accx_queue On, const Rectangle &R) {
    return queueOn(*Source, On, ACCX_TO_PEER, Target->handle(), R);
  };
  return From.issue(
      [&](accx_queue On) {
        if (!Together || R.Rows.Count != 1 || !From.holds())
          return Directly(On, R);
        return forEachSlab(R, [&](char *Dst, const char *Src) {
          return Source->copyLater(
              On, {ACCX_TO_PEER, Dst, Src, R.Width, 1, 0, 0, Target->handle()});
        });
      },
      [&] {
        return [=](accx_queue On) {
          Status S = Directly(On, R);
          if (S.ok() || S.code() != ErrorCode::Unsupported)
            return S;
          if (S = Source->wait(On); S.failed())
            return S;
          return StagedCopy(*Target, *Source, R).run();
        };
      });
}

Status accx::queueRectangle(const Rectangle &R, AsyncQueue &To,
                            AsyncQueue &From) {
  Device *ToDevice = &To.device(), *FromDevice = &From.device();
  if (R.Width == 0)
    return Status();
  if (&To == &From)
    return queueOn(*ToDevice, To.handle(), ACCX_WITHIN_DEVICE, nullptr, R);
  // What is on its way to the other device's memory comes first.
  ToDevice->settleTrails();
  if (To.native() && From.native() &&
      &ToDevice->plugin() == &FromDevice->plugin()) {
    const bool Together = To.meetForCopy(From);
    if (!Together)
      From.waitFor(To);
    Status S = queueToPeer(R, *ToDevice, From, Together);
    if (S.ok()) {
      if (!Together || !To.meetForCopy(From))
        To.waitFor(From);
      return S;
    }
    if (S.code() != ErrorCode::Unsupported)
      return S;
  }
  // The devices cannot wait for one another, so their queues' threads do.
  To.meet(From, [R, ToDevice, FromDevice] {
    return copyRectangle(R, ToDevice, FromDevice);
  });
  return Status();
}
