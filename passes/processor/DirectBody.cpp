//===- DirectBody.cpp - Bodies of forks, called directly ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches a function and all that it calls for code that can tell which
// threads and teams there are, and writes the call of a copied body beside the
// fork. OneTeam.cpp and SmallRegions.cpp decide where there is one.
//
//===----------------------------------------------------------------------===//

#include "processor/DirectBody.h"

#include "processor/Runtime.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace accx::processor {

/// Whether a function neither tells who runs nor calls back.
static bool isKnown(Function &Declared, FunctionAnalysisManager &FAM) {
  const StringRef Name = Declared.getName();
  // Without a league there is one team, as in a league of one.
  if (Name == NumTeams)
    return true;
  // Variants of libmvec; what workitem-loops ends programs with.
  if (Declared.isIntrinsic() || Name.starts_with("_ZGV") || Name == "abort" ||
      Name == "dprintf")
    return true;
  if (Name.starts_with("__kmpc_"))
    return !Name.contains("team") && !Name.contains("dist") &&
           Name != PushThreads;
  LibFunc Known;
  return FAM.getResult<TargetLibraryAnalysis>(Declared).getLibFunc(Declared,
                                                                   Known);
}

static bool mayObserve(Function &F, FunctionAnalysisManager &FAM,
                       SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return false;
  if (F.isDeclaration())
    return !isKnown(F, FAM);
  if (F.isInterposable())
    return true;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && !isa<Function>(Call->getCalledOperand()))
      return true;
    for (Value *V : I.operands())
      if (auto *Used = dyn_cast<Function>(V);
          Used && mayObserve(*Used, FAM, Seen))
        return true;
  }
  return false;
}

bool mayObserve(Function &F, FunctionAnalysisManager &FAM) {
  SmallPtrSet<const Function *, 16> Seen;
  return mayObserve(F, FAM, Seen);
}

Function *copyBody(Function &Body, StringRef Suffix, StringRef Attribute) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&Body, Map);
  Copy->setName(Body.getName() + Suffix);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->addFnAttr(Attribute);
  return Copy;
}

Instruction *insteadOf(CallInst &Call, Value *Condition) {
  Instruction *Then, *Else;
  SplitBlockAndInsertIfThenElse(Condition, &Call, &Then, &Else);
  Call.moveBefore(Else);
  return Then;
}

void callDirectly(Function &Direct, const CallInst &Fork, Instruction &Where,
                  bool DropsUnused) {
  IRBuilder<> B(&Where);
  B.SetCurrentDebugLocation(Fork.getDebugLoc());
  BasicBlock &Entry = Where.getFunction()->getEntryBlock();
  IRBuilder<> Slots(&Entry, Entry.begin());
  Type *I32 = B.getInt32Ty();
  SmallVector<Value *, 8> Args;
  // The thread's number, and 0.
  for (unsigned I = 0; I < 2; ++I) {
    if (DropsUnused && Direct.getArg(I)->use_empty()) {
      Args.push_back(ConstantPointerNull::get(B.getPtrTy()));
      continue;
    }
    Value *Slot = Slots.CreateAlloca(I32), *Number = B.getInt32(0);
    if (I == 0)
      Number = B.CreateCall(Where.getModule()->getOrInsertFunction(
                                ThreadNumber, I32, B.getPtrTy()),
                            Fork.getArgOperand(fork::Loc));
    B.CreateStore(Number, Slot);
    Args.push_back(Slot);
  }
  for (unsigned I = fork::Args; I < Fork.arg_size(); ++I)
    Args.push_back(Fork.getArgOperand(I));
  B.CreateCall(&Direct, Args);
}

} // namespace accx::processor
