//===- Average.cpp - Rounded averages on narrow types ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rewriting of Average.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Average.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::vector {

/// Whether \p I is the rounded average of \p A and \p B, of its own type. The
/// sum is exact: it has a bit more than they have.
static bool isAverage(Instruction &I, Value *&A, Value *&B) {
  Type *Narrow = I.getType();
  Value *Sum, *Left, *Right;
  if ((!Narrow->isIntegerTy(8) && !Narrow->isIntegerTy(16)) ||
      !match(&I, m_Trunc(m_LShr(m_Value(Sum), m_One()))) ||
      !match(Sum, m_Add(m_Value(Left), m_Value(Right))))
    return false;
  // One of the three is the constant, next to either of the others.
  for (auto [Inner, Outer] : {std::pair(Left, Right), std::pair(Right, Left)}) {
    Value *X, *Y;
    if (!match(Inner, m_Add(m_Value(X), m_Value(Y))))
      continue;
    for (auto [P, Q, One] : {std::tuple(X, Outer, Y), std::tuple(Y, Outer, X),
                             std::tuple(X, Y, Outer)})
      if (match(One, m_One()) && match(P, m_ZExt(m_Value(A))) &&
          match(Q, m_ZExt(m_Value(B))) && A->getType() == Narrow &&
          B->getType() == Narrow)
        return true;
  }
  return false;
}

void narrowAverages(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : make_early_inc_range(*Block)) {
      Value *A, *B;
      if (!isAverage(I, A, B))
        continue;
      IRBuilder<> Builder(&I);
      Value *Half = Builder.CreateLShr(Builder.CreateXor(A, B), 1);
      I.replaceAllUsesWith(Builder.CreateSub(Builder.CreateOr(A, B), Half));
      RecursivelyDeleteTriviallyDeadInstructions(&I);
    }
}

} // namespace accx::vector
