//===- LinearAddresses.cpp - Digits that add up to their number -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes addresses as polynomials, drops the terms with quotients where these
// may cancel, and lists what has to be compared before the loop. A plan changes
// nothing: GridTune.cpp decides whether it gets a copy of the loop.
//
//===----------------------------------------------------------------------===//

#include "gridtune/LinearAddresses.h"

#include "gridtune/Flatten.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

static IntegerType *integer(const gridloop::GridIv &Grid, unsigned Bits) {
  return IntegerType::get(Grid.Iv->getContext(), Bits);
}

LinearAddresses::LinearAddresses(const gridloop::GridIv &Grid)
    : Grid(Grid), Values(integer(Grid, 64),
                         [this](Value &V, affine::Atoms::Extension How) {
                           return view(V, How);
                         }),
      Halves(integer(Grid, 32),
             [this](Value &V, affine::Atoms::Extension) {
               return viewOfLow(Halves, 32, V);
             }),
      LowBits(integer(Grid, 31), [this](Value &V, affine::Atoms::Extension) {
        return viewOfLow(LowBits, 31, V);
      }) {}

/// \p V as a division of a value of the loop by an invariant. Divisions of
/// signed numbers count where they are the same for a loop's number below 2^31.
std::optional<LinearAddresses::Division>
LinearAddresses::divisionOf(Value &V) const {
  auto *I = dyn_cast<BinaryOperator>(&V);
  if (!I || !Grid.Nest->contains(I) ||
      !(I->getType()->isIntegerTy(64) || I->getType()->isIntegerTy(32)))
    return std::nullopt;
  Value *Left = I->getOperand(0), *Right = I->getOperand(1);
  Value *A = nullptr, *B = nullptr;
  const APInt *C = nullptr;
  const auto IsQuotient = [&](Value *Q, const Value *By) {
    const auto D = divisionOf(*Q);
    return D && !D->IsRemainder && D->Dividend == Left && D->Divisor == By;
  };
  switch (I->getOpcode()) {
  case Instruction::SDiv:
  case Instruction::SRem:
    if (!isSmall(*Left) ||
        !isKnownNonNegative(Right, SimplifyQuery(I->getDataLayout())))
      return std::nullopt;
    [[fallthrough]];
  case Instruction::UDiv:
  case Instruction::URem:
    if (!Grid.Nest->isLoopInvariant(Right))
      return std::nullopt;
    return Division{Left, Right,
                    I->getOpcode() == Instruction::URem ||
                        I->getOpcode() == Instruction::SRem};
  case Instruction::LShr:
    if (!match(Right, m_APInt(C)) || C->uge(C->getBitWidth()))
      return std::nullopt;
    return Division{Left,
                    ConstantInt::get(I->getContext(),
                                     APInt::getOneBitSet(C->getBitWidth(),
                                                         C->getZExtValue())),
                    false};
  case Instruction::And:
    if (!match(Right, m_APInt(C)) || !C->isMask() || C->isAllOnes())
      return std::nullopt;
    return Division{Left, ConstantInt::get(I->getContext(), *C + 1), true};
  case Instruction::Sub:
    // A remainder: the dividend minus the quotient times the divisor.
    if (match(Right, m_Mul(m_Value(A), m_Value(B)))) {
      if (IsQuotient(A, B))
        return Division{Left, B, true};
      if (IsQuotient(B, A))
        return Division{Left, A, true};
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Instruction *LinearAddresses::quotientOf(const Division &D) const {
  const auto At = Quotients.find({D.Dividend, D.Divisor});
  return At == Quotients.end() ? nullptr : At->second;
}

void LinearAddresses::findQuotients() {
  for (BasicBlock *Block : Grid.Nest->blocks())
    for (Instruction &I : *Block)
      if (const auto D = divisionOf(I)) {
        HasSigned |= I.getOpcode() == Instruction::SDiv ||
                     I.getOpcode() == Instruction::SRem;
        if (!D->IsRemainder)
          Quotients.try_emplace({D->Dividend, D->Divisor}, &I);
      }
}

bool LinearAddresses::isQuotient(const Value &V) const {
  return any_of(Quotients, [&](const auto &Q) { return Q.second == &V; });
}

/// Whether \p V is below 2^31 if the loop's number is.
bool LinearAddresses::isSmall(Value &V) const {
  Value *Inner = nullptr;
  if (&V == Grid.Iv)
    return true;
  if ((match(&V, m_Trunc(m_Value(Inner))) && V.getType()->isIntegerTy(32)) ||
      match(&V, m_ZExtOrSExt(m_Value(Inner))))
    return isSmall(*Inner);
  const auto D = divisionOf(V);
  return D && isSmall(*D->Dividend);
}

/// What \p V extends the low half of, or null; it is that times 2^\p Shift.
static Value *extendedHalf(Value &V, uint64_t &Shift) {
  Value *Whole = nullptr;
  const APInt *C = nullptr;
  Shift = 0;
  if (!V.getType()->isIntegerTy(64))
    return nullptr;
  if (match(&V, m_And(m_Value(Whole), m_APInt(C)))) {
    if (Value *Shifted = nullptr;
        match(Whole, m_Shl(m_Value(Shifted), m_ConstantInt(Shift))))
      Whole = Shifted;
    const uint64_t Mask = C->getZExtValue();
    return Shift < 32 && (Mask == uint64_t(0xffffffff) << Shift ||
                          Mask == uint64_t(0x7fffffff) << Shift)
               ? Whole
               : nullptr;
  }
  if (match(&V, m_AShr(m_Shl(m_Value(Whole), m_SpecificInt(32)), m_APInt(C))) &&
      C->ule(32)) {
    Shift = 32 - C->getZExtValue();
    return Whole;
  }
  return match(&V, m_ZExtOrSExt(m_Trunc(m_Value(Whole)))) &&
                 Whole->getType()->isIntegerTy(64) &&
                 cast<CastInst>(V).getSrcTy()->isIntegerTy(32)
             ? Whole
             : nullptr;
}

/// The dividend without \p Quotient times the divisor.
affine::Polynomial LinearAddresses::rest(affine::Atoms &Of, const Division &D,
                                         affine::Polynomial Quotient,
                                         affine::Atoms::Extension How) const {
  affine::Polynomial Rest = Of.expand(D.Dividend, How);
  Of.add(Rest, Of.multiply(Quotient, Of.expand(D.Divisor, How)), ~uint64_t(0));
  return Rest;
}

std::optional<affine::Polynomial>
LinearAddresses::view(Value &V, affine::Atoms::Extension How) {
  using Extension = affine::Atoms::Extension;
  if (Grid.Nest->isLoopInvariant(&V))
    return std::nullopt;
  uint64_t Shift = 0;
  Value *Half = How == Extension::None ? extendedHalf(V, Shift) : nullptr;
  if (How != Extension::None && match(&V, m_Trunc(m_Value(Half))) &&
      !Half->getType()->isIntegerTy(64))
    Half = nullptr;
  const auto Times = [&](const affine::Polynomial &P) {
    return Values.multiply(P, Values.constant(uint64_t(1) << Shift));
  };
  if (Half && isSmall(*Half)) {
    IsForNarrow = IsTouched = true;
    return Times(Values.expand(Half, Extension::None));
  }
  if (const auto D = divisionOf(V)) {
    Instruction *Quotient = quotientOf(*D);
    if (!Quotient)
      return std::nullopt;
    IsTouched = true;
    IsForNarrow |= HasSigned;
    if (How == Extension::Sign) {
      if (!isSmall(*D->Dividend))
        return std::nullopt;
      IsForNarrow = true;
      How = Extension::Zero;
    }
    affine::Polynomial P = Values.atom(Quotient, How);
    return D->IsRemainder ? rest(Values, *D, std::move(P), How) : P;
  }
  // Sums of 32 bits that may wrap, but are the number in the end.
  if (How != Extension::None && isa<BinaryOperator>(V))
    Half = &V;
  if (Half && isNumber(*Half)) {
    IsForNarrow = IsTouched = true;
    return Times(Values.expand(Grid.Iv, Extension::None));
  }
  return std::nullopt;
}

/// Modulo 2^\p Bits extensions from as many bits or more change nothing.
std::optional<affine::Polynomial>
LinearAddresses::viewOfLow(affine::Atoms &Low, unsigned Bits, Value &V) {
  using Extension = affine::Atoms::Extension;
  Value *Inner = nullptr;
  const APInt *Mask = nullptr;
  if ((match(&V, m_ZExtOrSExt(m_Value(Inner))) &&
       Inner->getType()->getIntegerBitWidth() >= Bits) ||
      (match(&V, m_Trunc(m_Value(Inner))) &&
       V.getType()->getIntegerBitWidth() >= Bits) ||
      (match(&V, m_And(m_Value(Inner), m_APInt(Mask))) &&
       Mask->countTrailingOnes() >= Bits) ||
      match(&V, m_AShr(m_Shl(m_Value(Inner), m_SpecificInt(32)),
                       m_SpecificInt(32))))
    return Low.expand(Inner, Extension::None);
  const auto D = divisionOf(V);
  Instruction *Quotient = D ? quotientOf(*D) : nullptr;
  if (!Quotient)
    return std::nullopt;
  affine::Polynomial P = Low.atom(Quotient, Extension::None);
  return D->IsRemainder ? rest(Low, *D, std::move(P), Extension::None) : P;
}

/// Whether \p P is zero modulo 2^31, or one product less another.
bool LinearAddresses::mayBeZero(affine::Atoms &Of,
                                const affine::Polynomial &P) {
  affine::Polynomial Sum;
  for (const auto &[Term, Coefficient] : P) {
    affine::Polynomial Product = LowBits.constant(Coefficient);
    for (unsigned A : Term)
      Product = LowBits.multiply(Product, LowBits.of(Of[A].V));
    LowBits.add(Sum, Product);
  }
  if (Sum.empty())
    return true;
  if (Sum.size() != 2 || Sum.count({}))
    return false;
  affine::Polynomial Both = LowBits.constant(Sum.begin()->second);
  LowBits.add(Both, LowBits.constant(Sum.rbegin()->second));
  if (!Both.empty())
    return false;
  IsGuess = true;
  return true;
}

/// Takes the terms with quotients out of \p P, if that may be right.
bool LinearAddresses::dropQuotients(affine::Atoms &Of, affine::Polynomial &P) {
  // The key is the part of a term that varies in the nest.
  std::map<affine::Monomial, affine::Polynomial> Factors;
  for (auto At = P.begin(); At != P.end();) {
    const auto &[Term, Coefficient] = *At;
    affine::Monomial Varying, Rest;
    bool HasQuotient = false;
    for (unsigned N : Term) {
      const bool IsInvariant = Grid.Nest->isLoopInvariant(Of[N].V);
      (IsInvariant ? Rest : Varying).push_back(N);
      HasQuotient |= isQuotient(*Of[N].V);
    }
    if (HasQuotient)
      Factors[Varying][Rest] = Coefficient;
    At = HasQuotient ? P.erase(At) : std::next(At);
  }
  for (auto &[Varying, Factor] : Factors) {
    if (!mayBeZero(Of, Factor))
      return false;
    if (none_of(Checks, [&](const Check &C) {
          return C.Of == &Of && C.Factor == Factor;
        }))
      Checks.push_back({&Of, std::move(Factor)});
  }
  return true;
}

/// Whether the low half of \p V is that of the loop's number.
bool LinearAddresses::isNumber(Value &V) {
  affine::Polynomial P = Halves.of(&V);
  Halves.add(P, Halves.of(Grid.Iv), ~uint64_t(0));
  // Terms without quotients cannot be dropped.
  const bool HasOthers = any_of(P, [&](const auto &Term) {
    return none_of(Term.first,
                   [&](unsigned N) { return isQuotient(*Halves[N].V); });
  });
  return !HasOthers && dropQuotients(Halves, P);
}

/// Whether \p V, of an address, is arithmetic on a quotient.
bool LinearAddresses::hidesQuotient(Value &V) const {
  SmallVector<const Value *, 8> Work{&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Grid.Nest->contains(I) || isa<PHINode>(I) ||
        I->mayReadOrWriteMemory() || !Seen.insert(I).second)
      continue;
    if (isQuotient(*I))
      return true;
    Work.append(I->value_op_begin(), I->value_op_end());
  }
  return false;
}

/// False if the address keeps a quotient.
bool LinearAddresses::planAddress(Use &Pointer) {
  Access A = {&Pointer, nullptr, {}};
  const bool WasForNarrow = IsForNarrow;
  IsTouched = false;
  A.Base = Values.ofAddress(Pointer.get(), A.Bytes, Grid.Nest);
  if (!A.Base || !Grid.Nest->isLoopInvariant(A.Base))
    return !hidesQuotient(*Pointer.get());
  if (!dropQuotients(Values, A.Bytes) || any_of(A.Bytes, [&](const auto &Term) {
        return any_of(Term.first,
                      [&](unsigned N) { return hidesQuotient(*Values[N].V); });
      }))
    return false;
  if (IsTouched)
    Accesses.push_back(std::move(A));
  else
    IsForNarrow = WasForNarrow;
  return true;
}

/// Whether anything but addresses of the plan is made of quotients.
bool LinearAddresses::needsQuotients() const {
  SmallPtrSet<const Use *, 8> Replaced;
  for (const Access &A : Accesses)
    Replaced.insert(A.Pointer);
  SmallVector<const Instruction *, 32> Work;
  SmallPtrSet<const Instruction *, 32> Seen;
  const auto Reach = [&](const Instruction &I) {
    if (Seen.insert(&I).second)
      Work.push_back(&I);
  };
  for (BasicBlock *Block : Grid.Nest->blocks())
    for (const Instruction &I : *Block)
      if (I.mayHaveSideEffects() || I.isTerminator() ||
          any_of(I.users(), [&](const User *U) {
            return !Grid.Nest->contains(cast<Instruction>(U));
          }))
        Reach(I);
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (isQuotient(*I))
      return true;
    for (const Use &Operand : I->operands())
      if (const auto *Of = dyn_cast<Instruction>(Operand.get());
          Of && !Replaced.count(&Operand) && Grid.Nest->contains(Of))
        Reach(*Of);
  }
  return false;
}

bool LinearAddresses::plan() {
  findQuotients();
  for (BasicBlock *Block : Grid.Nest->blocks())
    for (Instruction &I : *Block)
      if (Use *Pointer = addressOf(I); Pointer && !planAddress(*Pointer))
        return false;
  LeavesQuotients = needsQuotients();
  // Neighbours have been computed from one another: that is as cheap.
  if (Quotients.empty() || LeavesQuotients)
    for (const Access &A : Accesses)
      if (any_of(Accesses, [&](const Access &Other) {
            return A.Base == Other.Base && A.Bytes != Other.Bytes;
          }))
        return false;
  return !Accesses.empty();
}

Value *LinearAddresses::emitChecks(IRBuilderBase &B) const {
  Value *Rest = nullptr;
  for (const Check &C : Checks) {
    Value *Factor = B.CreateZExt(C.Of->emit(B, C.Factor), B.getInt64Ty());
    Rest = Rest ? B.CreateOr(Rest, Factor) : Factor;
  }
  // The values may be poison, where iterations compute what they do not need.
  return Rest ? B.CreateIsNull(B.CreateFreeze(Rest), "is.linear") : nullptr;
}

unsigned LinearAddresses::rewrite() {
  IRBuilder<> B(Grid.Iv->getContext());
  SmallVector<WeakTrackingVH, 8> Old;
  for (const Access &A : Accesses) {
    auto *User = cast<Instruction>(A.Pointer->getUser());
    affine::Polynomial Fixed, Factor, Others;
    for (const auto &[Term, Coefficient] : A.Bytes) {
      affine::Monomial Rest;
      bool HasOther = false;
      unsigned Numbers = 0;
      for (unsigned N : Term) {
        const bool IsNumber = Values[N].V == Grid.Iv;
        Numbers += IsNumber;
        HasOther |= !IsNumber && !Grid.Nest->isLoopInvariant(Values[N].V);
        if (!IsNumber)
          Rest.push_back(N);
      }
      if (HasOther || Numbers > 1)
        Others[Term] = Coefficient;
      else
        (Numbers ? Factor : Fixed)[Rest] = Coefficient;
    }
    B.SetInsertPoint(Grid.Nest->getLoopPreheader()->getTerminator());
    Value *Pointer = A.Base;
    if (!Fixed.empty())
      Pointer = B.CreatePtrAdd(Pointer, Values.emit(B, Fixed));
    Value *Step = Values.emit(B, Factor);
    B.SetInsertPoint(User);
    if (!Others.empty())
      Pointer = B.CreatePtrAdd(Pointer, Values.emit(B, Others));
    Type *Element = getLoadStoreType(User);
    const auto *Bytes = dyn_cast<ConstantInt>(Step);
    if (Bytes && Bytes->getZExtValue() ==
                     User->getDataLayout().getTypeAllocSize(Element))
      Pointer = B.CreateGEP(Element, Pointer, Grid.Iv);
    else if (!Bytes || !Bytes->isZero())
      Pointer = B.CreatePtrAdd(Pointer, B.CreateMul(Grid.Iv, Step));
    Old.push_back(A.Pointer->get());
    A.Pointer->set(Pointer);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  return Accesses.size();
}

} // namespace accx::gridtune
