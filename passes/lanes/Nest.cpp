//===- Nest.cpp - A loop over threads and the vector loops in it ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches the control, the reductions and the last values of a vector loop. It
// only recognizes: whether the loop may run across lanes is decided in
// Plan.cpp.
//
//===----------------------------------------------------------------------===//

#include "lanes/Nest.h"

#include "gpu/Exchange.h"
#include "lanes/Marks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::lanes {

static Refusal matchControl(VectorLoop &V) {
  Loop &L = *V.L;
  BasicBlock *Header = L.getHeader();
  auto *Branch = dyn_cast<BranchInst>(Header->getTerminator());
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != Header || !Branch ||
      !Branch->isConditional())
    return Refusal::LoopForm;
  auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Test)
    return Refusal::LoopForm;
  V.Test = Test;
  ICmpInst::Predicate Stay = L.contains(Branch->getSuccessor(0))
                                 ? Test->getPredicate()
                                 : Test->getInversePredicate();
  V.Counter = dyn_cast<PHINode>(Test->getOperand(0));
  if (!V.Counter || V.Counter->getParent() != Header) {
    V.Counter = dyn_cast<PHINode>(Test->getOperand(1));
    Stay = ICmpInst::getSwappedPredicate(Stay);
  }
  if (!V.Counter || V.Counter->getParent() != Header ||
      !V.Counter->getType()->isIntegerTy() ||
      V.Counter->getType()->getIntegerBitWidth() > 64 ||
      !L.isLoopInvariant(V.bound()) ||
      !(ICmpInst::isLT(Stay) || ICmpInst::isLE(Stay)))
    return Refusal::LoopForm;
  V.IsSigned = ICmpInst::isSigned(Stay);
  V.IsInclusive = ICmpInst::isLE(Stay);
  if (!match(V.Counter->getIncomingValueForBlock(L.getLoopPreheader()),
             m_Zero()) ||
      !match(V.Counter->getIncomingValueForBlock(L.getLoopLatch()),
             m_c_Add(m_Specific(V.Counter), m_One())))
    return Refusal::LoopForm;
  return Refusal::None;
}

/// Fills what leads to \p R.Combined. False where it is not a function of the
/// other two.
static bool matchSteps(VectorReduction &R) {
  SmallPtrSet<Value *, 16> Seen;
  // Depth-first, operands before users; expressions have no cycles without
  // phis.
  const auto Visit = [&](auto &Self, Value *V) -> bool {
    if (isa<Constant>(V) || !Seen.insert(V).second)
      return true;
    if (CallInst *Note = asNote(V, ResultName)) {
      const bool Fits = !R.Result || R.Result == Note;
      R.Result = Note;
      return Fits;
    }
    if (CallInst *Note = asNote(V, OriginalName)) {
      const bool Fits = !R.Original || R.Original == Note;
      R.Original = Note;
      return Fits;
    }
    auto *I = dyn_cast<Instruction>(V);
    if (!I || R.Steps.size() > 16)
      return false;
    const auto *Known = dyn_cast<IntrinsicInst>(I);
    if (!isa<CastInst, BinaryOperator, CmpInst, SelectInst, UnaryOperator,
             FreezeInst>(I) &&
        !(Known && Known->doesNotAccessMemory() && !Known->isConvergent()))
      return false;
    if (!all_of(I->operands(), [&](Value *Operand) {
          return isa<Function>(Operand) || Self(Self, Operand);
        }))
      return false;
    R.Steps.push_back(I);
    return true;
  };
  return Visit(Visit, R.Combined->getArgOperand(0)) && R.Result && R.Original &&
         R.Result->getType() == R.Combined->getType() &&
         R.Original->getType() == R.Combined->getType();
}

/// The reduction of what is noted as \p Result.
static bool findReduction(CallInst &Result, VectorReduction &R) {
  // Forward to the one note that ends it.
  SmallSetVector<Value *, 16> Worklist;
  Worklist.insert(&Result);
  for (unsigned I = 0; I < Worklist.size() && I < 64; ++I)
    for (User *U : Worklist[I]->users()) {
      if (CallInst *Note = asNote(U, CombinedName)) {
        if (R.Combined && R.Combined != Note)
          return false;
        R.Combined = Note;
      } else if (isa<CastInst, BinaryOperator, CmpInst, SelectInst,
                     UnaryOperator, IntrinsicInst, FreezeInst>(U)) {
        Worklist.insert(U);
      } else {
        return false;
      }
    }
  return R.Combined && matchSteps(R) && R.Result == &Result;
}

static bool hasUsesIn(const Value &V, const Loop &L) {
  return any_of(V.users(), [&](const User *U) {
    return U != &V && L.contains(cast<Instruction>(U));
  });
}

/// The value \p Carried, of the header, as code after the loop sees it.
static Refusal matchCarried(VectorLoop &V, PHINode &Carried) {
  Loop &L = *V.L;
  SmallVector<PHINode *, 1> Outside;
  for (PHINode &Phi : L.getExitBlock()->phis())
    if (is_contained(Phi.incoming_values(), &Carried) && !Phi.use_empty())
      Outside.push_back(&Phi);
  const bool IsUsedInside = hasUsesIn(Carried, L);
  if (Outside.empty())
    return IsUsedInside ? Refusal::Carried : Refusal::None;
  bool AnyNote = false;
  for (PHINode *Phi : Outside)
    for (User *U : Phi->users()) {
      CallInst *Result = asNote(U, ResultName);
      if (!Result)
        continue;
      VectorReduction R;
      // Lanes begin with the operator's neutral value, as Clang gave it.
      if (!isa<Constant>(
              Carried.getIncomingValueForBlock(L.getLoopPreheader())) ||
          !Phi->hasOneUse() || Outside.size() != 1 ||
          !gpu::Exchange::supports(Result->getType()) ||
          !findReduction(*Result, R))
        return Refusal::Carried;
      R.Neutral = cast<Constant>(
          Carried.getIncomingValueForBlock(L.getLoopPreheader()));
      V.Reductions.push_back(std::move(R));
      AnyNote = true;
    }
  if (AnyNote)
    return Refusal::None;
  if (IsUsedInside)
    return Refusal::Carried;
  for (PHINode *Phi : Outside)
    if (!gpu::Exchange::supports(Phi->getType()))
      return Refusal::Carried;
  append_range(V.Lasts, Outside);
  return Refusal::None;
}

Refusal VectorLoop::match(Loop &Of) {
  L = &Of;
  if (Refusal R = matchControl(*this); R != Refusal::None)
    return R;
  for (PHINode &Phi : L->getExitBlock()->phis()) {
    auto *From = dyn_cast<Instruction>(Phi.getIncomingValue(0));
    if (!Phi.use_empty() && From && L->contains(From) &&
        (From == Counter || !isa<PHINode>(From) ||
         From->getParent() != L->getHeader()))
      return Refusal::Carried;
  }
  for (PHINode &Phi : L->getHeader()->phis())
    if (&Phi != Counter)
      if (Refusal R = matchCarried(*this, Phi); R != Refusal::None)
        return R;
  for (const BasicBlock *Block : L->blocks())
    Writes |= any_of(*Block,
                     [](const Instruction &I) { return I.mayWriteToMemory(); });
  return Refusal::None;
}

} // namespace accx::lanes
