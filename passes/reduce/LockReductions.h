//===- LockReductions.h - Reductions without atomics ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   For a reduction on processors Clang emits two ways to combine a thread's
//   variables with the team's: under a lock, and by atomics. libomp chooses
//   when the program runs:
//
//     switch (reduce(location that says whether there are atomics, ...)) {
//     case 1: under the lock    case 2: by atomics    default: done
//     }
//
//   For 16 bytes (`double _Complex`, `long double`) the atomics are calls of
//   libatomic, which is not linked. So the program does not link, whichever way
//   libomp would have chosen. Libatomic's functions take a lock themselves.
//
// ALGORITHM
//   Where the second way calls libatomic, the location says that there are no
//   atomics, and the second way is erased.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_LOCKREDUCTIONS_H
#define ACCX_REDUCE_LOCKREDUCTIONS_H

#include "llvm/IR/PassManager.h"

namespace accx::reduce {

class LockReductionsPass : public llvm::PassInfoMixin<LockReductionsPass> {
public:
  static constexpr llvm::StringLiteral Name = "lock-reductions";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  /// Code at -O0 does not link, too.
  static bool isRequired() { return true; }
};

} // namespace accx::reduce

#endif // ACCX_REDUCE_LOCKREDUCTIONS_H
