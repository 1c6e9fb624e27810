//===- KernelArrays.h - The arrays of one kernel's reduction ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays of a kernel's reduction are in shared memory, and what becomes
// of the code around them; see SharedArrays.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_KERNELARRAYS_H
#define ACCX_REDUCE_KERNELARRAYS_H

#include "offload/Kernel.h"
#include "reduce/ArrayUses.h"
#include "reduce/ReductionPlan.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/IR/PassManager.h"

namespace accx::reduce {

/// An array of the reduction; see the picture in SharedArrays.h.
struct Candidate {
  unsigned InTeam = 0;
  unsigned OverTeams = 0;
  llvm::AllocaInst *Own = nullptr;
  ElementLoop Init, Fold, TeamInit, TeamFold;
  llvm::StoreInst *List = nullptr;
  ArrayUses Uses;
  llvm::AtomicRMWInst::BinOp Op = llvm::AtomicRMWInst::BAD_BINOP;
};

class KernelArrays {
  const offload::KernelPlan &Kernel;
  const offload::ParallelRegion &Region;
  llvm::FunctionAnalysisManager &FAM;
  const bool MayRound;
  const uint64_t Available;
  llvm::Function &Body;
  ReductionPlan InTeam, Over;
  llvm::SmallVector<Candidate, 2> Chosen;

public:
  KernelArrays(const offload::KernelPlan &Kernel,
               const offload::ParallelRegion &Region,
               llvm::FunctionAnalysisManager &FAM, bool MayRound,
               uint64_t Available)
      : Kernel(Kernel), Region(Region), FAM(FAM), MayRound(MayRound),
        Available(Available), Body(*Region.Body) {}

  /// Reads what the reductions combine. \p OverTeams may be null. False: no
  /// arrays.
  bool matchPlans(const offload::Reduction *OverTeams);
  /// Simplifies code as far as needed to see Clang's loops and the arrays'
  /// uses.
  void cleanUp();
  /// Chooses arrays, and reports why others are left.
  void choose();
  /// False: there is nothing to do.
  bool emit();
  const ReductionPlan &inTeam() const { return InTeam; }
  const ReductionPlan &overTeams() const { return Over; }
  /// The variables that one of the reductions no longer combines.
  llvm::BitVector taken(bool OverTeams) const;
  /// Where the kernel's work on them ends.
  llvm::CallInst *end() const { return End; }

private:
  llvm::CallInst *End = nullptr;

  void clean(llvm::Function &F);
  void keepStores(bool Kept);
  bool inlineUsers();
  ArrayRefusal match(unsigned Index, Candidate &C);
  ArrayRefusal matchTeam(Candidate &C);
  llvm::Value *capturedAt(llvm::Value *Pointer) const;
  void forEachUse(
      llvm::function_ref<void(llvm::Instruction &, llvm::StoreInst &List)>
          Visit) const;
  void dropWhatMustStay();
  void report(const Candidate *C, unsigned Index, ArrayRefusal Why,
              unsigned Copies = 0);
};

} // namespace accx::reduce

#endif // ACCX_REDUCE_KERNELARRAYS_H
