//===- Fixed.cpp - Copies of which all addresses are known ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills copies of a constant size. Chooses the arrays whose copy fits
// registers, and rewrites addresses of accesses to constants of the copy.
// Copies.cpp has the general case.
//
//===----------------------------------------------------------------------===//

#include "workitems/Copies.h"

using namespace llvm;

namespace accx::workitems {

void placeCopy(Code &B, const LoopPlan &Plan, const ArrayPlan &A, Slot Memory,
               Value *Index, uint64_t Bytes) {
  Value *Bias = lowestOf(B, Plan, A, A.Rank - 1);
  if (A.Rank == 2) {
    Value *Step = B.getInt64(*spanOf(Plan, A, 1));
    B.CreateStore(Step, A.Step[0]);
    Bias = B.CreateAdd(Bias, B.CreateMul(lowestOf(B, Plan, A, 0), Step));
  }
  Value *Offset = B.CreateMul(Index, B.getInt64(Bytes));
  Offset = B.CreateSub(Offset, B.CreateMul(Bias, B.getInt64(A.Element)));
  B.CreateStore(B.CreatePtrAdd(Memory, Offset), A.Copy);
}

void forRows(Code &B, const LoopPlan &Plan, const ArrayPlan &A,
             function_ref<void(Value *)> Each) {
  if (A.Rank == 1)
    Each(nullptr);
  else
    B.forEach(B.getInt64(*spanOf(Plan, A, 0)), Each, true);
}

void fetchRow(Code &B, const LoopPlan &Plan, const ArrayPlan &A, Value *Row,
              Value *Copy, bool HasAll) {
  const unsigned Inner = A.Rank - 1;
  Value *Element = B.getInt64(A.Element),
        *Size = B.getInt64(*spanOf(Plan, A, Inner));
  /// A row that begins at \p Theirs in the array, if its indices were all
  /// there, and at \p Ours in the copy.
  const auto FetchFrom = [&](Value *Theirs, Value *Ours) {
    Value *Low = lowestOf(B, Plan, A, Inner);
    const auto Move = [&](Value *First, Value *Length) {
      B.CreateMemCpy(
          B.CreatePtrAdd(Ours, B.CreateMul(B.CreateSub(First, Low), Element)),
          Align(1), B.CreatePtrAdd(Theirs, B.CreateMul(First, Element)),
          Align(1), B.CreateMul(Length, Element));
    };
    if (HasAll) {
      Move(Low, Size);
      return;
    }
    Value *Past = B.CreateAdd(Low, Size);
    Value *From = B.smax(Low, A.Low[Inner]), *To = B.smin(Past, A.High[Inner]);
    Value *IsWhole =
        B.CreateAnd(B.CreateICmpEQ(From, Low), B.CreateICmpEQ(To, Past));
    B.when(IsWhole, [&] { Move(Low, Size); });
    B.when(B.CreateAnd(B.CreateNot(IsWhole), B.CreateICmpSLT(From, To)),
           [&] { Move(From, B.CreateSub(To, From)); });
  };
  if (!Row) {
    FetchFrom(A.Base, Copy);
    return;
  }
  Value *At = B.CreateAdd(lowestOf(B, Plan, A, 0), Row);
  const auto Fetch = [&] {
    FetchFrom(
        B.CreatePtrAdd(A.Base, B.CreateMul(At, A.Pitch[0])),
        B.CreatePtrAdd(Copy, B.CreateMul(Row, B.CreateMul(Size, Element))));
  };
  if (HasAll) {
    Fetch();
    return;
  }
  B.when(B.CreateAnd(B.CreateICmpSGE(At, A.Low[0]),
                     B.CreateICmpSLT(At, A.High[0])),
         Fetch);
}

Fixed::Fixed(LoopPlan &Plan) : Plan(Plan) {
  // The bytes that vector registers hold.
  constexpr uint64_t MaxBytes = 2048;
  Type *Byte = Type::getInt8Ty(Plan.W.Header->getContext());
  for (const ArrayPlan &A : Plan.Arrays) {
    uint64_t Bytes = A.Element;
    bool IsFixed =
        Plan.Block.Dims == 1 && Plan.RowLength == 0 && !A.Dirty && A.Rank <= 2;
    for (unsigned D = 0; D < A.Rank && IsFixed; ++D) {
      const auto Span = spanOf(Plan, A, D);
      IsFixed = Span && *Span <= MaxBytes && (Bytes *= *Span) <= MaxBytes;
    }
    Memory.push_back(
        IsFixed ? createSlot(Plan, ArrayType::get(Byte, Bytes), "wi.fixed")
                : nullptr);
    if (IsFixed)
      Memory.back()->setAlignment(Align(64));
  }
}

Value *Fixed::isInside(Code &B) const {
  Value *All = B.getTrue();
  for (const auto &[Array, A] : enumerate(Plan.Arrays))
    if (has(Array))
      All = andHasAll(B, All, Plan, A);
  return All;
}

/// Values that registers keep are read where they are needed first. Asked for
/// in order, they come as the processor foresees.
static void prefetch(Code &B, Value *From, uint64_t Bytes) {
  constexpr uint64_t Line = 64;
  for (uint64_t Offset = 0; Offset < Bytes; Offset += Line)
    B.CreateIntrinsic(Intrinsic::prefetch, {B.getPtrTy()},
                      {B.CreatePtrAdd(From, B.getInt64(Offset)), B.getInt32(0),
                       B.getInt32(3), B.getInt32(1)});
}

void Fixed::fetch(Code &B, unsigned Array) const {
  const ArrayPlan &A = Plan.Arrays[Array];
  // Accesses that follow something else need the copy's address.
  placeCopy(B, Plan, A, Memory[Array], B.getInt64(0), 0);
  if (!A.isFetched())
    return;
  if (A.Rank == 1)
    prefetch(B,
             B.CreatePtrAdd(A.Base, B.CreateMul(lowestOf(B, Plan, A, 0),
                                                B.getInt64(A.Element))),
             *spanOf(Plan, A, 0) * A.Element);
  forRows(B, Plan, A, [&](Value *Row) {
    fetchRow(B, Plan, A, Row, Memory[Array], /*HasAll=*/true);
  });
}

Value *Fixed::addressOf(Code &B, unsigned Array, GetElementPtrInst &Old) const {
  const ArrayPlan &A = Plan.Arrays[Array];
  const Forms Find(Plan);
  Forms::Variables Known;
  if (A.Rank == 2)
    Known[A.Step[0]] = B.getInt64(*spanOf(Plan, A, 1));
  Value *Zero = B.getInt64(0);
  auto Sum = Find.difference(Old.getOperand(1), Zero, Known);
  if (!Sum)
    return nullptr;
  // Less where the copy begins.
  int64_t Scale = A.Element;
  for (unsigned D = A.Rank; D-- > 0;) {
    const auto Low = Find.difference(affineIn(Plan, A.First[D]), Zero, Known);
    if (!Low)
      return nullptr;
    Sum->Constant -= Scale * Low->Constant;
    Sum->Constant -= Scale * Low->Factor.reach(Plan.Block.sizes()).first;
    for (const auto &[Part, Factor] : Low->Parts) {
      auto *Same = find_if(Sum->Parts, [Value = Part](const auto &Other) {
        return Other.first == Value;
      });
      if (Same == Sum->Parts.end())
        return nullptr;
      Same->second -= Scale * Factor;
    }
    Scale *= int64_t(*spanOf(Plan, A, D));
  }
  if (any_of(Sum->Parts, [](const auto &Part) { return Part.second != 0; }))
    return nullptr;
  Value *Offset = B.getInt64(Sum->Constant);
  for (unsigned P = 0; P < Plan.Block.Dims; ++P)
    if (Sum->Factor[P] != 0) {
      Slot S = Plan.PlaceOf[P];
      Value *Place = B.CreateSExt(B.get(S), B.getInt64Ty());
      Offset = B.CreateNSWAdd(B.CreateNSWMul(Place, B.getInt64(Sum->Factor[P])),
                              Offset);
    }
  return B.CreatePtrAdd(Memory[Array], Offset);
}

void Fixed::addTo(Code &B, const Region &R, Given &Values) const {
  for (BasicBlock *Block : R.Blocks)
    for (Instruction &I : *Block) {
      auto *Old = dyn_cast<GetElementPtrInst>(&I);
      const auto *Base =
          Old ? dyn_cast<LoadInst>(Old->getPointerOperand()) : nullptr;
      if (!Base || Old->getNumIndices() != 1)
        continue;
      for (const auto &[Array, A] : enumerate(Plan.Arrays))
        if (has(Array) && Base->getPointerOperand() == A.Copy)
          if (Value *New = addressOf(B, Array, *Old))
            Values[Old] = New;
    }
}

} // namespace accx::workitems
