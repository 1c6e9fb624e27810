//===- ExecutorPool.cpp - The executors of a device -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Choice of executors, the waiting line, start and end of threads.
//
//===----------------------------------------------------------------------===//

#include "ExecutorPool.h"

#include <chrono>

using namespace accx;
using namespace accx::host;

using Clock = std::chrono::steady_clock;

static std::atomic<uint64_t> LastSerial{0};

namespace {
/// The executor that a thread used last on a device.
struct Hint {
  uint64_t Serial;
  Executor *Last;
};
} // namespace

/// Devices that share an entry only lose the hint.
static constexpr unsigned NumHints = 32;
static thread_local Hint Hints[NumHints];

/// How long nothing may move before the line is taken to wait for itself.
static constexpr auto Patience = std::chrono::milliseconds(500);

ExecutorPool::ExecutorPool(const Placement &Cores, uint32_t Device)
    : Cores(Cores), Device(Device), Serial(++LastSerial) {}

ExecutorPool::~ExecutorPool() {
  timespec Deadline;
  clock_gettime(CLOCK_REALTIME, &Deadline);
  Deadline.tv_sec += 1;
  for (Executor *E : Executors)
    if (E->stop(Deadline))
      delete E;
}

void ExecutorPool::forgetThreads() {
  Executors.clear();
  Line.clear();
  LineLength.store(0, std::memory_order_relaxed);
  Serial = ++LastSerial;
}

accx_status ExecutorPool::run(const Kernel &K, const accx_launch &L) {
  Executor *E = acquire();
  accx_status S = E->run(K, L);
  release(E);
  return S;
}

Executor *ExecutorPool::acquire() {
  Hint &H = Hints[Device % NumHints];
  // Nobody overtakes the line.
  if (H.Serial == Serial && LineLength.load(std::memory_order_relaxed) == 0 &&
      H.Last->tryClaim())
    return H.Last;

  std::unique_lock Locked(Guard);
  Executor *E = Line.empty() ? claimIdle() : nullptr;
  if (!E && Line.empty() && Executors.size() < 2 * Cores.numCores())
    E = addNew();
  if (!E)
    E = waitInLine(Locked);
  H = {Serial, E};
  return E;
}

/// The one started last among the idle ones: the first ones are more likely to
/// be somebody's.
Executor *ExecutorPool::claimIdle() {
  for (size_t I = Executors.size(); I-- > 0;)
    if (Executors[I]->tryClaim())
      return Executors[I];
  return nullptr;
}

Executor *ExecutorPool::addNew() {
  auto *E = new Executor(Cores, Device, unsigned(Executors.size()));
  E->tryClaim();
  Executors.push_back(E);
  return E;
}

Executor *ExecutorPool::waitInLine(std::unique_lock<Lock> &Locked) {
  Waiter Me;
  Line.push_back(&Me);
  LineLength.fetch_add(1, std::memory_order_seq_cst);
  // A release that has not seen the line yet left its executor idle.
  if (Executor *E = claimIdle())
    callFirst(E);
  uint64_t Seen = NumReleased.load(std::memory_order_relaxed);
  auto Since = Clock::now();
  while (!Me.Given) {
    Locked.unlock();
    Me.Called.sleepWhile(0, Patience);
    Locked.lock();
    if (Me.Given || Clock::now() - Since < Patience)
      continue;
    uint64_t Now = NumReleased.load(std::memory_order_relaxed);
    bool Moves = Now != Seen;
    Seen = Now;
    Since = Clock::now();
    if (Moves)
      continue;
    Me.Given = addNew();
    Line.remove(&Me);
    LineLength.fetch_sub(1, std::memory_order_relaxed);
  }
  return Me.Given;
}

/// Gives a claimed executor to the first in the line. The lock is held: the
/// waiter does not go before it is free again.
void ExecutorPool::callFirst(Executor *E) {
  Waiter *First = Line.front();
  Line.pop_front();
  LineLength.fetch_sub(1, std::memory_order_relaxed);
  First->Given = E;
  First->Called.store(1);
}

void ExecutorPool::release(Executor *E) {
  NumReleased.fetch_add(1, std::memory_order_relaxed);
  E->release();
  // Ordered after the release: whoever joined the line before it is seen here,
  // whoever joins later sees the idle executor.
  if (LineLength.load(std::memory_order_seq_cst) == 0)
    return;
  std::lock_guard Locked(Guard);
  if (Line.empty())
    return;
  if (Executor *Next = claimIdle())
    callFirst(Next);
}
