//===- CounterSums.cpp - Counters whose sums are extended -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves the constant of a sum behind its extension, in loops inside of others.
// It is a pass of its own, as it concerns the loops inside of a grid-stride
// loop and not that loop itself.
//
//===----------------------------------------------------------------------===//

#include "gridtune/CounterSums.h"

#include "ir/Remark.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

#define DEBUG_TYPE "counter-sums"

using namespace llvm;
using namespace llvm::PatternMatch;

STATISTIC(NumSums, "Number of constants taken out of extended sums");

namespace accx::gridtune {

/// Whether a product of \p V moves by the same from one iteration of \p L to
/// the next, if \p V does.
static bool isMultiplied(const Instruction &V, const Loop &L) {
  return any_of(V.users(), [&](const User *U) {
    const auto *Product = dyn_cast<BinaryOperator>(U);
    return Product && Product->getOpcode() == Instruction::Mul &&
           (L.isLoopInvariant(Product->getOperand(0)) ||
            L.isLoopInvariant(Product->getOperand(1)));
  });
}

/// Hides the bases of addresses that use \p Wide from loops around \p L.
/// Counted in these loops, too, the bases would take registers in all of them.
static void hideBases(Instruction &Wide, const Loop &L) {
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    return;
  for (User *Product : Wide.users())
    for (User *U : Product->users()) {
      auto *Address = dyn_cast<GetElementPtrInst>(U);
      if (!Address || Address->getPointerOperand() == Product)
        continue;
      auto *Base = dyn_cast<Instruction>(Address->getPointerOperand());
      if (!Base || isa<FreezeInst>(Base) || !L.isLoopInvariant(Base))
        continue;
      IRBuilder<> B(Before->getTerminator());
      Address->setOperand(GetElementPtrInst::getPointerOperandIndex(),
                          B.CreateFreeze(Base));
    }
}

PreservedAnalyses CounterSumsPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  if (F.hasOptNone())
    return PreservedAnalyses::all();
  const LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  bool Changed = false;
  SmallPtrSet<const Loop *, 4> Told;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    const Loop *L = Loops.getLoopFor(I.getParent());
    Value *Sum, *Counter;
    const APInt *Constant;
    if (!L || L->isOutermost() || !match(&I, m_SExt(m_Value(Sum))) ||
        !match(Sum, m_Add(m_Value(Counter), m_APInt(Constant))) ||
        L->isLoopInvariant(Counter) || !isMultiplied(I, *L))
      continue;
    if (!cast<BinaryOperator>(Sum)->hasNoSignedWrap()) {
      if (Told.insert(L).second)
        ir::remarkMissed(DEBUG_TYPE, "SumStays", *L,
                         "a sum of a loop's counter is extended in each "
                         "iteration: it may wrap");
      continue;
    }
    IRBuilder<> B(&I);
    Value *Wide = B.CreateNSWAdd(
        B.CreateSExt(Counter, I.getType()),
        ConstantInt::get(I.getType(),
                         Constant->sext(I.getType()->getScalarSizeInBits())));
    I.replaceAllUsesWith(Wide);
    I.eraseFromParent();
    hideBases(*cast<Instruction>(Wide), *L);
    ++NumSums;
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::gridtune
