//===- NarrowLoop.cpp - Grid-stride loops of few iterations ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a loop is worth a copy for few iterations, makes that copy
// and its test, and narrows comparisons in it. Copies for LinearAddresses.cpp
// are made here, too.
//
//===----------------------------------------------------------------------===//

#include "gridtune/NarrowLoop.h"

#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

static bool isWideDivision(const Instruction &I, const Loop &L) {
  if (!I.isIntDivRem() || !I.getType()->isIntegerTy(64) ||
      !L.isLoopInvariant(I.getOperand(1)))
    return false;
  const KnownBits Known =
      computeKnownBits(I.getOperand(1), I.getModule()->getDataLayout());
  return Known.countMinLeadingZeros() + NarrowBits < 64;
}

bool mayBeCopied(const gridloop::GridIv &Grid, bool AsNest) {
  constexpr size_t MaxInstructions = 256;
  const Loop &L = *Grid.Nest;
  if (!Grid.bound() || !(L.isInnermost() || AsNest) || !L.getUniqueExitBlock())
    return false;
  size_t Size = 0;
  for (BasicBlock *Block : L.blocks()) {
    Size += Block->sizeWithoutDebug();
    for (const Instruction &I : *Block) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && (Call->isConvergent() || Call->cannotDuplicate()))
        return false;
    }
    if (isa<IndirectBrInst, CallBrInst>(Block->getTerminator()))
      return false;
  }
  return Size <= MaxInstructions;
}

bool isWorthNarrowing(const gridloop::GridIv &Grid) {
  return !isNarrow(Grid) && mayBeCopied(Grid) &&
         any_of(Grid.Nest->blocks(), [&](const BasicBlock *Block) {
           return any_of(*Block, [&](const Instruction &I) {
             return isWideDivision(I, *Grid.Nest);
           });
         });
}

bool isKnownNarrow(const gridloop::GridIv &Grid, ScalarEvolution &SE) {
  const APInt Limit(64, uint64_t(1) << NarrowBits);
  Value *Bound = Grid.bound();
  return isNarrow(Grid) ||
         (Bound && SE.getUnsignedRangeMax(SE.getSCEV(Bound)).ult(Limit));
}

/// Marks \p L anew, as a loop of fewer than 2^\p Bits iterations.
static void mark(Loop &L, unsigned Bits, bool MayInterleave) {
  ir::renewLoop(
      *L.getLoopLatch()->getTerminator(), {gridloop::GridLoopMetadata},
      gridloop::gridLoopMark(L.getHeader()->getContext(), Bits, MayInterleave));
}

BasicBlock *makeLoopWhere(const gridloop::GridIv &Grid, bool IsNarrow,
                          Value *Condition, ScalarEvolution &SE,
                          LoopInfo &Loops, DominatorTree &DT) {
  Loop &L = *Grid.Nest;
  const unsigned Bits = IsNarrow ? std::min(Grid.Bits, NarrowBits) : Grid.Bits;
  const bool Compares = IsNarrow && !isKnownNarrow(Grid, SE);
  if (!Compares && !Condition) {
    mark(L, Bits, Grid.MayInterleave);
    return L.getHeader();
  }
  BasicBlock *Before = L.getLoopPreheader();
  BasicBlock *Usual =
      SplitBlock(Before, Before->getTerminator(), &DT, &Loops, nullptr);
  Loop *Copy = ir::copyBeside(L, *Before, ".narrow", Loops, DT);
  IRBuilder<> B(Before->getTerminator());
  if (Compares) {
    const APInt Limit(64, uint64_t(1) << NarrowBits);
    Value *Few = B.CreateICmpULT(Grid.bound(), B.getInt(Limit), "is.narrow");
    Condition = Condition ? B.CreateAnd(Few, Condition) : Few;
  }
  B.CreateCondBr(Condition, Copy->getLoopPreheader(), Usual);
  Before->getTerminator()->eraseFromParent();
  mark(*Copy, Bits, Grid.MayInterleave);
  return Copy->getHeader();
}

/// \p V as a value of 32 bits, if it is a number or a digit of one.
static Value *narrowed(const gridloop::GridIv &Grid, Value *V) {
  Value *Digit = nullptr;
  if (V == Grid.Iv) {
    BasicBlock &Header = *Grid.Nest->getHeader();
    IRBuilder<> B(&Header, Header.getFirstInsertionPt());
    // The truncation says nothing of its range, or InstCombine would undo it.
    return B.CreateTrunc(V, B.getInt32Ty());
  }
  return match(V, m_NNegZExt(m_Value(Digit))) && isa<PHINode>(Digit) &&
                 Digit->getType()->isIntegerTy(32)
             ? Digit
             : nullptr;
}

namespace {

/// A comparison of 32 bits that says of each number below 2^31 what one with
/// 64 bits did.
struct NarrowTest {
  ICmpInst::Predicate How;
  Value *Limit;
};

} // namespace

static NarrowTest narrowTest(const gridloop::GridIv &Grid,
                             ICmpInst::Predicate How, Value *Limit) {
  constexpr uint64_t Range = uint64_t(1) << NarrowBits;
  IRBuilder<> B(Grid.Nest->getLoopPreheader()->getTerminator());
  const auto Clamp = [&](Intrinsic::ID Which, uint64_t By) {
    Limit = B.CreateBinaryIntrinsic(Which, Limit, B.getInt64(By));
  };
  switch (How) {
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_SLE:
    Clamp(Intrinsic::smax, ~uint64_t(0));
    Clamp(Intrinsic::smin, Range - 1);
    break;
  case ICmpInst::ICMP_SLT:
  case ICmpInst::ICMP_SGE:
    How = ICmpInst::getUnsignedPredicate(How);
    Clamp(Intrinsic::smax, 0);
    [[fallthrough]];
  default:
    Clamp(Intrinsic::umin, Range);
  }
  return {How, B.CreateTrunc(Limit, B.getInt32Ty())};
}

unsigned narrowComparisons(const gridloop::GridIv &Grid) {
  SmallVector<ICmpInst *> Wide;
  for (BasicBlock *Block : Grid.Nest->blocks())
    for (Instruction &I : *Block)
      if (auto *Compare = dyn_cast<ICmpInst>(&I);
          Compare && Compare->getOperand(0)->getType()->isIntegerTy(64))
        Wide.push_back(Compare);
  unsigned Narrowed = 0;
  for (ICmpInst *Compare : Wide) {
    Value *Left = Compare->getOperand(0), *Right = Compare->getOperand(1);
    ICmpInst::Predicate How = Compare->getPredicate();
    if (Grid.Nest->isLoopInvariant(Left)) {
      std::swap(Left, Right);
      How = ICmpInst::getSwappedPredicate(How);
    }
    if (!Grid.Nest->isLoopInvariant(Right))
      continue;
    Value *Number = narrowed(Grid, Left);
    if (!Number)
      continue;
    const NarrowTest Test = narrowTest(Grid, How, Right);
    IRBuilder<> B(Compare);
    Compare->replaceAllUsesWith(B.CreateICmp(Test.How, Number, Test.Limit));
    Compare->eraseFromParent();
    ++Narrowed;
  }
  return Narrowed;
}

} // namespace accx::gridtune
