//===- Executor.h - A thread that runs kernels ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread of a device, with an OpenMP team of its own, to which a caller hands
// a kernel and waits.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_EXECUTOR_H
#define ACCX_PLUGIN_HOST_EXECUTOR_H

#include "Futex.h"
#include "Image.h"
#include "OpenMPState.h"
#include "Placement.h"

#include <cstdint>
#include <ctime>
#include <pthread.h>

namespace accx::host {

/// One word says whose turn it is:
///
///   Resting --tryClaim--> Claimed --run--> Posted --kernel ends--> Finished
///    ^ ^                    |                                        |
///    | +------release-------+<------------- run returns -------------+
///    +--stop--> Leaving
///
/// Only one side ever waits for the other: it spins shortly while nobody else
/// wants the core, then sleeps. The thread starts with the first kernel and
/// lives as long as the device.
class Executor {
public:
  Executor(const Placement &Cores, uint32_t Device, unsigned Index)
      : Cores(Cores), Device(Device), Index(Index) {}

  bool tryClaim() { return Turn.compareExchange(Resting, Claimed); }
  /// Runs a kernel on the claimed executor and waits for its end.
  accx_status run(const Kernel &K, const accx_launch &L);
  void release() { Turn.storeSilently(Resting); }

  /// Ends the thread. False if it is still busy at \p Deadline, or is the
  /// caller: then the executor must be left to the end of the process.
  bool stop(const timespec &Deadline);

private:
  enum : uint32_t { Resting, Claimed, Posted, Finished, Leaving };

  static void *main(void *Self);
  bool startThread();
  void loop();
  bool waitForWork();
  void runPosted();
  void bindTeam();
  void waitForKernel();

  alignas(64) Futex Turn{Resting};
  const Kernel *TheKernel = nullptr;
  const accx_launch *TheLaunch = nullptr;

  alignas(64) const Placement &Cores;
  const uint32_t Device;
  const unsigned Index;
  /// Written by whoever has the turn.
  bool TeamIsBound = false;
  bool HasThread = false;
  bool StateIsKnown = false;
  /// What the thread started with.
  OpenMPState Initial;
  pthread_t Thread;
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_EXECUTOR_H
