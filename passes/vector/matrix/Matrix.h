//===- Matrix.h - Small matrices in registers -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `simd-matrix`: products, transposes, and products with transposed operands
//   of matrices of 2x2 to 8x8 elements, and pairs of them, become straight
//   vector code, before the unroller makes scalars of their loops.
//
// ALGORITHM
//   For each nest of loops with 2 to 8 iterations each:
//     1. trace it (Trace.h): what does it store, whatever its loops;
//     2. see whether that is an operation on matrices, and how it can be cut
//        into vectors (Plan.h);
//     3. make the code of all shapes (Emit.h), keep the cheapest, if it
//        costs less than the program's own operations;
//     4. where arrays may overlap, compare their addresses at run time:
//
//          preheader: overlap? ---> the loops, as they were ---> exit
//                     else     ---> vector code             --->
//
//   No operation is reordered: what the program does not allow to be
//   reassociated or contracted is not, because sums are added up row by row.
//
// REFUSALS, each a remark
//   What cannot be traced, arrays that would take too many comparisons,
//   products that the target has no vectors for, lanes whose expressions
//   differ, and what costs no less.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_MATRIX_MATRIX_H
#define ACCX_VECTOR_MATRIX_MATRIX_H

#include "llvm/IR/PassManager.h"

namespace accx::vector {

class MatrixPass : public llvm::PassInfoMixin<MatrixPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-matrix";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_MATRIX_MATRIX_H
