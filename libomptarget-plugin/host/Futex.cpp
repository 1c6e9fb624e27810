//===- Futex.cpp - Sleeping on a word -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spinning that gives way, and the system call.
//
//===----------------------------------------------------------------------===//

#include "Futex.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace accx;
using namespace accx::host;

using Clock = std::chrono::steady_clock;

static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void Futex::store(uint32_t Value) {
  accx_order_before(this);
  Word.store(Value, std::memory_order_seq_cst);
  // Ordered against the sleeper's mark and its second look at the word.
  if (Asleep.load(std::memory_order_seq_cst))
    syscall(SYS_futex, &Word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

bool Futex::spinWhile(uint32_t Old, Duration Limit) const {
  // Yielding takes well under a microsecond where nobody else is ready to run;
  // longer means that the core is wanted.
  constexpr Duration Wanted = std::chrono::microseconds(5);
  Clock::time_point Now = Clock::now(), End = Now + Limit;
  do {
    for (int I = 0; I < 64; ++I) {
      if (load() != Old)
        return true;
      relax();
    }
    Clock::time_point Before = Clock::now();
    sched_yield();
    Now = Clock::now();
    if (Now - Before > Wanted)
      return load() != Old;
  } while (Now < End);
  return false;
}

void Futex::sleepWhile(uint32_t Old, Duration Limit) {
  timespec Time = {time_t(Limit.count() / 1000000000),
                   long(Limit.count() % 1000000000)};
  Asleep.fetch_add(1, std::memory_order_seq_cst);
  if (Word.load(std::memory_order_seq_cst) == Old)
    syscall(SYS_futex, &Word, FUTEX_WAIT_PRIVATE, Old,
            Limit.count() ? &Time : nullptr, nullptr, 0);
  Asleep.fetch_sub(1, std::memory_order_relaxed);
}
