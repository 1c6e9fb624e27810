//===- Columns.h - Outer loops that walk along rows -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks outer loops whose inner loops go down columns, so that simd-function
// makes their iterations the lanes of vectors.
//
//===----------------------------------------------------------------------===//
//
// DESCRIPTION
//   In a product of matrices
//
//     for (j = 0; j < n; ++j) {
//       sum = 0;
//       for (k = 0; k < n; ++k) sum += a[i][k] * b[k][j];
//       c[i][j] = sum;
//     }
//
//   the inner loop goes down a column of b. Its vectors would have to gather
//   the column, and it is a sum, which only -ffast-math lets a compiler
//   reorder. Consecutive iterations of the outer loop access consecutive
//   elements. The pass makes these iterations the lanes of vectors
//   (vector/functions/Loop.h); each lane adds up in the program's order.
//
// WHICH LOOPS
//   From one iteration to the next each access stays at its place or moves to
//   the next element, and at least one access in an inner loop moves further in
//   that loop. All lanes take the same branches. The pass first splits a
//   collapsed loop into rows (RowLoops.h).
//
// LEGALITY
//   Iterations are independent: each stores to elements of its own, which no
//   other access touches. The pass knows that of the arrays, or compares the
//   ranges of addresses ahead of the loop. It computes them in 128 bits, so
//   that nothing wraps unseen. The original loop runs where ranges overlap and
//   where there are few iterations.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_COLUMNS_H
#define ACCX_VECTOR_LOOPS_COLUMNS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace accx::vector {

/// Whether ColumnsPass chose the iterations of \p L as lanes.
bool isColumnsLoop(const llvm::Loop &L);

class ColumnsPass : public llvm::PassInfoMixin<ColumnsPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-columns";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_COLUMNS_H
