//===- DirectCall.cpp - Parallel regions without a runtime ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks whether a parallel region may be called without the runtime, and
// writes the call. Writing is a function of its own, for passes that check by
// other rules.
//
//===----------------------------------------------------------------------===//

#include "gridloop/DirectCall.h"

#include "offload/DeviceCalls.h"
#include "offload/PointerList.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::gridloop {

/// Whether \p Pointer is to a variable of the thread: a local one, or the
/// thread numbers that outlined functions get.
static bool isOwn(Value *Pointer) {
  Value *Object = originOf(getUnderlyingObject(Pointer));
  if (auto *Number = dyn_cast<Argument>(Object))
    return Number->getArgNo() < parallel::FirstCaptured &&
           !Number->getParent()->hasFnAttribute("kernel");
  return isa<AllocaInst>(Object);
}

/// Whether \p F, which leads to the region by \p Way, touches no other
/// variables, except for loads before it. \p LoadsShared tells whether there
/// are such loads.
static bool touchesOnlyOwn(Function &F, const CallInst &Way,
                           bool &LoadsShared) {
  for (Instruction &I : instructions(F)) {
    if (!I.mayReadOrWriteMemory() || &I == &Way)
      continue;
    if (Value *Pointer = getLoadStorePointerOperand(&I)) {
      if (isOwn(Pointer))
        continue;
      const auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || isPotentiallyReachable(&Way, &I))
        return false;
      LoadsShared = true;
      continue;
    }
    if (!isMarker(I) && !isa<AssumeInst>(I) && !isUnnoticed(calledName(I)))
      return false;
  }
  return true;
}

/// The one call of \p Part in \p Kernel, or null.
static CallInst *callOf(Function &Part, const Function &Kernel) {
  CallInst *Only = nullptr;
  for (User *U : Part.users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getFunction() != &Kernel)
      continue;
    if (Only)
      return nullptr;
    Only = Call;
  }
  return Only;
}

bool emitDirectCall(CallInst &Call, Function &Body, Function &Around,
                    Value *Thread) {
  const int64_t Count = constantArgument(Call, parallel::Count).value_or(-1);
  if (Count < 0 || Body.arg_size() != uint64_t(Count) + parallel::FirstCaptured)
    return false;
  for (const Argument &A : Body.args())
    if (!A.getType()->isPointerTy() && !A.getType()->isIntegerTy(64))
      return false;

  IRBuilder<> B(&*Around.getEntryBlock().getFirstInsertionPt());
  Value *Global = B.CreateAlloca(B.getInt32Ty());
  Value *Bound = B.CreateAlloca(B.getInt32Ty());
  B.SetInsertPoint(&Call);
  if (!Thread)
    Thread = B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
  B.CreateStore(Thread, Global);
  B.CreateStore(B.getInt32(0), Bound);
  SmallVector<Value *, 12> Arguments{Global, Bound};
  for (unsigned I = 0; I < Count; ++I)
    Arguments.push_back(
        loadSlot(B, Call.getArgOperand(parallel::Args), I,
                 Body.getArg(parallel::FirstCaptured + I)->getType()));
  B.CreateCall(&Body, Arguments);
  Call.eraseFromParent();
  return true;
}

DirectCallRefusal replaceByDirectCall(const ParallelRegion &Region,
                                      Function &Around, Function &Kernel) {
  CallInst &Call = *Region.Call;
  Function &Body = *Region.Body;
  if (Region.Observes & ObservesState)
    return DirectCallRefusal::ObservesState;
  // Outlined parts of the kernel are looked at on their own.
  const CallInst *Way = &Kernel == &Around ? &Call : callOf(Around, Kernel);
  bool LoadsShared = false;
  if (!touchesOnlyOwn(Around, Call, LoadsShared) || !Way ||
      (Way != &Call && !touchesOnlyOwn(Kernel, *Way, LoadsShared)))
    return DirectCallRefusal::SharedAround;
  // The barrier keeps threads from writing what others have not loaded yet, as
  // the region did.
  CallInst *Barrier = nullptr;
  if (LoadsShared)
    Barrier =
        IRBuilder<>(&Call).CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  if (emitDirectCall(Call, Body, Around))
    return DirectCallRefusal::None;
  if (Barrier)
    Barrier->eraseFromParent();
  return DirectCallRefusal::Arguments;
}

} // namespace accx::gridloop
