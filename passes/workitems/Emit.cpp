//===- Emit.cpp - Loops over work-items -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of the emitter of Emit.h, and which blocks run: one by one or
// in groups, whole or in part.
//
//===----------------------------------------------------------------------===//

#include "workitems/Emit.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace accx::workitems {

void ItemLoopWriter::run() {
  createVariables();
  BasicBlock *Done = nullptr;
  for (BasicBlock *Next : successors(Plan.W.Header))
    if (!Plan.Body.contains(Next))
      Done = Next;
  BasicBlock *Before = Plan.W.Nest->getLoopPredecessor();
  BasicBlock *Start =
      BasicBlock::Create(F.getContext(), "wi.start", &F, Plan.W.Header);
  B.SetInsertPoint(Start);
  emitBlocks();
  B.CreateBr(Done);
  Before->getTerminator()->replaceSuccessorWith(Plan.W.Header, Start);
  removeUnreachableBlocks(F);
  promote();
}

Slot ItemLoopWriter::scalar(Type *Ty, const Twine &Name) {
  Scalars.push_back(createSlot(Plan, Ty, Name));
  return Scalars.back();
}

Slot ItemLoopWriter::array(Type *Ty, const Twine &Name) {
  if (Ty->isIntegerTy(1))
    Ty = B.getInt8Ty();
  Slot S = createSlot(
      Plan, ArrayType::get(Ty, Plan.Block.items() * Together.most()), Name);
  S->setAlignment(std::max(S->getAlign(), Align(64)));
  return S;
}

DenseMap<Slot, Slot> ItemLoopWriter::createHomes() {
  DenseMap<Slot, Slot> Result;
  for (const auto &[S, V] : R.Variables) {
    bool Lives = false;
    for (const auto &[Start, Region] : R.At)
      Lives |= R.LiveIn[Start].contains(S);
    if (Lives)
      Result[S] = V.IsUniform ? scalar(S->getAllocatedType(), "wi.same")
                              : array(S->getAllocatedType(), "wi.held");
  }
  return Result;
}

void ItemLoopWriter::createVariables() {
  Homes = createHomes();
  for (AllocaInst *Local : R.Locals) {
    Slot All = createSlot(
        Plan, ArrayType::get(Local->getAllocatedType(), Plan.Block.items()),
        "wi.local");
    All->setAlignment(std::max(Local->getAlign(), All->getAlign()));
    Arrays[Local] = All;
  }
  if (any_of(Plan.Stops, [](const auto &S) { return S.second.Meet; }))
    Waiting = array(I32, "wi.waiting");
  Next = scalar(I32, "wi.next");
  append_range(Scalars, Plan.slots());
  Memory.collect(Scalars);
}

void ItemLoopWriter::emitBlocks() {
  Value *From = B.get(Plan.W.Counter), *To = B.get(Plan.W.Upper);
  BasicBlock *Work = B.block("wi.work"), *Exit = B.block("wi.exit");
  B.CreateCondBr(Plan.W.IsUnsigned ? B.CreateICmpULE(From, To)
                                   : B.CreateICmpSLE(From, To),
                 Work, Exit);
  B.SetInsertPoint(Work);
  Shares Share(Plan, B, From, To);
  Memory.start(B);
  if (Together.most() > 1)
    emitGroups(Share);
  else
    B.forEach(B.CreateSub(Share.Past, Share.First), [&](Value *I) {
      Share.enter(B.CreateAdd(Share.First, I), Count);
      emitBlock();
    });
  Memory.finish(B);
  B.CreateBr(Exit);
  B.SetInsertPoint(Exit);
}

/// Blocks beside each other that are whole and away from edges run together,
/// others one by one.
void ItemLoopWriter::emitGroups(Shares &Share) {
  const Slot At = scalar(I64, "wi.at");
  B.CreateStore(Share.First, At);
  BasicBlock *Loop = B.block("wi.groups"), *Work = B.block("wi.next"),
             *Many = B.block("wi.many"), *Single = B.block("wi.one"),
             *Exit = B.block("wi.all");
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  Value *Number = B.get(At);
  B.CreateCondBr(B.CreateICmpSLT(Number, Share.Past), Work, Exit);
  B.SetInsertPoint(Work);
  Share.enter(Number, Count);
  Value *Blocks = Together.count(B, Share, Number, Count[0], Edges);
  B.CreateCondBr(B.CreateICmpSGT(Blocks, B.getInt64(0)), Many, Single);
  B.SetInsertPoint(Single);
  emitRegions();
  B.CreateStore(B.CreateAdd(Number, B.getInt64(1)), At);
  B.CreateBr(Loop);
  B.SetInsertPoint(Many);
  IsTogether = true;
  emitWhole();
  IsTogether = false;
  B.CreateStore(B.CreateAdd(Number, Blocks), At);
  B.CreateBr(Loop);
  B.SetInsertPoint(Exit);
}

/// A whole block, or a group of them, away from edges.
void ItemLoopWriter::emitWhole() {
  for (unsigned D = 0; D < Plan.Block.Dims; ++D)
    Count[D] = B.getInt64(Plan.Block.Size[D]);
  for (const Edge &E : Edges)
    for (ICmpInst *Test : E.Tests)
      Assumed[Test] = E.Inside;
  emitRegions();
  Assumed.clear();
}

/// Most blocks are whole, and away from edges: their loops' numbers of
/// iterations are constants, and so are conditions at edges.
void ItemLoopWriter::emitBlock() {
  Value *IsWhole = B.getTrue();
  for (unsigned D = 0; D < Plan.Block.Dims; ++D)
    IsWhole = B.CreateAnd(
        IsWhole, B.CreateICmpEQ(Count[D], B.getInt64(Plan.Block.Size[D])));
  if (Plan.RowLength || Plan.isLarge()) {
    emitRegions();
    return;
  }
  BasicBlock *Whole = B.block("wi.whole"), *Part = B.block("wi.part"),
             *Done = B.block("wi.after");
  IsWhole = B.CreateAnd(IsWhole, isInside(B, Plan, Edges));
  IsWhole = B.CreateAnd(IsWhole, Fix.isInside(B));
  B.CreateCondBr(IsWhole, Whole, Part,
                 MDBuilder(F.getContext()).createLikelyBranchWeights());
  B.SetInsertPoint(Part);
  emitRegions();
  B.CreateBr(Done);
  B.SetInsertPoint(Whole);
  // Others access variables at places that are no constants.
  const auto Others = Homes;
  IsFixed = Fix.isUsed();
  if (IsFixed)
    Homes = createHomes();
  emitWhole();
  IsFixed = false;
  Homes = Others;
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
}

void ItemLoopWriter::promote() {
  SmallVector<AllocaInst *, 64> Ready;
  SmallPtrSet<AllocaInst *, 32> Seen;
  for (AllocaInst *S : Scalars)
    if (Seen.insert(S).second && isAllocaPromotable(S))
      Ready.push_back(S);
  for (const auto &[S, V] : R.Variables)
    if (Seen.insert(S).second && isAllocaPromotable(S))
      Ready.push_back(S);
  DominatorTree DT(F);
  PromoteMemToReg(Ready, DT);
}

} // namespace accx::workitems
