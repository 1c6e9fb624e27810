//===- CounterMasks.cpp - Counters of 32 bits that fit --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes masks of counted indices where scalar evolution or a condition ahead
// of the loop shows that they clear nothing. It runs ahead of all that computes
// one address from another, which masks would prevent.
//
//===----------------------------------------------------------------------===//

#include "gridtune/CounterMasks.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

/// Whether what is below \p Limit, plus \p Distance, is below 2^32.
static bool fits(const gridloop::GridIv &Grid, ScalarEvolution &SE,
                 const SCEV &Limit, uint64_t Distance) {
  constexpr uint64_t Range = uint64_t(1) << 32;
  if (Distance >= Range)
    return false;
  if (SE.getUnsignedRangeMax(&Limit).ule(Range - Distance))
    return true;
  // Conditions are on what was extended.
  const auto *Extended = dyn_cast<SCEVZeroExtendExpr>(&Limit);
  const SCEV *Narrow = Extended ? Extended->getOperand() : nullptr;
  return Narrow && Narrow->getType()->isIntegerTy(32) && Distance &&
         SE.isLoopEntryGuardedByCond(
             Grid.Nest, ICmpInst::ICMP_ULE, Narrow,
             SE.getConstant(APInt(32, Range - Distance)));
}

unsigned dropCounterMasks(const gridloop::GridIv &Grid, ScalarEvolution &SE,
                          ArrayRef<CountedIndex> Indices) {
  // A body that branches spends most of its time waiting for loads, and
  // computing their addresses from one another is slower (hotspot 1.14 instead
  // of 1.08 ms).
  if (Grid.Nest->getNumBlocks() != 1)
    return 0;
  SmallVector<Instruction *, 16> Dead;
  const auto DropOf = [&](Value *V, const SCEV &Limit, uint64_t Distance) {
    for (User *U : V->users())
      if (match(U, m_And(m_Specific(V), m_SpecificInt(0xffffffffu))) &&
          Grid.Nest->contains(cast<Instruction>(U)) &&
          fits(Grid, SE, Limit, Distance))
        Dead.push_back(cast<Instruction>(U));
  };
  for (const CountedIndex &Index : Indices) {
    if (!Index.Below)
      continue;
    SmallVector<Value *, 2> Wide;
    if (Index.Phi->getType()->isIntegerTy(64))
      Wide.push_back(Index.Phi);
    else
      for (User *U : Index.Phi->users())
        if (isa<ZExtInst>(U) && U->getType()->isIntegerTy(64))
          Wide.push_back(U);
    for (Value *V : Wide) {
      DropOf(V, *Index.Below, 0);
      for (User *U : V->users()) {
        const APInt *Distance = nullptr;
        if (match(U, m_Add(m_Specific(V), m_APInt(Distance))) &&
            Distance->isNonNegative())
          DropOf(U, *Index.Below, Distance->getZExtValue());
      }
    }
  }
  for (Instruction *Mask : Dead) {
    Mask->replaceAllUsesWith(Mask->getOperand(0));
    Mask->eraseFromParent();
  }
  return Dead.size();
}

} // namespace accx::gridtune
