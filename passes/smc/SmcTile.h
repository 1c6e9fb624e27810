//===- SmcTile.h - Arrays in shared memory by directive ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `smc-tile`: keeps what fcw, cache and smc directives name in the shared
//   memory of a block of threads (docs/smc.md).
//
// ALGORITHM
//   1. Kernels with regions become one function of values, in which loops and
//      subscripts stand as the program has them (Prepare.cpp).
//   2. Writes of channel types, and their barriers, go to where all threads of
//      a block are (Hoist.cpp).
//   3. Plan: the grid-stride loop around each region and its indices
//      (BlockNest.h), ranges as functions of the thread's place (Affine.h),
//      reads (Accesses.cpp), blocks and sizes (Plan.h).
//   4. Emit: the loop over blocks, in which all threads of a block stay
//      together, fetches between barriers, reads (Emit.h).
//   5. The kernel's descriptor and bounds say how many threads a block has.
//
// A refused directive is as if it was not there. A refused channel type is an
// error, since the program would mean something else without it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_SMCTILE_H
#define ACCX_SMC_SMCTILE_H

#include "llvm/IR/PassManager.h"

namespace accx::smc {

class SmcTilePass : public llvm::PassInfoMixin<SmcTilePass> {
public:
  static constexpr llvm::StringLiteral Name = "smc-tile";
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::smc

#endif // ACCX_SMC_SMCTILE_H
