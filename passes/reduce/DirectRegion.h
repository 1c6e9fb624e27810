//===- DirectRegion.h - Regions that only reduced are called ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel region that kept the runtime's parallel state for its reduction
// alone needs no state once the reduction is straight code. Then it is called
// as the function it is, on the terms of gridloop/DirectCall.h, with one
// exception. Code behind the reduction over teams may touch what threads share,
// since that reduction has barriers that all threads pass.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_DIRECTREGION_H
#define ACCX_REDUCE_DIRECTREGION_H

#include "offload/Kernel.h"

namespace accx::reduce {

/// Replaces the call of \p Region in \p Kernel, which \p OverTeams follows.
/// False where that could be noticed.
bool callDirectly(const offload::ParallelRegion &Region, llvm::Function &Kernel,
                  llvm::CallInst &OverTeams);

} // namespace accx::reduce

#endif // ACCX_REDUCE_DIRECTREGION_H
