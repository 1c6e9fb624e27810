//===- AsyncQueue.h - In-order queues that outlive constructs ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One asynchronous queue of a device: work runs in the order in which it was
// queued, and nobody waits for it until somebody asks. There are two ways onto
// it:
//
//   caller --------------------------------> plugin queue   what the device
//          \                                      ^         takes at once
//           `--> Pending --> thread --(blocks)----'         what would block
//
// Work takes the first way while nothing is on the second. A plugin that does
// everything at once has no queue of its own: there all work takes the second
// way. What takes the second way although the device has queues: copies from
// and to pageable memory, which the driver makes in the caller's time, and
// copies that read host memory which earlier work is still to write.
//
// A wait for another queue is put off until this one gets work: who waits for
// the queue meanwhile waits for the other one, too. The other queue's point is
// late: it is recorded when somebody needs it, at the latest before more is
// queued there.
//
// A queue whose native one the program knows is shared: its thread is idle when
// a call returns, and nothing is left in the plugin that the native queue does
// not have. So what the program queues there itself is in order, too.
//
// Constructs hold Order while they queue their work. Whatever their work still
// needs (entries of the directory, staging and device memory) is left in a
// Tail, which goes when the queue is known to have passed it: at waits, and now
// and then when more is queued.
//
// Lock order: Order, then the directory's mutex; Issue is held for single
// calls of the plugin and never together with the directory's.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_ASYNCQUEUE_H
#define ACCX_DEVICE_ASYNCQUEUE_H

#include "accx/plugin.h"
#include "accx/thread_order.h"
#include "device/QueueClock.h"
#include "device/Trailing.h"
#include "device/Worker.h"
#include "event/Event.h"
#include "support/Error.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace accx {

class Device;
struct Ident;

/// A point of a queue. Thread-safe; the device lives as long as the process.
class QueueEvent {
  friend class AsyncQueue;
  Device &D;
  /// Null if the queue's thread alone tells.
  accx_event Native = nullptr;
  /// The queue's thread still has to get there; null: it has nothing to do.
  std::shared_ptr<Completion> Reached;
  /// Tails that had been left, and operations that had been queued, when the
  /// point was marked.
  uint64_t NumTails = 0;
  uint64_t NumIssued = 0;
  /// What it comes after, of its own queue, too.
  QueueClock After;
  /// What comes before may still have host memory to write.
  bool WritesHost = false;
  /// The queue had failed when it got there; set before it is Reached.
  Status Before;
  uint64_t FailureId = 0;

public:
  explicit QueueEvent(Device &D) : D(D) {}
  ~QueueEvent();
  QueueEvent(const QueueEvent &) = delete;
  QueueEvent &operator=(const QueueEvent &) = delete;

  bool done() const;
  /// Whether the plugin tells already that work before it failed.
  bool failed() const;
  /// Blocks. Plugins may tell of a failure here, or at the queue only.
  Status wait() const;
  /// Waits and lets libraries move messages.
  void await() const;
  /// Why what comes before did not go well; ask when it is done.
  Status outcome() const;
  /// Of a failure of the queue's, for told(); 0: none.
  uint64_t failureId() const { return FailureId; }
  /// Whether devices can wait for it by themselves, and nobody's thread has to
  /// get there first.
  bool isOnDevice() const { return Native && !Reached && Before.ok(); }
  /// Whether who comes after this comes after \p Other.
  bool implies(const QueueEvent &Other) const {
    return After.includes(Other.After);
  }
  /// Later work of \p Queue, the caller's and of \p Owner's, starts after it.
  /// Blocks where devices cannot wait for one another.
  Status holdBack(const Plugin &Owner, accx_queue Queue) const;
};
using QueueEventRef = std::shared_ptr<QueueEvent>;

class AsyncQueue {
public:
  /// What a construct leaves behind until the queue has passed it. Destroyed on
  /// some thread that holds none of the queue's locks but perhaps Order.
  struct Tail {
    const char *Source = nullptr; ///< Of its Ident.
    virtual ~Tail() = default;
    /// Whether it holds more than pins.
    virtual bool hasMemory() const { return true; }
  };

  /// \p Native is a queue of the plugin's, or null if it has none.
  AsyncQueue(Device &D, accx_queue Native, unsigned Index);

  /// What stands for this queue in the functions of Device.
  accx_queue handle() {
    return reinterpret_cast<accx_queue>(reinterpret_cast<uintptr_t>(this) | 1);
  }
  static AsyncQueue *of(accx_queue Handle) {
    const auto Value = reinterpret_cast<uintptr_t>(Handle);
    return Value & 1 ? reinterpret_cast<AsyncQueue *>(Value - 1) : nullptr;
  }

