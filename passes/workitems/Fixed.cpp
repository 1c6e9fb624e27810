//===- Fixed.cpp - Copies of which all addresses are known ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the arrays whose copy has a constant size and fits registers, fills
// such copies, and rewrites addresses of accesses to constants of the copy.
// Copies.cpp has the general case.
//
//===----------------------------------------------------------------------===//

#include "workitems/Fixed.h"

#include "workitems/Bounds.h"

using namespace llvm;

namespace accx::workitems {

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
                      {B.CreateGEP(B.getInt8Ty(), From, B.getInt64(Offset)),
                       B.getInt32(0), B.getInt32(3), B.getInt32(1)});
}

void Fixed::fetch(Code &B, unsigned Array) const {
  const ArrayPlan &A = Plan.Arrays[Array];
  const unsigned Inner = A.Rank - 1;
  Value *Element = B.getInt64(A.Element);
  Value *RowBytes = B.CreateMul(B.getInt64(*spanOf(Plan, A, Inner)), Element);
  Value *Low = B.CreateMul(lowestOf(B, Plan, A, Inner), Element), *Bias = Low;
  Value *Top = nullptr;
  if (A.Rank == 2) {
    Top = lowestOf(B, Plan, A, 0);
    B.CreateStore(B.getInt64(*spanOf(Plan, A, 1)), A.Step[0]);
    Bias = B.CreateAdd(Bias, B.CreateMul(Top, RowBytes));
  }
  // Accesses that follow something else need the copy's address.
  B.CreateStore(B.CreateGEP(B.getInt8Ty(), Memory[Array], B.CreateNeg(Bias)),
                A.Copy);
  if (!A.isFetched())
    return;
  const auto CopyRow = [&](Value *Theirs, Value *Ours) {
    B.CreateMemCpy(Ours, Align(1), B.CreateGEP(B.getInt8Ty(), Theirs, Low),
                   Align(1), RowBytes);
  };
  if (!Top) {
    prefetch(B, B.CreateGEP(B.getInt8Ty(), A.Base, Low),
             *spanOf(Plan, A, 0) * A.Element);
    CopyRow(A.Base, Memory[Array]);
  } else
    B.forEach(
        B.getInt64(*spanOf(Plan, A, 0)),
        [&](Value *Row) {
          Value *Offset = B.CreateMul(B.CreateAdd(Top, Row), A.Pitch[0]);
          CopyRow(B.CreateGEP(B.getInt8Ty(), A.Base, Offset),
                  B.CreateGEP(B.getInt8Ty(), Memory[Array],
                              B.CreateMul(Row, RowBytes)));
        },
        true);
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
      Value *Place =
          B.CreateSExt(B.CreateLoad(S->getAllocatedType(), S), B.getInt64Ty());
      Offset = B.CreateNSWAdd(B.CreateNSWMul(Place, B.getInt64(Sum->Factor[P])),
                              Offset);
    }
  return B.CreateGEP(B.getInt8Ty(), Memory[Array], Offset);
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
