//===- Region.h - What happens while an array has a copy --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions between a directive's beginning and its end, and whether
// all threads of a block get to a place together.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_REGION_H
#define ACCX_SMC_REGION_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace accx::smc {

/// What control reaches from a region's beginning before its end. Regions
/// within it belong to it.
struct Region {
  llvm::SmallVector<llvm::LoadInst *, 16> Loads;
  /// Whatever may write memory, but not variables of the thread.
  llvm::SmallVector<llvm::Instruction *, 16> Writes;
  /// Reads that are no simple loads.
  llvm::SmallVector<llvm::Instruction *, 4> OtherReads;
  /// Barriers that the program asks for.
  llvm::SmallVector<llvm::CallInst *, 4> Barriers;
  /// Its end; null if there are several.
  llvm::CallInst *End = nullptr;
  /// Control leaves it only through its end.
  bool IsClosed = true;

  Region(llvm::CallInst &Begin, const llvm::LoopInfo &Loops,
         const llvm::DominatorTree &DT);
};

/// Whether threads of a block may part on the way to \p Target in an iteration
/// of \p Nest.
bool mayPart(const llvm::BasicBlock &Target, const llvm::Loop &Nest,
             llvm::UniformityInfo &Uniformity,
             const llvm::PostDominatorTree &PDT);

} // namespace accx::smc

#endif // ACCX_SMC_REGION_H
