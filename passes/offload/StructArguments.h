//===- StructArguments.h - Structs by value on GPUs -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Clang passes a struct by value as a pointer, `byval`, to what is aligned as
//   the struct is. LLVM's inliner writes the callee's copy with an alignment of
//   one, as the pointer's is nowhere in its code. A processor does not mind; a
//   GPU has no other way than to load each byte alone.
//
//   Here the struct is copied ahead of the call, aligned as Clang knows it is.
//   LLVM removes either copy when the call is inlined, and this one where it is
//   not.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_STRUCTARGUMENTS_H
#define ACCX_OFFLOAD_STRUCTARGUMENTS_H

#include "llvm/IR/PassManager.h"

namespace accx::offload {

/// Has to run before anything is inlined.
class StructArgumentsPass : public llvm::PassInfoMixin<StructArgumentsPass> {
public:
  static constexpr char Name[] = "struct-arguments";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_STRUCTARGUMENTS_H
