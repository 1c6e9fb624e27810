//===- CheckedPromotion.h - Places in memory kept in registers --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `checked-promotion`, ahead of unrolling: the innermost loop of
//
//       for (k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
//
//   stores in each iteration, since c[i][j] might be an element of a or b, and
//   each load behind waits for that. A thread asks once, ahead of the loop:
//
//       if (n >= 16 and c[i][j] lies outside of what is read of a and b)
//         loop, in which c[i][j] is known to be apart
//       else
//         loop as it was
//
//   LLVM's loop-invariant code motion, which runs behind, then keeps the place
//   in a register and stores it once.
//
// LEGALITY
//   An access that is done in all iterations, and moves by the same step in
//   each, touches nothing outside of its first and last address, and one that
//   stays nothing else, in whatever iterations it is done. Places are
//   compared with these ranges, and with one another. Accesses of the first
//   loop are marked by what was compared (`alias.scope`, `noalias`); code
//   motion decides by these marks. LLVM's own versions for code motion mark all
//   accesses as apart, those of one place, too, and its loop accesses assume
//   that steps which are arguments are 1: neither is used.
//
// REFUSALS
//   PromotionRefusals.def has them. Loops without such a store, or with other
//   effects, are left alone without a word.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDTUNE_CHECKEDPROMOTION_H
#define ACCX_GRIDTUNE_CHECKEDPROMOTION_H

#include "llvm/IR/PassManager.h"

#define ACCX_ROOM gridtune
#define ACCX_REFUSAL PromotionRefusal
#define ACCX_REFUSALS "gridtune/PromotionRefusals.def"
#include "ir/Refusals.inc"

namespace accx::gridtune {

struct CheckedPromotionPass : llvm::PassInfoMixin<CheckedPromotionPass> {
  static constexpr char Name[] = "checked-promotion";
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::gridtune

#endif // ACCX_GRIDTUNE_CHECKEDPROMOTION_H
