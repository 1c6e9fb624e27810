//===- EmitItem.cpp - A region's code for one work-item -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy of a region's code (Emit.h) that a work-item runs: the variables it
// finds, and what it leaves for others.
//
//===----------------------------------------------------------------------===//

#include "workitems/Emit.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace accx::workitems {

Value *ItemLoopWriter::element(Slot Home, Value *Item) {
  return B.CreateInBoundsGEP(
      cast<ArrayType>(Home->getAllocatedType())->getElementType(), Home, Item);
}

/// The code of \p Region for one work-item.
void ItemLoopWriter::emitItem(BasicBlock *Start, const Region &Region,
                              Value *Item,
                              const DenseMap<Slot, Value *> &Before,
                              Parallel &Group, const Given &Values) {
  BasicBlock *End = B.block("wi.item.done");
  ValueToValueMapTy Map;
  if (Plan.meetOf(Start)) {
    BasicBlock *Mine = B.block("wi.item");
    LoadInst *At = B.CreateLoad(I32, element(Waiting, Item));
    Group.add(*At);
    B.CreateCondBr(B.CreateICmpEQ(At, B.getInt32(Plan.stopAt(Start)->Id)), Mine,
                   End);
    B.SetInsertPoint(Mine);
  }
  for (const auto &[Local, All] : Arrays)
    if (Item)
      Map[Local] = element(All, Item);
  DenseMap<Slot, Slot> Now;
  for (const auto &[S, V] : R.Variables) {
    Now[S] = scalar(S->getAllocatedType(), S->getName());
    Map[S] = Now[S];
  }
  for (Slot S : R.LiveIn[Start]) {
    Type *Ty = S->getAllocatedType();
    Value *V = Before.lookup(S);
    if (!V && !Item)
      continue;
    if (!V) {
      const bool IsBit = Ty->isIntegerTy(1);
      LoadInst *Load =
          B.CreateLoad(IsBit ? B.getInt8Ty() : Ty, element(Homes[S], Item));
      Group.add(*Load);
      V = IsBit ? B.CreateTrunc(Load, Ty) : Load;
    }
    B.CreateStore(V, Now[S]);
  }
  SmallVector<BasicBlock *, 16> Clones;
  for (BasicBlock *Block : Region.Blocks) {
    BasicBlock *Clone = CloneBasicBlock(Block, Map, ".wi", &F);
    Map[Block] = Clone;
    Clones.push_back(Clone);
  }
  B.CreateBr(Clones[find(Region.Blocks, Start) - Region.Blocks.begin()]);
  const BlockSet Followers = Plan.followersOf(Region.Exits);
  const bool Notes = Waiting && (Plan.meetOf(Start) ||
                                 any_of(Region.Exits, [&](BasicBlock *E) {
                                   return Plan.meetOf(E) != nullptr;
                                 }));
  for (BasicBlock *Exit : Region.Exits) {
    B.SetInsertPoint(B.block("wi.leave"));
    Map[Exit] = B.GetInsertBlock();
    if (Exit != Plan.W.Header)
      for (Slot S : R.LiveIn[Exit])
        if (R.isStored(S, Region))
          leave(S, Now[S], Item, Group);
    if (Notes)
      Group.add(*B.CreateStore(
          B.getInt32(Plan.meetOf(Exit) ? Plan.stopAt(Exit)->Id : 0),
          element(Waiting, Item)));
    if (!Plan.meetOf(Start) && Followers.size() > 1)
      B.CreateStore(
          B.getInt32(find(Followers, Plan.followerOf(Region.Exits, Exit)) -
                     Followers.begin()),
          Next);
    B.CreateBr(End);
  }
  for (const auto &[Test, Is] : Assumed)
    Map[Test] = B.getInt1(Is);
  for (const auto &[Local, V] : Values)
    Map[Local] = V;
  for (BasicBlock *Clone : Clones)
    for (Instruction &I : *Clone) {
      RemapInstruction(&I, Map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      if (isIndependent(I))
        Group.add(I);
    }
  B.SetInsertPoint(End);
}

void ItemLoopWriter::leave(Slot S, Slot Now, Value *Item, Parallel &Group) {
  Value *V = B.get(Now);
  if (R.Variables.find(S)->second.IsUniform) {
    B.CreateStore(V, Homes[S]);
    return;
  }
  if (V->getType()->isIntegerTy(1))
    V = B.CreateZExt(V, B.getInt8Ty());
  Group.add(*B.CreateStore(V, element(Homes[S], Item)));
}

/// Work-items of a block would be threads elsewhere: what they access between
/// two barriers no other writes, but for variables of the thread itself.
bool ItemLoopWriter::isIndependent(const Instruction &I) const {
  if (!isa<LoadInst, StoreInst>(I) || I.isAtomic() || I.isVolatile())
    return false;
  const Value *Object = getUnderlyingObject(getLoadStorePointerOperand(&I));
  return !R.Shared.contains(Object);
}

} // namespace accx::workitems