  Device &device() const { return D; }
  /// The plugin's queue; null if it has none.
  accx_queue native() const { return Native; }
  /// Number for traces: 1.. .
  unsigned index() const { return Index; }

  /// Held by the construct that queues now.
  std::mutex Order;
  /// Its place in the program, as in Ident; set by the holder of Order.
  std::atomic<const char *> Source{nullptr};

  /// \name Queuing, by the holder of Order
  /// @{
  /// Runs \p Op with the plugin's queue: at once if nothing is pending and the
  /// plugin has queues, else on the queue's thread. \p Capture makes of Op a
  /// std::function that needs nothing of the caller's.
  template <typename Fn, typename CaptureFn>
  Status issue(Fn Op, CaptureFn Capture) {
    startWaits();
    std::lock_guard Lock(Issue);
    if (takesDirectly()) [[likely]] {
      (void)takeNumber();
      return Op(Native);
    }
    post(Capture());
    return Status();
  }
  /// Whether launches may be put off until startHeld().
  bool mayHold() const;
  /// \p Launch, which may wait only if mayHold(), is queued directly by
  /// issue().
  void hold(const accx_launch &Launch) { Holds |= Launch.may_wait != 0; }
  /// Whether launches on it may have been put off; while issue() runs Op.
  bool holds() const { return Holds; }
  /// Whether what is queued goes to the plugin's queue at once.
  bool isFree() {
    std::lock_guard Lock(Issue);
    return takesDirectly();
  }
  /// issue() of what cannot be told of a failure otherwise: the queue fails.
  template <typename Fn> void issueKnown(Fn Op) {
    if (Status S = issue(Op, [&] { return Op; }); S.failed()) {
      std::lock_guard Lock(Issue);
      fail(std::move(S), Source.load(std::memory_order_relaxed));
    }
  }
  /// Whether the queue is but a thread, which has nothing to do: what the
  /// caller runs itself is in order.
  bool takesNothing() {
    std::lock_guard Lock(Issue);
    return !Native && idle() && !Failure.failed();
  }
  /// A copy; \p Op performs it and needs nothing of the caller's.
  Status issueCopy(const accx_copy &Copy, std::function<Status(accx_queue)> Op);
  /// Runs \p Op on the queue's thread after everything queued so far is done.
  void issueHost(std::function<Status()> Op);
  /// Runs \p Op on the queue's thread, with the plugin's queue, when what was
  /// queued so far has been issued and \p For have ended, and ends \p End with
  /// the error number and text that it gives. If one of \p For failed, or the
  /// queue, \p Op does not run. A failure is the queue's, too.
  struct OperationEnd {
    int Code = 0;
    std::string Text;
    /// Not null: what the operation queued on the plugin's queue is its end.
    /// Asked until it gives true, with code and text.
    std::function<bool(OperationEnd &)> Rest;
  };
  /// \p MayRest: more is queued behind it.
  using Operation = std::function<OperationEnd(accx_queue, bool MayRest)>;
  void issueOperation(EventRef End, std::vector<EventRef> For, Operation Op);
  /// Later work starts after \p For, and not at all if one of them failed.
  void waitFor(const std::vector<EventRef> &For);
  /// Later work starts after \p E.
  void waitFor(const QueueEventRef &E);
  /// The same for everything on \p Q, another queue, so far.
  void waitFor(AsyncQueue &Q);
  /// Runs \p Op on one of the two queues' threads after everything on both, and
  /// before what follows on them. This queue tells of its failure.
  void meet(AsyncQueue &Other, std::function<Status()> Op);
  /// Whether queues of different devices may meet(): no thread of a queue's and
  /// no event is needed for it.
  static bool canMeet(std::span<AsyncQueue *const> Queues);
  /// Later work of each of \p Queues starts after everything on all of them so
  /// far, as it does already or as the plugin can be told now; otherwise false.
  static bool meet(std::span<AsyncQueue *const> Queues);
  /// The same of two that copy from one to the other, for which launches are
  /// put off. False if one of them copies from or to a third one, too: each
  /// meeting would part it from those it met before.
  bool meetForCopy(AsyncQueue &Other);
  /// Keeps \p T until the queue has passed everything queued so far.
  void leave(std::unique_ptr<Tail> T);
  /// @}

