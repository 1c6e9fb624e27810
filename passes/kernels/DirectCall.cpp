//===- DirectCall.cpp - Parallel regions without a runtime ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DirectCall.h.
//
//===----------------------------------------------------------------------===//

#include "kernels/DirectCall.h"

#include "kernels/DeviceCalls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace accx::kernels {

StringRef textOf(DirectCallRefusal R) {
  switch (R) {
  case DirectCallRefusal::None:
    return "nothing";
  case DirectCallRefusal::ObservesState:
    return "it may ask for the parallel state";
  case DirectCallRefusal::SharedAround:
    return "code around it may touch memory that threads share";
  case DirectCallRefusal::Arguments:
    return "its arguments are not recognized";
  }
  return "";
}

/// Whether \p Pointer is to a variable of the thread: a local one, or the
/// thread numbers that outlined functions get.
static bool isOwn(Value *Pointer) {
  Value *Object = originOf(getUnderlyingObject(Pointer));
  if (auto *Number = dyn_cast<Argument>(Object))
    return Number->getArgNo() < parallel::FirstCaptured &&
           !Number->getParent()->hasFnAttribute("kernel");
  return isa<AllocaInst>(Object);
}

static bool touchesOnlyOwn(Function &F, const CallInst *Region) {
  static constexpr StringRef Harmless[] = {TargetInit, TargetDeinit,
                                           BlockThreads, DistributeFini,
                                           "__kmpc_global_thread_num"};
  for (Instruction &I : instructions(F)) {
    if (!I.mayReadOrWriteMemory() || &I == Region)
      continue;
    if (Value *Pointer = getLoadStorePointerOperand(&I)) {
      if (!isOwn(Pointer))
        return false;
      continue;
    }
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
      if (Intrinsic->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(&I) ||
          isa<AssumeInst>(&I))
        continue;
      return false;
    }
    const StringRef Name = calledName(I);
    // Outlined parts of the kernel are looked at on their own.
    const auto *Call = dyn_cast<CallInst>(&I);
    if (is_contained(Harmless, Name) ||
        (Call && Region && Call->getCalledFunction() == Region->getFunction()))
      continue;
    return false;
  }
  return true;
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
        B.CreateLoad(Body.getArg(parallel::FirstCaptured + I)->getType(),
                     B.CreateConstInBoundsGEP1_64(
                         B.getPtrTy(), Call.getArgOperand(parallel::Args), I)));
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
  if (!touchesOnlyOwn(Around, &Call) ||
      (&Kernel != &Around && !touchesOnlyOwn(Kernel, &Call)))
    return DirectCallRefusal::SharedAround;
  return emitDirectCall(Call, Body, Around) ? DirectCallRefusal::None
                                            : DirectCallRefusal::Arguments;
}

} // namespace accx::kernels
