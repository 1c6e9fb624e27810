//===- OpenMPState.cpp - Internal control variables -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing internal control variables through OpenMP's routines.
//
//===----------------------------------------------------------------------===//

#include "OpenMPState.h"
#include "LibOMP.h"
#include "Lock.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

using namespace accx;
using namespace accx::host;

void OpenMPState::readCurrent(uint8_t Which) {
  if (Which & NumThreadsBit)
    NumThreads = omp_get_max_threads();
  if (Which & DynamicBit)
    Dynamic = omp_get_dynamic();
  if (Which & LevelsBit)
    MaxActiveLevels = omp_get_max_active_levels();
  if (Which & ScheduleBit) {
    omp_sched_t Kind;
    omp_get_schedule(&Kind, &Chunk);
    Schedule = int(Kind);
  }
  if (Which & AllocatorBit)
    Allocator = uintptr_t(omp_get_default_allocator());
}

void OpenMPState::applyOver(const OpenMPState &Now) const {
  if (NumThreads != Now.NumThreads)
    omp_set_num_threads(NumThreads);
  if (Dynamic != Now.Dynamic)
    omp_set_dynamic(Dynamic);
  if (MaxActiveLevels != Now.MaxActiveLevels)
    omp_set_max_active_levels(MaxActiveLevels);
  if (Schedule != Now.Schedule || Chunk != Now.Chunk)
    omp_set_schedule(omp_sched_t(Schedule), Chunk);
  if (Allocator != Now.Allocator)
    omp_set_default_allocator(omp_allocator_handle_t(Allocator));
}

/// Whether a variable is set and not empty.
static const char *variable(const char *Name) {
  const char *Text = std::getenv(Name);
  return Text && *Text ? Text : nullptr;
}

/// What libomp starts with where the environment says no more than a number of
/// threads. False if it says more.
static bool deduceInitial(OpenMPState &Out) {
  for (const char *Name :
       {"KMP_AFFINITY", "KMP_ALL_THREADS", "KMP_DEVICE_THREAD_LIMIT",
        "KMP_DYNAMIC_MODE", "KMP_HW_SUBSET", "KMP_LIBRARY", "KMP_MAX_THREADS",
        "KMP_NESTING_MODE", "KMP_PLACE_THREADS", "KMP_SCHEDULE",
        "OMP_ALLOCATOR", "OMP_DYNAMIC", "OMP_MAX_ACTIVE_LEVELS", "OMP_NESTED",
        "OMP_SCHEDULE", "OMP_THREAD_LIMIT"})
    if (variable(Name))
      return false;
  // A list means nested regions.
  if (const char *Bind = variable("OMP_PROC_BIND");
      Bind && std::strchr(Bind, ','))
    return false;

  Out = OpenMPState();
  Out.NumThreads = omp_get_num_procs();
  if (const char *Text = variable("OMP_NUM_THREADS")) {
    char *End = nullptr;
    long Number = std::strtol(Text, &End, 10);
    if (*End || Number < 1 || Number > 4096)
      return false;
    Out.NumThreads = int(Number);
  }
  Out.MaxActiveLevels = 1;
  Out.Schedule = omp_sched_static;
  Out.Allocator = uintptr_t(omp_default_mem_alloc);
  return true;
}

/// Asks a thread that OpenMP has not met before. It never ends: when a thread
/// that libomp knows ends, libomp 19 takes its hidden helper team down, and
/// tasks in flight never complete.
static bool askNewThread(OpenMPState &Out) {
  static std::atomic<uint32_t> Answered{0};
  auto Ask = [](void *Out) -> void * {
    *static_cast<OpenMPState *>(Out) = OpenMPState::current();
    Answered.store(1, std::memory_order_release);
    Answered.notify_all();
    for (;;)
      pause();
  };
  pthread_t Thread;
  sigset_t All, Before;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  int Error = pthread_create(&Thread, nullptr, Ask, &Out);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  if (Error) {
    fail(ACCX_ERROR_OUT_OF_MEMORY, "cannot start a thread: %s",
         std::strerror(Error));
    return false;
  }
  pthread_detach(Thread);
  Answered.wait(0, std::memory_order_acquire);
  return true;
}

const OpenMPState *OpenMPState::initial() {
  static std::atomic<bool> Known{false};
  static Lock Guard;
  static OpenMPState Initial;

  if (Known.load(std::memory_order_acquire))
    return &Initial;
  std::lock_guard Locked(Guard);
  // One thread more than cores, even asleep, makes libomp send all threads of
  // the process to sleep between regions: only ask where there is no other way.
  if (!Known.load(std::memory_order_relaxed) && !deduceInitial(Initial) &&
      !askNewThread(Initial))
    return nullptr;
  Known.store(true, std::memory_order_release);
  return &Initial;
}

void ThreadLimit::set(uint32_t Limit) {
  Before = omp_get_thread_limit();
  int New = int(std::min<uint32_t>(Limit, INT_MAX));
  if (New < Before)
    __kmpc_set_thread_limit(&Here, __kmpc_global_thread_num(&Here), New);
  else
    Before = 0;
}

void ThreadLimit::reset() {
  __kmpc_set_thread_limit(&Here, __kmpc_global_thread_num(&Here), Before);
}
