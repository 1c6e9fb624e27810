//===- PartAddress.cpp - Where iterations touch memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what is known of the values in addresses, which affine/Polynomial.h
// multiplies out. Counters of loops are at their begin: of those that are dealt
// out, 0.
//
//===----------------------------------------------------------------------===//

#include "distribute/PartAddress.h"

#include "offload/Origins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace accx::offload;
using namespace llvm::PatternMatch;
using accx::affine::Atoms;
using accx::affine::Polynomial;

namespace accx::distribute {

/// An argument's words in accx_parts_term::args, but for its number.
static Atoms::Extension taken(unsigned Bits, bool IsUnsigned) {
  return static_cast<Atoms::Extension>(Bits | unsigned(IsUnsigned) << 8);
}

static unsigned bitsOf(const Atoms::Atom &A) {
  return static_cast<unsigned>(A.How) & 0xff;
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

/// \p P, of which only the low \p Bits are taken, divided by 2^\p Shift; 0 if
/// that leaves a rest.
Polynomial PartAddress::takeBits(const Polynomial &P, unsigned Bits,
                                 unsigned Shift, bool IsUnsigned) {
  Polynomial Taken;
  for (const auto &[Term, Factor] : P) {
    const auto Signed = static_cast<int64_t>(Factor);
    if (Signed % (int64_t(1) << Shift))
      return {};
    // A product's bits are not its factors'.
    const bool IsCut = Term.size() == 1 && bitsOf(Values[Term[0]]) > Bits;
    Values.add(Taken,
               IsCut ? Values.atom(Values[Term[0]].V, taken(Bits, IsUnsigned))
                     : Polynomial{{Term, 1}},
               static_cast<uint64_t>(Signed >> Shift));
  }
  return Taken;
}

/// Nothing for sums and products.
std::optional<Polynomial> PartAddress::view(Value &V) {
  const auto Expand = [&](Value *Of) {
    return Values.expand(Of, Atoms::Extension::None);
  };
  unsigned Bits = 64;
  bool IsUnsigned = false;
  if (Argument *A = argumentOf(&V, Bits, IsUnsigned))
    return Values.atom(A, taken(Bits, IsUnsigned));
  if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(V))
    return Expand(cast<Instruction>(V).getOperand(0));
  if (auto *P = dyn_cast<PHINode>(&V)) {
    Value *Begin = beginOf(*P);
    return Begin ? Expand(Begin) : Polynomial();
  }
  if (auto *Load = dyn_cast<LoadInst>(&V)) {
    // The counter of an outer loop, in a variable that regions share.
    const auto From = storedIn(Load->getPointerOperand());
    return From.size() == 1 ? Expand(From.front()) : Polynomial();
  }
  auto *Op = dyn_cast<BinaryOperator>(&V);
  const unsigned Width = Op ? Op->getType()->getScalarSizeInBits() : 0;
  if (!Op || Width > 64)
    return Polynomial();
  // How extensions look once they are simplified.
  const APInt *C = nullptr;
  if (match(Op, m_And(m_Value(), m_APInt(C))) && C->isMask())
    return takeBits(Expand(Op->getOperand(0)), C->countr_one(), 0, true);
  if (match(Op, m_Shr(m_Value(), m_APInt(C))) && C->ult(63)) {
    const auto By = static_cast<unsigned>(C->getZExtValue());
    return takeBits(Expand(Op->getOperand(0)), Width - By, By,
                    Op->getOpcode() == Instruction::LShr);
  }
  if (match(Op, m_CombineOr(m_Add(m_Value(), m_Value()),
                            m_Sub(m_Value(), m_Value()))) ||
      match(Op, m_CombineOr(m_Mul(m_Value(), m_Value()),
                            m_DisjointOr(m_Value(), m_Value()))) ||
      (match(Op, m_Shl(m_Value(), m_APInt(C))) && C->ult(Width - 1)))
    return std::nullopt;
  return Polynomial();
}

bool PartAddress::read(Value *Pointer) {
  for (unsigned Steps = 0; Pointer && Steps < 32; ++Steps) {
    Pointer = Values.ofAddress(Pointer, Bytes);
    if (!Pointer)
      return false;
    unsigned Bits = 64;
    bool IsUnsigned = false;
    Base = argumentOf(Pointer, Bits, IsUnsigned);
    if (Base)
      return Bits == 64;
    if (auto *C = dyn_cast<CastInst>(Pointer))
      Pointer = C->getOperand(0);
    else if (auto *P = dyn_cast<PHINode>(Pointer))
      Pointer = beginOf(*P);
    else
      return false;
  }
  return false;
}

bool PartAddress::split(unsigned First, SmallVectorImpl<accx_parts_term> &Start,
                        SmallVectorImpl<accx_parts_term> &Step) const {
  // In the order of their words.
  std::map<SmallVector<uint32_t, 3>, int64_t> Terms;
  for (const auto &[Term, Factor] : Bytes) {
    SmallVector<uint32_t, 3> Words;
    for (unsigned N : Term) {
      // What is no argument is too long an expression.
      if (!bitsOf(Values[N]))
        return false;
      Words.push_back(cast<Argument>(Values[N].V)->getArgNo() |
                      static_cast<uint32_t>(Values[N].How) << 16);
    }
    if (Words.size() > std::size(accx_parts_term().args))
      return false;
    sort(Words);
    Terms[Words] = static_cast<int64_t>(Factor);
  }
  for (const auto &[Words, Factor] : Terms) {
    accx_parts_term T = {Factor, {0, 0, 0}, 0};
    unsigned Count = 0, Firsts = 0;
    for (uint32_t Word : Words)
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
