//===- RowLoops.h - Collapsed loops, row by row -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes loops over rows of loops that divide their counter.
//
//===----------------------------------------------------------------------===//
//
// DESCRIPTION
//   A collapsed loop, or one that a program wrote over all elements of an array
//   of several dimensions, divides in each iteration:
//
//     for (p = first; p <= last; ++p) { i = p / m; j = p - i * m; ... }
//
//   The division takes longer than most bodies, and keeps loops from being
//   vectorized. The loop becomes
//
//     for (row = first; ; row = end + 1) {
//       i = row / m;
//       end = min(last, row + (m - 1 - row % m));
//       for (p = row; p <= end; ++p) { j = p - i * m; ... }
//     }
//
//   A row ends where the first of the loop's quotients changes. So any number
//   of dimensions is one case, and so are unrelated quotients.
//
// LEGALITY
//   The loop has one exit, at its end, and a number of iterations that is known
//   ahead of it. The dividend is a counter of step one plus a value that does
//   not change within a row, and every iteration executes the division. A row
//   ends after one iteration where the dividend or divisor of a signed division
//   is negative, and before an iteration in which the dividend would wrap. The
//   program may extend a counter's lower bits (an index of type int): a row
//   ends before these would wrap, and within it the index grows by one.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_ROWLOOPS_H
#define ACCX_VECTOR_LOOPS_ROWLOOPS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace accx::vector {

/// Makes \p L, which may have loops inside, go row by row if it can. Returns
/// whether anything changed: analyses of \p F are invalid then. \p Tells: a
/// remark says why a loop stays.
bool goByRows(llvm::Loop &L, llvm::Function &F,
              llvm::FunctionAnalysisManager &FAM, bool Tells = false);

class RowLoopsPass : public llvm::PassInfoMixin<RowLoopsPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-rows";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_ROWLOOPS_H
