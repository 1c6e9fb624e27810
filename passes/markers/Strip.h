//===- Strip.h - Removes what is left of markers ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Markers are calls of functions that nobody defines. A pass that uses one
//   removes it; this pass removes the others, so that no marker reaches a
//   linker, at any optimization level.
//
// ALGORITHM
//   For each declaration whose name begins with the markers' prefix: erase its
//   calls, then the declaration. A marker whose address was taken (no front
//   end of ours does that) is reported as an error that names it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MARKERS_STRIP_H
#define ACCX_MARKERS_STRIP_H

#include "llvm/IR/PassManager.h"

namespace accx::markers {

class StripPass : public llvm::PassInfoMixin<StripPass> {
public:
  static constexpr llvm::StringLiteral Name = "accx-strip-markers";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace accx::markers

#endif // ACCX_MARKERS_STRIP_H
