//===- Neighbours.cpp - What neighbouring iterations share ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Neighbours.h.
//
//===----------------------------------------------------------------------===//

#include "gridtune/Neighbours.h"

#include "gridtune/Distances.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace accx::gridtune {

/// Whether \p Counter is one of \p Factors.
static bool has(const Distances &Of, const affine::Monomial &Factors,
                const Value *Counter) {
  return any_of(Factors,
                [&](unsigned Atom) { return Of.valueOf(Atom) == Counter; });
}

bool crosses(const Loop &Nest, const std::deque<Digit> &Digits) {
  constexpr int64_t Near = 16, Far = 64;
  const PHINode *X = Digits.back().Remainder;
  SmallPtrSet<const Value *, 2> Others;
  for (const Digit &D : Digits)
    Others.insert(&D.counter());
  for (BasicBlock *Block : Nest.blocks())
    for (Instruction &I : *Block) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      if (!Pointer)
        continue;
      Distances Of(I.getContext());
      Value *Base = nullptr;
      const affine::Polynomial Bytes = Of.ofAddress(*Pointer, Nest, Base);
      bool IsFar = false, IsNear = false;
      for (const auto &[Factors, Times] : Bytes) {
        const auto Distance = std::abs(static_cast<int64_t>(Times));
        IsFar |= (Factors.size() > 1 || Distance > Far) && has(Of, Factors, X);
        IsNear |= Factors.size() == 1 && Distance <= Near &&
                  Others.contains(Of.valueOf(Factors[0]));
      }
      if (IsFar && IsNear)
        return true;
    }
  return false;
}

bool sharesRows(const Loop &Nest, const std::deque<Digit> &Digits) {
  const Value *Y = &Digits.back().counter();
  Distances Of(Y->getContext());
  struct Access {
    Value *Base;
    affine::Polynomial Bytes, Row;
  };
  SmallVector<Access, 8> Loads;
  const auto IsApart = [&](const Access &A, const Access &B, int64_t Times) {
    affine::Polynomial Rest = A.Bytes;
    Of.Atoms.add(Rest, B.Bytes, uint64_t(-1));
    Of.Atoms.add(Rest, A.Row, uint64_t(Times));
    return Rest.empty();
  };
  for (BasicBlock *Block : Nest.blocks())
    for (Instruction &I : *Block) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load)
        continue;
      Access A = {};
      A.Bytes = Of.ofAddress(*Load->getPointerOperand(), Nest, A.Base);
      if (!A.Base)
        continue;
      for (const auto &[Factors, Times] : A.Bytes) {
        affine::Monomial Others;
        copy_if(Factors, std::back_inserter(Others),
                [&](unsigned Atom) { return Of.valueOf(Atom) != Y; });
        if (Others.size() + 1 == Factors.size())
          A.Row[Others] = Times;
      }
      if (A.Row.empty())
        continue;
      if (any_of(Loads, [&](const Access &B) {
            return A.Base == B.Base && A.Row == B.Row &&
                   any_of(ArrayRef<int64_t>({-2, -1, 1, 2}),
                          [&](int64_t Times) { return IsApart(A, B, Times); });
          }))
        return true;
      Loads.push_back(std::move(A));
    }
  return false;
}

bool rereads(const Loop &Nest, const std::deque<Digit> &Digits) {
  const Value *X = Digits.back().Remainder, *Y = &Digits.back().counter();
  Distances Of(X->getContext());
  for (const Loop *Inner : Nest.getSubLoops())
    for (BasicBlock *Block : Inner->blocks())
      for (Instruction &I : *Block) {
        auto *Load = dyn_cast<LoadInst>(&I);
        if (!Load)
          continue;
        Value *Base = nullptr;
        const affine::Polynomial Bytes =
            Of.ofAddress(*Load->getPointerOperand(), Nest, Base);
        const auto DependsOn = [&](const Value *Counter) {
          return any_of(Bytes, [&](const auto &Term) {
            return has(Of, Term.first, Counter);
          });
        };
        if (Base && DependsOn(X) && !DependsOn(Y))
          return true;
      }
  return false;
}

} // namespace accx::gridtune
