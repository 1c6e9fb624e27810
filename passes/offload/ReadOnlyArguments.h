//===- ReadOnlyArguments.h - What kernels only read -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A kernel's `noalias` pointers that nothing is written through are
//   `readonly`. LLVM does not find out by itself: kernels are weak, and what
//   is known of a weak function's body need not be true of its name. Here it is
//   the body that is read: loads through such pointers may go through the
//   caches that are not coherent (`ld.global.nc`), which ptxas moves freely.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_READONLYARGUMENTS_H
#define ACCX_OFFLOAD_READONLYARGUMENTS_H

#include "llvm/IR/PassManager.h"

namespace accx::offload {

class ReadOnlyArgumentsPass
    : public llvm::PassInfoMixin<ReadOnlyArgumentsPass> {
public:
  static constexpr char Name[] = "read-only-arguments";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_READONLYARGUMENTS_H
