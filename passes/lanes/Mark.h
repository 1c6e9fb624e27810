//===- Mark.h - From markers to marked loops --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   The front end brackets vector loops with markers. Other passes do not know
//   these calls. So this pass comes first and notes on the loops' metadata what
//   the markers say. Markers may be removed afterwards.
//
// ALGORITHM
//   A loop with simd's metadata belongs to the marker that was opened last on
//   the way to it, in the same iteration of all loops around, unless that one
//   was closed before.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_MARK_H
#define ACCX_LANES_MARK_H

#include "llvm/IR/PassManager.h"

namespace accx::lanes {

class MarkPass : public llvm::PassInfoMixin<MarkPass> {
public:
  static constexpr llvm::StringLiteral Name = "accx-mark-lanes";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::lanes

#endif // ACCX_LANES_MARK_H
