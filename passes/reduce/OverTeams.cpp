//===- OverTeams.cpp - Replaces a reduction over teams --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces one call of the device runtime's reduction over teams. `hier-reduce`
// and `grid-nest` share it.
//
//===----------------------------------------------------------------------===//

#include "reduce/OverTeams.h"

#include "gpu/ThreadPlace.h"
#include "offload/DeviceCalls.h"
#include "reduce/BlockFold.h"
#include "reduce/GridFold.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>

using namespace llvm;
using namespace accx::offload;
using namespace llvm::PatternMatch;

namespace accx::reduce {

Value *launchEnvironment(Function &Kernel) {
  Value *Found = nullptr;
  forEachCall(Kernel, TargetInit, [&](CallInst &Call) {
    if (Call.arg_size() == 2)
      Found = dyn_cast<Argument>(Call.getArgOperand(1));
  });
  return Found;
}

static uint32_t recordsFor(uint64_t Bytes) {
  constexpr uint64_t BufferBytes = 256 << 10;
  constexpr uint64_t Least = 1024;
  constexpr uint64_t Most = 16384;
  return bit_floor(std::clamp(BufferBytes / Bytes, Least, Most));
}

/// Marks what the thread with the result alone runs.
static void markAccesses(CallInst &Done) {
  const DominatorTree Tree(*Done.getFunction());
  for (User *U : Done.users()) {
    ICmpInst::Predicate Predicate;
    if (!match(U, m_ICmp(Predicate, m_Specific(&Done), m_One())) ||
        Predicate != ICmpInst::ICMP_EQ)
      continue;
    for (User *Condition : U->users()) {
      auto *Branch = dyn_cast<BranchInst>(Condition);
      if (!Branch || !Branch->getSuccessor(0)->getSinglePredecessor())
        continue;
      SmallVector<BasicBlock *, 8> Then;
      Tree.getDescendants(Branch->getSuccessor(0), Then);
      for (BasicBlock *BB : Then)
        for (Instruction &I : *BB)
          if (isa<LoadInst, StoreInst>(I))
            I.setMetadata(LastThreadOnly, MDNode::get(I.getContext(), {}));
    }
  }
}

void eraseOverTeams(CallInst &Call, Value *Result) {
  auto *Buffer = dyn_cast<CallInst>(Call.getArgOperand(1));
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
  if (Buffer && Buffer->use_empty() && calledName(*Buffer) == FixedBuffer)
    Buffer->eraseFromParent();
}

CallInst *replaceOverTeams(const KernelPlan &Kernel, const ReductionPlan &Plan,
                           Slots &Shared, bool FoldsBlock) {
  const uint32_t Records = recordsFor(Plan.BufferedBytes);
  Function *Fold = writeBlockFold(Plan, Shared);
  Function *Grid = writeGridFold(Plan, *Fold, Shared, Records);
  ir::CodeWriter B(*Plan.Call);
  if (FoldsBlock) {
    const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
    B.callTogether(*Fold, {Plan.List, At.Thread, At.Threads});
  }
  CallInst *Done =
      B.callTogether(*Grid, {launchEnvironment(*Kernel.Kernel), Plan.List});
  eraseOverTeams(*Plan.Call, Done);
  markAccesses(*Done);
  configure(*Kernel.Environment, configuration::ReductionRecords, Records);
  return Done;
}

} // namespace accx::reduce
