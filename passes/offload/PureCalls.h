//===- PureCalls.h - Functions that only compute ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Clang links CUDA's libdevice into device code as functions that say nothing
//   about what they do, and calls them through functions of its headers. LLVM
//   inlines all of these before it looks for what is computed twice, and behind
//   the branches of the special cases it finds nothing any more: a formula that
//   has pow(T / 1000, -0.2) three times computes it three times.
//
// ALGORITHM
//   A function only computes if it reads and writes nothing but variables of
//   its own, calls nothing but such functions, ends, and asks no other thread.
//   Libdevice's functions of numbers do, by their names. Attributes tell so to
//   LLVM's first search for common values, which runs before anything is
//   inlined.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_PURECALLS_H
#define ACCX_OFFLOAD_PURECALLS_H

#include "llvm/IR/PassManager.h"

namespace accx::offload {

/// Whether \p F only computes with its arguments' values, as far as its
/// attributes, its code and the names of libdevice tell.
bool onlyComputes(const llvm::Function &F);

class PureCallsPass : public llvm::PassInfoMixin<PureCallsPass> {
public:
  static constexpr llvm::StringLiteral Name = "pure-calls";

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_PURECALLS_H
