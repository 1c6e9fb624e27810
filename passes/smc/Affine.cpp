//===- Affine.cpp - Expressions in a block's indices ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds an expression's form by walking its operands, and computes the
// expression for a block's first iteration. Sums and products count only where
// they cannot wrap, so that extending them is what extending their parts is.
//
//===----------------------------------------------------------------------===//

#include "smc/Affine.h"

#include "ir/LoopCopy.h"

#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::smc {

static constexpr uint64_t MaxAlignment = uint64_t(1) << 32;
/// The largest factor and shift, so that products of them fit.
static constexpr int64_t MaxFactor = 1 << 20;

/// The largest power of two that divides \p N.
static uint64_t alignmentOf(int64_t N) {
  if (N == 0)
    return MaxAlignment;
  return std::min<uint64_t>(MaxAlignment, uint64_t(1)
                                              << countr_zero(uint64_t(N)));
}

static bool neverWraps(const Instruction &I) {
  const auto *Op = dyn_cast<OverflowingBinaryOperator>(&I);
  return I.getType()->isIntegerTy(64) || (Op && Op->hasNoSignedWrap());
}

std::optional<Affine> AffineForms::of(Value *V) {
  if (const auto Found = Known.find(V); Found != Known.end())
    return Found->second;
  // A cycle goes through a phi, which is not looked into.
  const std::optional<Affine> Form = compute(V);
  Known[V] = Form;
  return Form;
}

/// The low \p Bits of a value, or all above them.
std::optional<Affine> AffineForms::bitsOf(const Affine &Of, unsigned Bits,
                                          bool IsLow) const {
  // What the block adds must stay in the low bits.
  const int64_t Growth = Of.growth(Shape);
  for (int64_t Factor : Of.Factors)
    if (Factor < 0)
      return std::nullopt;
  if (Bits > 31 || Of.Alignment < (uint64_t(1) << Bits) ||
      Growth >= (int64_t(1) << Bits))
    return std::nullopt;
  Affine Result;
  if (IsLow) {
    Result.Factors = Of.Factors;
    Result.Alignment = MaxAlignment;
    Result.IsNonNegative = true;
  } else {
    Result.Alignment = std::max<uint64_t>(1, Of.Alignment >> Bits);
    Result.IsNonNegative = Of.IsNonNegative;
  }
  return Result;
}

std::optional<Affine> AffineForms::compute(Value *V) {
  for (unsigned D = 0; D < N.Indices.size(); ++D)
    if (V == N.Indices[D].V) {
      Affine Index;
      Index.Factors[D] = 1;
      Index.Alignment = alignmentOf(Shape[D]);
      Index.IsNonNegative = true;
      return Index;
    }
  if (V == N.Iv)
    return std::nullopt;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !N.Nest->contains(I) || Uniformity.isUniform(I)) {
    Affine Same;
    Uniform.insert(V);
    if (const auto *C = dyn_cast<ConstantInt>(V); C && C->getBitWidth() <= 64) {
      Same.Alignment = alignmentOf(C->getSExtValue());
      Same.IsNonNegative = !C->isNegative();
    }
    return Same;
  }
  if (!I->getType()->isIntegerTy())
    return std::nullopt;
  // Same operands, same result.
  if (isa<BinaryOperator, CastInst>(I) &&
      all_of(I->operands(), [&](Value *Operand) {
        const auto Form = of(Operand);
        return Form && Form->isUniform();
      }))
    return Affine();

  Value *L, *R;
  const APInt *C;
  if (match(I, m_SExt(m_Value(L))))
    return of(L);
  if (match(I, m_ZExt(m_Value(L)))) {
    const auto Form = of(L);
    return Form && Form->IsNonNegative ? Form : std::nullopt;
  }
  // grid-loop knows that indices fit the loop's own type.
  if (match(I, m_Trunc(m_Value(L)))) {
    return N.isIndex(L) && I->getType()->getIntegerBitWidth() >= 32
               ? of(L)
               : std::nullopt;
  }
  // The low bits of a value, or all above them.
  std::optional<unsigned> Bits;
  bool IsLow = match(I, m_And(m_Value(L), m_APInt(C))) && C->isMask();
  const bool IsMask = IsLow;
  if (IsMask) {
    Bits = C->countr_one();
  } else if (match(I, m_Shr(m_Value(L), m_APInt(C))) && C->ult(32)) {
    Bits = C->getZExtValue();
  } else if ((match(I, m_IDiv(m_Value(L), m_APInt(C))) ||
              match(I, m_IRem(m_Value(L), m_APInt(C)))) &&
             C->isPowerOf2()) {
    Bits = C->logBase2();
    IsLow = match(I, m_IRem(m_Value(), m_Value()));
  }
  if (Bits) {
    const auto Form = of(L);
    return Form && (IsMask || Form->IsNonNegative) ? bitsOf(*Form, *Bits, IsLow)
                                                   : std::nullopt;
  }
  if (!neverWraps(*I))
    return std::nullopt;
  const bool IsSub = match(I, m_Sub(m_Value(L), m_Value(R)));
  if (IsSub || match(I, m_Add(m_Value(L), m_Value(R)))) {
    const auto A = of(L), B = of(R);
    if (!A || !B)
      return std::nullopt;
    Affine Sum;
    for (unsigned D = 0; D < 3; ++D)
      Sum.Factors[D] = A->Factors[D] + (IsSub ? -B->Factors[D] : B->Factors[D]);
    Sum.Alignment = std::min(A->Alignment, B->Alignment);
    Sum.IsNonNegative = !IsSub && A->IsNonNegative && B->IsNonNegative;
    return Sum;
  }
  std::optional<int64_t> Factor;
  if (match(I, m_Shl(m_Value(L), m_APInt(C))) && C->ult(20))
    Factor = int64_t(1) << C->getZExtValue();
  else if (match(I, m_c_Mul(m_Value(L), m_APInt(C))) &&
           C->getSignificantBits() <= 21)
    Factor = C->getSExtValue();
  if (!Factor)
    return std::nullopt;
  auto Form = of(L);
  if (!Form)
    return std::nullopt;
  for (int64_t &F : Form->Factors) {
    F *= *Factor;
    if (F > MaxFactor || F < -MaxFactor)
      return std::nullopt;
  }
  Form->Alignment =
      std::min(MaxAlignment, Form->Alignment * alignmentOf(*Factor));
  Form->IsNonNegative &= *Factor >= 0;
  return Form;
}

Value *AffineForms::atOrigin(IRBuilderBase &B, Value *V,
                             const DenseMap<Value *, Value *> &Origins) const {
  if (Value *Origin = Origins.lookup(V))
    return Origin;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Uniform.contains(V))
    return V;
  Instruction *Copy = ir::copyWith(
      *I, [&](Value &Operand) { return atOrigin(B, &Operand, Origins); });
  if (Copy->isIdenticalTo(I)) {
    Copy->deleteValue();
    return V;
  }
  // The program may compute it where the block's first iteration does not.
  Copy->dropPoisonGeneratingFlags();
  return B.Insert(Copy);
}

} // namespace accx::smc
