//===- Prepare.cpp - Loops with regions, as values ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds worksharing loops that have regions, inlines functions that get
// pointers, and runs LLVM's passes that turn variables into values. It is all
// that happens to code before a loop is planned.
//
//===----------------------------------------------------------------------===//

#include "workitems/Plan.h"

#include "blocks/Notes.h"
#include "blocks/Region.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace accx::workitems {

std::vector<offload::WorkLoop> findRegionLoops(Function &F,
                                               FunctionAnalysisManager &FAM) {
  std::vector<offload::WorkLoop> Found;
  offload::forEachCall(F, offload::ForInit, [&](CallInst &Call) {
    offload::WorkLoop W;
    if (offload::WorkLoop::match(Call, FAM.getResult<LoopAnalysis>(F), W) ==
            offload::Refusal::None &&
        any_of(W.Nest->blocks(),
               [](BasicBlock *B) { return any_of(*B, blocks::beginsChannel); }))
      Found.push_back(W);
  });
  return Found;
}

/// Whether control that comes to \p Pad ends the program, as exceptions do that
/// nothing in a parallel region catches.
static bool onlyTerminates(BasicBlock *Pad) {
  constexpr size_t MaxBlocks = 64;
  SmallSetVector<BasicBlock *, 8> Blocks;
  Blocks.insert(Pad);
  for (size_t I = 0; I < Blocks.size(); ++I) {
    if (Blocks.size() > MaxBlocks)
      return false;
    const Instruction *End = Blocks[I]->getTerminator();
    if (isa<UnreachableInst>(End)) {
      const auto *Last = dyn_cast_if_present<CallInst>(End->getPrevNode());
      if (!Last || offload::calledName(*Last) != "__clang_call_terminate")
        return false;
    } else if (succ_empty(Blocks[I])) {
      return false;
    }
    Blocks.insert(succ_begin(Blocks[I]), succ_end(Blocks[I]));
  }
  return true;
}

/// Exceptions that would end the program do so at their call: only the
/// program's own handlers are control flow.
static void dropTerminatePads(Function &F) {
  for (BasicBlock &Block : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(Block.getTerminator());
        Invoke && onlyTerminates(Invoke->getUnwindDest()))
      changeToCall(Invoke)->setDoesNotThrow();
}

/// Functions that may reach arrays become part of loops with regions.
static void inlineInto(Function &F, FunctionAnalysisManager &FAM) {
  constexpr unsigned MaxRounds = 6, MaxInstructions = 20000;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    SmallSetVector<CallBase *, 8> Calls;
    for (const offload::WorkLoop &W : findRegionLoops(F, FAM))
      for (BasicBlock *Block : W.Nest->blocks())
        for (Instruction &I : *Block) {
          auto *Call = dyn_cast<CallBase>(&I);
          const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
          if (Callee && !Callee->isDeclaration() && Callee != &F &&
              any_of(Call->args(),
                     [](Value *V) { return V->getType()->isPointerTy(); }))
            Calls.insert(Call);
        }
    bool Changed = false;
    for (CallBase *Call : Calls)
      if (F.getInstructionCount() < MaxInstructions) {
        InlineFunctionInfo Info;
        Changed |= InlineFunction(*Call, Info).isSuccess();
      }
    if (!Changed)
      return;
    dropTerminatePads(F);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}

/// Accesses in the order of the program to \p Local matter to other iterations:
/// something is stored inside the loop and read behind it.
static bool outlives(const AllocaInst &Local, const Loop &Nest) {
  bool Stored = false, Read = false;
  for (const User *U : Local.users()) {
    const auto *I = cast<Instruction>(U);
    if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(I);
        Intrinsic && Intrinsic->isLifetimeStartOrEnd())
      continue;
    if (Nest.contains(I))
      Stored |= !isa<LoadInst>(I);
    else
      Read |= !isa<StoreInst>(I);
  }
  return Stored && Read;
}

/// Variables of the body have no value where an iteration begins: none comes
/// from the iteration before.
static void forget(Function &F, const offload::WorkLoop &W) {
  constexpr uint64_t MaxBytes = 256;
  const DataLayout &DL = F.getDataLayout();
  DenseSet<const Value *> Team;
  for (BasicBlock *Block : W.Nest->blocks())
    for (Instruction &I : *Block)
      Team.insert(blocks::teamObject(I));
  for (Instruction &I : F.getEntryBlock()) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (!Local || !Local->isStaticAlloca() || Local == W.Counter ||
        Team.contains(Local))
      continue;
    const auto Size = Local->getAllocationSize(DL);
    if (!Size || Size->isScalable() || Size->getFixedValue() > MaxBytes ||
        !all_of(Local->users(), [&](User *U) {
          auto *User = cast<Instruction>(U);
          return User->isLifetimeStartOrEnd() || W.Nest->contains(User);
        }))
      continue;
    for (User *U : make_early_inc_range(Local->users()))
      if (auto *Mark = cast<Instruction>(U); Mark->isLifetimeStartOrEnd())
        Mark->eraseFromParent();
    new StoreInst(UndefValue::get(Local->getAllocatedType()), Local,
                  &*W.Body->getFirstInsertionPt());
  }
}

