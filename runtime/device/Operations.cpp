//===- Operations.cpp - Events and queues ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host does in a queue's order and what of a queue waits for events;
// how failures of either stop what depends on them.
//
//===----------------------------------------------------------------------===//

#include "device/AsyncQueue.h"
#include "device/Device.h"

#include <cerrno>

using namespace accx;

std::pair<Status, uint64_t> AsyncQueue::lastFailure() {
  std::lock_guard Lock(Issue);
  return {Status(ErrorCode::Unknown, FailureText), FailureId};
}

/// Makes the queue fail; the number of the failure that it has then. \p Of is
/// the operation's source record: the queue has gone on.
uint64_t AsyncQueue::failAs(const std::string &Text, const char *Of) {
  std::lock_guard Lock(Issue);
  fail(Status(ErrorCode::Unknown, Text), Of);
  return FailureId;
}

void AsyncQueue::told(uint64_t Id) {
  std::lock_guard Lock(Issue);
  if (Failure.failed() && Id == FailureId)
    forget();
}

/// Blocks until all have ended. Empty, or why what waits for them must not run.
std::string AsyncQueue::waitForAll(const std::vector<EventRef> &For) {
  for (const EventRef &E : For)
    if (E->wait() < 0)
      return std::string("not done, as what it waits for failed: ") +
             E->message();
  return {};
}

void AsyncQueue::issueOperation(EventRef End, std::vector<EventRef> For,
                                Operation Op) {
  auto Run = [this, End = std::move(End), For = std::move(For),
              Op = std::move(Op),
              Of = Source.load(std::memory_order_relaxed)](accx_queue Queue) {
    auto Failed = [&](int Code, std::string Text, uint64_t Id) {
      End->Of.store(this, std::memory_order_relaxed);
      End->FailureId.store(Id, std::memory_order_relaxed);
      End->finish(Code, std::move(Text));
      return Status();
    };
    if (leavesOut()) {
      auto [Why, Id] = lastFailure();
      return Failed(-ECANCELED,
                    "not done, as its queue failed before: " + Why.text(), Id);
    }
    if (std::string Why = waitForAll(For); !Why.empty()) {
      const uint64_t Id = failAs(Why, Of);
      return Failed(-ECANCELED, std::move(Why), Id);
    }
    End->stamp(Event::Submitted);
    auto [Code, Text] = Op(Queue);
    if (Code == 0) {
      End->finish(0);
      return Status();
    }
    const uint64_t Id = failAs(Text, Of);
    return Failed(Code, std::move(Text), Id);
  };
  std::unique_lock Lock(Issue);
  post(std::move(Run), /*Always=*/true);
  Lock.unlock();
  settleShared();
}

void AsyncQueue::waitFor(const std::vector<EventRef> &For) {
  std::vector<EventRef> OnHost;
  for (const EventRef &E : For) {
    if (E->status() == 0)
      continue;
    const QueueEventRef *Point = E->queuePoint();
    if (Point && (*Point)->isOnDevice() && !Failed.load())
      waitFor(*Point);
    else
      OnHost.push_back(E);
  }
  if (OnHost.empty())
    return;
  std::unique_lock Lock(Issue);
  post([this, OnHost = std::move(OnHost)](accx_queue) {
    std::string Why = waitForAll(OnHost);
    return Why.empty() ? Status() : Status(ErrorCode::Unknown, std::move(Why));
  });
  Lock.unlock();
  settleShared();
}
