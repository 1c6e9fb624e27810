//===- LoopOrder.cpp - Digits of collapsed loops, and their order ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the digits, and gives iterations other numbers.
//
//===----------------------------------------------------------------------===//

#include "gridtune/LoopOrder.h"

#include "affine/Factors.h"
#include "gridtune/Digits.h"
#include "offload/DeviceCalls.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

/// What \p V is, if fewer bits are known to hold it, else \p V.
static const Value *wholeOf(const Value *V, bool HasSign) {
  const auto *Narrow = dyn_cast<TruncInst>(V);
  return Narrow && Narrow->hasNoUnsignedWrap() &&
                 (!HasSign || Narrow->hasNoSignedWrap())
             ? Narrow->getOperand(0)
             : V;
}

/// Whether \p Division divides the loop's number, which its type holds.
bool LoopOrder::isNumber(const Instruction &Division) const {
  const Value *Dividend = Division.getOperand(0);
  const bool HasSign = isSigned(cast<BinaryOperator>(Division));
  if (Grid.Bits + HasSign <= Division.getType()->getIntegerBitWidth())
    return Dividend == Grid.Iv || match(Dividend, m_Trunc(m_Specific(Grid.Iv)));
  return wholeOf(Dividend, HasSign) == Grid.Iv;
}

/// Whether each iteration divides, so that the divisor is never zero.
bool LoopOrder::isSure(const Instruction &Division) const {
  const BasicBlock *Header = L.getHeader();
  return Division.getParent() == Header &&
         isGuaranteedToTransferExecutionToSuccessor(
             Header->getFirstNonPHIIt(), Division.getIterator(), 1000);
}

/// Whether \p I is a division of a place, which it is added to.
bool LoopOrder::addDivision(Instruction &I) {
  Value *Dividend = I.getOperand(0), *Divisor = I.getOperand(1);
  Place *Of = find_if(Places, [&](const Place &P) {
    return P.Dividend == Dividend && P.Divisor == Divisor;
  });
  const bool HasSign = isSigned(cast<BinaryOperator>(I));
  if (HasSign && !isPositiveOrZero(Divisor))
    return false;
  if (Of == Places.end()) {
    // Other conversions may lose bits.
    const bool IsRest =
        Places.size() == 1 &&
        is_contained(Places[0].Rests, wholeOf(Dividend, HasSign));
    if (!(Places.empty() ? isNumber(I) : IsRest) || !isSure(I))
      return false;
    Of = &Places.emplace_back(Place{Dividend, Divisor, {}, {}});
  }
  const bool IsQuotient =
      I.getOpcode() == Instruction::UDiv || I.getOpcode() == Instruction::SDiv;
  (IsQuotient ? Of->Quotients : Of->Rests).push_back(&I);
  if (IsQuotient)
    for (User *U : Dividend->users())
      if (auto *Rest = dyn_cast<Instruction>(U); Rest && L.contains(Rest) &&
                                                 !Rest->isIntDivRem() &&
                                                 affine::isRestOf(*Rest, I))
        Of->Rests.push_back(Rest);
  return true;
}

bool LoopOrder::findPlaces() {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (I.isIntDivRem() && L.isLoopInvariant(I.getOperand(1)) &&
          !addDivision(I) &&
          (offload::stripExtensions(I.getOperand(0)) == Grid.Iv ||
           any_of(Places, [&](const Place &P) {
             return is_contained(P.Rests, I.getOperand(0)) ||
                    is_contained(P.Quotients, I.getOperand(0));
           })))
        return false;
  return !Places.empty();
}

bool LoopOrder::isPositiveOrZero(Value *V) const {
  return isKnownNonNegative(V, SimplifyQuery(Layout)) ||
         SE.isKnownNonNegative(SE.getSCEV(V)) ||
         SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE, SE.getSCEV(V),
                                     SE.getZero(V->getType()));
}

