//===- Remainder.h - No scalar iterations in vector loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `simd-remainder`: where LLVM vectorizes a loop on a host with masked loads
//   and stores, the iterations that fill no vector run in one masked vector
//   instead of a scalar loop, and loops shorter than a vector are one masked
//   vector.
//
// ALGORITHM
//   For each innermost loop (Plan.h says what becomes of it):
//     1. plan it, or refuse with a remark;
//     2. let LoopVectorize show on a copy what it would do: VF, UF, or why not;
//     3. if pointers must be compared at run time, version the loop, once for
//        all parts; the scalar loop stays for pointers that overlap;
//     4. split (Split.h), vectorize each part at once
//        (Vectorize.h), clean up (Finish.h);
//     5. if a part did not become what it must be, take all of it back.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_REMAINDER_H
#define ACCX_VECTOR_REMAINDER_REMAINDER_H

#include "llvm/IR/PassManager.h"

namespace accx::vector {

class RemainderPass : public llvm::PassInfoMixin<RemainderPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-remainder";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Ends a pipeline: removes what RemainderPass notes on functions, so that
/// those it had nothing to do for are what they would be without it.
class RemainderForgetPass : public llvm::PassInfoMixin<RemainderForgetPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_REMAINDER_H
