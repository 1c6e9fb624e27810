//===- Columns.h - Outer loops that walk along rows -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose inner loops go down columns are marked for simd-function.
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
//   the inner loop goes down a column of b, from where vectors have to be
//   gathered, and is a sum, which may be reordered only with -ffast-math. From
//   iteration to iteration of the outer loop all accesses are in one piece. Its
//   iterations become the lanes of vectors (vector/functions/Loop.h), each of
//   which adds up in the program's order.
//
// WHICH LOOPS
//   Each access is to the same place or to the next element in the next
//   iteration, and one in a loop inside jumps there. All lanes take the same
//   way. A loop that is collapsed with others goes row by row first
//   (RowLoops.h).
//
// LEGALITY
//   Iterations do not depend on each other: each stores to its own elements,
//   which other accesses do not touch. That is known of the arrays, or is asked
//   ahead of the loop: the ranges of addresses that accesses walk through are
//   computed in 128 bits, so that nothing wraps unseen. Where ranges overlap,
//   or there are few iterations, the loop runs as it is.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_COLUMNS_H
#define ACCX_VECTOR_LOOPS_COLUMNS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace accx::vector {

/// Whether \p L is a loop that ColumnsPass made lanes of.
bool isColumnsLoop(const llvm::Loop &L);

class ColumnsPass : public llvm::PassInfoMixin<ColumnsPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-columns";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_COLUMNS_H
