//===- Short.h - Keeps short loops from the unroller ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A loop of 7 or 31 iterations is fully unrolled long before any vectorizer
//   sees it, and what was one masked vector is 31 scalars that the SLP
//   vectorizer finds in part. This loop pass runs right before the unroller and
//   marks the short loops that are one or a few vectors by the look of them;
//   simd-remainder vectorizes those, and unrolls the ones that it has to refuse
//   after all.
//
//   Not marked, because unrolling is worth more: loops on local arrays, which
//   may become registers; loops whose parent walks the same arrays in smaller
//   steps than they do (convolutions), or not at all (small matrices), and so
//   is the one to vectorize.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_SHORT_H
#define ACCX_VECTOR_REMAINDER_SHORT_H

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class Function;
class LPMUpdater;
class Loop;
} // namespace llvm

namespace accx::vector {

class RemainderShortPass : public llvm::PassInfoMixin<RemainderShortPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-remainder-short";

  llvm::PreservedAnalyses run(llvm::Loop &L, llvm::LoopAnalysisManager &LAM,
                              llvm::LoopStandardAnalysisResults &AR,
                              llvm::LPMUpdater &Updater);
};

bool isMarkedShort(const llvm::Loop &L);

/// Unrolls the marked loop with this header as it would have been.
void unrollShort(llvm::BasicBlock *Header, llvm::Function &F,
                 llvm::FunctionAnalysisManager &FAM);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_SHORT_H
