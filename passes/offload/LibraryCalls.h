//===- LibraryCalls.h - The C library that GPUs lack ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Clang's headers give device code the functions of <math.h> out of CUDA's
//   libdevice, but for a few that it takes for its own: nan() and nanf() stay
//   calls of functions that no GPU has, and so do ffs(), ffsl() and ffsll(). A
//   program with one of them does not link.
//
// ALGORITHM
//   Their calls become what they compute: a quiet NaN with the number in the
//   string as its payload, if that is a constant, and the number of the first
//   bit that is set. What the program defines itself stays.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_LIBRARYCALLS_H
#define ACCX_OFFLOAD_LIBRARYCALLS_H

#include "llvm/IR/PassManager.h"

namespace accx::offload {

class LibraryCallsPass : public llvm::PassInfoMixin<LibraryCallsPass> {
public:
  static constexpr llvm::StringLiteral Name = "library-calls";

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_LIBRARYCALLS_H
