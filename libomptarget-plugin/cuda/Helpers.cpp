//===- Helpers.cpp - Threads that share a job -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Helpers.h.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <signal.h>
#include <thread>

using namespace accx::cuda;

namespace {

/// So long a helper looks for the next job, and the caller for the last helper
/// to leave, before they sleep. Waking one takes about as long.
constexpr std::chrono::microseconds Watch(50);

/// What one takes of a copy at a time, at least.
constexpr size_t LeastCopied = size_t(16) << 10;
/// Shorter copies take less time than handing them over.
constexpr size_t LeastShared = size_t(64) << 10;

/// Calls \p Done until it is true, for the time of Watch.
template <typename Ask> bool watch(Ask Done) {
  const auto End = std::chrono::steady_clock::now() + Watch;
  do {
    for (unsigned I = 0; I < 32; ++I) {
      if (Done())
        return true;
      __builtin_ia32_pause();
    }
    // The program's threads, which may be as many as there are cores, first.
    sched_yield();
  } while (std::chrono::steady_clock::now() < End);
  return Done();
}

class Copy final : public Helpers::Job {
  char *const To;
  const char *const From;
  const size_t Size, Step;
  std::atomic<size_t> Next{0};

public:
  Copy(void *To, const void *From, size_t Size, size_t Step)
      : To(static_cast<char *>(To)), From(static_cast<const char *>(From)),
        Size(Size), Step(Step) {}
  void takePart(unsigned) override {
    for (size_t At;
         (At = Next.fetch_add(Step, std::memory_order_relaxed)) < Size;)
      std::memcpy(To + At, From + At, std::min(Step, Size - At));
  }
};

} // namespace

unsigned accx::cuda::numProcessors() {
  cpu_set_t Set;
  // A machine may have more processors than the set holds.
  return sched_getaffinity(0, sizeof(Set), &Set) == 0
             ? unsigned(CPU_COUNT(&Set))
             : std::thread::hardware_concurrency();
}

Helpers::Helpers(unsigned Count)
    : Count(Count ? Count : 1),
      KnowsProcessors(sched_getaffinity(0, sizeof(Processors), &Processors) ==
                      0) {}

void Helpers::start() {
  Started = true;
  Threads.reserve(Count - 1);
  // Signals belong to the program's own threads.
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  pthread_attr_t How;
  pthread_attr_init(&How);
  if (KnowsProcessors)
    pthread_attr_setaffinity_np(&How, sizeof(Processors), &Processors);
  for (unsigned Member = 1; Member < Count; ++Member) {
    Threads.push_back({this, Member, {}});
    auto Run = [](void *Which) -> void * {
      const Thread &T = *static_cast<Thread *>(Which);
      T.Of->run(T.Member);
      return nullptr;
    };
    // Fewer do, too.
    if (pthread_create(&Threads.back().Handle, &How, Run, &Threads.back())) {
      Threads.pop_back();
      break;
    }
    pthread_setname_np(Threads.back().Handle, "accx-copy");
  }
  pthread_attr_destroy(&How);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

void Helpers::stop() {
  Stop = true;
  ++Generation;
  Generation.notify_all();
  for (Thread &T : Threads)
    pthread_join(T.Handle, nullptr);
  Threads.clear();
  Started = false;
  Stop = false;
}

uint32_t Helpers::awaitNext(uint32_t Seen) const {
  uint32_t Last = Generation;
  auto IsNew = [&] { return int32_t((Last = Generation) - Seen) > 0; };
  if (!watch(IsNew))
    while (!IsNew())
      Generation.wait(Last);
  return Last;
}

void Helpers::run(unsigned Member) {
  for (uint32_t Seen = 0; !Stop;) {
    Seen = awaitNext(Seen);
    // Join, unless the job is over already.
    uint32_t Before = Working;
    while ((Before & Open) &&
           !Working.compare_exchange_weak(Before, Before + 1))
      ;
    if (!(Before & Open))
      continue;
    Now->takePart(Member);
    // It may have joined before the job was told of.
    Seen = Number;
    if (--Working == 0)
      Working.notify_one();
  }
}

void Helpers::share(Job &J, bool Wait) {
  std::unique_lock Whole(Lock, std::defer_lock);
  if (Wait)
    Whole.lock();
  if (Count == 1 || (!Wait && !Whole.try_lock())) {
    J.takePart(0);
    return;
  }
  if (!Started)
    start();
  Now = &J;
  Number = Generation + 1;
  Working = Open + 1;
  Generation = Number;
  Generation.notify_all();
  J.takePart(0);
  // Nothing is left to take: wait for those who still work.
  Working -= Open + 1;
  if (!watch([&] { return Working == 0; }))
    for (uint32_t Left; (Left = Working) != 0;)
      Working.wait(Left);
}

void Helpers::copy(void *To, const void *From, size_t Size) {
  if (Size < LeastShared || Count == 1) {
    std::memcpy(To, From, Size);
    return;
  }
  // Whole pages, and something for everybody twice.
  const size_t Share = (Size / (2 * Count) + 4095) & ~size_t(4095);
  Copy Whole(To, From, Size, std::max(Share, LeastCopied));
  share(Whole);
}
