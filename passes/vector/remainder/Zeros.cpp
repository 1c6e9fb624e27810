//===- Zeros.cpp - Sums to which inactive lanes add nothing ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewriting of Zeros.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Zeros.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::vector {

namespace {
class Zeros {
public:
  explicit Zeros(const PrefixMasks &Masks) : Masks(Masks) {}

  /// Whether inactive lanes of \p V are zeros, of either sign, provided that
  /// those of some loads are.
  bool isZero(Value *V, unsigned Depth = 0);
  /// Whether inactive lanes of \p New are what those of \p Old are.
  bool keeps(Value *New, Value *Old, unsigned Depth = 0);
  /// Makes that so.
  void fill();

private:
  static constexpr unsigned MaxDepth = 8;

  IntrinsicInst *maskedLoad(Value *V, unsigned Times) const;
  bool isStrided(ShuffleVectorInst &Shuffle);

  const PrefixMasks &Masks;
  SmallVector<IntrinsicInst *, 4> Loads;
};
} // namespace

/// \p V as a load or gather of the first lanes, each of \p Times elements.
IntrinsicInst *Zeros::maskedLoad(Value *V, unsigned Times) const {
  // The arguments of gathers are those of loads.
  auto *Load = dyn_cast<IntrinsicInst>(V);
  if (!Load ||
      (Load->getIntrinsicID() != Intrinsic::masked_load &&
       Load->getIntrinsicID() != Intrinsic::masked_gather) ||
      Masks.lookup(Load->getArgOperand(2)) != Times ||
      !isa<UndefValue, ConstantAggregateZero>(Load->getArgOperand(3)))
    return nullptr;
  return Load;
}

/// One element of each lane of a strided group.
bool Zeros::isStrided(ShuffleVectorInst &Shuffle) {
  ArrayRef<int> Pattern = Shuffle.getShuffleMask();
  auto *From = cast<FixedVectorType>(Shuffle.getOperand(0)->getType());
  unsigned Times = From->getNumElements() / Pattern.size();
  if (Times < 2 || From->getNumElements() % Pattern.size())
    return false;
  for (auto [Lane, Element] : enumerate(Pattern))
    if (Element != int(Times * Lane) + Pattern[0] || Pattern[0] < 0 ||
        Pattern[0] >= int(Times))
      return false;
  // Of gathered neighbours each lane has all elements.
  Value *Whole = Shuffle.getOperand(0), *Gathered;
  if (match(Whole, m_BitCast(m_Value(Gathered))))
    if (auto *Type = dyn_cast<FixedVectorType>(Gathered->getType());
        Type && Type->getNumElements() == Pattern.size()) {
      Whole = Gathered;
      Times = 1;
    }
  IntrinsicInst *Load = maskedLoad(Whole, Times);
  if (Load)
    Loads.push_back(Load);
  return Load;
}

bool Zeros::isZero(Value *V, unsigned Depth) {
  if (match(V, m_AnyZeroFP()) || match(V, m_Zero()))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth)
    return false;
  if (IntrinsicInst *Load = maskedLoad(I, 1)) {
    Loads.push_back(Load);
    return true;
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(I))
    return isStrided(*Shuffle);
  switch (I->getOpcode()) {
  default:
    return false;
  case Instruction::Call: {
    auto *Call = dyn_cast<IntrinsicInst>(I);
    if (!Call)
      return false;
    Intrinsic::ID ID = Call->getIntrinsicID();
    if (ID != Intrinsic::fmuladd && ID != Intrinsic::fma &&
        ID != Intrinsic::sqrt && ID != Intrinsic::fabs)
      return false;
    return all_of(Call->args(),
                  [&](Value *Arg) { return isZero(Arg, Depth + 1); });
  }
  // All operands: what the others are in inactive lanes may be poison, or
  // infinite.
  case Instruction::FNeg:
  case Instruction::FMul:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::Mul:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return all_of(I->operands(),
                  [&](Value *Operand) { return isZero(Operand, Depth + 1); });
  }
}

bool Zeros::keeps(Value *New, Value *Old, unsigned Depth) {
  if (New == Old)
    return true;
  auto *I = dyn_cast<Instruction>(New);
  if (!I || Depth == MaxDepth || !I->hasOneUse())
    return false;
  // -0 and 0 make 0.
  if (isa<FPMathOperator>(I) && !I->hasNoSignedZeros())
    return false;
  // The first vector of a sum that began with nothing.
  if ((match(Old, m_AnyZeroFP()) || match(Old, m_Zero())) && isZero(New))
    return true;
  Value *A, *B, *C;
  if (match(I, m_Intrinsic<Intrinsic::fmuladd>(m_Value(A), m_Value(B),
                                               m_Value(C))) ||
      match(I, m_Intrinsic<Intrinsic::fma>(m_Value(A), m_Value(B), m_Value(C))))
    return isZero(A) && isZero(B) && keeps(C, Old, Depth + 1);
  if (match(I, m_FSub(m_Value(A), m_Value(B))) ||
      match(I, m_Sub(m_Value(A), m_Value(B))))
    return isZero(B) && keeps(A, Old, Depth + 1);
  if (!match(I, m_FAdd(m_Value(A), m_Value(B))) &&
      !match(I, m_Add(m_Value(A), m_Value(B))) &&
      !match(I, m_Or(m_Value(A), m_Value(B))) &&
      !match(I, m_Xor(m_Value(A), m_Value(B))))
    return false;
  if (keeps(A, Old, Depth + 1))
    return isZero(B);
  return keeps(B, Old, Depth + 1) && isZero(A);
}

void Zeros::fill() {
  for (IntrinsicInst *Load : Loads)
    Load->setArgOperand(3, Constant::getNullValue(Load->getType()));
}

void addZeros(ArrayRef<BasicBlock *> Blocks, const PrefixMasks &Masks) {
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : make_early_inc_range(*Block)) {
      auto *Select = dyn_cast<SelectInst>(&I);
      if (!Select)
        continue;
      // Of a known rest the mask is a constant.
      Value *Mask = Select->getCondition();
      PrefixMasks Constant;
      if (isa<ConstantVector>(Mask))
        Constant.try_emplace(Mask, 1);
      else if (Masks.lookup(Mask) != 1)
        continue;
      Zeros Inactive(Constant.empty() ? Masks : Constant);
      if (!Inactive.keeps(Select->getTrueValue(), Select->getFalseValue()))
        continue;
      Inactive.fill();
      Select->replaceAllUsesWith(Select->getTrueValue());
      Select->eraseFromParent();
    }
}

} // namespace accx::vector
