//===- Marks.cpp - What simt-lanes notes down in IR -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes, reads and removes marks, so that their encoding is in one place.
//
//===----------------------------------------------------------------------===//

#include "lanes/Marks.h"

#include "ir/LoopCopy.h"

#include "llvm/IR/Constants.h"
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

} // namespace accx::lanes
