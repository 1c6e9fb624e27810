//===- Marks.cpp - What simt-lanes notes down in IR -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes, reads and removes marks, so that their encoding is in one place. It
// is the only source that sees markers; others see marks.
//
//===----------------------------------------------------------------------===//

#include "lanes/Marks.h"

#include "ir/LoopCopy.h"
#include "markers/Markers.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::lanes {

bool isSimdLoop(const Loop &L) {
  return getBooleanLoopAttribute(&L, "llvm.loop.vectorize.enable");
}

std::optional<unsigned> vectorLength(const Loop &L) {
  const std::optional<int> Length = getOptionalIntLoopAttribute(&L, VectorMark);
  if (!Length)
    return std::nullopt;
  return static_cast<unsigned>(*Length);
}

static Function *declare(Module &M, StringRef Name, FunctionType *Type) {
  auto *F = cast<Function>(M.getOrInsertFunction(Name, Type).getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setNoSync();
  F->setDoesNotFreeMemory();
  return F;
}

CallInst *emitEnter(IRBuilderBase &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  Function *F = declare(M, EnterName,
                        FunctionType::get(B.getVoidTy(), /*isVarArg=*/false));
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Mod));
  return B.CreateCall(F);
}

CallInst *emitNote(IRBuilderBase &B, StringRef Name, Value *V) {
  Module &M = *B.GetInsertBlock()->getModule();
  Type *T = V->getType();
  std::string Full;
  raw_string_ostream OS(Full);
  OS << Name << *T;
  Function *F = declare(M, Full, FunctionType::get(T, {T}, /*isVarArg=*/false));
  F->setDoesNotAccessMemory();
  F->setSpeculatable();
  return B.CreateCall(F, {V});
}

CallInst *asNote(Value *V, StringRef Name) {
  auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(Name) ? Call : nullptr;
}

void removeNotes(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    const StringRef Name = F.getName();
    if (Name != EnterName && !Name.starts_with(ResultName) &&
        !Name.starts_with(OriginalName) && !Name.starts_with(CombinedName))
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = cast<CallInst>(U);
      if (Call->arg_size())
        Call->replaceAllUsesWith(Call->getArgOperand(0));
      Call->eraseFromParent();
    }
    F.eraseFromParent();
  }
}

void unmark(Loop &L, ArrayRef<StringRef> Marks) {
  ir::renewLoop(*L.getLoopLatch()->getTerminator(), Marks);
}

/// The open marker at the entry of \p L.
static CallInst *markerOf(const Loop &L, const DominatorTree &DT,
                          const LoopInfo &Loops) {
  const Loop *Around = L.getParentLoop();
  for (const DomTreeNode *Node = DT.getNode(L.getHeader())->getIDom(); Node;
       Node = Node->getIDom()) {
    BasicBlock *Block = Node->getBlock();
    if (Loops.getLoopFor(Block) != Around)
      return nullptr;
    for (Instruction &I : reverse(*Block)) {
      const StringRef Name = offload::calledName(I);
      if (Name == markers::LanesEnd)
        return nullptr;
      if (Name == markers::LanesBegin)
        return cast<CallInst>(&I);
    }
  }
  return nullptr;
}

PreservedAnalyses MarkPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const Function *Begin = F.getParent()->getFunction(markers::LanesBegin);
  if (!Begin || F.hasOptNone() || !offload::isGpuCode(*F.getParent()))
    return PreservedAnalyses::all();
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    if (!isSimdLoop(*L))
      continue;
    const CallInst *Marker = markerOf(*L, DT, Loops);
    if (!Marker)
      continue;
    const int64_t Length =
        offload::constantArgument(*Marker, 0).value_or(LengthUnknown);
    addStringMetadataToLoop(
        L, VectorMark, Length > 0 && Length <= 4096 ? Length : LengthUnknown);
  }
  return PreservedAnalyses::all();
}

} // namespace accx::lanes
