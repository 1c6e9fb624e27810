//===- Launch.h - Launching kernels -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape, launch environment and arguments of a launch.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_LAUNCH_H
#define ACCX_PLUGIN_CUDA_LAUNCH_H

#include "Image.h"
#include "Queue.h"

namespace accx::cuda {

/// The context of the queue's device is current.
accx_status launch(Queue &Q, const Kernel &K, const accx_launch &Launch);

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_LAUNCH_H
