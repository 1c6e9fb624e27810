//===- PtxKernels.h - Kernels in PTX and in what ptxas says -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads as much of both as it takes to bound a kernel's registers.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DRIVER_PTXKERNELS_H
#define ACCX_DRIVER_PTXKERNELS_H

#include "Occupancy.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace accx::driver {

/// A kernel that says how many threads its blocks have at most, but nothing of
/// registers.
struct PtxKernel {
  std::string Name;
  unsigned Threads;
  /// Where its directives end, an offset into the text.
  size_t EndOfDirectives;
};

std::vector<PtxKernel> kernelsIn(std::string_view Ptx);

/// By the kernel's name, from the output of `ptxas -v`.
std::map<std::string, KernelUsage> usageIn(std::string_view Report);

/// Report without what -v alone makes ptxas say.
std::string withoutUsage(std::string_view Report);

} // namespace accx::driver

#endif // ACCX_DRIVER_PTXKERNELS_H
