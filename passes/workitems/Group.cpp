//===- Group.cpp - Blocks of a row that run together ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether blocks of a row may run together, counts how many do, and
// fills their copies row by row. The loops over work-items themselves are not
// here but in the emitter.
//
//===----------------------------------------------------------------------===//

#include "workitems/Shares.h"

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
  Value *At = B.CreateAdd(Column, Index, "", true, true);
  Value *First =
      B.CreateMul(At, B.getInt64(Plan.Block.Size[1]), "", true, true);
  B.set(Plan.FirstOf[1], First);
  B.set(Plan.BlockOf[1], At);
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
        for (const auto &[Array, A] : enumerate(Plan.Arrays))
          placeCopy(B, Plan, A, Memory[Array], Index, Bytes[Array]);
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
    forRows(B, Plan, Plan.Arrays[Array], [&](Value *Row) {
      const auto Fetch = [&](Value *Index) {
        place(B, Index);
        Value *Offset = B.CreateMul(Index, B.getInt64(Bytes[Array]));
        fetchRow(B, Plan, Plan.Arrays[Array], Row,
                 B.CreatePtrAdd(Memory[Array], Offset), Start == Whole);
      };
      B.forEach(Number, Fetch, true);
    });
    B.CreateBr(Done);
  }
  B.SetInsertPoint(Done);
}

} // namespace accx::workitems
