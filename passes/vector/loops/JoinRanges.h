//===- JoinRanges.h - Ranges that follow each other -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops inside that each go on where the last one ended become one.
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
//   the loop inside is too short for vectors. All ranges together are one:
//
//     for (k = first * m; k < min((last + 1) * m, n); ++k)
//       c[k] = f(a[k]);
//
//   So are those that count from zero, with i * m + k in the body: rows of an
//   array as long as the loop inside.
//
// LEGALITY
//   The same bodies are run, in the same order: nothing needs to be known of
//   memory. What bodies use of counters are only values that go on from range
//   to range as within one; the outer loop does nothing else. Whether numbers
//   wrap, and where a range begins, is asked ahead of the loops, in 128 bits;
//   else they run as they are.
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
