//===- IndexRecovery.cpp - Indices of collapsed loops by counting ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See IndexRecovery.h.
//
//===----------------------------------------------------------------------===//

#include "gridtune/IndexRecovery.h"

#include "affine/Factors.h"
#include "gridtune/NarrowLoop.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <deque>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

namespace {

/// Quotient and remainder of one dividend by one divisor.
struct Digit {
  Value *Dividend = nullptr;
  Value *Divisor = nullptr;
  /// Above zero; before the loop, of the remainder's type.
  Value *Magnitude = nullptr;
  /// What a step adds to the remainder, and how it starts.
  Value *StepRemainder = nullptr;
  Value *StartRemainder = nullptr;
  /// The same of a quotient that only grows, else null.
  Value *StepQuotient = nullptr;
  Value *StartQuotient = nullptr;
  /// The quotient as a value of the dividend's type.
  Value *Quotient = nullptr;
  PHINode *Remainder = nullptr;
  /// The remainder as a value of the dividend's type.
  Value *Wide = nullptr;
  /// In the latch: the remainder wrapped.
  Value *Carry = nullptr;
  bool IsSigned = false;
  /// The remainder may also be set back: it is no dividend for further digits.
  bool MayBorrow = false;
};

/// What a digit's dividend comes from.
struct Source {
  Value *Start = nullptr;
  Value *Step = nullptr;
  /// The digit whose remainder it is. Its divisor is Parts times this one, and
  /// Excess, which is null where the program says that nothing is left.
  const Digit *Whole = nullptr;
  Value *Parts = nullptr;
  Value *Excess = nullptr;
  /// The digit whose quotient it is: a step adds its carry, too.
  const Digit *Lower = nullptr;
};

class Recovery {
  const gridloop::GridIv &Grid;
  ScalarEvolution &SE;
  BasicBlock *const Header;
  Instruction *const Before;
  Instruction *const After;
  const DataLayout &Layout;
  // Digits refer to each other.
  std::deque<Digit> Digits;
  SmallVectorImpl<CountedIndex> &Counted;
  SmallVector<WeakTrackingVH> Old;
  unsigned Replaced = 0;
  /// The division at hand is not done in each iteration.
  bool MayBeSkipped = false;

public:
  Recovery(const gridloop::GridIv &Grid, ScalarEvolution &SE,
           SmallVectorImpl<CountedIndex> &Counted)
      : Grid(Grid), SE(SE), Header(Grid.Nest->getHeader()),
        Before(Grid.Nest->getLoopPreheader()->getTerminator()),
        After(Grid.Nest->getLoopLatch()->getTerminator()),
        Layout(Header->getModule()->getDataLayout()), Counted(Counted) {}

  unsigned run();

private:
  bool isPositiveOrZero(Value *V);
  bool isPositiveByBound(Value *V);
  Value *divisorBefore(IRBuilderBase &B, Value *Divisor);
  Value *narrowed(IRBuilderBase &B, Value *V) const;
  SmallVector<Instruction *> divisions();
  bool replace(BinaryOperator &Division);
  Digit *digitOf(BinaryOperator &Division);
  Value *quotientInSteps(const BinaryOperator &Division);
  bool covers(const Digit &D, const BinaryOperator &Division);
  bool findSource(BinaryOperator &Division, Source &From);
  Digit *makeDigit(BinaryOperator &Division, const Source &From);
  bool isExtensionOf(const Value *V, Value *Full);
  bool isProduct(const Value *V, const Value *Quotient, const Value *Divisor);
  bool needsLowHalfOnly(const Digit &D);
  const SCEV *limitOf(const Digit &D);
  void noteCounts(const Digit &D, const Source &From, PHINode &Quotient,
                  Value *Borrow, Value *StepQuotient, Value *One);
  void replaceUses(Value *Dividend, Value *Divisor, const Digit &D);
  Value *cofactor(const Digit &Parent, Value *Divisor);
};

} // namespace

