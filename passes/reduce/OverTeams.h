//===- OverTeams.h - Replaces a reduction over teams ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call of the device runtime, in a kernel all of whose threads come to it,
// becomes one of GridFold.h's function.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_OVERTEAMS_H
#define ACCX_REDUCE_OVERTEAMS_H

#include "offload/Kernel.h"
#include "reduce/BlockFold.h"
#include "reduce/ReductionPlan.h"

namespace accx::reduce {

/// The launch's environment, as the runtime is told of it.
llvm::Value *launchEnvironment(llvm::Function &Kernel);

/// Takes \p Call, a reduction over teams, out of its kernel. \p Result stands
/// for what it returned.
void eraseOverTeams(llvm::CallInst &Call, llvm::Value *Result);

/// Replaces the call of \p Plan, which stands in the kernel itself.
/// \p FoldsBlock: each thread of a block holds something, not thread 0 alone.
llvm::CallInst *replaceOverTeams(const offload::KernelPlan &Kernel,
                                 const ReductionPlan &Plan, Slots &Shared,
                                 bool FoldsBlock);

} // namespace accx::reduce

#endif // ACCX_REDUCE_OVERTEAMS_H
