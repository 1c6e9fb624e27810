//===- TeamEffects.cpp - What a team's code does --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies one instruction by what would change if all threads of a team ran
// it. The matchers of nests ask it for each instruction.
//
//===----------------------------------------------------------------------===//

#include "offload/TeamEffects.h"

#include "offload/DeviceCalls.h"
#include "offload/PureCalls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::offload {

bool isOwn(Value *Pointer) {
  Value *Object = originOf(getUnderlyingObject(Pointer, 0));
  Object = getUnderlyingObject(Object, 0);
  if (isa<AllocaInst>(Object))
    return true;
  if (auto *Number = dyn_cast<Argument>(Object))
    return Number->getArgNo() < parallel::FirstCaptured &&
           !Number->getParent()->hasFnAttribute("kernel");
  const auto *Call = dyn_cast<Instruction>(Object);
  return Call && calledName(*Call) == AllocShared;
}

static bool isPureCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && onlyComputes(*Callee);
}

Effect effectOf(Instruction &I) {
  if (!I.mayReadOrWriteMemory() && !isa<CallBase>(I))
    return Effect::None;
  if (const auto *Known = dyn_cast<IntrinsicInst>(&I)) {
    if (const auto *Copy = dyn_cast<MemIntrinsic>(Known)) {
      if (Copy->isVolatile() || !isOwn(Copy->getRawDest()))
        return Effect::Other;
      const auto *Transfer = dyn_cast<MemTransferInst>(Copy);
      return Transfer && !isOwn(Transfer->getRawSource()) ? Effect::LoadsForeign
                                                          : Effect::None;
    }
    if (saysOnly(*Known))
      return Effect::None;
    return Known->doesNotAccessMemory() && !Known->isConvergent()
               ? Effect::None
               : Effect::Other;
  }
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    const StringRef Name = calledName(I);
    if (Name == AllocShared || Name == FreeShared ||
        Name.starts_with(DistributeInit) || Name == DistributeFini ||
        Name == "__kmpc_global_thread_num")
      return Effect::None;
    return isPureCall(*Call) ? Effect::None : Effect::Other;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple()                  ? Effect::Other
           : isOwn(Load->getPointerOperand()) ? Effect::None
                                              : Effect::LoadsForeign;
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store && Store->isSimple() && isOwn(Store->getPointerOperand())
             ? Effect::None
             : Effect::Other;
}

} // namespace accx::offload