/// Variables that regions capture are read once, ahead of the loop, where
/// nothing in it writes them.
static void hoistReads(const Loop &Nest, AAResults &AA) {
  BasicBlock *Before = Nest.getLoopPredecessor();
  if (!Before)
    return;
  SmallVector<Instruction *, 16> Writes;
  SmallVector<LoadInst *, 16> Reads;
  for (BasicBlock *Block : Nest.blocks())
    for (Instruction &I : *Block) {
      if (I.mayWriteToMemory() &&
          !offload::calledName(I).starts_with(markers::Prefix) &&
          !I.isLifetimeStartOrEnd())
        Writes.push_back(&I);
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && Load->isSimple() && isa<Argument>(Load->getPointerOperand()))
        Reads.push_back(Load);
    }
  const DataLayout &DL = Before->getDataLayout();
  DenseMap<std::pair<Value *, Type *>, LoadInst *> Early;
  for (LoadInst *Load : Reads) {
    if (!isDereferenceablePointer(Load->getPointerOperand(), Load->getType(),
                                  DL) ||
        any_of(Writes, [&](Instruction *I) {
          return isModSet(AA.getModRefInfo(I, MemoryLocation::get(Load)));
        }))
      continue;
    LoadInst *&First = Early[{Load->getPointerOperand(), Load->getType()}];
    if (!First) {
      First = cast<LoadInst>(Load->clone());
      First->insertBefore(Before->getTerminator());
    }
    Load->replaceAllUsesWith(First);
    Load->eraseFromParent();
  }
}

std::vector<offload::WorkLoop> prepare(Function &F,
                                       FunctionAnalysisManager &FAM) {
  // Notices that the front end puts in front of regions.
  offload::forEachCall(F, markers::SmcUnavailable,
                       [](CallInst &Notice) { Notice.eraseFromParent(); });
  dropTerminatePads(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  inlineInto(F, FAM);
  removeUnreachableBlocks(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  // Variables given to a function stay in memory.
  SmallSetVector<Value *, 16> Keep;
  SmallVector<BasicBlock *, 4> Headers;
  for (const offload::WorkLoop &W : findRegionLoops(F, FAM)) {
    Headers.push_back(W.Header);
    forget(F, W);
    for (AllocaInst *Local : {W.Counter, W.Lower, W.Upper, W.Stride, W.Last})
      Keep.insert(Local);
    for (Instruction &I : F.getEntryBlock())
      if (auto *Local = dyn_cast<AllocaInst>(&I);
          Local && outlives(*Local, *W.Nest))
        Keep.insert(Local);
  }
  if (Keep.empty())
    return {};
  Module &M = *F.getParent();
  IRBuilder<> B(F.getEntryBlock().getTerminator());
  FunctionCallee Holder = M.getOrInsertFunction(
      "__accx_workitems_keep", FunctionType::get(B.getVoidTy(), true));
  CallInst *Call = B.CreateCall(Holder, Keep.getArrayRef());

  // Called one by one: a pass manager would leave out functions of -O0.
  const auto Run = [&](auto Pass) { FAM.invalidate(F, Pass.run(F, FAM)); };
  Run(SROAPass(SROAOptions::PreserveCFG));
  Run(EarlyCSEPass(/*UseMemorySSA=*/true));
  Run(InstSimplifyPass());
  for (BasicBlock *Header : Headers)
    hoistReads(*FAM.getResult<LoopAnalysis>(F).getLoopFor(Header),
               FAM.getResult<AAManager>(F));
  FAM.invalidate(F, PreservedAnalyses::none());
  Run(EarlyCSEPass(/*UseMemorySSA=*/true));
  Run(InstSimplifyPass());
  Run(EarlyCSEPass());
  unrollSteps(F, Headers, FAM);
  Run(InstSimplifyPass());
  Run(EarlyCSEPass());
  for (BasicBlock *Header : Headers)
    flattenChoices(*FAM.getResult<LoopAnalysis>(F).getLoopFor(Header));
  FAM.invalidate(F, PreservedAnalyses::none());
  Call->eraseFromParent();
  if (auto *Function = dyn_cast<llvm::Function>(Holder.getCallee());
      Function && Function->use_empty())
    Function->eraseFromParent();
  FAM.invalidate(F, PreservedAnalyses::none());
  return findRegionLoops(F, FAM);
}

} // namespace accx::workitems
