//===- Executor.cpp - A thread that runs kernels --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hand-off between caller and executor, and the executor's thread.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Launch.h"
#include "LibOMP.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sched.h>
#include <sys/resource.h>

using namespace accx;
using namespace accx::host;

using namespace std::chrono_literals;

/// How long a waiting side looks before it sleeps: a few times what it costs to
/// be woken. The executor waits for what the program does between two kernels,
/// the caller for a kernel that may take any time.
static constexpr auto ExecutorSpin = 50us;
static constexpr auto CallerSpin = 20us;

/// Stack of a kernel's first thread: as much as the program's threads get.
static size_t stackBytes() {
  size_t Bytes = std::max(size_t(8) << 20, size_t(kmp_get_stacksize_s()));
  rlimit Limit;
  if (getrlimit(RLIMIT_STACK, &Limit) == 0 && Limit.rlim_cur != RLIM_INFINITY)
    Bytes = std::max(Bytes, size_t(Limit.rlim_cur));
  return std::min(Bytes, size_t(1) << 30);
}

/// The executor whose thread this is.
static thread_local const Executor *Mine = nullptr;

bool Executor::startThread() {
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, stackBytes());
  // Signals of the program go to the program's threads; those that a kernel
  // causes itself cannot be blocked.
  sigset_t All, Before;
  sigfillset(&All);
  for (int Own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF})
    sigdelset(&All, Own);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  int Error = pthread_create(&Thread, &Attributes, main, this);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  pthread_attr_destroy(&Attributes);
  HasThread = Error == 0;
  TeamIsBound = StateIsKnown = false;
  if (Error)
    fail(ACCX_ERROR_OUT_OF_MEMORY, "cannot start a thread: %s",
         std::strerror(Error));
  return HasThread;
}

void *Executor::main(void *Self) {
  auto *E = static_cast<Executor *>(Self);
  Mine = E;
  char Name[16];
  std::snprintf(Name, sizeof(Name), "accx-host-%u", E->Device);
  pthread_setname_np(pthread_self(), Name);
  E->loop();
  return nullptr;
}

void Executor::loop() {
  while (waitForWork()) {
    runPosted();
    Turn.store(Finished);
  }
}

/// The executor's side: true if there is a kernel, false to leave. Nothing here
/// or after a kernel's end calls libomp, which may be gone while a process
/// ends.
bool Executor::waitForWork() {
  bool MaySpin = Cores.numCores() > 1;
  for (;;) {
    uint32_t Now = Turn.load();
    if (Now == Posted)
      return true;
    if (Now == Leaving)
      return false;
    if (MaySpin)
      MaySpin = Turn.spinWhile(Now, ExecutorSpin);
    else
      Turn.sleepWhile(Now, 0ns);
  }
}

void Executor::runPosted() {
  if (!StateIsKnown)
    Initial = OpenMPState::current();
  StateIsKnown = true;
  if (TheKernel->Use.Forks && !TeamIsBound && Cores.binds())
    bindTeam();
  launchFresh(*TheKernel, *TheLaunch, Initial, Cores, Device);
}

/// Starts the team that later regions of this thread will find, and puts each
/// thread on its core.
void Executor::bindTeam() {
  void (*Bind)(int32_t *, int32_t *, const Executor *) =
      [](int32_t *, int32_t *Thread, const Executor *E) {
        E->Cores.bind(E->Device, E->Index, unsigned(*Thread));
      };
  __kmpc_fork_call(&Here, 1,
                   reinterpret_cast<void (*)(int32_t *, int32_t *, ...)>(Bind),
                   this);
  TeamIsBound = true;
}

/// The caller's side.
void Executor::waitForKernel() {
  // On the executor's own core it would only be in the way.
  bool MaySpin =
      Cores.numCores() > 1 &&
      !(Cores.binds() && sched_getcpu() == Cores.coreOf(Device, Index, 0));
  if (MaySpin && Turn.spinWhile(Posted, CallerSpin))
    return;
  while (Turn.load() == Posted)
    Turn.sleepWhile(Posted, 0ns);
}

accx_status Executor::run(const Kernel &K, const accx_launch &L) {
  if (!HasThread && !startThread())
    return ACCX_ERROR_OUT_OF_MEMORY;
  TheKernel = &K;
  TheLaunch = &L;
  Turn.store(Posted);
  waitForKernel();
  return ACCX_OK;
}

bool Executor::stop(const timespec &Deadline) {
  // A busy executor runs a kernel whose caller is still inside launch.
  while (!tryClaim()) {
    timespec Now, Nap = {0, 1000000};
    clock_gettime(CLOCK_REALTIME, &Now);
    if (Now.tv_sec > Deadline.tv_sec || Mine == this)
      return false;
    nanosleep(&Nap, nullptr);
  }
  if (!HasThread)
    return true;
  Turn.store(Leaving);
  return pthread_timedjoin_np(Thread, nullptr, &Deadline) == 0;
}
