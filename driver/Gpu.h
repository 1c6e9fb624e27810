//===- Gpu.h - The GPUs of this machine -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asking the CUDA driver takes a second where a machine has many GPUs: what it
// said is kept in the user's cache folder until the machine restarts.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_GPU_H
#define ACCX_DRIVER_GPU_H

#include <string>
#include <vector>

namespace accx::driver {

/// The architectures (sm_90) of the GPUs that CUDA programs see here, each one
/// once; none where there is no driver or no GPU.
std::vector<std::string> gpuArchitectures();

} // namespace accx::driver

#endif // ACCX_DRIVER_GPU_H
