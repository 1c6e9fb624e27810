//===- DirectRegion.cpp - Regions that only reduced are called ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks whether a region that was kept for its reduction may be called
// directly. The call itself is written by gridloop/DirectCall.cpp, whose own
// check is stricter.
//
//===----------------------------------------------------------------------===//

#include "reduce/DirectRegion.h"

#include "gridloop/DirectCall.h"
#include "offload/DeviceCalls.h"
#include "offload/ReductionMark.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::reduce {

/// Whether \p Pointer is to a variable of the thread.
static bool isOwn(const Value *Pointer) {
  // A loop that initializes an array has phis.
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return all_of(Objects, [](const Value *Object) {
    return isa<AllocaInst>(
        getUnderlyingObject(originOf(const_cast<Value *>(Object))));
  });
}

static bool touchesOnlyOwn(Instruction &I) {
  if (!I.mayReadOrWriteMemory())
    return true;
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return isOwn(Pointer);
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&I))
    return isOwn(Memory->getRawDest()) &&
           (!isa<MemTransferInst>(Memory) ||
            isOwn(cast<MemTransferInst>(Memory)->getRawSource()));
  // Calls that work on blocks' arrays have barriers around them.
  return isMarker(I) || isa<AssumeInst, NoAliasScopeDeclInst>(I) ||
         isUnnoticed(calledName(I)) ||
         calledName(I).starts_with(ReductionHelper);
}

bool callDirectly(const ParallelRegion &Region, Function &Kernel,
                  CallInst &OverTeams) {
  CallInst &Call = *Region.Call;
  Function &Body = *Region.Body;
  if (observationsOf(Body) & ObservesState)
    return false;
  const DominatorTree DT(Kernel);
  if (DT.dominates(&OverTeams, &Call))
    return false;
  for (Instruction &I : instructions(Kernel))
    if (&I != &Call && &I != &OverTeams && !DT.dominates(&OverTeams, &I) &&
        !touchesOnlyOwn(I))
      return false;
  return gridloop::emitDirectCall(Call, Body, Kernel);
}

} // namespace accx::reduce
