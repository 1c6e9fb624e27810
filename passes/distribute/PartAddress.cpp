//===- PartAddress.cpp - Where iterations touch memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies addresses out. Counters of loops are at their begin: of those that
// are dealt out, 0.
//
//===----------------------------------------------------------------------===//

#include "distribute/PartAddress.h"

#include "offload/Origins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::distribute {

constexpr size_t MaxFactors = 3;

void PartAddress::add(Sum &To, const Sum &From, int64_t Factor) {
  for (const auto &[Args, Value] : From)
    if ((To[Args] += Value * Factor) == 0)
      To.erase(Args);
}

std::optional<PartAddress::Sum> PartAddress::multiply(const Sum &A,
                                                      const Sum &B) {
  Sum Product;
  for (const auto &[Left, X] : A)
    for (const auto &[Right, Y] : B) {
      SmallVector<uint32_t, 3> Args(Left);
      Args.append(Right.begin(), Right.end());
      if (Args.size() > MaxFactors)
        return std::nullopt;
      sort(Args);
      if ((Product[Args] += X * Y) == 0)
        Product.erase(Args);
    }
  return Product;
}

/// A loop's counter at its begin, or null: what does not come from itself.
static Value *beginOf(PHINode &P) {
  Value *Begin = nullptr;
  for (Value *In : P.incoming_values()) {
    const auto *Op = dyn_cast<BinaryOperator>(In);
    if (Op && is_contained(Op->operands(), &P))
      continue;
    if (Begin && Begin != In)
      return nullptr;
    Begin = In;
  }
  return Begin;
}

/// \p S, of which only the low \p Bits are taken, divided by 2^\p Shift; 0 if
/// that leaves a rest.
static std::map<SmallVector<uint32_t, 3>, int64_t>
takeBits(const std::map<SmallVector<uint32_t, 3>, int64_t> &S, unsigned Bits,
         unsigned Shift, bool IsUnsigned) {
  std::map<SmallVector<uint32_t, 3>, int64_t> Taken;
  for (const auto &[Args, Factor] : S) {
    if (Factor % (int64_t(1) << Shift))
      return {};
    SmallVector<uint32_t, 3> Words(Args);
    // A product's bits are not its factors'.
    if (Words.size() == 1 && (Words[0] >> 16 & 0xff) > Bits)
      Words[0] = (Words[0] & 0xffff) | Bits << 16 | uint32_t(IsUnsigned) << 24;
    Taken[Words] += Factor >> Shift;
  }
  return Taken;
}

