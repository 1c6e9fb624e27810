//===- IndexRecovery.cpp - Indices of collapsed loops by counting ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the divisions of IndexRecovery.h and puts digits in their place.
//
//===----------------------------------------------------------------------===//

#include "gridtune/Digits.h"

#include "ir/Remark.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

static bool isDivision(const Instruction &I) {
  return I.isIntDivRem() &&
         (I.getType()->isIntegerTy(64) || I.getType()->isIntegerTy(32));
}

/// A division by a constant is a multiplication. In 32 bits that is worth less
/// than the registers of a digit and its step.
static bool isMultiplication(const Instruction &Division) {
  return isa<Constant>(Division.getOperand(1)) &&
         Division.getType()->isIntegerTy(32);
}

/// Whether the digit is what the division yields; its operands are the digit's.
bool Recovery::covers(const Digit &D, const BinaryOperator &Division) {
  return isSigned(Division) == D.IsSigned || isPositiveOrZero(D.Divisor);
}

/// Whether \p V is the number of the iteration, or its lower half.
bool Recovery::isNumber(const Value &V) const {
  return &V == Grid.Iv || match(&V, m_Trunc(m_Specific(Grid.Iv)));
}

/// Why \p Division, of such a number, has not been replaced.
Refusal Recovery::whyLeft(const Instruction &Division) const {
  if (!Grid.Nest->isLoopInvariant(Division.getOperand(1)))
    return Refusal::Varies;
  if (isMultiplication(Division) && !CountsCheap)
    return Refusal::Multiplies;
  return Digits.empty() && !Division.getType()->isIntegerTy(64)
             ? Refusal::Skipped
             : Refusal::Width;
}

bool Recovery::findSource(BinaryOperator &Division, Source &From) {
  Value *Dividend = Division.getOperand(0), *Divisor = Division.getOperand(1);
  if (isNumber(*Dividend)) {
    From.Start = Grid.Start;
    From.Step = Grid.Step;
    return Grid.Bits + isSigned(Division) <=
           Division.getType()->getIntegerBitWidth();
  }
  if (isSigned(Division) && !isPositiveOrZero(Divisor))
    return false;
  for (const Digit &D : Digits) {
    if (isSigned(Division) && !isPositiveOrZero(D.Divisor))
      continue;
    if (Dividend == D.Quotient && D.StartQuotient) {
      From.Start = D.StartQuotient;
      From.Step = D.StepQuotient;
      From.Lower = &D;
      return true;
    }
    if ((Dividend == D.Wide || Dividend == D.Remainder) && !D.MayBorrow) {
      From.Start = D.StartRemainder;
      From.Step = D.StepRemainder;
      From.Whole = &D;
      From.Parts = cofactor(D, Divisor);
      if (!From.Parts) {
        IRBuilder<> B(Before);
        Type *Int = B.getInt64Ty();
        Value *Whole = B.CreateZExt(D.Magnitude, Int);
        Value *Part = B.CreateZExt(divisorBefore(B, Divisor), Int);
        From.Parts = B.CreateUDiv(Whole, Part);
        From.Excess = B.CreateSub(Whole, B.CreateMul(From.Parts, Part));
      }
      return true;
    }
  }
  return false;
}

Digit *Recovery::digitOf(BinaryOperator &Division) {
  for (Digit &D : Digits)
    if (D.Dividend == Division.getOperand(0) &&
        D.Divisor == Division.getOperand(1) && covers(D, Division))
      return &D;
  Source From;
  return findSource(Division, From) ? makeDigit(Division, From) : nullptr;
}

/// All that computes quotient or remainder of the two in the loop.
void Recovery::replaceUses(Value *Dividend, Value *Divisor, const Digit &D) {
  SmallVector<Instruction *, 8> Dead;
  for (User *U : Dividend->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || !Grid.Nest->contains(I) || I->getOperand(0) != Dividend)
      continue;
    if (isDivision(*I) && I->getOperand(1) == Divisor &&
        covers(D, *cast<BinaryOperator>(I))) {
      const bool IsQuotient = I->getOpcode() == Instruction::SDiv ||
                              I->getOpcode() == Instruction::UDiv;
      I->replaceAllUsesWith(IsQuotient ? D.Quotient : D.Wide);
      Dead.push_back(I);
      ++Replaced;
    }
  }
  for (Instruction *I : Dead)
    I->eraseFromParent();
  // What was dividend - dividend / divisor * divisor.
  for (User *U : make_early_inc_range(Dividend->users())) {
    auto *I = dyn_cast<Instruction>(U);
    if (I && Grid.Nest->contains(I) &&
        match(I, m_Sub(m_Specific(Dividend), m_Value())) &&
        isProduct(I->getOperand(1), D.Quotient, Divisor)) {
      I->replaceAllUsesWith(D.Wide);
      Old.push_back(I);
    }
  }
}

