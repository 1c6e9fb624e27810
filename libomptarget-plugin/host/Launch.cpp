//===- Launch.cpp - Running a kernel --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch path.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "AccessCheck.h"
#include "Call.h"
#include "ExecutorPool.h"
#include "LibOMP.h"
#include "OpenMPState.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

using namespace accx;
using namespace accx::host;

/// thread_limit of a construct without teams. With teams the kernel's own code
/// passes the limit on, and the same limit here would hold for the number of
/// teams too.
static uint32_t limitOf(const accx_launch &L) {
  return L.num_teams == 1 ? L.thread_limit : 0;
}

namespace {

/// Kernels that run at the same time share the cores: threads beyond them would
/// only wait for each other at barriers. While it lives, regions of the kernel
/// have the calling thread's share by default; a number that the user or the
/// program asks for stays. Kernels of devices with cores of their own share
/// these only, and those known to run at the same time share from the start.
class CoreShare {
  static constexpr unsigned NumCounters = 64;
  static std::atomic<int> Running[NumCounters];
  std::atomic<int> *Counter = nullptr;
  const int Full;
  bool Limited = false;

public:
  CoreShare(const Kernel &K, const accx_launch &L, const OpenMPState &Initial,
            const Placement &Cores, uint32_t Device)
      : Full(Initial.NumThreads) {
    if (!K.Use.Forks || !isFree() || Full == 1)
      return;
    int Mine = int(Cores.threadsOf(unsigned(Full), Device, L.num_parts));
    if (L.num_parts < 2 && Mine > 1) {
      Counter = &Running[Cores.shares() ? Device % NumCounters : 0];
      Mine /= Counter->fetch_add(1, std::memory_order_relaxed) + 1;
    }
    if (Mine < Full) {
      Limited = true;
      omp_set_num_threads(std::max(Mine, 1));
    }
  }
  ~CoreShare() {
    if (Limited)
      omp_set_num_threads(Full);
    if (Counter)
      Counter->fetch_sub(1, std::memory_order_relaxed);
  }
  CoreShare(const CoreShare &) = delete;
  CoreShare &operator=(const CoreShare &) = delete;

private:
  /// Whether the user left the number of threads to us.
  static bool isFree() {
    static const bool Free = !std::getenv("OMP_NUM_THREADS");
    return Free;
  }
};

std::atomic<int> CoreShare::Running[NumCounters];

} // namespace

static void call(const Kernel &K, const accx_launch &L) {
  check::KernelStack Below;
  callKernel(K.Code, L.args, L.num_args);
}

/// Runs a kernel on the calling thread, outside every parallel region, as if
/// the thread were the device's initial one.
static accx_status launchHere(const Kernel &K, const accx_launch &L,
                              const Placement &Cores, uint32_t Device) {
  const OpenMPState *Initial = OpenMPState::initial();
  if (!Initial)
    return ACCX_ERROR_OUT_OF_MEMORY;
  OpenMPState Own = OpenMPState::current();
  bool Differs = Own != *Initial;
  if (Differs)
    Initial->applyOver(Own);
  {
    CoreShare Share(K, L, *Initial, Cores, Device);
    ThreadLimit Limit(limitOf(L));
    call(K, L);
  }
  if (Differs || K.Use.Changes) {
    OpenMPState Left = *Initial;
    Left.readCurrent(K.Use.Changes);
    if (Left != Own)
      Own.applyOver(Left);
  }
  return ACCX_OK;
}

void host::launchFresh(const Kernel &K, const accx_launch &L,
                       const OpenMPState &Initial, const Placement &Cores,
                       uint32_t Device) {
  if (OpenMPState Left = OpenMPState::current(); Left != Initial)
    Initial.applyOver(Left);
  CoreShare Share(K, L, Initial, Cores, Device);
  ThreadLimit Limit(limitOf(L));
  call(K, L);
}

accx_status host::launch(ExecutorPool &Executors, const Kernel &K,
                         const accx_launch &L) {
  if (L.num_args > MaxKernelArgs)
    return fail(ACCX_ERROR_INVALID, "kernel of %u arguments: at most %u",
                L.num_args, MaxKernelArgs);
  if (!K.Use.OpenMP) {
    // Such a kernel cannot tell where it runs.
    call(K, L);
    return ACCX_OK;
  }
  // Inside a parallel region the kernel's own regions would get no threads,
  // and a worksharing loop outside of them would wait for the host's team.
  if (omp_get_level() == 0)
    return launchHere(K, L, Executors.placement(), Executors.device());
  return Executors.run(K, L);
}
