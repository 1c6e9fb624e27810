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

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
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

static bool saysOnly(const IntrinsicInst &I) {
  return isMarker(I) || isa<AssumeInst, NoAliasScopeDeclInst>(I);
}

/// Whether \p F only computes with its arguments' values, as far as its code
/// tells: Clang's mathematical functions call CUDA's, which have no attributes
/// before they are linked.
static bool onlyComputes(const Function &F, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 3;
  if (F.doesNotAccessMemory() && F.willReturn() && !F.isConvergent())
    return true;
  if (any_of(F.args(),
             [](const Argument &A) { return A.getType()->isPointerTy(); }))
    return false;
  if (F.isDeclaration())
    return F.getName().starts_with("__nv_");
  if (Depth > MaxDepth || !F.hasExactDefinition())
    return false;
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> Backward;
  FindFunctionBackedges(F, Backward);
  if (!Backward.empty() && !F.mustProgress())
    return false;
  return all_of(instructions(F), [&](const Instruction &I) {
    if (const auto *Known = dyn_cast<IntrinsicInst>(&I))
      return saysOnly(*Known) ||
             (Known->doesNotAccessMemory() && !Known->isConvergent());
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      return Callee && onlyComputes(*Callee, Depth + 1);
    }
    if (!I.mayReadOrWriteMemory())
      return true;
    const Value *Pointer = getLoadStorePointerOperand(&I);
    return Pointer && !I.isVolatile() && !I.isAtomic() &&
           isa<AllocaInst>(getUnderlyingObject(Pointer, 0));
  });
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
