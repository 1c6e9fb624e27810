//===- LockReductions.cpp - Reductions without atomics --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds reductions on processors whose atomics would be calls of libatomic, and
// leaves them the lock alone. It is the one source of this room for processors.
//
//===----------------------------------------------------------------------===//

#include "reduce/LockReductions.h"

#include "ir/Remark.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "lock-reductions"

using namespace llvm;

STATISTIC(NumLocked, "Number of reductions that take the team's lock");

namespace accx::reduce {

/// libomp's `ident_t`: the flags, and the one for atomics.
static constexpr unsigned IdentFlags = 1;
static constexpr uint64_t IdentAtomicReduce = 0x10;

/// What libomp answers to ask for atomics.
static constexpr uint64_t ByAtomics = 2;

/// The switch on libomp's answer, if that is all it is used for.
static SwitchInst *choiceOf(CallInst &Reduce) {
  return Reduce.hasOneUse() ? dyn_cast<SwitchInst>(Reduce.user_back())
                            : nullptr;
}

/// Whether code from \p Begin up to \p End calls libatomic.
static bool callsLibatomic(BasicBlock &Begin, const BasicBlock &End) {
  SmallPtrSet<BasicBlock *, 16> Seen = {&Begin};
  SmallVector<BasicBlock *, 16> Left = {&Begin};
  while (!Left.empty()) {
    BasicBlock *Block = Left.pop_back_val();
    for (const Instruction &I : *Block) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && Callee->isDeclaration() &&
          Callee->getName().starts_with("__atomic_"))
        return true;
    }
    for (BasicBlock *Next : successors(Block))
      if (Next != &End && Seen.insert(Next).second)
        Left.push_back(Next);
  }
  return false;
}

/// \p Location less its flag for atomics; null if it is no constant.
static GlobalVariable *withoutAtomics(Value *Location) {
  auto *Ident = dyn_cast<GlobalVariable>(Location);
  if (!Ident || !Ident->hasDefinitiveInitializer() || !Ident->isConstant())
    return nullptr;
  auto *Fields = dyn_cast<ConstantStruct>(Ident->getInitializer());
  if (!Fields || Fields->getNumOperands() <= IdentFlags)
    return nullptr;
  auto *Flags = dyn_cast<ConstantInt>(Fields->getOperand(IdentFlags));
  if (!Flags)
    return nullptr;
  SmallVector<Constant *, 8> Values;
  for (Use &Field : Fields->operands())
    Values.push_back(cast<Constant>(Field));
  Values[IdentFlags] = ConstantInt::get(
      Flags->getType(), Flags->getZExtValue() & ~IdentAtomicReduce);
  auto *Copy = new GlobalVariable(
      *Ident->getParent(), Ident->getValueType(), /*isConstant=*/true,
      GlobalValue::PrivateLinkage,
      ConstantStruct::get(Fields->getType(), Values), "accx.lock", Ident);
  Copy->copyAttributesFrom(Ident);
  return Copy;
}

/// Null, or why the reduction stays.
static const char *takeLock(CallInst &Reduce, bool &Changed) {
  SwitchInst *Choice = choiceOf(Reduce);
  if (!Choice)
    return "the code that chooses its way is not known";
  auto *Answer = cast<IntegerType>(Reduce.getType());
  const auto Case = Choice->findCaseValue(ConstantInt::get(Answer, ByAtomics));
  if (Case == Choice->case_default() ||
      !callsLibatomic(*Case->getCaseSuccessor(), *Choice->getDefaultDest()))
    return nullptr;
  GlobalVariable *Location = withoutAtomics(Reduce.getArgOperand(0));
  if (!Location)
    return "what tells libomp of its atomics is no constant";
  Reduce.setArgOperand(0, Location);
  Case->getCaseSuccessor()->removePredecessor(Choice->getParent());
  Choice->removeCase(Case);
  ++NumLocked;
  Changed = true;
  return nullptr;
}

PreservedAnalyses LockReductionsPass::run(Module &M, ModuleAnalysisManager &) {
  SmallPtrSet<Function *, 8> Changed;
  for (const StringRef Name : {"__kmpc_reduce", "__kmpc_reduce_nowait"}) {
    Function *Reduce = M.getFunction(Name);
    if (!Reduce)
      continue;
    for (User *U : Reduce->users()) {
      auto *Call = dyn_cast<CallInst>(U);
      if (!Call || Call->getCalledFunction() != Reduce)
        continue;
      bool IsLocked = false;
      if (const char *Why = takeLock(*Call, IsLocked))
        ir::remarkMissed(DEBUG_TYPE, "Kept", *Call,
                         "reduction may use atomics of libatomic, which is not "
                         "linked: ",
                         ore::NV("Reason", Why));
      if (IsLocked)
        Changed.insert(Call->getFunction());
    }
  }
  for (Function *F : Changed)
    removeUnreachableBlocks(*F);
  return Changed.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace accx::reduce
