//===- Width.h - Vectors as wide as registers -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   LLVM's tuning prefers 256 bits on all of Intel's processors with AVX-512,
//   because the first of them run slower while they compute with 512. Servers
//   since Ice Lake do not to speak of: there our loops are as wide as their
//   registers, as intrinsics are. All other code of the function stays as LLVM
//   tunes it: it only hears that such vectors are legal.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WIDTH_H
#define ACCX_VECTOR_WIDTH_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class TargetTransformInfo;
} // namespace llvm

namespace accx::vector {

/// Whether loops of \p F may become vectors: it is for x86, and to be fast.
bool mayBeVectors(const llvm::Function &F);

/// Bits of a vector register, as cost models count.
unsigned registerBits(const llvm::TargetTransformInfo &TTI);

/// Whether 512 bits are better than what LLVM prefers for the processor of
/// \p F, and nobody chose a width.
bool wantsFullVectors(const llvm::Function &F);

/// Lets \p F hold vectors of \p Bits in one register and hand them on so.
/// Returns whether that is new.
bool widenLegalVectors(llvm::Function &F, unsigned Bits);

/// While it lives, cost models count with 512 bits where these are wanted.
/// Analyses of the function from before its life, and from within, are void
/// behind its begin and end.
class FullVectors {
public:
  FullVectors(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  ~FullVectors();
  FullVectors(const FullVectors &) = delete;
  FullVectors &operator=(const FullVectors &) = delete;

  /// What was made meanwhile stays as wide as it is.
  void keep() { Kept = true; }

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  bool Active = false;
  bool Kept = false;
};

} // namespace accx::vector

#endif // ACCX_VECTOR_WIDTH_H
