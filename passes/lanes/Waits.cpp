//===- Waits.cpp - Where lanes have to meet -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the sides of a vector loop on which the worker's other code accesses
// memory. The emitter writes barriers on these sides only.
//
//===----------------------------------------------------------------------===//

#include "lanes/Waits.h"

#include "lanes/Marks.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::lanes {

/// Whether \p I may access what lanes share.
static bool accesses(Instruction &I) {
  if (!I.mayReadOrWriteMemory() || isa<DbgInfoIntrinsic, AssumeInst>(I) ||
      asNote(&I, "accx.lanes."))
    return false;
  if (const auto *Known = dyn_cast<IntrinsicInst>(&I))
    return !Known->isLifetimeStartOrEnd();
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer)
    return true;
  // A thread's local memory is its own.
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return !all_of(Objects, [](const Value *V) { return isa<AllocaInst>(V); });
}

void findWaits(Nest &N) {
  const Loop &Workers = *N.W.L;
  if (N.Vectors.size() != 1)
    return;
  VectorLoop &V = N.Vectors.front();
  // A worker that runs it again reads what lanes wrote before.
  if (V.L->getParentLoop() != &Workers)
    return;
  V.WaitsBefore = V.WaitsAfter = false;
  BasicBlock *Header = V.L->getHeader();
  SmallPtrSet<BasicBlock *, 1> Again{Workers.getHeader()};
  const auto Reaches = [&](BasicBlock *From, BasicBlock *To) {
    return From != Workers.getHeader() &&
           isPotentiallyReachable(From, To, &Again);
  };
  for (BasicBlock *Block : Workers.blocks()) {
    if (V.L->contains(Block) ||
        none_of(*Block, [](Instruction &I) { return accesses(I); }))
      continue;
    // The header's own code comes first.
    V.WaitsBefore |= Block == Workers.getHeader() || Reaches(Block, Header);
    V.WaitsAfter |= Reaches(Header, Block);
  }
}

} // namespace accx::lanes
