//===- Factors.cpp - What products are made of ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes products apart into factors, divides one by another, and tells whether
// one is a multiple of another. Quotients are code, as their factors are values
// of the program.
//
//===----------------------------------------------------------------------===//

#include "affine/Factors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::affine {

/// The factors of \p V, whose product in unlimited width it is. Without
/// \p IsPositiveOrZero numbers are unsigned and need no proof of a sign.
static void factorsOf(Value *V, function_ref<bool(Value *)> IsPositiveOrZero,
                      SmallVectorImpl<Value *> &Into) {
  Value *Inner = nullptr;
  // An extension of what is not negative has the same value.
  if (IsPositiveOrZero
          ? match(V, m_ZExtOrSExt(m_Value(Inner))) &&
                (match(V, m_NNegZExt(m_Value())) || IsPositiveOrZero(Inner))
          : match(V, m_ZExt(m_Value(Inner))))
    V = Inner;
  Value *Left = nullptr, *Right = nullptr;
  if ((IsPositiveOrZero && match(V, m_NSWMul(m_Value(Left), m_Value(Right)))) ||
      match(V, m_NUWMul(m_Value(Left), m_Value(Right)))) {
    factorsOf(Left, IsPositiveOrZero, Into);
    factorsOf(Right, IsPositiveOrZero, Into);
    return;
  }
  Into.push_back(V);
}

static bool isSame(const Value *A, const Value *B) {
  const auto *Left = dyn_cast<ConstantInt>(A);
  const auto *Right = dyn_cast<ConstantInt>(B);
  return A == B ||
         (Left && Right && Left->getZExtValue() == Right->getZExtValue());
}

/// Takes \p Parts from \p Factors. False if one of them is none.
static bool remove(ArrayRef<Value *> Parts, SmallVectorImpl<Value *> &Factors) {
  return all_of(Parts, [&](const Value *P) {
    auto *Found = find_if(Factors, [&](Value *F) { return isSame(F, P); });
    if (Found == Factors.end())
      return false;
    Factors.erase(Found);
    return true;
  });
}

Value *emitCofactor(IRBuilderBase &B, Value &Whole, Value &Divisor, Type &Int,
                    function_ref<bool(Value *)> IsPositiveOrZero) {
  auto *All = dyn_cast<ConstantInt>(&Whole);
  auto *Part = dyn_cast<ConstantInt>(&Divisor);
  if (All && Part && Part->getValue().isStrictlyPositive() &&
      All->getZExtValue() % Part->getZExtValue() == 0)
    return ConstantInt::get(&Int, All->getZExtValue() / Part->getZExtValue());

  SmallVector<Value *, 4> Factors, Parts;
  factorsOf(&Whole, nullptr, Factors);
  factorsOf(&Divisor, nullptr, Parts);
  if (!remove(Parts, Factors)) {
    Factors.clear();
    Parts.clear();
    factorsOf(&Whole, IsPositiveOrZero, Factors);
    factorsOf(&Divisor, IsPositiveOrZero, Parts);
    // Signs that cancel each other would make a product of other factors.
    if (!remove(Parts, Factors) || !all_of(Factors, IsPositiveOrZero) ||
        !all_of(Parts, IsPositiveOrZero))
      return nullptr;
  }
  Value *Product = ConstantInt::get(&Int, 1);
  for (Value *F : Factors)
    Product = B.CreateMul(Product, B.CreateZExtOrTrunc(F, &Int));
  return Product;
}

/// Takes the constants out of \p Factors and returns their product.
static APInt takeConstants(SmallVectorImpl<Value *> &Factors) {
  APInt Product(64, 1);
  erase_if(Factors, [&](const Value *F) {
    const auto *C = dyn_cast<ConstantInt>(F);
    if (!C || C->getBitWidth() > 64)
      return false;
    Product *= C->getValue().zext(64);
    return true;
  });
  return Product;
}

bool isMultipleOf(Value &Whole, Value &Divisor) {
  const auto NeverNegative = [](Value *) { return true; };
  SmallVector<Value *, 4> Factors, Parts;
  factorsOf(&Whole, NeverNegative, Factors);
  factorsOf(&Divisor, NeverNegative, Parts);
  const APInt All = takeConstants(Factors), Part = takeConstants(Parts);
  return !Part.isZero() && All.urem(Part).isZero() && remove(Parts, Factors);
}

bool isRestOf(Value &V, Instruction &Division) {
  Value *Whole = Division.getOperand(0), *By = Division.getOperand(1);
  return match(&V, m_Sub(m_Specific(Whole),
                         m_c_Mul(m_Specific(&Division), m_Specific(By)))) ||
         match(&V, m_IRem(m_Specific(Whole), m_Specific(By)));
}

} // namespace accx::affine
