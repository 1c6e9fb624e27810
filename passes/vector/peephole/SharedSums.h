//===- SharedSums.h - One horizontal sum for several vectors ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of several vectors' lanes are those of the vectors' sum.
//
//===----------------------------------------------------------------------===//
//
// DESCRIPTION
//   Of a loop with two sums whose results are added there remain two horizontal
//   reductions, one behind the other, which in a short loop take as long as an
//   iteration each. The vectors are added first, so that one remains:
//
//     reduce(reduce(s, a), b)    is    reduce(s, a + b)
//
// LEGALITY
//   Both floating-point reductions must be `reassoc`.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_PEEPHOLE_SHAREDSUMS_H
#define ACCX_VECTOR_PEEPHOLE_SHAREDSUMS_H

#include "llvm/IR/PassManager.h"

namespace accx::vector {

class SharedSumsPass : public llvm::PassInfoMixin<SharedSumsPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-sums";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_PEEPHOLE_SHAREDSUMS_H
