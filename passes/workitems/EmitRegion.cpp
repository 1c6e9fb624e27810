//===- EmitRegion.cpp - Loops over the work-items of a region -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code in front of a region (Emit.h), its loops over work-items, and what runs
// next.
//
//===----------------------------------------------------------------------===//

#include "workitems/Emit.h"

using namespace llvm;

namespace accx::workitems {

void ItemLoopWriter::emitRegions() {
  BlockDone = B.block("wi.block.done");
  for (const auto &[Start, Region] : R.At)
    Starts[Start] = B.block("wi.region");
  B.CreateBr(Starts[Plan.W.Body]);
  for (const auto &[Start, Region] : R.At) {
    B.SetInsertPoint(Starts[Start]);
    emitRegion(Start, Region);
  }
  B.SetInsertPoint(BlockDone);
}

BasicBlock *ItemLoopWriter::startOf(BasicBlock *Region) {
  return Region == Plan.W.Header ? BlockDone : Starts[Region];
}

/// Code in front of the region: what is done once a block.
void ItemLoopWriter::emitActions(BasicBlock *Start) {
  const Stop *S = Plan.stopAt(Start);
  if (!S)
    return;
  for (unsigned Index : S->Arrays) {
    if (S->Kind == StopKind::End) {
      Memory.end(B, Index);
      continue;
    }
    if (IsTogether) {
      Together.fetch(B, Index);
      continue;
    }
    if (IsFixed && Fix.has(Index)) {
      Fix.fetch(B, Index);
      continue;
    }
    const ArrayPlan &A = Plan.Arrays[Index];
    SmallVector<Value *, MaxDims> Low, Past;
    for (unsigned D = 0; D < A.Rank; ++D) {
      Low.push_back(overItems(A.First[D], Intrinsic::smin));
      Past.push_back(overItems(A.Past[D], Intrinsic::smax));
    }
    Memory.begin(B, Index, Low, Past);
  }
}

/// The least or greatest value of a variable.
Value *ItemLoopWriter::overItems(Slot S, Intrinsic::ID Operation) {
  if (Value *V = affineIn(Plan, S))
    return extreme(B, Plan, V, ArrayRef(Count, Plan.Block.Dims),
                   Operation == Intrinsic::smin);
  const Slot Home = Homes.lookup(S);
  if (R.Variables.find(S)->second.IsUniform)
    return B.get(Home);
  const Slot Result = scalar(I64, "wi.bound");
  // The first item's.
  B.CreateStore(B.CreateLoad(I64, Home), Result);
  const auto Visit = [&](Value *Item) {
    Value *V = B.CreateLoad(I64, B.CreateGEP(I64, Home, Item));
    B.CreateStore(B.CreateBinaryIntrinsic(Operation, V, B.get(Result)), Result);
  };
  if (Plan.Block.Dims == 1)
    B.forEach(Count[0], Visit, true);
  else
    B.forEach(
        Count[0],
        [&](Value *Row) {
          Value *First = B.CreateMul(Row, B.getInt64(Plan.Block.Size[1]));
          B.forEach(
              Count[1], [&](Value *I) { Visit(B.CreateAdd(First, I)); }, true);
        },
        true);
  return B.get(Result);
}

/// Code that does for one work-item what it does for all.
bool ItemLoopWriter::isOnce(BasicBlock *Start, const Region &Region) const {
  if (Plan.meetOf(Start))
    return false;
  const auto Same = Plan.uniformSlots();
  return all_of(Region.Blocks, [&](BasicBlock *Block) {
    return all_of(*Block, [&](const Instruction &I) {
      if (!I.mayReadOrWriteMemory())
        return !isa<CallBase>(I) && !isa<UnreachableInst>(I);
      auto *S = dyn_cast_or_null<AllocaInst>(
          const_cast<Value *>(getLoadStorePointerOperand(&I)));
      const auto Found = S ? R.Variables.find(S) : R.Variables.end();
      return S && ((Found != R.Variables.end() && Found->second.IsUniform) ||
                   (isa<LoadInst>(I) && Same.contains(S)));
    });
  });
}

/// The places with work, where others may be left out.
Range ItemLoopWriter::rangeOf(BasicBlock *Start, const Region &Region,
                              const DenseMap<Slot, Value *> &Before) {
  Range All;
  for (unsigned D = 0; D < Plan.Block.Dims; ++D) {
    All.From[D] = B.getInt64(0);
    All.To[D] = Count[D];
  }
  const BlockSet Followers = Plan.followersOf(Region.Exits);
  if (Plan.RowLength || Plan.meetOf(Start) || Followers.size() > 1 ||
      any_of(Region.Exits, [&](BasicBlock *E) { return Plan.meetOf(E); }))
    return All;
  Forms::Variables Known;
  for (const auto &[S, V] : Before)
    if (!R.isStored(S, Region))
      Known[S] = V;
  return findRange(B, Plan, R, Start, Region, std::move(All), Known, Assumed,
                   IsTogether);
}

/// Each place of a dimension with work.
BranchInst *ItemLoopWriter::along(const Range &Work, unsigned D,
                                  function_ref<void(Value *)> Body) {
  return B.forEach(
      B.CreateSub(Work.To[D], Work.From[D]),
      [&](Value *I) {
        Value *Place = B.CreateAdd(Work.From[D], I, "", true, true);
        B.set(Plan.PlaceOf[D], Place);
        Body(Place);
      },
      Work.Holds.empty());
}

/// The loop that vectors are made of. \p First: number of the work-item at
/// its place 0; null in blocks of one dimension.
void ItemLoopWriter::emitRow(BasicBlock *Start, const Region &Region,
                             const DenseMap<Slot, Value *> &Before,
                             const Range &Work, Value *First, Parallel &Group) {
  const unsigned Inner = Plan.Block.Dims - 1;
  Given Values;
  for (const auto &[Test, Is] : Work.Holds)
    Values[Test] = B.getInt1(Is);
  const auto Item = [&](Value *Place) {
    Given Here = Values;
    if (IsFixed)
      Fix.addTo(B, Region, Here);
    emitItem(Start, Region,
             First ? B.CreateAdd(First, Place, "", true, true) : Place, Before,
             Group, Here);
  };
  Strips Parts(Plan, Region, Inner);
  const uint64_t Length = Parts.length();
  if (Length == 0 || !Work.isWhole(Inner, Length)) {
    BranchInst *Back = along(Work, Inner, Item);
    Group.mark(*Back, Work.isMasked(Inner, Plan.Block.Size[Inner]));
    return;
  }
  const auto Strip = [&](Value *Number) {
    Value *From = B.CreateMul(Number, B.getInt64(Length), "", true, true);
    Parts.begin(B, From);
    const auto Body = [&](Value *I) {
      Value *Place = B.CreateAdd(From, I, "", true, true);
      B.set(Plan.PlaceOf[Inner], Place);
      Parts.at(B, I, Values);
      Item(Place);
    };
    Group.mark(*B.forEach(B.getInt64(Length), Body, true));
  };
  B.forEach(B.CreateUDiv(Work.To[Inner], B.getInt64(Length)), Strip, true);
}

void ItemLoopWriter::emitRegion(BasicBlock *Start, const Region &Region) {
  emitActions(Start);
  // What is the same for all is read before anyone changes it.
  DenseMap<Slot, Value *> Before;
  for (Slot S : R.LiveIn[Start])
    if (R.Variables.find(S)->second.IsUniform)
      Before[S] = B.get(Homes[S]);
  Parallel Group(F.getContext());
  const Given None;
  if (isOnce(Start, Region)) {
    emitItem(Start, Region, nullptr, Before, Group, None);
    emitFollower(Start, Region);
    return;
  }
  const Range Work = rangeOf(Start, Region, Before);
  const unsigned Inner = Plan.Block.Dims - 1;
  const auto Row = [&](Value *First) {
    emitRow(Start, Region, Before, Work, First, Group);
  };
  const auto TeamRow = [&](Value *Number) {
    B.set(Plan.PlaceOf[0], B.getInt64(0));
    B.set(Plan.RowOf, Number);
    Value *First =
        B.CreateMul(Number, B.getInt64(Plan.RowLength), "", true, true);
    BranchInst *Back = B.forEach(
        B.getInt64(Plan.RowLength),
        [&](Value *Place) {
          Value *Item = B.CreateAdd(First, Place, "", true, true);
          B.set(Plan.ColumnOf, Place);
          B.set(Plan.PlaceOf[Inner], Item);
          emitItem(Start, Region, Item, Before, Group, None);
        },
        true);
    Group.mark(*Back);
  };
  if (Plan.RowLength)
    B.forEach(B.getInt64(Plan.Block.Size[1] / Plan.RowLength), TeamRow, true);
  else if (Inner == 0)
    Row(nullptr);
  else
    along(Work, 0, [&](Value *Place) {
      Value *First =
          B.CreateMul(Place, B.getInt64(Plan.Block.Size[1]), "", true, true);
      if (!IsTogether) {
        Row(First);
        return;
      }
      Together.forEach(B, [&](Value *Index) {
        Row(B.CreateAdd(
            B.CreateMul(Index, B.getInt64(Plan.Block.items()), "", true, true),
            First, "", true, true));
      });
    });
  emitFollower(Start, Region);
}

void ItemLoopWriter::emitFollower(BasicBlock *Start, const Region &Region) {
  if (BasicBlock *Meet = Plan.meetOf(Start)) {
    B.CreateBr(startOf(Plan.nextOf(Meet, Start)));
    return;
  }
  const BlockSet Followers = Plan.followersOf(Region.Exits);
  if (Followers.size() == 1) {
    B.CreateBr(startOf(Followers.front()));
    return;
  }
  BasicBlock *Nowhere = B.block("wi.nowhere");
  SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(I32, Next), Nowhere);
  for (auto [Number, Follower] : enumerate(Followers))
    Switch->addCase(B.getInt32(Number), startOf(Follower));
  B.SetInsertPoint(Nowhere);
  B.CreateUnreachable();
}

} // namespace accx::workitems
