//===- Versions.h - Overlap compared once -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Where arrays may overlap, the loop gets a scalar version for those that do,
//   and a check ahead that all parts share. Like the vectorizer's own check it
//   asks, where it can, only whether two pointers are less than a turn apart:
//   more is harmless.
//
// INVARIANT
//   The vectorizer is told by metadata that nothing overlaps, so that it does
//   not check again. After a check of distances that holds for the iterations
//   of one turn only: the metadata must go when the parts are vectorized.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_VERSIONS_H
#define ACCX_VECTOR_REMAINDER_VERSIONS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
class BranchInst;
class MDNode;
} // namespace llvm

namespace accx::vector {

/// A loop in two versions: Check is taken to the scalar one.
struct Versions {
  llvm::BranchInst *Check = nullptr;
  llvm::BasicBlock *Scalar = nullptr;
  /// The scopes that hold for one turn only; null if there are none.
  llvm::MDNode *Domain = nullptr;
};

/// Versions the loop with this header, which becomes the one without overlap,
/// for turns of \p Lanes * \p Interleave iterations.
Versions versionLoop(llvm::BasicBlock *Header, llvm::Function &F,
                     llvm::FunctionAnalysisManager &FAM, unsigned Lanes,
                     unsigned Interleave);

/// Removes the scopes of \p Domain from the function.
void dropScopes(llvm::Function &F, const llvm::MDNode *Domain);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_VERSIONS_H
