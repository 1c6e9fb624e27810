//===- Shares.cpp - Which blocks a thread runs ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the arithmetic of block numbers: how many blocks a loop has, which of
// them the current thread runs, and where a block begins. The run ends here
// with a message if the loop has more iterations than its indices were taken
// for.
//
//===----------------------------------------------------------------------===//

#include "workitems/Shares.h"

using namespace llvm;

namespace accx::workitems {

Value *Shares::wide(Value *V) {
  return Plan.W.IsUnsigned ? B.CreateZExt(V, I64) : B.CreateSExt(V, I64);
}

Value *Shares::ceiling(Value *A, Value *D) {
  Value *One = ConstantInt::get(A->getType(), 1);
  return B.CreateUDiv(B.CreateAdd(A, B.CreateSub(D, One)), D);
}

/// The first block of those whose share of iterations begins at \p From.
Value *Shares::blockAt(Value *From, Value *All, Value *Trip) {
  if (!Plan.W.Is64)
    return ceiling(B.CreateMul(From, All), Trip);
  Type *I128 = B.getInt128Ty();
  const auto Widen = [&](Value *V) { return B.CreateZExt(V, I128); };
  return B.CreateTrunc(
      ceiling(B.CreateMul(Widen(From), Widen(All)), Widen(Trip)), I64);
}

Shares::Shares(LoopPlan &Plan, Code &B, Value *From, Value *To)
    : Plan(Plan), B(B), I64(B.getInt64Ty()) {
  Value *Trip = B.CreateAdd(wide(Plan.Last), B.getInt64(1));
  const unsigned Dims = Plan.Block.Dims;
  Length[0] = Trip;
  if (Dims == 2) {
    Length[1] = wide(Plan.Columns);
    Length[0] = B.CreateUDiv(Trip, Length[1]);
  }
  Value *All = nullptr;
  for (unsigned D = 0; D < Dims; ++D) {
    if (Plan.IsNarrow[D])
      refuseLength(Length[D]);
    Blocks[D] = ceiling(Length[D], B.getInt64(Plan.Block.Size[D]));
    All = All ? B.CreateMul(All, Blocks[D]) : Blocks[D];
  }
  First = blockAt(wide(From), All, Trip);
  Past = blockAt(B.CreateAdd(wide(To), B.getInt64(1)), All, Trip);
}

/// Indices were taken for what 32 bits can hold.
void Shares::refuseLength(Value *Long) {
  B.when(B.CreateICmpSGT(Long, B.getInt64(INT32_MAX)), [&] {
    B.fail("accx: %s: a loop with a counter of 32 bits has more iterations "
           "than 2147483647\n",
           {B.CreateGlobalStringPtr(
               Plan.Arrays.empty() ? "barrier" : Plan.Arrays.front().Where)});
  });
}

Value *Shares::columnOf(Value *Number) {
  return Plan.Block.Dims == 2 ? B.CreateURem(Number, Blocks[1]) : Number;
}

void Shares::enter(Value *Number, Value *(&Count)[2]) {
  Value *At[2] = {Number, nullptr};
  if (Plan.Block.Dims == 2) {
    At[0] = B.CreateUDiv(Number, Blocks[1]);
    At[1] = B.CreateURem(Number, Blocks[1]);
  }
  for (unsigned D = 0; D < Plan.Block.Dims; ++D) {
    Value *Size = B.getInt64(Plan.Block.Size[D]);
    Value *Begin = B.CreateMul(At[D], Size, "", true, true);
    Count[D] = B.smin(Size, B.CreateSub(Length[D], Begin));
    B.set(Plan.FirstOf[D], Begin);
    B.set(Plan.BlockOf[D], At[D]);
  }
}

} // namespace accx::workitems
