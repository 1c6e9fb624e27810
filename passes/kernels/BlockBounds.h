//===- BlockBounds.h - How large a kernel's blocks may be -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang compiles kernels without clauses for blocks of 128 threads and lets
// code rely on it. A kernel of grid-stride loops is right with any block, and
// loops whose neighbours share data are faster with large ones.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_KERNELS_BLOCKBOUNDS_H
#define ACCX_KERNELS_BLOCKBOUNDS_H

#include "kernels/Kernel.h"

namespace accx::kernels {

/// Takes Clang's default bound from \p Plan's kernel, which must be right with
/// any number of threads a block; the runtime then chooses. Bounds that clauses
/// or attributes set stay. Whether there was one.
bool liftDefaultBound(const KernelPlan &Plan);

} // namespace accx::kernels

#endif // ACCX_KERNELS_BLOCKBOUNDS_H
