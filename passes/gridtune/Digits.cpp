//===- Digits.cpp - Digits counted from turn to turn ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that counts a digit of Digits.h, and what others are told of it.
//
//===----------------------------------------------------------------------===//

#include "gridtune/Digits.h"

#include "gridtune/NarrowLoop.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace accx::gridtune {

/// Where it is zero no iteration divides.
Value *Recovery::divisorBefore(IRBuilderBase &B, Value *Divisor) {
  if (!MayBeSkipped)
    return Divisor;
  Type *Int = Divisor->getType();
  return B.CreateSelect(B.CreateICmpEQ(Divisor, Constant::getNullValue(Int)),
                        ConstantInt::get(Int, 1), Divisor);
}

/// \p V, or what does the same among numbers below 2^31 - 1: a divisor that
/// none reaches, a step after which there is none.
Value *Recovery::narrowed(IRBuilderBase &B, Value *V) const {
  return isNarrow(Grid) && V->getType()->isIntegerTy(64)
             ? B.CreateBinaryIntrinsic(
                   Intrinsic::umin, V,
                   B.getInt64((uint64_t(1) << NarrowBits) - 1))
             : V;
}

Digit *Recovery::makeDigit(BinaryOperator &Division, const Source &From) {
  IRBuilder<> B(Before);
  Type *Int = Division.getType();
  // What comes before the loop: divisions of 64 bits take long.
  Type *Early = isNarrow(Grid) ? B.getInt32Ty() : Int;
  Value *Start = B.CreateZExtOrTrunc(From.Start, Early);
  Value *Step = B.CreateZExtOrTrunc(narrowed(B, From.Step), Early);
  Digit D;
  D.IsSigned = isSigned(Division);
  D.Dividend = Division.getOperand(0);
  D.Divisor = Division.getOperand(1);
  Value *Magnitude = divisorBefore(B, D.Divisor);
  Value *One = ConstantInt::get(Early, 1);
  if (isSigned(Division) && !isPositiveOrZero(D.Divisor)) {
    // Quotients get the divisor's sign; remainders have the dividend's.
    Value *IsNegative = B.CreateICmpSLT(D.Divisor, Constant::getNullValue(Int));
    Magnitude = B.CreateSelect(IsNegative, B.CreateNeg(Magnitude), Magnitude);
    One = B.CreateSelect(IsNegative, Constant::getAllOnesValue(Early), One);
  }
  // A number below the divisor is its own remainder.
  Magnitude = B.CreateZExtOrTrunc(narrowed(B, Magnitude), Early);
  Value *StartQuotient = B.CreateUDiv(Start, Magnitude);
  Value *StepQuotient = B.CreateUDiv(Step, Magnitude);
  Value *StartRest = B.CreateSub(Start, B.CreateMul(StartQuotient, Magnitude));
  Value *StepRest = B.CreateSub(Step, B.CreateMul(StepQuotient, Magnitude));
  if (!isa<Constant>(One)) {
    StartQuotient = B.CreateMul(StartQuotient, One);
    StepQuotient = B.CreateMul(StepQuotient, One);
  } else if (!From.Whole) {
    D.StartQuotient = StartQuotient;
    D.StepQuotient = StepQuotient;
  }

  // What a last step adds beyond the type's range is never used, and twice a
  // divisor below 2^31 fits 32 bits.
  Type *RestInt = Early;
  if (computeKnownBits(Magnitude, Layout).countMinLeadingZeros() + 31 >=
      Early->getIntegerBitWidth())
    RestInt = B.getInt32Ty();
  D.Magnitude = B.CreateZExtOrTrunc(Magnitude, RestInt);
  D.StartRemainder = B.CreateZExtOrTrunc(StartRest, RestInt);
  D.StepRemainder = B.CreateZExtOrTrunc(StepRest, RestInt);

  B.SetInsertPoint(Header, Header->begin());
  D.Remainder = B.CreatePHI(RestInt, 2, "rest");
  const bool IsNarrowCount = isNarrow(Grid) && isa<Constant>(One);
  Type *CountInt = IsNarrowCount || needsLowHalfOnly(D) ? B.getInt32Ty() : Int;
  PHINode *Quotient = B.CreatePHI(CountInt, 2, "quotient");
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  D.Wide = B.CreateZExt(D.Remainder, Int, "", isNarrow(Grid));
  D.Quotient = B.CreateZExt(Quotient, Int, "", IsNarrowCount);

  B.SetInsertPoint(After);
  Value *Moved = B.CreateAdd(D.Remainder, D.StepRemainder);
  if (From.Lower)
    Moved = B.CreateAdd(Moved, B.CreateZExt(From.Lower->Carry, RestInt));
  // An unsigned product may have wrapped, so that it is no multiple of what it
  // was made of. Where it did not, no borrow ever comes.
  Value *Borrow = nullptr;
  if (From.Excess) {
    IRBuilder<> Outside(Before);
    Value *Back = B.CreateSelect(
        From.Whole->Carry, Outside.CreateZExtOrTrunc(From.Excess, RestInt),
        Constant::getNullValue(RestInt));
    Borrow = B.CreateICmpULT(Moved, Back, "borrow");
    Moved = B.CreateSub(Moved, Back);
    Moved = B.CreateSelect(Borrow, B.CreateAdd(Moved, D.Magnitude), Moved);
    D.MayBorrow = true;
  }
  D.Carry = B.CreateICmpUGE(Moved, D.Magnitude, "carry");
  Moved = B.CreateSelect(D.Carry, B.CreateSub(Moved, D.Magnitude), Moved);
  const auto Narrow = [&](Value *V) {
    return IRBuilder<>(Before).CreateSExtOrTrunc(V, CountInt);
  };
  Value *None = Constant::getNullValue(CountInt);
  Value *Count = B.CreateAdd(B.CreateAdd(Quotient, Narrow(StepQuotient)),
                             B.CreateSelect(D.Carry, Narrow(One), None));
  if (From.Whole)
    Count =
        B.CreateSub(Count, B.CreateSelect(From.Whole->Carry,
                                          IRBuilder<>(Before).CreateZExtOrTrunc(
                                              From.Parts, CountInt),
                                          None));
  if (Borrow)
    Count = B.CreateSub(Count, B.CreateSelect(Borrow, Narrow(One), None));
  Quotient->addIncoming(Narrow(StartQuotient), Before->getParent());
  Quotient->addIncoming(Count, After->getParent());
  D.Remainder->addIncoming(D.StartRemainder, Before->getParent());
  D.Remainder->addIncoming(Moved, After->getParent());
  noteCounts(D, From, *Quotient, IsNarrowCount);
  Digits.push_back(D);
  return &Digits.back();
}

