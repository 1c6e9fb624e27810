//===- Group.cpp - Blocks of a row that run together ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether blocks of a row may run together, counts how many do, and
// fills their copies row by row. The loops over work-items themselves are not
// here but in the emitter.
//
//===----------------------------------------------------------------------===//

#include "workitems/Group.h"

#include "workitems/Bounds.h"

using namespace llvm;

namespace accx::workitems {

/// This many work-items together leave the cache room for their values.
static constexpr unsigned MaxBlocks = 32, LeastBlocks = 4, MaxTogether = 2048;

Group::Group(LoopPlan &Plan, const Regions &R) : Plan(Plan), R(R) {
  const Shape &Block = Plan.Block;
  if (Block.Dims != 2 || Plan.RowLength != 0 || Plan.IsTeam || !isStraight())
    return;
  for (const ArrayPlan &A : Plan.Arrays) {
    uint64_t Elements = 1;
    for (unsigned D = 0; D < A.Rank; ++D) {
      const auto Size = spanOf(Plan, A, D);
      if (!Size || *Size > MaxItems)
        return;
      Elements *= *Size;
    }
    if (A.Dirty || A.Rank > 2 || Elements > 2 * MaxItems)
      return;
    Bytes.push_back(Elements * A.Element);
  }
  const unsigned Number = std::min(MaxBlocks, MaxTogether / Block.items());
  if (Number < LeastBlocks)
    return;
  Most = Number;
  Type *Byte = Type::getInt8Ty(Plan.W.Header->getContext());
  for (const uint64_t Size : Bytes) {
    Memory.push_back(
        createSlot(Plan, ArrayType::get(Byte, Size * Most), "wi.copies"));
    Memory.back()->setAlignment(Align(64));
  }
}

/// Whether all blocks pass the same regions, one after the other, and nothing
/// that work-items have alike outlives one of them.
bool Group::isStraight() const {
  if (!R.Locals.empty() || !R.Shared.empty() || !Plan.TeamObjects.empty())
    return false;
  for (const auto &[Start, Region] : R.At) {
    if (Plan.meetOf(Start) || Region.Exits.size() != 1 ||
        Plan.meetOf(Region.Exits.front()))
      return false;
    for (BasicBlock *Block : Plan.Body) {
      if (Block == Region.Exits.front())
        return false; // a way back
      if (Block == Start)
        break;
    }
    if (const auto Live = R.LiveIn.find(Start); Live != R.LiveIn.end())
      if (any_of(Live->second,
                 [&](Slot S) { return R.Variables.find(S)->second.IsUniform; }))
        return false;
  }
  return true;
}

void Group::place(Code &B, Value *Index) {
  Type *CounterTy = Plan.W.Counter->getAllocatedType();
  Value *At = B.CreateAdd(Column, Index, "", true, true);
  Value *First =
      B.CreateMul(At, B.getInt64(Plan.Block.Size[1]), "", true, true);
  B.CreateStore(B.CreateTrunc(First, CounterTy), Plan.FirstOf[1]);
  B.CreateStore(B.CreateTrunc(At, CounterTy), Plan.BlockOf[1]);
}

Value *Group::count(Code &B, Shares &Share, Value *Block, Value *RowCount,
                    ArrayRef<Edge> Edges) {
  Type *I64 = B.getInt64Ty();
  Column = Share.columnOf(Block);
  Value *Whole = B.CreateUDiv(Share.Length[1], B.getInt64(Plan.Block.Size[1]));
  Value *Limit = B.smin(B.getInt64(Most), B.CreateSub(Share.Past, Block));
  Limit = B.smin(Limit, B.CreateSub(Whole, Column));
  Limit =
      B.CreateSelect(B.CreateICmpEQ(RowCount, B.getInt64(Plan.Block.Size[0])),
                     Limit, B.getInt64(0));
  BasicBlock *From = B.GetInsertBlock(), *Test = B.block("wi.inside"),
             *Look = B.block("wi.look"), *Found = B.block("wi.group");
  B.CreateBr(Test);
  B.SetInsertPoint(Test);
  PHINode *Index = B.CreatePHI(I64, 2, "wi.blocks");
  Index->addIncoming(B.getInt64(0), From);
  PHINode *All = B.CreatePHI(B.getInt1Ty(), 2, "wi.has.all");
  All->addIncoming(B.getTrue(), From);
  B.CreateCondBr(B.CreateICmpSLT(Index, Limit), Look, Found);
  B.SetInsertPoint(Look);
  place(B, Index);
  Value *IsInside = isInside(B, Plan, Edges);
  Value *HasBlock = B.getTrue();
  for (const ArrayPlan &A : Plan.Arrays)
    if (A.isFetched())
      HasBlock = andHasAll(B, HasBlock, Plan, A);
  All->addIncoming(B.CreateAnd(All, HasBlock), B.GetInsertBlock());
  Index->addIncoming(B.CreateAdd(Index, B.getInt64(1), "", true, true),
                     B.GetInsertBlock());
  B.CreateCondBr(IsInside, Test, Found);
  B.SetInsertPoint(Found);
  place(B, B.getInt64(0));
  Number = Index;
  HasAll = All;
  return Number;
}

void Group::forEach(Code &B, function_ref<void(Value *)> Body) {
  B.forEach(
      Number,
      [&](Value *Index) {
        place(B, Index);
        for (const auto &[Array, A] : enumerate(Plan.Arrays)) {
          Value *Bias = lowestOf(B, Plan, A, A.Rank - 1);
          if (A.Rank == 2) {
            Value *Step = B.getInt64(*spanOf(Plan, A, 1));
            B.CreateStore(Step, A.Step[0]);
            Bias =
                B.CreateAdd(Bias, B.CreateMul(lowestOf(B, Plan, A, 0), Step));
          }
          Value *Offset =
              B.CreateSub(B.CreateMul(Index, B.getInt64(Bytes[Array])),
                          B.CreateMul(Bias, B.getInt64(A.Element)));
          B.CreateStore(B.CreateGEP(B.getInt8Ty(), Memory[Array], Offset),
                        A.Copy);
        }
        Body(Index);
      },
      true);
}

void Group::fetch(Code &B, unsigned Array) {
  if (!Plan.Arrays[Array].isFetched())
    return;
  BasicBlock *Whole = B.block("wi.fetch.all"), *Part = B.block("wi.fetch"),
             *Done = B.block("wi.fetched");
  B.CreateCondBr(HasAll, Whole, Part);
  for (BasicBlock *Start : {Whole, Part}) {
    B.SetInsertPoint(Start);
    fetchRows(B, Array, Start == Whole);
    B.CreateBr(Done);
  }
  B.SetInsertPoint(Done);
}

/// \p All: the array has all elements.
void Group::fetchRows(Code &B, unsigned Array, bool All) {
  const ArrayPlan &A = Plan.Arrays[Array];
  const unsigned Inner = A.Rank - 1;
  const auto Size = [&](unsigned D) { return B.getInt64(*spanOf(Plan, A, D)); };
  const auto Scaled = [&](Value *V, Value *By) { return B.CreateMul(V, By); };
  Value *Element = B.getInt64(A.Element);
  /// A row that begins at \p Theirs in the array, if its indices were all
  /// there, and at \p Ours in the copy.
  const auto CopyRow = [&](Value *Theirs, Value *Ours) {
    Value *Low = lowestOf(B, Plan, A, Inner);
    const auto Copy = [&](Value *First, Value *Length) {
      B.CreateMemCpy(B.CreateGEP(B.getInt8Ty(), Ours,
                                 Scaled(B.CreateSub(First, Low), Element)),
                     Align(1),
                     B.CreateGEP(B.getInt8Ty(), Theirs, Scaled(First, Element)),
                     Align(1), Scaled(Length, Element));
    };
    if (All) {
      Copy(Low, Size(Inner));
      return;
    }
    Value *Past = B.CreateAdd(Low, Size(Inner));
    Value *From = B.smax(Low, A.Low[Inner]), *To = B.smin(Past, A.High[Inner]);
    Value *IsWhole =
        B.CreateAnd(B.CreateICmpEQ(From, Low), B.CreateICmpEQ(To, Past));
    B.when(IsWhole, [&] { Copy(Low, Size(Inner)); });
    B.when(B.CreateAnd(B.CreateNot(IsWhole), B.CreateICmpSLT(From, To)),
           [&] { Copy(From, B.CreateSub(To, From)); });
  };
  const auto Blocks = [&](Value *Row) {
    B.forEach(
        Number,
        [&](Value *Index) {
          place(B, Index);
          Value *Ours = B.CreateGEP(B.getInt8Ty(), Memory[Array],
                                    Scaled(Index, B.getInt64(Bytes[Array])));
          if (!Row) {
            CopyRow(A.Base, Ours);
            return;
          }
          Value *At = B.CreateAdd(lowestOf(B, Plan, A, 0), Row);
          const auto Copy = [&] {
            CopyRow(B.CreateGEP(B.getInt8Ty(), A.Base, Scaled(At, A.Pitch[0])),
                    B.CreateGEP(B.getInt8Ty(), Ours,
                                Scaled(Row, Scaled(Size(1), Element))));
          };
          if (All) {
            Copy();
            return;
          }
          Value *IsThere = B.CreateAnd(B.CreateICmpSGE(At, A.Low[0]),
                                       B.CreateICmpSLT(At, A.High[0]));
          B.when(IsThere, Copy);
        },
        true);
  };
  if (A.Rank == 1)
    Blocks(nullptr);
  else
    B.forEach(Size(0), Blocks, true);
}

} // namespace accx::workitems