/// The quotient by a * b is the one by b of the one by a. Null where these are
/// not counted, or where the remainder is needed, too.
Value *Recovery::quotientInSteps(const BinaryOperator &Division) {
  Value *Divisor = Division.getOperand(1), *Left = nullptr, *Right = nullptr;
  const bool IsUnsigned = Division.getOpcode() == Instruction::UDiv;
  if (!IsUnsigned && Division.getOpcode() != Instruction::SDiv)
    return nullptr;
  const bool IsExact =
      (IsUnsigned && match(Divisor, m_NUWMul(m_Value(Left), m_Value(Right)))) ||
      (match(Divisor, m_NSWMul(m_Value(Left), m_Value(Right))) &&
       isPositiveOrZero(Left) && isPositiveOrZero(Right));
  if (!IsExact || any_of(Division.users(), [&](const User *U) {
        return isProduct(U, &Division, Divisor);
      }))
    return nullptr;
  for (const Digit &First : Digits)
    if (First.Dividend == Division.getOperand(0) && First.StartQuotient &&
        (First.Divisor == Left || First.Divisor == Right))
      for (const Digit &Second : Digits)
        if (Second.Dividend == First.Quotient &&
            Second.Divisor == (First.Divisor == Left ? Right : Left))
          return Second.Quotient;
  return nullptr;
}

bool Recovery::replace(BinaryOperator &Division) {
  Value *Divisor = Division.getOperand(1);
  if ((isMultiplication(Division) && !CountsCheap) ||
      !Grid.Nest->isLoopInvariant(Divisor))
    return false;
  if (Value *Known = quotientInSteps(Division)) {
    Division.replaceAllUsesWith(Known);
    Division.eraseFromParent();
    ++Replaced;
    return true;
  }
  MayBeSkipped = Division.getParent() != Header ||
                 !isGuaranteedToTransferExecutionToSuccessor(
                     Header->getFirstNonPHIIt(), Division.getIterator(), 1000);
  // Counting costs something in each iteration. It pays for numbers of cells,
  // whose other digits decide what is skipped, and for long divisions.
  if (MayBeSkipped && Digits.empty() && !Division.getType()->isIntegerTy(64))
    return false;
  const Digit *D = digitOf(Division);
  if (!D)
    return false;
  replaceUses(Division.getOperand(0), Divisor, *D);
  return true;
}

/// Those of the loop's own code, the header's first.
SmallVector<Instruction *> Recovery::divisions() {
  SmallVector<Instruction *> Found;
  for (BasicBlock *Block : Grid.Nest->blocks())
    if (none_of(Grid.Nest->getSubLoops(),
                [&](const Loop *Inner) { return Inner->contains(Block); }))
      for (Instruction &I : *Block)
        if (isDivision(I))
          Found.push_back(&I);
  return Found;
}

unsigned Recovery::run() {
  // A replaced quotient turns differences into remainders, which may be
  // divided further down.
  bool Changed = true;
  SmallPtrSet<Instruction *, 8> Refused;
  while (Changed) {
    Changed = false;
    for (Instruction *I : divisions())
      if (!Refused.count(I)) {
        if (replace(cast<BinaryOperator>(*I))) {
          Changed = true;
          break;
        }
        Refused.insert(I);
      }
  }
  for (const Instruction *I : divisions())
    if (isNumber(*I->getOperand(0)))
      ir::remarkRefused("grid-tune", whyLeft(*I), *I,
                        "a division in a grid-stride loop stays");
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  return Replaced;
}

unsigned recoverIndices(const gridloop::GridIv &Grid, ScalarEvolution &SE,
                        SmallVectorImpl<CountedIndex> &Counted) {
  return Recovery(Grid, SE, Counted, /*CountsCheap=*/false).run();
}

} // namespace accx::gridtune
