//===- OpenFunctions.h - Functions that return before their regions -*- C++
//-*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function stays open if it returns while its regions are under way; its
// callers wait then. Which functions may, and copies of those that others may
// call as well.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_HOST_OPENFUNCTIONS_H
#define ACCX_HOST_OPENFUNCTIONS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace accx::host {

using FunctionSet = llvm::SmallPtrSet<const llvm::Function *, 8>;

/// Who looks for mistakes wants to find them where they are.
bool isWatched(const llvm::Function &F);

/// Whether all callers of \p F are known, and may be changed: are not in
/// \p Fixed.
bool mayStayOpen(const llvm::Function &F, const FunctionSet &Fixed);

/// Functions that others may call wait at their end. The unit's own calls go to
/// copies that need not; those that gain nothing by it go again.
class OpenCopies {
  const FunctionSet &Fixed;
  llvm::MapVector<llvm::Function *, llvm::Function *> CopyOf;

public:
  explicit OpenCopies(const FunctionSet &Fixed) : Fixed(Fixed) {}
  /// The copy that stays open; null if none may.
  llvm::Function *make(llvm::Function &F);
  bool hasCopy(llvm::Function &F) const { return CopyOf.contains(&F); }
  /// Whether \p F is a copy that takeBack() takes.
  bool isToGo(const llvm::Function &F, const FunctionSet &Open) const;
  /// Takes back those that are not in \p Open. Whether others are left.
  bool takeBack(const FunctionSet &Open, llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::host

#endif // ACCX_HOST_OPENFUNCTIONS_H
