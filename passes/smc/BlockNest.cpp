//===- BlockNest.cpp - The form of grid-stride loops ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes them; EmitBlockLoop.cpp rewrites them.
//
//===----------------------------------------------------------------------===//

#include "smc/BlockNest.h"

#include "affine/Divergence.h"
#include "affine/Factors.h"
#include "blocks/Notes.h"
#include "blocks/Region.h"
#include "gridloop/GridIv.h"
#include "offload/DeviceCalls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

#include <map>

using namespace llvm;
using namespace accx::blocks;
using namespace llvm::PatternMatch;

namespace accx::smc {

/// Trip counts are 0 where there is no iteration.
static Value *withoutSelect(Value *Trip) {
  Value *V;
  if (match(Trip, m_Select(m_Value(), m_Zero(), m_Value(V))))
    return V;
  return Trip;
}

/// The quotient and the remainder of \p V that the loop's body makes, by one
/// invariant divisor.
static Split findSplit(Instruction &V, const Loop &L) {
  for (User *U : V.users()) {
    auto *Div = dyn_cast<BinaryOperator>(U);
    Value *By;
    if (!Div || !L.contains(Div) ||
        !match(Div, m_IDiv(m_Specific(&V), m_Value(By))) ||
        !L.isLoopInvariant(By))
      continue;
    for (User *Other : V.users())
      if (auto *Rest = dyn_cast<BinaryOperator>(Other);
          Rest && L.contains(Rest) && affine::isRestOf(*Rest, *Div))
        return {Div, Rest, By};
  }
  return {};
}

/// Trip counts that the body extends, being known not to be negative there, are
/// extended in front of \p L, as others are.
static void takeOutExtensions(Loop &L, BasicBlock &Preheader) {
  std::map<std::pair<Value *, Type *>, Value *> Known;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : make_early_inc_range(*Block)) {
      if (!isa<ZExtInst>(I) || !I.hasNonNeg() ||
          !L.isLoopInvariant(I.getOperand(0)))
        continue;
      Value *&Same = Known[{I.getOperand(0), I.getType()}];
      if (!Same)
        Same = IRBuilder<>(Preheader.getTerminator())
                   .CreateSExt(I.getOperand(0), I.getType());
      I.replaceAllUsesWith(Same);
      I.eraseFromParent();
    }
}

Refusal BlockNest::match(Loop &L, BlockNest &N) {
  N = BlockNest();
  N.Nest = &L;
  const MDNode *Id = L.getLoopID();
  if (!Id || !gridloop::isGridLoop(*Id))
    return Refusal::NotGridLoop;
  BasicBlock *Header = L.getHeader();
  N.Preheader = L.getLoopPreheader();
  N.Latch = L.getLoopLatch();
  auto *Branch = dyn_cast<BranchInst>(Header->getTerminator());
  if (!N.Preheader || !N.Latch || L.getExitingBlock() != Header || !Branch ||
      !Branch->isConditional() || !L.contains(Branch->getSuccessor(0)) ||
      !isa<BranchInst>(N.Latch->getTerminator()) ||
      cast<BranchInst>(N.Latch->getTerminator())->isConditional())
    return Refusal::LoopForm;
  takeOutExtensions(L, *N.Preheader);
  N.Body = Branch->getSuccessor(0);
  N.Test = dyn_cast<ICmpInst>(Branch->getCondition());
  N.Iv = N.Test ? dyn_cast<PHINode>(N.Test->getOperand(0)) : nullptr;
  const auto Test =
      N.Iv ? gridloop::BoundTest::find(L, *Header, *N.Iv) : std::nullopt;
  if (!Test || Test->IsInclusive || !N.Test->hasOneUse() ||
      N.Body->getSinglePredecessor() != Header || N.Iv->getParent() != Header ||
      !N.Iv->getType()->isIntegerTy(64))
    return Refusal::LoopForm;
  N.Trip = Test->Bound;
  // The header does nothing but test.
  for (const Instruction &I : *Header)
    if (!isa<PHINode>(I) && &I != N.Test && &I != Branch)
      return Refusal::LoopForm;
  N.Next = dyn_cast<Instruction>(N.Iv->getIncomingValueForBlock(N.Latch));
  Value *Size;
  if (!N.Next || !N.Next->hasOneUse() ||
      !PatternMatch::match(N.Next, m_c_Add(m_Specific(N.Iv), m_Value(Size))) ||
      !L.isLoopInvariant(Size))
    return Refusal::LoopForm;
  // lastprivate computes with them.
  const Value *Start = N.Iv->getIncomingValueForBlock(N.Preheader);
  if (!Start->hasOneUse() || !Size->hasOneUse())
    return Refusal::Observed;

  // Each divides the one before it, the first the trip count.
  Value *Whole = withoutSelect(N.Trip);
  Instruction *Rest = N.Iv;
  // Nests of few iterations are counted in 32 bits.
  for (User *U : N.Iv->users()) {
    auto *Low = dyn_cast<TruncInst>(U);
    if (Low && L.contains(Low) && findSplit(*Low, L).Divisor)
      Rest = Low;
  }
  for (;;) {
    const Split Found = findSplit(*Rest, L);
    if (N.Indices.size() == 2 || !Found.Divisor ||
        !affine::isMultipleOf(*Whole, *Found.Divisor))
      break;
    Whole = Found.Divisor;
    N.Indices.push_back({Found.Quotient, Found.Divisor});
    Rest = Found.Rest;
  }
  if (N.Indices.empty())
    Rest = N.Iv;
  N.Indices.push_back({Rest, nullptr});
  return Refusal::None;
}