/// What the quotients of the loop's number stay below, if the number of
/// iterations is a product that has the divisor: n * w numbers divided by w.
const SCEV *Recovery::limitOf(const Digit &D) {
  Value *Bound = Grid.bound();
  if (!Bound || !isPositiveOrZero(D.Divisor) ||
      !SE.isLoopEntryGuardedByCond(Grid.Nest, ICmpInst::ICMP_ULT,
                                   SE.getSCEV(Grid.Start), SE.getSCEV(Bound)))
    return nullptr;
  // A product that wraps is less than it should be.
  const auto Operands = [](const SCEV *S) {
    const auto *Product = dyn_cast<SCEVMulExpr>(S);
    return Product ? SmallVector<const SCEV *>(Product->operands())
                   : SmallVector<const SCEV *>{S};
  };
  SmallVector<const SCEV *> Factors = Operands(SE.getSCEV(Bound));
  Value *Divisor = isNarrow(Grid) ? D.Divisor : D.Magnitude;
  for (const SCEV *Part : Operands(
           SE.getTruncateOrZeroExtend(SE.getSCEV(Divisor), Bound->getType()))) {
    auto *Found = find(Factors, Part);
    if (Found == Factors.end())
      return nullptr;
    Factors.erase(Found);
  }
  return Factors.size() == 1 ? Factors.front() : nullptr;
}

/// What others are told of the two that makeDigit() has counted.
void Recovery::noteCounts(const Digit &D, const Source &From, PHINode &Quotient,
                          bool IsNarrowCount) {
  Counted.push_back({D.Remainder, SE.getSCEV(D.Magnitude)});
  // A quotient of fewer bits may have lost some, or be negative.
  if (!Quotient.getType()->isIntegerTy(64) && !IsNarrowCount)
    return;
  if (!From.Whole && !From.Lower)
    Counted.push_back({&Quotient, limitOf(D)});
  else if (From.Whole && !From.Excess)
    Counted.push_back({&Quotient, SE.getSCEV(From.Parts)});
}

} // namespace accx::gridtune
