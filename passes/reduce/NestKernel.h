//===- NestKernel.h - How a nest's kernel is launched -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many blocks and threads a nest's kernel asks for (GridNest.h).
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_NESTKERNEL_H
#define ACCX_REDUCE_NESTKERNEL_H

#include "offload/TeamNest.h"
#include "reduce/NestWriter.h"

namespace accx::reduce {

/// Replaces \p N's kernel, which has been rewritten. \p HasVectors: a region
/// has a loop for vectors.
void configureKernel(const offload::TeamNest &N, const NestChoices &Choices,
                     bool HasVectors);

} // namespace accx::reduce

#endif // ACCX_REDUCE_NESTKERNEL_H
