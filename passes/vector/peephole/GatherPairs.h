//===- GatherPairs.h - Neighbours gathered as one element -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `simd-gather`: interpolation and other table look-ups load a[i] and a[i+1].
//   Vectorized, these are two gathers, and a processor takes as long for one as
//   for as many loads as there are lanes. Elements of 32 bits that lie beside
//   each other are one element of 64 bits, gathered once and taken apart by
//   shuffles:
//
//     x = gather32 a + i, mask             w = gather64 a + i, mask
//     y = gather32 a + i + 1, mask    ->   x = the even halves of w
//                                          y = the odd halves of w
//
// LEGALITY
//   - The lanes of both have the same mask, so that every byte of the one
//     access was accessed by one of the two. Different masks are left alone.
//   - They stand in one block, and nothing between them writes memory or may
//     not go on: the earlier one can load for both.
//   - The result of inactive lanes is not used (poison or undef), which is what
//     LLVM's vectorizer asks for.
//   Neighbours that are left alone get a remark that says why.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_PEEPHOLE_GATHERPAIRS_H
#define ACCX_VECTOR_PEEPHOLE_GATHERPAIRS_H

#include "llvm/IR/PassManager.h"

#define ACCX_ROOM vector
#define ACCX_REFUSAL GatherRefusal
#define ACCX_REFUSALS "vector/peephole/Refusals.def"
#include "ir/Refusals.inc"

namespace llvm {
class BasicBlock;
class Instruction;
class TargetTransformInfo;
} // namespace llvm

namespace accx::vector {

/// Joins what is in \p Block, if anything. \p Reports: the code is final.
bool joinGathers(llvm::BasicBlock &Block, const llvm::TargetTransformInfo &TTI,
                 bool Reports);

/// Whether \p I is a gather that takes the place of two.
bool isJoinedGather(const llvm::Instruction &I);

class GatherPairsPass : public llvm::PassInfoMixin<GatherPairsPass> {
public:
  static constexpr llvm::StringLiteral Name = "simd-gather";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_PEEPHOLE_GATHERPAIRS_H
