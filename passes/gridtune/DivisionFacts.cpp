//===- DivisionFacts.cpp - Operands and uses of divisions -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Digits.h has to know of a division: signs, factors, and how many bits of
// its quotient are used.
//
//===----------------------------------------------------------------------===//

#include "gridtune/Digits.h"

#include "affine/Factors.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

bool Recovery::isPositiveOrZero(Value *V) {
  if (isKnownNonNegative(V, SimplifyQuery(Layout)))
    return true;
  if (isa<ZExtInst>(V))
    return true;
  Value *Left = nullptr, *Right = nullptr;
  if (match(V, m_NSWMul(m_Value(Left), m_Value(Right))))
    return isPositiveOrZero(Left) && isPositiveOrZero(Right);
  const SCEV *S = SE.getSCEV(V);
  return SE.isKnownNonNegative(S) ||
         SE.isLoopEntryGuardedByCond(Grid.Nest, ICmpInst::ICMP_SGE, S,
                                     SE.getZero(V->getType())) ||
         isPositiveByBound(V);
}

/// A number of iterations that is n * n * n, or n times squares, is above zero
/// where there are any, and so is n.
bool Recovery::isPositiveByBound(Value *V) {
  Value *Bound = Grid.bound();
  if (!Bound)
    return false;
  match(Bound, m_ZExtOrSExt(m_Value(Bound)));
  if (Bound->getType() != V->getType() ||
      !SE.isLoopEntryGuardedByCond(Grid.Nest, ICmpInst::ICMP_SGT,
                                   SE.getSCEV(Bound),
                                   SE.getZero(Bound->getType())))
    return false;
  SmallVector<Value *, 4> Factors{Bound};
  SmallDenseMap<Value *, unsigned> Powers;
  while (!Factors.empty()) {
    Value *Factor = Factors.pop_back_val(), *Left = nullptr, *Right = nullptr;
    if (match(Factor, m_NSWMul(m_Value(Left), m_Value(Right))))
      Factors.append({Left, Right});
    else
      ++Powers[Factor];
  }
  return all_of(Powers, [&](const auto &Power) {
    return (Power.second % 2 == 1) == (Power.first == V);
  });
}

/// How many times \p Divisor the parent's divisor is, or null.
Value *Recovery::cofactor(const Digit &Parent, Value *Divisor) {
  IRBuilder<> B(Before);
  return affine::emitCofactor(B, *Parent.Divisor, *Divisor,
                              *Parent.Remainder->getType(),
                              [&](Value *V) { return isPositiveOrZero(V); });
}

/// Whether \p V is the low half of \p Full, extended.
bool Recovery::isExtensionOf(const Value *V, Value *Full) {
  // A mask of 31 bits comes from a narrow value that is not negative.
  if (match(V, m_And(m_Specific(Full), m_SpecificInt(0x7fffffff)))) {
    Type *Int = Type::getInt32Ty(V->getContext());
    return SE.isLoopEntryGuardedByCond(
        Grid.Nest, ICmpInst::ICMP_SGE,
        SE.getTruncateExpr(SE.getSCEV(Full), Int), SE.getZero(Int));
  }
  return match(V, m_And(m_Specific(Full), m_SpecificInt(0xffffffffu))) ||
         match(V, m_AShr(m_Shl(m_Specific(Full), m_SpecificInt(32)),
                         m_SpecificInt(32))) ||
         (match(V, m_ZExtOrSExt(m_Trunc(m_Specific(Full)))) &&
          cast<CastInst>(V)->getSrcTy()->isIntegerTy(32));
}

/// Whether nothing is used of \p V but its lower 32 bits.
static bool usesLowHalf(const Value &V, unsigned Depth = 2) {
  return all_of(V.users(), [&](const User *U) {
    return (isa<TruncInst>(U) && U->getType()->getIntegerBitWidth() <= 32) ||
           match(U, m_And(m_Specific(&V), m_SpecificInt(0xffffffffu))) ||
           (Depth && match(U, m_Add(m_Specific(&V), m_ConstantInt())) &&
            usesLowHalf(*U, Depth - 1));
  });
}

/// Whether \p V is quotient * divisor, and if only its low half is, that no
/// more is used of what is subtracted from it.
bool Recovery::isProduct(const Value *V, const Value *Quotient,
                         const Value *Divisor) {
  if (match(V, m_c_Mul(m_Specific(Quotient), m_Specific(Divisor))))
    return true;
  Value *Factor = nullptr;
  return match(V, m_c_Mul(m_Specific(Quotient), m_Value(Factor))) &&
         isExtensionOf(Divisor, Factor) &&
         all_of(V->users(), [](const User *Difference) {
           return usesLowHalf(*Difference);
         });
}

/// Whether nothing but the lower 32 bits of the quotient is ever used, apart
/// from computing the remainder.
bool Recovery::needsLowHalfOnly(const Digit &D) {
  const auto IsRemainder = [&](const User *Product) {
    return all_of(Product->users(), [&](const User *U) {
      return match(U, m_Sub(m_Specific(D.Dividend), m_Specific(Product)));
    });
  };
  if (!D.Dividend->getType()->isIntegerTy(64))
    return false;
  for (const User *U : D.Dividend->users()) {
    if (!match(U, m_IDiv(m_Specific(D.Dividend), m_Specific(D.Divisor))))
      continue;
    for (const User *Use : U->users()) {
      if (!(isProduct(Use, U, D.Divisor) && IsRemainder(Use)) &&
          !(isa<TruncInst>(Use) && Use->getType()->isIntegerTy(32)))
        return false;
    }
  }
  return true;
}

} // namespace accx::gridtune
