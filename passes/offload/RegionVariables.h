//===- RegionVariables.h - Gang variables that a region uses ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables of a gang, in memory that Clang's runtime lends, the code of
// a parallel region in it names by its own arguments, and where the region's
// reduction ends it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_REGIONVARIABLES_H
#define ACCX_OFFLOAD_REGIONVARIABLES_H

#include "offload/TeamNest.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace accx::offload {

class RegionVariables {
  /// The variable of each captured argument; null where it is no such variable.
  llvm::SmallVector<llvm::CallInst *, 8> Captured;
  llvm::Instruction *Reduced = nullptr;
  const llvm::DominatorTree *Body = nullptr;

public:
  /// Sets \p R's Reduces. \p Tree is that of its body.
  NestRefusal read(NestRegion &R, const llvm::DominatorTree &Tree);

  const llvm::SmallVectorImpl<llvm::CallInst *> &captured() const {
    return Captured;
  }
  /// The variable that \p V, a value of the region's code, points into; null
  /// if it is none.
  llvm::CallInst *at(llvm::Value *V) const;
  /// Whether \p I is the call of a reduction, or shares the loop out.
  bool isControl(const llvm::Instruction &I) const;
  /// Whether \p I comes after the reduction.
  bool isEnd(const llvm::Instruction &I) const {
    return Reduced && &I != Reduced && Body->dominates(Reduced, &I);
  }
  /// Fills in \p R's ReadOnly.
  void listReadOnly(
      NestRegion &R,
      llvm::function_ref<bool(llvm::CallInst &Variable)> IsWritten) const;
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_REGIONVARIABLES_H
