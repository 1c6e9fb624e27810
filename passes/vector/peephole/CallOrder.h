//===- CallOrder.h - Calls that need not wait go first ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of calls of vector functions that do nothing but compute.
//
//===----------------------------------------------------------------------===//
//
// DESCRIPTION
//   A call is as long as its latency where the next one needs its result, and
//   as short as its throughput where it does not. LLVM's code generator keeps
//   calls in the program's order. Between a call and the next one, if that
//   waits for it, goes the nearest later one that waits for neither, with what
//   computes its arguments:
//
//     a = log(x)                   a = log(x)
//     b = exp(a)          is       c = exp(y)
//     c = exp(y)                   b = exp(a)
//
//   At most one is put between two, it passes at most four calls, and of the
//   places between the two it takes the last where fewest vectors live: results
//   live across calls, which keep no vectors in registers.
//
// LEGALITY
//   Calls of vectors that access no memory, return and do not throw. What moves
//   with them has no effects; loads pass nothing that writes memory, and
//   nothing moves past what may not go on.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_PEEPHOLE_CALLORDER_H
#define ACCX_VECTOR_PEEPHOLE_CALLORDER_H

#include "llvm/IR/PassManager.h"

namespace accx::vector {

class CallOrderPass : public llvm::PassInfoMixin<CallOrderPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-calls";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_PEEPHOLE_CALLORDER_H
