//===- LibraryCalls.cpp - The C library that GPUs lack --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "offload/LibraryCalls.h"

#include "offload/Kernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::offload {

static Value *notANumber(CallInst &Call) {
  StringRef Text;
  uint64_t Payload = 0;
  // What is no number is no payload.
  if (getConstantStringInfo(Call.getArgOperand(0), Text) &&
      Text.getAsInteger(0, Payload))
    Payload = 0;
  APInt Bits(64, Payload);
  return ConstantFP::getQNaN(Call.getType(), /*Negative=*/false, &Bits);
}

/// 0 if none is set.
static Value *firstBit(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *Bits = Call.getArgOperand(0);
  Value *Zeros = B.CreateBinaryIntrinsic(Intrinsic::cttz, Bits, B.getFalse());
  Value *Number = B.CreateZExtOrTrunc(
      B.CreateAdd(Zeros, ConstantInt::get(Bits->getType(), 1)), Call.getType());
  return B.CreateSelect(B.CreateIsNull(Bits),
                        Constant::getNullValue(Call.getType()), Number);
}

/// What \p Call of \p F computes; null if that is not one of these functions.
static Value *valueOf(CallInst &Call, const Function &F) {
  const Type *Result = F.getReturnType();
  if (F.arg_size() != 1)
    return nullptr;
  const Type *Arg = F.getArg(0)->getType();
  if ((F.getName() == "nan" && Result->isDoubleTy()) ||
      (F.getName() == "nanf" && Result->isFloatTy()))
    return Arg->isPointerTy() ? notANumber(Call) : nullptr;
  if (is_contained({"ffs", "ffsl", "ffsll"}, F.getName()))
    return Arg->isIntegerTy() && Result->isIntegerTy(32) ? firstBit(Call)
                                                         : nullptr;
  return nullptr;
}

PreservedAnalyses LibraryCallsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic())
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != &F)
        continue;
      if (Value *V = valueOf(*Call, F)) {
        Call->replaceAllUsesWith(V);
        Call->eraseFromParent();
        Changed = true;
      }
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::offload