void BlockNest::flatten() { Indices.assign(1, {Iv, nullptr}); }

void BlockNest::takeRows() {
  IsWhole = true;
  if (Indices.size() == 2)
    Rows = findSplit(*Indices[0].V, *Nest);
}

/// Whether \p I is one of those that mean nothing at run time.
static bool isNothing(const Instruction &I) {
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return noteOf(I) || (Intrinsic && (Intrinsic->isAssumeLikeIntrinsic() ||
                                     isa<DbgInfoIntrinsic>(Intrinsic)));
}

bool BlockNest::ownsGrid() const {
  return gridloop::ownsGrid(*Iv->getFunction(), {Iv, Next}, isNothing);
}

Refusal BlockNest::checkBody() const {
  SmallPtrSet<const AllocaInst *, 8> Written;
  for (const BasicBlock *Block : Nest->blocks())
    for (const Instruction &I : *Block) {
      if (isNothing(I))
        continue;
      const Value *To = writtenBy(I);
      if (const AllocaInst *Local = To ? localOf(To) : nullptr) {
        Written.insert(Local);
        continue;
      }
      if (isa<StoreInst, AtomicRMWInst>(I))
        continue;
      if (isa<AtomicCmpXchgInst, FenceInst, InvokeInst, CallBrInst>(I))
        return Refusal::Calls;
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || offload::isMath(*Call))
        continue;
      if (const StringRef Name = offload::calledName(I);
          Name.starts_with("llvm.nvvm.read.ptx.sreg."))
        return Refusal::Observed;
      if (Call->isInlineAsm() || Call->isConvergent())
        return Refusal::Calls;
      if (isa<MemIntrinsic>(Call) ||
          (!Call->mayHaveSideEffects() && !Call->mayReadFromMemory()))
        continue;
      if (isa<IntrinsicInst>(Call) && !Call->mayHaveSideEffects())
        continue;
      return Refusal::Calls;
    }
  // A variable of one iteration is used nowhere else.
  for (const AllocaInst *Local : Written) {
    SmallVector<const Value *, 8> Work = {Local};
    while (!Work.empty())
      for (const User *U : Work.pop_back_val()->users()) {
        const auto *I = cast<Instruction>(U);
        if (isNothing(*I))
          continue;
        if (isa<GetElementPtrInst, CastInst>(I))
          Work.push_back(I);
        else if (!Nest->contains(I) || isa<PHINode, SelectInst>(I))
          return Refusal::Outlives;
      }
  }
  return Refusal::None;
}

bool mayPart(BasicBlock &Target, const Loop &Nest, UniformityInfo &Uniformity,
             const PostDominatorTree &PDT) {
  // Leaving the nest is no parting.
  affine::BlockSet Body;
  for (BasicBlock *Block : Nest.blocks())
    if (Block != Nest.getExitingBlock())
      Body.insert(Block);
  // LLVM's analysis misses phis that differ where ways lead far down.
  return affine::Divergence(
             Body, Nest.getHeader(), PDT,
             [&](const Instruction &I) { return Uniformity.isDivergent(&I); })
      .isDivergent(&Target);
}

} // namespace accx::smc