static bool isDivision(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return I.getType()->isIntegerTy(64) || I.getType()->isIntegerTy(32);
  default:
    return false;
  }
}

static bool isSigned(const BinaryOperator &Division) {
  return Division.getOpcode() == Instruction::SDiv ||
         Division.getOpcode() == Instruction::SRem;
}

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
  noteCounts(D, From, *Quotient, Borrow, StepQuotient, One);
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

/// What makeDigit() has the two do, for others to do the same with multiples.
void Recovery::noteCounts(const Digit &D, const Source &From, PHINode &Quotient,
                          Value *Borrow, Value *StepQuotient, Value *One) {
  IRBuilder<> B(Before);
  Type *Int = B.getInt64Ty();
  // Only One may be negative.
  const auto Wide = [&](Value *V) { return B.CreateZExt(V, Int); };
  Value *Unit = B.CreateSExt(One, Int);
  CountedIndex Rest;
  Rest.Phi = D.Remainder;
  Rest.IsSmall = computeKnownBits(D.Magnitude, Layout).isNonNegative() &&
                 D.Remainder->getType()->isIntegerTy(32);
  Rest.Moves.push_back({nullptr, Wide(D.StepRemainder)});
  Rest.Moves.push_back({D.Carry, B.CreateNeg(Wide(D.Magnitude))});
  if (From.Lower)
    Rest.Moves.push_back({From.Lower->Carry, B.getInt64(1)});
  if (Borrow) {
    Rest.Moves.push_back(
        {From.Whole->Carry, B.CreateNeg(Wide(B.CreateZExtOrTrunc(
                                From.Excess, D.Remainder->getType())))});
    Rest.Moves.push_back({Borrow, Wide(D.Magnitude)});
  }
  Rest.Below = SE.getSCEV(D.Magnitude);
  Counted.push_back(std::move(Rest));
  // A quotient of fewer bits may have lost some, or be negative.
  const bool IsSmall = isNarrow(Grid) && isa<Constant>(One);
  if (!Quotient.getType()->isIntegerTy(64) && !IsSmall)
    return;
  CountedIndex Whole;
  Whole.Phi = &Quotient;
  Whole.IsSmall = IsSmall;
  Whole.Moves.push_back({nullptr, Wide(StepQuotient)});
  Whole.Moves.push_back({D.Carry, Unit});
  if (From.Whole)
    Whole.Moves.push_back({From.Whole->Carry, B.CreateNeg(Wide(From.Parts))});
  if (Borrow)
    Whole.Moves.push_back({Borrow, B.CreateNeg(Unit)});
  if (!From.Whole && !From.Lower)
    Whole.Below = limitOf(D);
  else if (From.Whole && !From.Excess)
    Whole.Below = SE.getSCEV(From.Parts);
  Counted.push_back(std::move(Whole));
}

/// Whether the digit is what the division yields; its operands are the digit's.
bool Recovery::covers(const Digit &D, const BinaryOperator &Division) {
  return isSigned(Division) == D.IsSigned || isPositiveOrZero(D.Divisor);
}

bool Recovery::findSource(BinaryOperator &Division, Source &From) {
  Value *Dividend = Division.getOperand(0), *Divisor = Division.getOperand(1);
  if (Dividend == Grid.Iv || match(Dividend, m_Trunc(m_Specific(Grid.Iv)))) {
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
  if (!Grid.Nest->isLoopInvariant(Division.getOperand(1)))
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
  replaceUses(Division.getOperand(0), Division.getOperand(1), *D);
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
  for (WeakTrackingVH &V : Old)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
  return Replaced;
}

unsigned recoverIndices(const gridloop::GridIv &Grid, ScalarEvolution &SE,
                        SmallVectorImpl<CountedIndex> &Counted) {
  return Recovery(Grid, SE, Counted).run();
}

} // namespace accx::gridtune
