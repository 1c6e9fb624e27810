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

#include "smc/EmitParts.h"

using namespace llvm;

namespace accx::smc {

/// Whether \p V is computed of indices in one width only, so that its form
/// holds whatever wraps.
static bool isModular(const Value *V, const NestPlan &P, unsigned Depth = 0) {
  if (any_of(P.Nest.Indices,
             [&](const NestIndex &Index) { return Index.V == V; }))
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
    return any_of(P.Nest.Indices, [&](const NestIndex &Index) {
      return Index.V == I->getOperand(0);
    });
  return isa<BinaryOperator>(I) && all_of(I->operands(), [&](const Use &U) {
           return isModular(U.get(), P, Depth + 1);
         });
}

PlaceForms::PlaceForms(const NestPlan &P) {
  for (BasicBlock *Block : P.Nest.Nest->blocks())
    for (Instruction &I : *Block) {
      if (!isa<BinaryOperator>(I) || &I == P.Nest.Next ||
          !I.getType()->isIntegerTy() ||
          any_of(P.Nest.Indices,
                 [&](const NestIndex &Index) { return Index.V == &I; }))
        continue;
      const auto Form = P.Forms->of(&I);
      if (Form && !Form->isUniform() && isModular(&I, P))
        All.push_back({&I, *Form});
    }
}

void PlaceForms::use(Emission &E) {
  SmallVector<std::pair<Value *, Value *>, 16> Values;
  for (const Found &F : All) {
    IRBuilder<> B(F.I);
    Value *Origin = E.P.Forms->atOrigin(B, F.I, E.Origins);
    Value *V = Origin;
    for (unsigned D = 0; D < E.P.Shape.size(); ++D)
      if (const int64_t Factor = F.Form.Factors[D])
        V = B.CreateAdd(
            V,
            B.CreateMul(B.CreateZExtOrTrunc(E.Place.Offset[D], F.I->getType()),
                        ConstantInt::getSigned(F.I->getType(), Factor)));
    Values.push_back({V, Origin});
  }
  for (const auto &[F, Value] : zip_equal(All, Values)) {
    const auto [V, Origin] = Value;
    F.I->replaceUsesWithIf(V, [&](const Use &U) { return U.getUser() != V; });
    E.Origins[F.I] = E.Origins[V] = Origin;
    E.Now[F.I] = V;
  }
}

} // namespace accx::smc
