//===- BlockBounds.h - How large a kernel's blocks may be -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang compiles kernels without clauses for blocks of 128 threads and lets
// code rely on it. A kernel of grid-stride loops is right with any block, and
// loops whose neighbours share data are faster with large ones.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_BLOCKBOUNDS_H
#define ACCX_GRIDLOOP_BLOCKBOUNDS_H

#include "offload/Kernel.h"

namespace accx::gridloop {

/// Lifts Clang's default bound of \p Plan's kernel, which must be right with
/// any number of threads a block. The runtime then chooses among sizes that
/// leave the kernel enough registers. Bounds that clauses or attributes set
/// stay. Returns whether there was a default bound. If so, another function
/// stands for the kernel, and the caller has to erase \p Plan's, which has no
/// body and no uses any more.
bool liftDefaultBound(const offload::KernelPlan &Plan);

/// How much \p Kernel computes, before optimization: a measure of the registers
/// that it can use.
unsigned operationsOf(const llvm::Function &Kernel);

/// Whether optimization leaves calls in \p F, a kernel or a parallel region's
/// code. What they call needs registers that a bound may not leave.
bool keepsCalls(const llvm::Function &F);

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_BLOCKBOUNDS_H
