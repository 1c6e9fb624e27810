//===- LateWaits.h - Waits where somebody may look --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each synchronous target region is launched and waited for. In host code of
// which is known what it does between regions
//
//     for (...) { launch; wait; swap pointers }     printf
//
// becomes
//
//     for (...) { launch; swap pointers }     wait; printf
//
// The pass marks launches that may be waited for later, and puts waits in front
// of the first instructions that may see the difference, but ahead of loops
// without launches. See docs/internals/late-waits.md.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_HOST_LATEWAITS_H
#define ACCX_HOST_LATEWAITS_H

#include "llvm/IR/PassManager.h"

namespace accx::host {

class LateWaitsPass : public llvm::PassInfoMixin<LateWaitsPass> {
public:
  static constexpr llvm::StringLiteral Name = "late-waits";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace accx::host

#endif // ACCX_HOST_LATEWAITS_H
