//===- Launch.h - Running a kernel ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides on which thread a kernel runs, and gives it a fresh OpenMP state.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_LAUNCH_H
#define ACCX_PLUGIN_HOST_LAUNCH_H

#include "Image.h"

namespace accx::host {

class ExecutorPool;
class Placement;
struct OpenMPState;

/// Runs a kernel to its end, here or on an executor.
accx_status launch(ExecutorPool &Executors, const Kernel &K,
                   const accx_launch &L);

/// Runs a kernel on the calling thread, which belongs to device \p Device and
/// started with \p Initial; it need not get its own state back.
void launchFresh(const Kernel &K, const accx_launch &L,
                 const OpenMPState &Initial, const Placement &Cores,
                 uint32_t Device);

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_LAUNCH_H
