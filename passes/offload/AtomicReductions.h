//===- AtomicReductions.h - Atomics without a result ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `atomic-red`, on code of NVIDIA GPUs: an atomic update of the device's
//   memory whose old value nobody reads becomes PTX's `red`. LLVM 19 writes an
//   `atom` and drops its result, of which ptxas makes a `red` by itself in
//   whole programs, but not in relocatable code, as OpenMP's is: there a thread
//   would wait for a value from memory that it does not need.
//
//   Where an address may be in shared memory, or is not known, `atom` stays;
//   so do orders stronger than relaxed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_ATOMICREDUCTIONS_H
#define ACCX_OFFLOAD_ATOMICREDUCTIONS_H

#include "llvm/IR/PassManager.h"

namespace accx::offload {

/// Has to run behind whatever asks what an atomic does: `red` is assembly.
class AtomicReductionsPass : public llvm::PassInfoMixin<AtomicReductionsPass> {
public:
  static constexpr llvm::StringLiteral Name = "atomic-red";
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::offload

#endif // ACCX_OFFLOAD_ATOMICREDUCTIONS_H
