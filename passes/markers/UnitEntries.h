//===- UnitEntries.h - Renames what is of one unit alone --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Gives the entries of UnitNames.h their names of the unit, in the host's
//   module and in those of devices.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MARKERS_UNITENTRIES_H
#define ACCX_MARKERS_UNITENTRIES_H

#include "llvm/IR/PassManager.h"

namespace accx::markers {

/// In front of everything, at every level of optimization.
class UnitEntriesPass : public llvm::PassInfoMixin<UnitEntriesPass> {
public:
  static constexpr llvm::StringLiteral Name = "unit-entries";

  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::markers

#endif // ACCX_MARKERS_UNITENTRIES_H