/// The value of which \p V is the lower half, extended; null if it is none.
static Value *lowHalfIn(Value *V) {
  Value *Full = nullptr;
  if (match(V, m_And(m_Value(Full), m_SpecificInt(0x7fffffff))) ||
      match(V, m_And(m_Value(Full), m_SpecificInt(0xffffffffu))) ||
      match(V,
            m_AShr(m_Shl(m_Value(Full), m_SpecificInt(32)), m_SpecificInt(32))))
    return Full;
  if (match(V, m_ZExtOrSExt(m_Value(Full))) &&
      Full->getType()->isIntegerTy(32)) {
    Value *Whole = nullptr;
    return match(Full, m_Trunc(m_Value(Whole))) ? Whole : Full;
  }
  return nullptr;
}

/// A factor of the trip count that is \p Divisor, written in another way; else
/// the divisor itself.
Value *LoopOrder::factorLike(Value *Divisor) const {
  Value *Full = lowHalfIn(Divisor);
  Type *Int = Type::getInt32Ty(Divisor->getContext());
  if (!Full ||
      !SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE,
                                   SE.getTruncateOrNoop(SE.getSCEV(Full), Int),
                                   SE.getZero(Int)))
    return Divisor;
  SmallVector<Value *, 4> Factors{Grid.bound()};
  while (!Factors.empty()) {
    Value *Factor = Factors.pop_back_val(), *Left = nullptr, *Right = nullptr;
    if (match(Factor, m_NSWMul(m_Value(Left), m_Value(Right))) ||
        match(Factor, m_NUWMul(m_Value(Left), m_Value(Right))))
      Factors.append({Left, Right});
    else if (lowHalfIn(Factor) == Full)
      return Factor;
  }
  return Divisor;
}

Value *LoopOrder::cofactorOf(const Place &P) const {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  return affine::emitCofactor(B, *Grid.bound(), *factorLike(P.Divisor),
                              *B.getInt64Ty(),
                              [&](Value *V) { return isPositiveOrZero(V); });
}

void LoopOrder::reorder(const Place &First, Value *Count) {
  BasicBlock *Header = L.getHeader();
  IRBuilder<> Outside(L.getLoopPreheader()->getTerminator());
  const auto Wide = [&](Value *V) {
    return Outside.CreateZExt(V, Outside.getInt64Ty());
  };
  Value *Size = Wide(First.Divisor);
  // Ahead of all that there is. What is trivial is not folded: the number's
  // uses are told from these.
  IRBuilder<NoFolder> B(Header, Header->getFirstInsertionPt());
  Value *Slow = B.CreateUDiv(Grid.Iv, Count, "slow");
  Value *Fast = B.CreateURem(Grid.Iv, Count, "fast");
  const bool HasSign = Grid.Bits < 64;
  auto *Number =
      cast<Instruction>(B.CreateAdd(B.CreateMul(Fast, Size, "", true, HasSign),
                                    Slow, "number", true, HasSign));
  // Quotient and rest of each place.
  SmallVector<std::pair<Value *, Value *>, 2> Digits;
  if (&First == &Places.front()) {
    Digits.push_back({Fast, Slow});
    if (Places.size() == 2) {
      Value *Inner = Wide(Places[1].Divisor);
      Digits.push_back({B.CreateUDiv(Slow, Inner), B.CreateURem(Slow, Inner)});
    }
  } else {
    Value *Each = Outside.CreateUDiv(Wide(Places[0].Divisor), Size);
    Value *Middle = B.CreateURem(Fast, Each);
    Digits.push_back({B.CreateUDiv(Fast, Each),
                      B.CreateAdd(B.CreateMul(Middle, Size, "", true, HasSign),
                                  Slow, "", true, HasSign)});
    Digits.push_back({Middle, Slow});
  }
  SmallVector<WeakTrackingVH, 8> Old;
  for (const auto &[P, Digit] : zip(Places, Digits)) {
    const auto Replace = [&](Instruction *I, Value *By) {
      I->replaceAllUsesWith(B.CreateZExtOrTrunc(By, I->getType()));
      Old.push_back(I);
    };
    for (Instruction *I : P.Quotients)
      Replace(I, Digit.first);
    for (Instruction *I : P.Rests)
      Replace(I, Digit.second);
  }
  Grid.Iv->replaceUsesWithIf(Number, [&](const Use &U) {
    const auto *I = cast<Instruction>(U.getUser());
    return I != Grid.Next && I != Slow && I != Fast && L.contains(I);
  });
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
}

} // namespace accx::gridtune
