//===- CalledOnce.h - Functions with one call -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `called-once`, on device code ahead of LLVM's inliner: a function that one
//   call of the unit calls is inlined there, however large it is. LLVM does
//   that with functions that nobody else can call. Those between `declare
//   target` can be called from other units, which takes the chance from them,
//   though their kernels are in this one. A call costs a kernel more than a
//   processor's loop: what it keeps over the call goes to memory, and the
//   function has no more registers than kernels that call it leave.
//
//   Functions that may call themselves stay, and what the program has marked.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_CALLEDONCE_H
#define ACCX_OFFLOAD_CALLEDONCE_H

#include "llvm/IR/PassManager.h"

namespace accx::offload {

class CalledOncePass : public llvm::PassInfoMixin<CalledOncePass> {
public:
  static constexpr char Name[] = "called-once";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_CALLEDONCE_H
