//===- GridOrder.cpp - The order of collapsed loops -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries another order for each marked loop, and reports it. Where the trip
// count may be no product the loop gets a copy first.
//
//===----------------------------------------------------------------------===//

#include "gridtune/GridOrder.h"

#include "distribute/LoopParts.h"
#include "gridloop/GridIv.h"
#include "gridloop/GridLoop.h"
#include "gridtune/FunctionLoops.h"
#include "gridtune/LoopOrder.h"
#include "gridtune/NarrowLoop.h"
#include "ir/LoopCopy.h"
#include "ir/Remark.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "grid-order"

using namespace llvm;

STATISTIC(NumReordered, "Number of collapsed loops in another order");

namespace accx::gridtune {

/// Whether nothing but the loop's control uses its number outside.
static bool keepsNumber(const gridloop::GridIv &Grid) {
  return none_of(Grid.Iv->users(),
                 [&](const User *U) {
                   return !Grid.Nest->contains(cast<Instruction>(U));
                 }) &&
         none_of(Grid.Next->users(), [&](const User *U) {
           return U != Grid.Iv && !isa<ICmpInst>(U);
         });
}

namespace {

class Reorderer : FunctionLoops {
public:
  Reorderer(Function &F, FunctionAnalysisManager &FAM)
      : FunctionLoops(F, FAM) {}

  /// None: it has another order now. May change the loop's form.
  OrderRefusal run(BasicBlock &Header);
};

} // namespace

OrderRefusal Reorderer::run(BasicBlock &Header) {
  Loop *L = Loops.getLoopFor(&Header);
  simplify(*L);
  auto Grid = gridloop::GridIv::find(*L);
  if (!Grid || gridloop::groupOf(*L) || !Grid->bound() ||
      !Grid->dropFollowers(SE))
    return OrderRefusal::Control;
  Grid->dropExtensions();
  LoopOrder Found(*Grid, SE);
  if (!Found.findPlaces())
    return OrderRefusal::Digits;
  const Place *First = Found.best();
  if (!First)
    return OrderRefusal::Suits;
  if (!Grid->MayInterleave)
    return OrderRefusal::ThreadObserved;
  if (distribute::isSplit(F))
    return OrderRefusal::Distributed;
  if (!keepsNumber(*Grid))
    return OrderRefusal::Outlives;
  if (Value *Count = Found.cofactorOf(*First)) {
    Found.reorder(*First, Count);
    SE.forgetLoop(L);
    return OrderRefusal::None;
  }
  if (!mayBeCopied(*Grid, /*AsNest=*/true))
    return OrderRefusal::TripCount;
  IRBuilder<> B(L->getLoopPreheader()->getTerminator());
  Value *Bound = Grid->bound();
  // Where the divisor is zero nothing divides by it.
  Value *Size = First->Divisor;
  Value *Wide = B.CreateBinaryIntrinsic(Intrinsic::umax,
                                        B.CreateZExt(Size, Bound->getType()),
                                        ConstantInt::get(Bound->getType(), 1));
  Value *Count = B.CreateUDiv(Bound, Wide);
  Value *IsEven = B.CreateICmpEQ(B.CreateMul(Count, Wide), Bound, "is.product");
  formLCSSARecursively(*L, DT, &Loops, &SE);
  BasicBlock *Copy = makeLoopWhere(*Grid, false, IsEven, SE, Loops, DT);
  // What is left is rare, and stays as it is.
  ir::renewLoop(*Grid->Nest->getLoopLatch()->getTerminator(),
                {gridloop::GridLoopMetadata});
  forgetLoops();
  L = Loops.getLoopFor(Copy);
  simplify(*L);
  Grid = gridloop::GridIv::find(*L);
  LoopOrder Again(*Grid, SE);
  if (!Again.findPlaces() || !(First = Again.placeOf(*Size)))
    return OrderRefusal::Digits;
  Again.reorder(*First, Count);
  SE.forgetLoop(L);
  return OrderRefusal::None;
}

PreservedAnalyses GridOrderPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  if (F.hasOptNone())
    return PreservedAnalyses::all();
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  SmallVector<BasicBlock *, 4> Marked;
  for (Loop *L : gridloop::gridLoopsOf(Loops))
    if (gridloop::divides(*L))
      Marked.push_back(L->getHeader());
  if (Marked.empty())
    return PreservedAnalyses::all();
  Reorderer Work(F, FAM);
  for (BasicBlock *Header : Marked) {
    const DebugLoc Where = Loops.getLoopFor(Header)->getStartLoc();
    const OrderRefusal Why = Work.run(*Header);
    if (Why == OrderRefusal::None) {
      ++NumReordered;
      ir::remarkPassed(DEBUG_TYPE, "Reordered", {Where, *Header},
                       "collapsed loops have another one innermost, whose "
                       "neighbours are neighbours in memory");
    } else if (Why != OrderRefusal::Suits && Why != OrderRefusal::Digits &&
               Why != OrderRefusal::Control) {
      ir::remarkRefused(DEBUG_TYPE, Why, {Where, *Header},
                        "collapsed loops keep their order, though another one "
                        "is innermost in memory");
    }
  }
  return PreservedAnalyses::none();
}

} // namespace accx::gridtune
