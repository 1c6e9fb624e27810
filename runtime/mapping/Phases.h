//===- Phases.h - Entering and leaving constructs ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two halves every construct is made of: map the items and copy in; copy
// out and unmap. Handles waiting for other constructs and shortage of memory.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_PHASES_H
#define ACCX_MAPPING_PHASES_H

#include "mapping/Constructs.h"
#include "mapping/Items.h"
#include "mapping/Reduced.h"
#include "mapping/Results.h"
#include "mapping/Transfers.h"
#include "report/Activity.h"

#include <memory>

namespace accx {

/// Vectors of one construct, kept by the thread so that the usual construct
/// allocates nothing.
struct ConstructScratch {
  MapItems Items;
  std::vector<EnterItem> Enter;
  std::vector<ExitItem> Exit;
  std::vector<UpdateItem> Update;
  std::vector<void *> KernelArgs;
  /// By item: the kernel does not write what the construct itself mapped; empty
  /// if no item is such.
  std::vector<bool> Unwritten;
  /// Of the construct's arguments, where they are not as the program gave them.
  std::vector<int64_t> Types;
  std::vector<void *> BasePtrs;
  SmallResults Results;
  ReducedVariables Reduced;
  Plan P;
  /// Recorded behind the copies of P, which were not waited for.
  accx_event Copied = nullptr;
  bool InUse = false;
};

/// The calling thread's scratch; a fresh one while a construct of the same
/// thread is under way (tools may call API routines from callbacks).
class ScratchLease {
  std::unique_ptr<ConstructScratch> Own;
  ConstructScratch *S;

public:
  ScratchLease();
  ~ScratchLease() {
    S->Reduced.clear();
    S->InUse = false;
  }
  ScratchLease(const ScratchLease &) = delete;
  ScratchLease &operator=(const ScratchLease &) = delete;
  ConstructScratch *operator->() const { return S; }
  ConstructScratch &operator*() const { return *S; }
};

/// Waits for something to change in the directory of \p D, whose mutex \p Lock
/// holds.
void awaitMapChange(Device &D, std::unique_lock<std::mutex> &Lock);

/// Asks the directory until it need not wait for other constructs.
template <typename Fn>
Outcome askUntilDone(Device &D, std::unique_lock<std::mutex> &Lock, Fn Ask) {
  Outcome O = Ask();
  if (O != Outcome::Wait) [[likely]]
    return O;
  ActivityInfo Activity;
  Activity.Device = D.id();
  Activity.What = "wait for another construct";
  ActivityScope Scope(ActivityKind::Wait, Activity);
  do {
    awaitMapChange(D, Lock);
    O = Ask();
  } while (O == Outcome::Wait);
  return O;
}

/// Pins \p E, which may be null, until the queue has passed the construct of
/// \p T.
void pinFor(ConstructTail &T, std::unique_lock<std::mutex> &Lock, Entry *E);

/// Maps S.Items and copies in. Fills S.Enter. The data is there, or on its way
/// before whatever the device is asked to do next; see Trailing.h.
Status enterItems(Construct C, ConstructQueue &Q, ConstructScratch &S);

/// enterItems() that keeps the entries for leaveItems(), for what follows on
/// the same queue: where the device keeps its queues' order the data may be on
/// its way still. End with finishEntered().
Status enterForLaunch(Construct C, ConstructQueue &Q, ConstructScratch &S);

/// Waits for the queue after enterForLaunch() and the kernel, which was queued
/// with the outcome \p Queued. A failure names the variables, too, where it may
/// have been their copies.
Status finishEntered(ConstructQueue &Q, ConstructScratch &S, Status Queued,
                     const char *KernelName);

/// enterItems() beside regions of the thread that are under way, and use what
/// is \p Gone, if that does not concern them. Otherwise does nothing and
/// returns nothing.
std::optional<Status> enterBeside(Construct C, ConstructQueue &Q,
                                  ConstructScratch &S,
                                  std::span<const HostRange> Gone);
/// leaveItems() likewise, if it needs no copy; see Directory::exitBeside().
bool leaveBeside(Construct C, ConstructScratch &S,
                 std::span<const Entry *const> Held);

/// enterItems() with pins, if that needs no operation and no wait. Otherwise
/// does nothing and returns false.
bool enterPresent(Construct C, ConstructScratch &S);

/// Copies out and unmaps S.Items. \p Pinned: the construct's own enterItems()
/// pinned the entries in S.Enter.
Status leaveItems(Construct C, ConstructQueue &Q, ConstructScratch &S,
                  bool Pinned);

/// Gives back the pins of enterItems() after a failure in between.
void unpinItems(Construct C, ConstructScratch &S);

/// Whether the caller is inside of a construct that has entered its items.
/// Queued work may wait for them, so the caller must not wait for that work.
enum class Holding { Nothing, Entries };

/// Gives idle memory of \p D back; waits for queued work first, which may make
/// more of it idle, if the caller holds nothing.
void releaseIdleMemory(Device &D, Holding Held);

/// Runs \p Try; if it fails for want of memory, releases idle device memory
/// and runs it once more.
template <typename Fn>
auto withMemory(Device &D, Holding Held, Fn Try) -> decltype(Try()) {
  auto First = Try();
  if (First.ok())
    return First;
  Status S = First.takeStatus();
  if (S.code() != ErrorCode::OutOfMemory)
    return S;
  releaseIdleMemory(D, Held);
  return Try();
}

} // namespace accx

#endif // ACCX_MAPPING_PHASES_H
