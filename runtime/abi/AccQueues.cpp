//===- AccQueues.cpp - OpenACC's asynchronous queues ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brackets of asynchronous constructs, waits and tests. Queues belong to a
// device; a wait asks for those of the current device unless it names another.
//
//===----------------------------------------------------------------------===//

#include "abi/Acc.h"
#include "event/Progress.h"
#include "report/Ompt.h"
#include "report/Prof.h"
#include "report/Report.h"

#include <accx/async.h>

#include <chrono>
#include <thread>
#include <vector>

using namespace accx;
using acc::Routine;

namespace {

/// The queue that acc_async_noval means at the start.
constexpr int InitialDefault = 0;
/// Nested brackets that are told apart.
constexpr unsigned MaxDepth = 16;

/// A thread's control variables; plain data, as constructs may still run when
/// the thread's other variables are gone.
struct ThreadState {
  int DefaultQueue = InitialDefault;
  unsigned Depth = 0;
  int64_t Outer[MaxDepth] = {};
};
thread_local constinit ThreadState Thread;

/// Waits for everything on \p Q and ends the program if it failed.
void waitForAll(AsyncQueue &Q) {
  if (const QueueOutcome O = Q.wait(); O.Result.failed())
    reportAsyncFailure(Q.device(), O);
}

/// Waits up to \p E and ends the program if work of \p Q failed.
void waitUpTo(AsyncQueue &Q, const QueueEvent &E) {
  if (const QueueOutcome O = Q.wait(E); O.Result.failed())
    reportAsyncFailure(Q.device(), O);
}

/// A failure of any queue is reason enough to stop: what waits for that queue
/// on the device would compute with what it left.
void checkOthers(Device &D) {
  if (!D.NumFailedQueues.load(std::memory_order_relaxed)) [[likely]]
    return;
  for (AsyncQueue *Q : D.asyncQueues())
    if (Q->hasFailed() && !Q->isCurrentThread())
      waitForAll(*Q);
}

/// A queue that was used; null otherwise, and for acc_async_sync.
AsyncQueue *usedQueue(Device *D, int Argument, const Routine &Self) {
  const int64_t Number = acc::queueNumber(Argument, Self);
  if (!D || Number == asyncScope::None)
    return nullptr;
  AsyncQueue *Q = D->findAsyncQueue(Number);
  // Work that waits for its own queue would wait for itself.
  return Q && !Q->isCurrentThread() ? Q : nullptr;
}

/// Tells tools of a wait for queue \p Argument of \p D.
[[gnu::cold]] void tellOfWait(prof::EventScope &Prof, const Device *D,
                              int Argument, const Routine &Self) {
  const int64_t Number = acc::queueNumber(Argument, Self);
  Prof.construct(acc_ev_wait_start,
                 {acc_construct_runtime_api, D ? D->id() : initialDevice(),
                  &Self.Loc,
                  Number == asyncScope::None ? acc_async_sync : Number});
}

void wait(Device *D, int Argument, const Routine &Self) {
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    tellOfWait(Prof, D, Argument, Self);
  AsyncQueue *Q = usedQueue(D, Argument, Self);
  if (Q)
    waitForAll(*Q);
  if (D)
    checkOthers(*D);
}

/// Whether everything on \p Q is done; ends the program if it failed.
bool isDone(AsyncQueue &Q) {
  (void)Progress::run();
  QueueOutcome O;
  if (!Q.done(O))
    return false;
  if (O.Result.failed())
    reportAsyncFailure(Q.device(), O);
  return true;
}

bool test(Device *D, int Argument, const Routine &Self) {
  AsyncQueue *Q = usedQueue(D, Argument, Self);
  if (Q && !isDone(*Q))
    return false;
  if (D)
    checkOthers(*D);
  return true;
}

void waitAll(Device *D, const Routine &Self) {
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    tellOfWait(Prof, D, acc_async_sync, Self);
  if (D)
    acc::waitForQueues(*D);
}

bool testAll(Device *D) {
  if (!D)
    return true;
  for (AsyncQueue *Q : D->asyncQueues())
    if (!isDone(*Q))
      return false;
  return true;
}

/// Makes queue \p Async of the current device wait for the queues \p For.
void waitOnQueue(const std::vector<AsyncQueue *> &For, int Async,
                 const Routine &Self) {
  const int64_t Number = acc::queueNumber(Async, Self);
  Device *Own = acc::currentDevice(Self);
  if (!Own || Number == asyncScope::None) {
    for (AsyncQueue *Q : For)
      waitForAll(*Q);
    return;
  }
  auto Queue = Own->asyncQueue(Number);
  if (!Queue.ok())
    acc::check(Self, Queue.takeStatus());
  std::lock_guard Lock((*Queue)->Order);
  (*Queue)->Source.store(Self.Loc.Source, std::memory_order_relaxed);
  for (AsyncQueue *Q : For)
    if (Q != *Queue)
      (*Queue)->waitFor(*Q);
}

void waitAsync(Device *D, int Argument, int Async, const Routine &Self) {
  if (AsyncQueue *Q = usedQueue(D, Argument, Self))
    waitOnQueue({Q}, Async, Self);
}

void waitAllAsync(Device *D, int Async, const Routine &Self) {
  if (D && D->hasAsyncQueues())
    waitOnQueue(D->asyncQueues(), Async, Self);
}

int waitAny(Device *D, int Count, const int *Arguments, const Routine &Self) {
  struct Candidate {
    int Index;
    AsyncQueue *Q;
    QueueEventRef E;
  };
  std::vector<Candidate> Candidates;
  for (int I = 0; I < Count; ++I) {
    if (acc::queueNumber(Arguments[I], Self) == asyncScope::None)
      continue;
    AsyncQueue *Q = usedQueue(D, Arguments[I], Self);
    // Nothing was ever queued there.
    if (!Q)
      return I;
    Candidates.push_back({I, Q, Q->mark()});
  }
  if (Candidates.empty())
    return -1;
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    tellOfWait(Prof, D, acc_async_sync, Self);
  for (unsigned Round = 0;; ++Round) {
    for (const Candidate &C : Candidates)
      if (C.E->done()) {
        waitUpTo(*C.Q, *C.E);
        checkOthers(*D);
        return C.Index;
      }
    if (Candidates.size() == 1)
      (void)Candidates.front().E->wait();
    else if (Round < 64)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

} // namespace

int64_t acc::queueNumber(long Argument, const Routine &Self) {
  if (Argument == acc_async_noval)
    Argument = Thread.DefaultQueue;
  else if (Argument == acc_async_default)
    Argument = InitialDefault;
  if (Argument == acc_async_sync)
    return asyncScope::None;
  if (Argument < 0)
    fail(Self, "%ld is neither a queue's number nor one of acc_async_*",
         Argument);
  return Argument;
}

void acc::waitForQueues(Device &D) {
  for (AsyncQueue *Q : D.asyncQueues())
    if (!Q->isCurrentThread())
      waitForAll(*Q);
}

//===----------------------------------------------------------------------===//
// Constructs
//===----------------------------------------------------------------------===//

ACCX_ABI long __accx_async_begin(long Queue) {
  ACCX_ROUTINE(async clause);
  const int64_t Number = acc::queueNumber(Queue, Self);
  const int64_t Outer = asyncScope::enter(Number);
  if (Thread.Depth < MaxDepth)
    Thread.Outer[Thread.Depth] = Outer;
  ++Thread.Depth;
  return Number == asyncScope::None ? acc_async_sync : long(Number);
}

ACCX_ABI void __accx_async_end(void) {
  if (Thread.Depth == 0)
    return;
  if (--Thread.Depth < MaxDepth)
    asyncScope::enter(Thread.Outer[Thread.Depth]);
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

ACCX_ABI int acc_async_test(int Argument) noexcept {
  ACCX_ROUTINE(acc_async_test);
  return test(acc::currentDevice(Self), Argument, Self);
}

ACCX_ABI int acc_async_test_device(int Argument, int Number) noexcept {
  ACCX_ROUTINE(acc_async_test_device);
  return test(acc::deviceOfCurrentType(Number, Self), Argument, Self);
}

ACCX_ABI int acc_async_test_all(void) noexcept {
  ACCX_ROUTINE(acc_async_test_all);
  return testAll(acc::currentDevice(Self));
}

ACCX_ABI int acc_async_test_all_device(int Number) noexcept {
  ACCX_ROUTINE(acc_async_test_all_device);
  return testAll(acc::deviceOfCurrentType(Number, Self));
}

ACCX_ABI void acc_wait(int Argument) noexcept {
  ACCX_ROUTINE(acc_wait);
  wait(acc::currentDevice(Self), Argument, Self);
}

ACCX_ABI void acc_wait_device(int Argument, int Number) noexcept {
  ACCX_ROUTINE(acc_wait_device);
  wait(acc::deviceOfCurrentType(Number, Self), Argument, Self);
}

ACCX_ABI void acc_wait_async(int Argument, int Async) noexcept {
  ACCX_ROUTINE(acc_wait_async);
  waitAsync(acc::currentDevice(Self), Argument, Async, Self);
}

ACCX_ABI void acc_wait_device_async(int Argument, int Async,
                                    int Number) noexcept {
  ACCX_ROUTINE(acc_wait_device_async);
  waitAsync(acc::deviceOfCurrentType(Number, Self), Argument, Async, Self);
}

ACCX_ABI void acc_wait_all(void) noexcept {
  ACCX_ROUTINE(acc_wait_all);
  waitAll(acc::currentDevice(Self), Self);
}

ACCX_ABI void acc_wait_all_device(int Number) noexcept {
  ACCX_ROUTINE(acc_wait_all_device);
  waitAll(acc::deviceOfCurrentType(Number, Self), Self);
}

ACCX_ABI void acc_wait_all_async(int Async) noexcept {
  ACCX_ROUTINE(acc_wait_all_async);
  waitAllAsync(acc::currentDevice(Self), Async, Self);
}

ACCX_ABI void acc_wait_all_device_async(int Async, int Number) noexcept {
  ACCX_ROUTINE(acc_wait_all_device_async);
  waitAllAsync(acc::deviceOfCurrentType(Number, Self), Async, Self);
}

ACCX_ABI int acc_wait_any(int Count, int Arguments[]) noexcept {
  ACCX_ROUTINE(acc_wait_any);
  return waitAny(acc::currentDevice(Self), Count, Arguments, Self);
}

ACCX_ABI int acc_wait_any_device(int Count, int Arguments[],
                                 int Number) noexcept {
  ACCX_ROUTINE(acc_wait_any_device);
  return waitAny(acc::deviceOfCurrentType(Number, Self), Count, Arguments,
                 Self);
}

ACCX_ABI int acc_get_default_async(void) noexcept {
  return Thread.DefaultQueue;
}

ACCX_ABI void acc_set_default_async(int Async) noexcept {
  ACCX_ROUTINE(acc_set_default_async);
  if (Async == acc_async_noval)
    Async = acc_async_default;
  const int64_t Number = acc::queueNumber(Async, Self);
  Thread.DefaultQueue =
      Number == asyncScope::None ? acc_async_sync : static_cast<int>(Number);
}

ACCX_ABI void acc_async_wait(int Argument) noexcept { acc_wait(Argument); }

ACCX_ABI void acc_async_wait_async(int Argument, int Async) noexcept {
  acc_wait_async(Argument, Async);
}

ACCX_ABI void acc_async_wait_all(void) noexcept { acc_wait_all(); }

ACCX_ABI void acc_async_wait_all_async(int Async) noexcept {
  acc_wait_all_async(Async);
}
