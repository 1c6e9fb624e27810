//===- Descriptor.h - What the runtime is told of a kernel ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constant of accx/kernel_desc.h for a kernel whose blocks are exact.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_DESCRIPTOR_H
#define ACCX_SMC_DESCRIPTOR_H

#include "llvm/IR/Function.h"

namespace accx::smc {

class LaunchGrid;

/// Blocks of \p Kernel have \p Threads threads, and there is one for so many
/// iterations, or as \p Grid says where that is not empty.
void describeLaunch(const llvm::Function &Kernel, unsigned Threads,
                    unsigned Iterations, const LaunchGrid &Grid);

} // namespace accx::smc

#endif // ACCX_SMC_DESCRIPTOR_H
