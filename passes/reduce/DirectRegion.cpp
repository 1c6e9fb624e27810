//===- DirectRegion.cpp - Regions that only reduced are called ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DirectRegion.h.
//
//===----------------------------------------------------------------------===//

#include "reduce/DirectRegion.h"

#include "kernels/DeviceCalls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace accx::kernels;

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
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return Intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(&I) ||
           isa<AssumeInst, NoAliasScopeDeclInst>(&I);
  static constexpr StringRef Harmless[] = {TargetInit, TargetDeinit,
                                           BlockThreads, DistributeFini,
                                           "__kmpc_global_thread_num"};
  return is_contained(Harmless, calledName(I));
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
  const int64_t Count = constantArgument(Call, parallel::Count).value_or(-1);
  if (Count < 0 || Body.arg_size() != uint64_t(Count) + parallel::FirstCaptured)
    return false;
  for (const Argument &A : Body.args())
    if (!A.getType()->isPointerTy() && !A.getType()->isIntegerTy(64))
      return false;

  IRBuilder<> B(&*Kernel.getEntryBlock().getFirstInsertionPt());
  Value *Global = B.CreateAlloca(B.getInt32Ty());
  Value *Bound = B.CreateAlloca(B.getInt32Ty());
  B.SetInsertPoint(&Call);
  B.CreateStore(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}),
                Global);
  B.CreateStore(B.getInt32(0), Bound);
  SmallVector<Value *, 12> Arguments{Global, Bound};
  for (unsigned I = 0; I < Count; ++I)
    Arguments.push_back(
        B.CreateLoad(Body.getArg(parallel::FirstCaptured + I)->getType(),
                     B.CreateConstInBoundsGEP1_64(
                         B.getPtrTy(), Call.getArgOperand(parallel::Args), I)));
  B.CreateCall(&Body, Arguments);
  Call.eraseFromParent();
  return true;
}

} // namespace accx::reduce
