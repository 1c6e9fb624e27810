//===- RowLoops.h - Collapsed loops, row by row -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that take their counter apart by divisions become loops over rows.
//
//===----------------------------------------------------------------------===//
//
// DESCRIPTION
//   A collapsed loop, or one that a program wrote over all elements of an array
//   of several dimensions, divides in each iteration:
//
//     for (p = first; p <= last; ++p) { i = p / m; j = p - i * m; ... }
//
//   which takes longer than most bodies and keeps them from being vectorized.
//   It becomes
//
//     for (row = first; ; row = end + 1) {
//       i = row / m;
//       end = min(last, row + (m - 1 - row % m));
//       for (p = row; p <= end; ++p) { j = p - i * m; ... }
//     }
//
//   A row ends where the first of the loop's quotients changes, so that any
//   number of dimensions, and quotients that have nothing to do with one
//   another, are one case.
//
// LEGALITY
//   The loop has one exit, at its end, and a number of iterations that is known
//   ahead of it. The dividend differs from a counter of step one by what does
//   not change within a row; the division is executed in each iteration. Where
//   a dividend or divisor of a signed division is negative, or a dividend would
//   wrap, a row ends with its iteration. What takes a counter's lower bits and
//   extends them (an index of type int) ends a row where these would wrap, and
//   grows by one within it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_ROWLOOPS_H
#define ACCX_VECTOR_LOOPS_ROWLOOPS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace accx::vector {

/// Lets \p L, which may have loops inside, go row by row if it can. Whether
/// anything changed: analyses of \p F are invalid then.
bool goByRows(llvm::Loop &L, llvm::Function &F,
              llvm::FunctionAnalysisManager &FAM);

class RowLoopsPass : public llvm::PassInfoMixin<RowLoopsPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-rows";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_ROWLOOPS_H
