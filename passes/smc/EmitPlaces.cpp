//===- EmitPlaces.cpp - Indices by the thread's place in its block --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is affine in the parallel indices becomes a value that all threads of a
// block share and a multiple of the thread's place: `i & 255` is the place, and
// `i - (i >> 8) * 4` minus the first of the block's is it, too. Distances in
// copies then are known, and what threads share is computed apart.
//
//===----------------------------------------------------------------------===//

#include "smc/Emit.h"

#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::smc {

/// Whether \p V is computed of indices in one width only, so that its form
/// holds whatever wraps.
static bool isModular(const Value *V, const NestPlan &P, unsigned Depth = 0) {
  if (P.Nest.isIndex(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 8)
    return !I;
  const auto Form = P.Forms->of(const_cast<Value *>(V));
  if (!Form)
    return false;
  if (Form->isUniform())
    return true;
  if (isa<TruncInst>(I))
    return P.Nest.isIndex(I->getOperand(0));
  return isa<BinaryOperator>(I) && all_of(I->operands(), [&](const Use &U) {
           return isModular(U.get(), P, Depth + 1);
         });
}

PlaceForms::PlaceForms(const NestPlan &P) {
  for (BasicBlock *Block : P.Nest.Nest->blocks())
    for (Instruction &I : *Block) {
      if (!isa<BinaryOperator>(I) || &I == P.Nest.Next ||
          !I.getType()->isIntegerTy() || P.Nest.isIndex(&I))
        continue;
      const auto Form = P.Forms->of(&I);
      if (Form && !Form->isUniform() && isModular(&I, P))
        All.push_back({&I, *Form});
    }
}

void PlaceForms::use(Emission &E) {
  struct New {
    Value *V, *Origin, *Distance;
  };
  SmallVector<New, 16> Values;
  for (unsigned D = 0; D < E.P.Shape.size(); ++D) {
    E.Distances[E.Place.Own[D]] = E.Distances[E.P.Nest.Indices[D].V] =
        E.Place.Offset[D];
    E.PlaceFactors[E.Place.Own[D]][D] = 1;
    E.PlaceFactors[E.P.Nest.Indices[D].V][D] = 1;
  }
  for (const Found &F : All) {
    IRBuilder<> B(F.I);
    Value *Origin = E.P.Forms->atOrigin(B, F.I, E.Origins);
    E.Origins[F.I] = Origin;
    Value *V = Origin, *Distance = B.getInt32(0);
    for (unsigned D = 0; D < E.P.Shape.size(); ++D)
      if (const int64_t Factor = F.Form.Factors[D])
        V = B.CreateAdd(
            V,
            B.CreateMul(B.CreateZExtOrTrunc(E.Place.Offset[D], F.I->getType()),
                        ConstantInt::getSigned(F.I->getType(), Factor)));
    for (unsigned D = 0; D < E.P.Shape.size(); ++D)
      if (const int64_t Factor = F.Form.Factors[D])
        Distance = B.CreateAdd(
            Distance,
            B.CreateMul(E.Place.Offset[D],
                        ConstantInt::getSigned(B.getInt32Ty(), Factor)));
    Values.push_back({V, Origin, Distance});
  }
  for (const auto &[F, Value] : zip_equal(All, Values)) {
    const auto [V, Origin, Distance] = Value;
    E.Distances[F.I] = E.Distances[V] = Distance;
    E.PlaceFactors[F.I] = E.PlaceFactors[V] = F.Form.Factors;
    F.I->replaceUsesWithIf(V, [&](const Use &U) { return U.getUser() != V; });
    E.Origins[V] = Origin;
    E.Now[F.I] = V;
  }
}

/// What is extended or cut to make \p V.
static Value *uncast(Value *V) {
  while (isa<SExtInst, ZExtInst, TruncInst>(V))
    V = cast<CastInst>(V)->getOperand(0);
  return V;
}

/// \p V as a sum with a constant.
static std::pair<const Value *, int64_t> withoutConstant(const Value *V) {
  int64_t Sum = 0;
  const Value *L;
  const APInt *C;
  for (V = uncast(const_cast<Value *>(V)); Sum < INT32_MAX && Sum > INT32_MIN;
       V = uncast(const_cast<Value *>(L)))
    if (match(V, m_Add(m_Value(L), m_APInt(C))) && C->isSignedIntN(32))
      Sum += C->getSExtValue();
    else if (match(V, m_Sub(m_Value(L), m_APInt(C))) && C->isSignedIntN(32))
      Sum -= C->getSExtValue();
    else
      break;
  return {V, Sum};
}

static std::optional<int64_t> constantApart(const Value *A, const Value *B) {
  const auto [From, More] = withoutConstant(A);
  const auto [To, Less] = withoutConstant(B);
  return From == To ? std::optional(More - Less) : std::nullopt;
}

static Value *distanceFrom(Emission &E, Value *V, const Value *Origin,
                           const Emission::Factors &Own,
                           DenseMap<Value *, Value *> &Known) {
  V = uncast(E.now(uncast(V)));
  if (Value *Found = Known.lookup(V))
    return Found;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !I->getType()->isIntegerTy())
    return nullptr;
  const APInt *C;
  Value *L, *R, *Result = nullptr;
  BasicBlock *Yes, *No;
  IRBuilder<> B(I);
  if (Value *Distance = E.Distances.lookup(V)) {
    if (!Own.isFlat()) {
      if (E.PlaceFactors.lookup(V) != Own)
        return nullptr;
      Distance = B.getInt32(0);
    }
    Value *First = E.Origins.lookup(V), *More = nullptr;
    auto Apart = First ? constantApart(First, Origin) : std::nullopt;
    // One operand is what the block has in common, the other what a loop adds
    // to it.
    if (First && !Apart &&
        match(uncast(First), m_Add(m_Value(L), m_Value(R))) &&
        uncast(First)->getType()->getIntegerBitWidth() >= 32) {
      More = R;
      Apart = constantApart(L, Origin);
      if (!Apart) {
        More = L;
        Apart = constantApart(R, Origin);
      }
    }
    if (!Apart || (*Apart == 0 && !More))
      return Apart ? Distance : nullptr;
    auto *Last = dyn_cast<Instruction>(Distance);
    const bool IsLater =
        Last && Last->getParent() == I->getParent() && I->comesBefore(Last);
    B.SetInsertPoint((IsLater ? Last : I)->getNextNode());
    if (*Apart != 0)
      Distance =
          B.CreateAdd(Distance, ConstantInt::getSigned(B.getInt32Ty(), *Apart));
    if (More)
      Distance = B.CreateAdd(Distance, B.CreateTrunc(More, B.getInt32Ty()));
    return Known[V] = Distance;
  }
  if (match(I, m_Add(m_Value(L), m_APInt(C))) && C->isSignedIntN(32)) {
    if (Value *From = distanceFrom(E, L, Origin, Own, Known)) {
      Result = B.CreateAdd(
          From, ConstantInt::getSigned(B.getInt32Ty(), C->getSExtValue()));
    }
  } else if (match(I, m_Add(m_Value(L), m_Value(R))) &&
             I->getType()->getIntegerBitWidth() >= 32) {
    // Distances have 32 bits, in which sums that wrap are right, too.
    Value *From = distanceFrom(E, L, Origin, Own, Known);
    if (!From)
      From = distanceFrom(E, std::exchange(R, L), Origin, Own, Known);
    if (From)
      Result = B.CreateAdd(From, B.CreateTrunc(R, B.getInt32Ty()));
  } else if (auto *Choice = dyn_cast<SelectInst>(I)) {
    Value *One = distanceFrom(E, Choice->getTrueValue(), Origin, Own, Known);
    Value *Other = distanceFrom(E, Choice->getFalseValue(), Origin, Own, Known);
    if (One && Other)
      Result = B.CreateSelect(Choice->getCondition(), One, Other);
  } else if (auto *Phi = dyn_cast<PHINode>(I);
             Phi && GetIfCondition(Phi->getParent(), Yes, No)) {
    Value *One = distanceFrom(E, Phi->getIncomingValue(0), Origin, Own, Known);
    Value *Other =
        distanceFrom(E, Phi->getIncomingValue(1), Origin, Own, Known);
    if (One && Other) {
      PHINode *New = B.CreatePHI(B.getInt32Ty(), 2);
      New->addIncoming(One, Phi->getIncomingBlock(0));
      New->addIncoming(Other, Phi->getIncomingBlock(1));
      Result = New;
    }
  }
  if (Result)
    Known[V] = Result;
  return Result;
}

Value *distanceOf(Emission &E, Value *V, Value *First,
                  const Emission::Factors &Own) {
  const Value *Origin = uncast(First);
  return distanceFrom(E, V, Origin, Own, E.Chosen[{Origin, Own}]);
}

} // namespace accx::smc
