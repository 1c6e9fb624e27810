//===- Polynomial.cpp - Integer expressions in normal form ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Polynomial.h. An extension of a sum or product is one of its parts only
// where the narrow operation cannot wrap: then both have the value that the
// program means, and the wide type holds it modulo its range.
//
//===----------------------------------------------------------------------===//

#include "affine/Polynomial.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

using namespace llvm;

namespace accx::affine {

/// Expressions beyond this stay as they are.
static constexpr size_t MaxTerms = 24, MaxDegree = 6;
static constexpr unsigned MaxValues = 256;

void Atoms::add(Polynomial &To, const Polynomial &P, uint64_t Factor) const {
  for (const auto &[M, Coefficient] : P) {
    auto At = To.try_emplace(M, 0).first;
    At->second = (At->second + Coefficient * Factor) & Int->getBitMask();
    if (!At->second)
      To.erase(At);
  }
}

Polynomial Atoms::multiply(const Polynomial &A, const Polynomial &B) const {
  Polynomial Result;
  for (const auto &[M, X] : A)
    for (const auto &[N, Y] : B) {
      Monomial Product;
      std::merge(M.begin(), M.end(), N.begin(), N.end(),
                 std::back_inserter(Product));
      add(Result, {{std::move(Product), X * Y}});
    }
  return Result;
}

static bool isTooLarge(const Polynomial &P) {
  return P.size() > MaxTerms || any_of(P, [](const auto &Term) {
           return Term.first.size() > MaxDegree;
         });
}

Polynomial Atoms::constant(uint64_t Value) const {
  Polynomial P;
  add(P, {{{}, Value}});
  return P;
}

Polynomial Atoms::atom(Value *V, Extension How) {
  auto [At, IsNew] = Numbers.try_emplace({V, static_cast<unsigned>(How)},
                                         static_cast<unsigned>(All.size()));
  if (IsNew)
    All.push_back({V, How});
  return {{{At->second}, 1}};
}

Polynomial Atoms::of(Value *V) {
  Budget = MaxValues;
  return expand(V, Extension::None);
}

Value *Atoms::ofAddress(Value *Pointer, Polynomial &Bytes, const Loop *Within) {
  while (auto *G = dyn_cast<GetElementPtrInst>(Pointer)) {
    MapVector<Value *, APInt> Variable;
    APInt Constant(64, 0);
    if (Within && !Within->contains(G))
      break;
    if (G->getType()->isVectorTy() ||
        !G->collectOffset(G->getDataLayout(), 64, Variable, Constant))
      return nullptr;
    for (const auto &[Index, Scale] : Variable) {
      if (!Index->getType()->isIntegerTy(64))
        return nullptr;
      add(Bytes, of(Index), Scale.getZExtValue());
    }
    add(Bytes, constant(Constant.getZExtValue()));
    Pointer = G->getPointerOperand();
  }
  return Pointer;
}

Polynomial Atoms::expand(Value *V, Extension How) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return constant(How == Extension::Zero
                        ? C->getZExtValue()
                        : static_cast<uint64_t>(C->getSExtValue()));
  if (!Budget)
    return atom(V, How);
  --Budget;
  if (Known)
    if (std::optional<Polynomial> P = Known(*V, How))
      return isTooLarge(*P) ? atom(V, How) : std::move(*P);
  if (How == Extension::None) {
    if (auto *S = dyn_cast<SExtInst>(V))
      return expand(S->getOperand(0), Extension::Sign);
    if (auto *Z = dyn_cast<ZExtInst>(V))
      return expand(Z->getOperand(0),
                    Z->hasNonNeg() ? Extension::Sign : Extension::Zero);
  }
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op)
    return atom(V, How);
  const bool IsDisjointOr = isa<PossiblyDisjointInst>(Op) &&
                            cast<PossiblyDisjointInst>(Op)->isDisjoint();
  if (How != Extension::None && !IsDisjointOr) {
    const auto *Wrap = dyn_cast<OverflowingBinaryOperator>(Op);
    if (!Wrap || !(How == Extension::Sign ? Wrap->hasNoSignedWrap()
                                          : Wrap->hasNoUnsignedWrap()))
      return atom(V, How);
  }
  Value *A = Op->getOperand(0), *B = Op->getOperand(1);
  Polynomial P;
  switch (Op->getOpcode()) {
  case Instruction::Or:
    // The sign bit of a disjoint or is one operand's.
    if (!IsDisjointOr || How != Extension::None)
      return atom(V, How);
    [[fallthrough]];
  case Instruction::Add:
    P = expand(A, How);
    add(P, expand(B, How));
    break;
  case Instruction::Sub:
    P = expand(A, How);
    add(P, expand(B, How), ~uint64_t(0));
    break;
  case Instruction::Mul:
    P = multiply(expand(A, How), expand(B, How));
    break;
  case Instruction::Shl: {
    const auto *By = dyn_cast<ConstantInt>(B);
    if (!By || By->getValue().uge(Op->getType()->getIntegerBitWidth() - 1))
      return atom(V, How);
    P = multiply(expand(A, How), constant(uint64_t(1) << By->getZExtValue()));
    break;
  }
  default:
    return atom(V, How);
  }
  return isTooLarge(P) ? atom(V, How) : P;
}

Value *Atoms::single(const Polynomial &P) const {
  if (P.size() != 1 || P.begin()->second != 1 || P.begin()->first.size() != 1)
    return nullptr;
  const Atom &Of = All[P.begin()->first.front()];
  return Of.How == Extension::None ? Of.V : nullptr;
}

bool Atoms::all(const Monomial &M,
                function_ref<bool(const Value &)> Has) const {
  return all_of(M, [&](unsigned A) { return Has(*All[A].V); });
}

Polynomial Atoms::take(Polynomial &P,
                       function_ref<bool(const Value &)> Has) const {
  Polynomial Taken;
  for (auto At = P.begin(); At != P.end();) {
    const auto Next = std::next(At);
    if (all(At->first, Has))
      Taken.insert(P.extract(At));
    At = Next;
  }
  return Taken;
}

Value *Atoms::emit(IRBuilderBase &B, const Polynomial &P) const {
  Value *Sum = nullptr;
  for (const auto &[M, Coefficient] : P) {
    Value *Term = nullptr;
    for (unsigned A : M) {
      Value *V = All[A].How == Extension::Sign
                     ? B.CreateSExt(All[A].V, Int)
                     : B.CreateZExtOrTrunc(All[A].V, Int);
      Term = Term ? B.CreateMul(Term, V) : V;
    }
    Constant *C = ConstantInt::get(Int, Coefficient);
    if (!Term)
      Term = C;
    else if (Coefficient != 1)
      Term = B.CreateMul(Term, C);
    Sum = Sum ? B.CreateAdd(Sum, Term) : Term;
  }
  return Sum ? Sum : ConstantInt::get(Int, 0);
}

} // namespace accx::affine