std::optional<PartAddress::Sum> PartAddress::expand(Value *V) {
  if (Budget == 0)
    return std::nullopt;
  --Budget;
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    if (C->getBitWidth() > 64)
      return std::nullopt;
    Sum S;
    if (!C->isZero())
      S[{}] = C->getSExtValue();
    return S;
  }
  unsigned Bits = 64;
  bool IsUnsigned = false;
  if (Argument *A = argumentOf(V, Bits, IsUnsigned))
    return Sum{{{A->getArgNo() | Bits << 16 | uint32_t(IsUnsigned) << 24}, 1}};
  if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(V))
    return expand(cast<Instruction>(V)->getOperand(0));
  if (auto *P = dyn_cast<PHINode>(V)) {
    Value *Begin = beginOf(*P);
    return Begin ? expand(Begin) : Sum();
  }
  if (isa<LoadInst, Argument>(V)) {
    // The counter of an outer loop, in a variable that regions share.
    SmallVector<Value *, 2> From;
    if (auto *Load = dyn_cast<LoadInst>(V))
      From = storedIn(Load->getPointerOperand());
    return From.size() == 1 ? expand(From.front()) : Sum();
  }
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op)
    return Sum();
  const bool IsSum = Op->getOpcode() == Instruction::Add ||
                     (isa<PossiblyDisjointInst>(Op) &&
                      cast<PossiblyDisjointInst>(Op)->isDisjoint());
  const bool IsDifference = Op->getOpcode() == Instruction::Sub;
  const auto *By = dyn_cast<ConstantInt>(Op->getOperand(1));
  const bool IsShift =
      Op->getOpcode() == Instruction::Shl && By && By->getValue().ult(63);
  // How extensions look once they are simplified.
  const bool IsMask =
      Op->getOpcode() == Instruction::And && By && By->getValue().isMask();
  const bool IsUnshift = Op->isShift() && !IsShift && By &&
                         Op->getOpcode() != Instruction::Shl &&
                         By->getValue().ult(63);
  if (!IsSum && !IsDifference && !IsShift && !IsMask && !IsUnshift &&
      Op->getOpcode() != Instruction::Mul)
    return Sum();
  std::optional<Sum> Left = expand(Op->getOperand(0));
  if (!Left)
    return std::nullopt;
  if (IsMask)
    return takeBits(*Left, By->getValue().countr_one(), 0, true);
  if (IsUnshift)
    return takeBits(*Left,
                    Op->getType()->getIntegerBitWidth() -
                        static_cast<unsigned>(By->getZExtValue()),
                    static_cast<unsigned>(By->getZExtValue()),
                    Op->getOpcode() == Instruction::LShr);
  if (IsShift) {
    Sum Shifted;
    add(Shifted, *Left, int64_t(1) << By->getZExtValue());
    return Shifted;
  }
  std::optional<Sum> Right = expand(Op->getOperand(1));
  if (!Right)
    return std::nullopt;
  if (Op->getOpcode() == Instruction::Mul)
    return multiply(*Left, *Right);
  add(*Left, *Right, IsSum ? 1 : -1);
  return Left;
}

bool PartAddress::read(Value *Pointer) {
  while (Budget > 0) {
    --Budget;
    // A constant expression's address depends on no argument.
    if (auto *G = dyn_cast<GetElementPtrInst>(Pointer)) {
      const DataLayout &Layout = G->getDataLayout();
      MapVector<Value *, APInt> Variable;
      APInt Constant(64, 0);
      if (G->getType()->isVectorTy() ||
          !G->collectOffset(Layout, 64, Variable, Constant))
        return false;
      for (const auto &[Index, Scale] : Variable) {
        std::optional<Sum> S = expand(Index);
        if (!S)
          return false;
        add(Bytes, *S, Scale.getSExtValue());
      }
      if (Constant != 0)
        add(Bytes, Sum{{{}, Constant.getSExtValue()}}, 1);
      Pointer = G->getPointerOperand();
      continue;
    }
    unsigned Bits = 64;
    bool IsUnsigned = false;
    if (Argument *A = argumentOf(Pointer, Bits, IsUnsigned)) {
      Base = A;
      return Bits == 64;
    }
    if (auto *C = dyn_cast<CastInst>(Pointer)) {
      Pointer = C->getOperand(0);
    } else if (auto *P = dyn_cast<PHINode>(Pointer)) {
      Pointer = beginOf(*P);
      if (!Pointer)
        return false;
    } else {
      return false;
    }
  }
  return false;
}

bool PartAddress::split(unsigned First, SmallVectorImpl<accx_parts_term> &Start,
                        SmallVectorImpl<accx_parts_term> &Step) const {
  for (const auto &[Args, Factor] : Bytes) {
    accx_parts_term T = {Factor, {0, 0, 0}, 0};
    unsigned Count = 0, Firsts = 0;
    for (uint32_t Word : Args)
      if ((Word & 0xffff) == First)
        ++Firsts;
      else
        T.args[Count++] = Word;
    if (Firsts > 1)
      return false;
    (Firsts ? Step : Start).push_back(T);
  }
  return !Step.empty() && Step.size() <= ACCX_PARTS_MAX_TERMS &&
         Start.size() <= ACCX_PARTS_MAX_TERMS;
}

} // namespace accx::distribute
