//===- NestWriter.h - Writes a nest for all threads of a grid ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GridNest.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_NESTWRITER_H
#define ACCX_REDUCE_NESTWRITER_H

#include "gridloop/TeamCalls.h"
#include "offload/TeamNest.h"
#include "reduce/ReductionPlan.h"

#include <optional>

namespace accx::reduce {

struct NestReductions {
  /// Those of each region; at most one where that is a loop.
  llvm::SmallVector<llvm::SmallVector<ReductionPlan, 1>, 2> InRegions;
  std::optional<ReductionPlan> OverTeams;
};

struct NestChoices {
  /// Several blocks may work on one iteration; a warp alone may, or a part of
  /// one.
  bool MayShare = false;
  bool MayBeWarps = false;
  /// Threads of such a part, a power of two; 0: none.
  unsigned PartThreads = 0;
};

/// What is known of the kernel goes stale; functions of it are replaced. \p
/// Calls: of all kernels of the module.
void writeNest(const offload::TeamNest &Nest, const NestReductions &Reductions,
               const NestChoices &Choices, gridloop::TeamCalls &Calls);

/// Sets how many blocks and threads \p Nest's kernel asks for, and replaces the
/// kernel, which has been rewritten. \p HasVectors: a region has a loop for
/// vectors.
void configureKernel(const offload::TeamNest &Nest, const NestChoices &Choices,
                     bool HasVectors);

/// Regions are functions for as long as vector loops are looked for in them.
/// Inlines them: OpenMPOpt of LLVM 19 may take a variable of the caller for
/// what it held before the first call, though each call changes it. Whether
/// there were any.
bool inlineNestRegions(llvm::Module &M);

} // namespace accx::reduce

#endif // ACCX_REDUCE_NESTWRITER_H
