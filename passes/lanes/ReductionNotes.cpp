//===- ReductionNotes.cpp - Notes vector loops' reductions ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows an accumulator from the loop's exit to the one store it ends in, and
// puts notes on this way. It reads Clang's code only, where variables are
// memory.
//
//===----------------------------------------------------------------------===//

#include "lanes/ReductionNotes.h"

#include "gpu/Exchange.h"
#include "lanes/Marks.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::lanes {

/// Whether \p Local's life begins once the vector loop is entered.
static bool beginsAfter(const AllocaInst &Local, const CallInst &Enter,
                        const DominatorTree &DT) {
  bool Begins = false;
  for (const User *U : Local.users()) {
    const auto *I = dyn_cast<IntrinsicInst>(U);
    if (!I || I->getIntrinsicID() != Intrinsic::lifetime_start)
      continue;
    if (!DT.dominates(&Enter, I))
      return false;
    Begins = true;
  }
  return Begins;
}

/// The one store that what is made of \p Loads reaches, through arithmetic.
static StoreInst *storeOf(ArrayRef<LoadInst *> Loads) {
  StoreInst *Found = nullptr;
  SmallSetVector<Value *, 16> Worklist;
  Worklist.insert(Loads.begin(), Loads.end());
  for (unsigned I = 0; I < Worklist.size() && I < 64; ++I)
    for (User *U : Worklist[I]->users()) {
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        if (Store->getValueOperand() != Worklist[I] || !Store->isSimple() ||
            (Found && Found != Store))
          return nullptr;
        Found = Store;
      } else if (isa<CastInst, BinaryOperator, CmpInst, SelectInst, PHINode,
                     UnaryOperator>(U)) {
        Worklist.insert(U);
      } else if (!isa<BranchInst>(U)) {
        return nullptr;
      }
    }
  return Found;
}

/// Whether two values are the same pointer: one value, or the same local
/// variable's.
static bool isSamePointer(const Value *A, const Value *B) {
  const auto *LoadA = dyn_cast<LoadInst>(A);
  const auto *LoadB = dyn_cast<LoadInst>(B);
  return A == B ||
         (LoadA && LoadB && isa<AllocaInst>(LoadA->getPointerOperand()) &&
          LoadA->getPointerOperand() == LoadB->getPointerOperand());
}

/// Loads of the reduction's variable between \p Exit and \p Store.
static SmallVector<LoadInst *, 4> originalsBefore(StoreInst &Store,
                                                  BasicBlock &Exit,
                                                  const Loop &L,
                                                  const DominatorTree &DT) {
  SmallPtrSet<BasicBlock *, 2> Outside;
  if (const Loop *Around = L.getParentLoop())
    Outside.insert(Around->getHeader());
  SmallVector<LoadInst *, 4> Found;
  for (BasicBlock &Block : *Exit.getParent()) {
    if (!DT.dominates(&Exit, &Block) ||
        !isPotentiallyReachable(&Block, Store.getParent(), &Outside, &DT))
      continue;
    for (Instruction &I : Block) {
      if (&I == &Store)
        break;
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && Load->isSimple() &&
          Load->getType() == Store.getValueOperand()->getType() &&
          isSamePointer(Load->getPointerOperand(), Store.getPointerOperand()))
        Found.push_back(Load);
    }
  }
  return Found;
}

static void noteReduction(AllocaInst &Local, const Loop &L, BasicBlock &Exit,
                          const DominatorTree &DT) {
  SmallVector<LoadInst *, 4> After;
  for (User *U : Local.users()) {
    auto *I = cast<Instruction>(U);
    auto *Load = dyn_cast<LoadInst>(I);
    auto *Store = dyn_cast<StoreInst>(I);
    if (I->isLifetimeStartOrEnd())
      continue;
    if (Store ? !Store->isSimple() || Store->getPointerOperand() != &Local
              : !Load || !Load->isSimple() ||
                    Load->getType() != Local.getAllocatedType())
      return;
    if (L.contains(I) || Store)
      continue;
    if (!DT.dominates(&Exit, I->getParent()))
      return;
    After.push_back(Load);
  }
  StoreInst *Store = After.empty() ? nullptr : storeOf(After);
  if (!Store || Store->getValueOperand()->getType() != Local.getAllocatedType())
    return;
  const auto Originals = originalsBefore(*Store, Exit, L, DT);
  if (Originals.empty())
    return;
  auto *const FirstOf = find_if(Originals, [&](LoadInst *Load) {
    return all_of(Originals, [&](LoadInst *Other) {
      return Load == Other || DT.dominates(Load, Other);
    });
  });
  if (FirstOf == Originals.end())
    return;
  LoadInst *First = *FirstOf;

  IRBuilder<> B(&Exit, Exit.getFirstInsertionPt());
  B.CreateStore(
      emitNote(B, ResultName, B.CreateLoad(Local.getAllocatedType(), &Local)),
      &Local);
  B.SetInsertPoint(First->getNextNode());
  CallInst *Original = emitNote(B, OriginalName, First);
  for (LoadInst *Load : Originals)
    Load->replaceUsesWithIf(
        Original, [&](const Use &U) { return U.getUser() != Original; });
  B.SetInsertPoint(Store);
  Store->setOperand(0, emitNote(B, CombinedName, Store->getValueOperand()));
}

void noteReductions(const Loop &L, BasicBlock &Exit, const CallInst &Enter,
                    const DominatorTree &DT) {
  for (Instruction &I : L.getHeader()->getParent()->getEntryBlock()) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (Local && gpu::Exchange::supports(Local->getAllocatedType()) &&
        beginsAfter(*Local, Enter, DT))
      noteReduction(*Local, L, Exit, DT);
  }
}

} // namespace accx::lanes
