//===- ExactExtents.cpp - Divisors of collapsed loops do not wrap ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the divisors by which counters are found, and makes exact products of
// them, ahead of optimization that would hide what the products are made of.
//
//===----------------------------------------------------------------------===//

#include "gridloop/ExactExtents.h"

#include "offload/DeviceCalls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace accx::offload;
using namespace llvm::PatternMatch;

namespace accx::gridloop {

static bool isOfNumber(Value *V, const AllocaInst &Number, unsigned Depth) {
  if (auto *Load = dyn_cast<LoadInst>(V))
    return Load->getPointerOperand() == &Number;
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op || !Depth)
    return false;
  switch (Op->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::SDiv:
  case Instruction::UDiv:
    return isOfNumber(Op->getOperand(0), Number, Depth - 1) ||
           isOfNumber(Op->getOperand(1), Number, Depth - 1);
  default:
    return false;
  }
}

bool isOfNumber(Value *V, const AllocaInst &Number) {
  return isOfNumber(V, Number, 16);
}

/// \p Product of trip counts, as the 64-bit product of these. \p IsSigned: no
/// bound in their type is above its greatest signed number.
static Value *widen(IRBuilderBase &B, Value *Product, bool IsSigned) {
  Value *Left = nullptr, *Right = nullptr;
  if (!match(Product, m_Mul(m_Value(Left), m_Value(Right))))
    return B.CreateZExt(Product, B.getInt64Ty(), "", /*IsNonNeg=*/IsSigned);
  if (match(Left, m_One()))
    return widen(B, Right, IsSigned);
  // The number of all iterations has a sign.
  Value *Wide = widen(B, Left, IsSigned);
  return B.CreateMul(Wide, widen(B, Right, IsSigned), "", /*HasNUW=*/true,
                     /*HasNSW=*/true);
}

static void promise(Value *Product) {
  Value *Left = nullptr, *Right = nullptr;
  if (!match(Product, m_Mul(m_Value(Left), m_Value(Right))))
    return;
  cast<BinaryOperator>(Product)->setHasNoUnsignedWrap();
  promise(Left);
  promise(Right);
}

/// The number of all iterations, less one, is what the upper bound is at first.
static void promiseTotal(const WorkLoop &W) {
  if (!W.Is64 || !W.IsUnsigned)
    return;
  for (User *U : W.Upper->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    Value *Total = nullptr;
    if (Store && match(originOf(Store->getValueOperand()),
                       m_Sub(m_Value(Total), m_One())))
      promise(Total);
  }
}

static bool isDivision(const Instruction &I) {
  return I.getOpcode() == Instruction::SDiv ||
         I.getOpcode() == Instruction::UDiv;
}

/// Whether \p I is a part of the number that is taken from it; a step is
/// multiplied by it, too.
static bool isTaken(const Instruction &I, const AllocaInst &Number) {
  return I.getOpcode() == Instruction::Mul && I.hasOneUse() &&
         match(I.user_back(), m_Sub(m_Value(), m_Specific(&I))) &&
         isOfNumber(I.user_back()->getOperand(0), Number);
}

/// Trip counts that were extended before they were multiplied.
static void dropSigns(Use &Product) {
  if (auto *Extended = dyn_cast<SExtInst>(Product.get())) {
    IRBuilder<> B(Extended);
    Product.set(B.CreateZExt(Extended->getOperand(0), Extended->getType(), "",
                             /*IsNonNeg=*/true));
  } else if (auto *Mul = dyn_cast<BinaryOperator>(Product.get());
             Mul && Mul->getOpcode() == Instruction::Mul) {
    dropSigns(Mul->getOperandUse(0));
    dropSigns(Mul->getOperandUse(1));
  }
}

/// Trip counts of loops that run, and products of them, are above zero.
static void makeExact(Use &Extents) {
  Value *Narrow = nullptr;
  auto *User = cast<Instruction>(Extents.getUser());
  IRBuilder<> B(User);
  if (match(Extents.get(), m_ZExtOrSExt(m_Value(Narrow)))) {
    const bool IsSigned = isa<SExtInst>(Extents.get());
    if (Narrow->getType()->isIntegerTy(32) &&
        (IsSigned || match(Narrow, m_Mul(m_Value(), m_Value()))))
      Extents.set(widen(B, Narrow, IsSigned));
  } else {
    promise(Extents.get());
    dropSigns(Extents);
  }
  // Neither is the number below zero.
  if (User->getOpcode() == Instruction::SDiv) {
    Value *Quotient = B.CreateUDiv(User->getOperand(0), User->getOperand(1));
    User->replaceAllUsesWith(Quotient);
    User->eraseFromParent();
  }
}

unsigned makeExtentsExact(const WorkLoop &Teams, const WorkLoop &Threads) {
  if (!Threads.Is64)
    return 0;
  promiseTotal(Teams);
  promiseTotal(Threads);
  SmallVector<Use *, 16> Found;
  for (Instruction &I : instructions(*Threads.Init->getFunction()))
    if (Threads.Nest->contains(&I) && I.getType()->isIntegerTy(64) &&
        (isDivision(I) || isTaken(I, *Threads.Counter)) &&
        isOfNumber(I.getOperand(0), *Threads.Counter) &&
        !isOfNumber(I.getOperand(1), *Threads.Counter))
      Found.push_back(&I.getOperandUse(1));
  for (Use *Extents : Found)
    makeExact(*Extents);
  return Found.size();
}

} // namespace accx::gridloop
