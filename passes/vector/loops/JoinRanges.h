//===- JoinRanges.h - Ranges that follow each other -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one loop of an outer loop and an inner loop whose ranges follow each
// other.
//
//===----------------------------------------------------------------------===//
//
// DESCRIPTION
//   Where an iteration has a few elements of its own,
//
//     for (i = first; i <= last; ++i)
//       for (k = i * m; k < (i + 1) * m && k < n; ++k)
//         c[k] = f(a[k]);
//
//   the inner loop is too short for vectors. All ranges together are one:
//
//     for (k = first * m; k < min((last + 1) * m, n); ++k)
//       c[k] = f(a[k]);
//
//   The same holds for inner loops that count from zero, with i * m + k in the
//   body: these are whole rows of an array.
//
// LEGALITY
//   The joined loop runs the same bodies in the same order, so that memory does
//   not matter. The outer loop must do nothing else. From its counters a body
//   may use only values that change from range to range as they do within one.
//   Code ahead of the loops computes in 128 bits whether each range begins
//   where the one before ends, and whether counters wrap. If the answer is no,
//   the original loops run.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_JOINRANGES_H
#define ACCX_VECTOR_LOOPS_JOINRANGES_H

#include "llvm/IR/PassManager.h"

namespace accx::vector {

class JoinRangesPass : public llvm::PassInfoMixin<JoinRangesPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-join";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_JOINRANGES_H