  /// \name For everybody
  /// @{
  /// The point after everything queued so far; the same one as long as nothing
  /// more is queued.
  QueueEventRef mark();
  /// Starts launches that were put off.
  void startHeld();
  /// What its later work comes after.
  QueueClock clock();
  /// Whether that includes \p Before.
  bool isBehind(const QueueClock &Before);
  /// Whether work failed, as far as is known. Starts nothing.
  bool isKnownToFail();
  /// Waits until \p E, lets go what was left before it, and tells what failed
  /// on the queue, or on one that it waited for.
  QueueOutcome wait(const QueueEvent &E);
  /// The same for everything queued so far. Not from the queue's own thread.
  QueueOutcome wait();
  /// Whether everything queued so far is done; then as wait(). Asked again and
  /// again it finds the end, as nothing new is marked.
  bool done(QueueOutcome &Outcome);
  /// Lets go what the queue has passed by now; does not block.
  void reap();
  /// The same up to \p E, which is done.
  void passed(const QueueEvent &E);
  /// The program knows of the failure \p Id: what was queued until now does not
  /// run, and what is queued next does. Nothing if another one came after it.
  void told(uint64_t Id);
  /// Work failed and nobody was told.
  bool hasFailed() const { return Failed.load(std::memory_order_acquire); }
  /// Whether the caller is work of this queue.
  bool isCurrentThread();
  /// From now on the program may use the native queue, which is returned; null
  /// if there is none. Waits for the queue's thread.
  Expected<void *> share();
  /// @}

private:
  /// Host bytes that a copy of the construct with that tail writes.
  struct HostBytes {
    uintptr_t Begin, End;
    uint64_t Tail;
    uint64_t Number; ///< Of the operation.
  };
  using TailList = std::vector<std::unique_ptr<Tail>>;

  /// Keeps a shared queue's promise; without Issue.
  void settleShared() {
    if (Shared.load(std::memory_order_relaxed)) [[unlikely]]
      settleThread();
  }
  [[gnu::cold]] void settleThread();

  bool idle() const {
    if (Pending.load(std::memory_order_acquire) != 0)
      return false;
    accx_order_after(&Pending);
    return true;
  }
  /// Nothing is pending, or to be left out.
  bool takesDirectly() const {
    return Native && idle() && !Failed.load(std::memory_order_acquire);
  }
  /// Whether the operation that the thread runs is to be left out.
  bool leavesOut() const {
    return Failed.load(std::memory_order_acquire) ||
           RunNumber <= SkipUpTo.load(std::memory_order_relaxed);
  }
  class Resting;
  void end(Event &E, OperationEnd With, const char *Place);
  std::pair<Status, uint64_t> lastFailure();
  uint64_t failAs(const std::string &Text, const char *Of);
  bool takesTime(const accx_copy &Copy);
  bool writesHost();
  bool othersWriteHost();
  std::shared_ptr<Completion> post(std::function<Status(accx_queue)> Op,
                                   bool Always = false);
  Status run(const std::function<Status(accx_queue)> &Op, bool Always,
             const char *Of, uint64_t Number);
  void forget();
  struct Meeting;
  Status attend(Meeting &M, bool Tells, accx_queue Queue);
  QueueEventRef postMeeting(std::shared_ptr<Meeting> M, bool Tells);
  bool hasWaitedFor(AsyncQueue &Q);
  void dependOn(AsyncQueue &Q, const QueueEventRef &E);
  void dependOnLocked(AsyncQueue &Q, const QueueEventRef &E);
  bool mayPutOffWaits() const {
    return Native && !Shared.load(std::memory_order_relaxed);
  }
  QueueEventRef markForLater();
  bool putOffWaitFor(AsyncQueue &Q);
  QueueClock laterClock();
  bool comesAfter(const QueueClock &Before);
  void waitNow(const QueueEventRef &E);
  bool hasPassed(const QueueEvent &E);
  bool haveOthersPassed();
  bool isOverOrRecorded(const QueueEventRef &E);
  /// Gives the plugin the waits that were put off; without Issue. What comes
  /// next follows them.
  void startWaits() {
    if (HasPutOff.load(std::memory_order_relaxed)) [[unlikely]]
      startPutOff();
  }
  void startPutOff();
  /// Issue, with no wait that is put off.
  std::unique_lock<std::mutex> lockForMark();
  void recordLate() {
    if (Late) [[unlikely]]
      (void)record(*std::exchange(Late, nullptr));
  }
  /// Of what is queued next, which comes behind a late point.
  uint64_t takeNumber() {
    recordLate();
    return ++NumIssued;
  }
  bool record(QueueEvent &E, bool Now = true);
  QueueEventRef markLocked(bool MayBeLate = false);
  const QueueClock &clockLocked();
  void runUpTo(const QueueEvent &E);
  void startLocked();
  void fail(Status S, const char *Of);
  QueueOutcome takeKnownFailure();
  QueueOutcome takeFailure(uint64_t UpTo);
  QueueOutcome askFailure(const QueueEventRef &E);
  QueueOutcome knownFailure();
  /// The outcome of this queue, else of those that its first \p UpTo operations
  /// waited for, and those for which these did.
  QueueOutcome withUpstream(QueueOutcome Own, uint64_t UpTo);
  /// Moves what lies before the first \p NumTails tails' end to \p Out.
  void takeTails(uint64_t NumTails, TailList &Out);
  void takePassed(TailList &Out);
  /// The construct whose work the queue may still be at, or else the last one.
  const char *oldestPlace() const;

  Device &D;
  const accx_queue Native;
  const unsigned Index;

  /// Guards everything below, and calls on Native while nothing is pending.
  std::mutex Issue;
  /// Operations the thread has not ended; grows under Issue only.
  std::atomic<size_t> Pending{0};
  std::unique_ptr<Worker> Thread;
  /// The plugin may have put launches off. Nothing is pending then.
  bool Holds = false;
  /// The other queue of copies between the two; by the holder of Order.
  AsyncQueue *Peer = nullptr;
  bool HasPeers = false; ///< Several.
  std::deque<std::unique_ptr<Tail>> Tails;
  uint64_t TailsIn = 0;
  unsigned SinceFence = 0;
  uint64_t NumIssued = 0;
  /// Of these, those that are no work: waits, of which Clock tells.
  uint64_t NumWaits = 0;
  /// Of the operations so many were seen to have ended well.
  uint64_t NumEnded = 0;
  /// Of waits those that the plugin's queue has got: no failure leaves them
  /// out.
  QueueClock Clock;
  /// The last point; null if it does not tell what the next one would.
  QueueEventRef Latest;
  /// A point that is yet to be recorded. Only waits that were put off know it.
  QueueEventRef Late;
  /// Points up to which tails may go, in order.
  std::deque<QueueEventRef> Fences;
  /// Of other queues that write host memory, the last point of each; copies
  /// from the host must not read before them.
  std::vector<QueueEventRef> Foreign;
  std::vector<HostBytes> Writes;
  /// The first failure of pending work.
  Status Failure;
  const char *FailureSource = nullptr;
  /// Of the last failure, also when it was told of.
  std::string FailureText;
  uint64_t FailureId = 0;
  /// Operations up to here were queued when somebody was told of a failure.
  std::atomic<uint64_t> SkipUpTo{0};
  /// Of the operation that the thread runs.
  uint64_t RunNumber = 0;
  /// Operations whose ends the device has yet to reach.
  std::atomic<unsigned> NumResting{0};
  /// Queues that this one waited for, up to where, and that nobody asked since.
  struct Dependence {
    AsyncQueue *Q;
    QueueEventRef E;
    uint64_t At; ///< Operations of this queue up to here.
  };
  std::vector<Dependence> Upstream;
  /// Of these, those that the plugin's queue has yet to wait for.
  std::vector<Dependence> PutOff;
  /// Whether there are any; grows in the hands of the holder of Order.
  std::atomic<bool> HasPutOff{false};
  std::atomic<bool> Failed{false};
  std::atomic<bool> Shared{false};
};

/// Ends the program because work of a queue of \p D failed.
[[noreturn]] void reportAsyncFailure(const Device &D, const QueueOutcome &O);

/// The queue onto which the calling thread's constructs go, by number.
namespace asyncScope {
constexpr int64_t None = INT64_MIN;
namespace detail {
extern thread_local constinit int64_t Current
    [[gnu::tls_model("initial-exec")]];
} // namespace detail
inline int64_t current() { return detail::Current; }
/// Sets it and returns what it was.
inline int64_t enter(int64_t Number) {
  const int64_t Before = detail::Current;
  detail::Current = Number;
  return Before;
}
/// While it lives, constructs of the thread go onto queue \p Number.
class Scope {
  const int64_t Before;

public:
  explicit Scope(int64_t Number) : Before(enter(Number)) {}
  ~Scope() { enter(Before); }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;
};
} // namespace asyncScope

} // namespace accx

#endif // ACCX_DEVICE_ASYNCQUEUE_H
