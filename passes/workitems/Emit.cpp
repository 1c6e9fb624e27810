//===- Emit.cpp - Loops over work-items -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Emit.h.
//
//===----------------------------------------------------------------------===//

#include "workitems/Emit.h"

#include "workitems/Bounds.h"
#include "workitems/Copies.h"
#include "workitems/Fixed.h"
#include "workitems/Group.h"
#include "workitems/Parallel.h"
#include "workitems/Shares.h"
#include "workitems/Strips.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace accx::workitems {

namespace {

class Emitter {
  LoopPlan &Plan;
  Regions &R;
  Function &F;
  Code B;
  Copies Memory;
  Type *const I64;
  Type *const I32;

  /// Where a variable's values wait while others run.
  DenseMap<Slot, Slot> Homes;
  /// Of local variables in memory.
  DenseMap<AllocaInst *, Slot> Arrays;
  SmallVector<AllocaInst *, 64> Scalars;
  Slot Waiting = nullptr;
  Slot Next = nullptr;
  DenseMap<BasicBlock *, BasicBlock *> Starts;
  BasicBlock *BlockDone = nullptr;
  /// Work-items in each dimension of the current block.
  Value *Count[2] = {};
  SmallVector<Edge, 8> Edges;
  /// What conditions are in the current block.
  DenseMap<Value *, bool> Assumed;
  Group Together;
  bool IsTogether = false;
  Fixed Fix;
  bool IsFixed = false;

public:
  Emitter(LoopPlan &Plan, Regions &R)
      : Plan(Plan), R(R), F(*Plan.W.Header->getParent()), B(F.getContext()),
        Memory(Plan), I64(B.getInt64Ty()), I32(B.getInt32Ty()),
        Edges(findEdges(Plan)), Together(Plan, R), Fix(Plan) {}

  void run() {
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

private:
  Slot scalar(Type *Ty, const Twine &Name) {
    Scalars.push_back(createSlot(Plan, Ty, Name));
    return Scalars.back();
  }

  Slot array(Type *Ty, const Twine &Name) {
    if (Ty->isIntegerTy(1))
      Ty = B.getInt8Ty();
    Slot S = createSlot(
        Plan, ArrayType::get(Ty, Plan.Block.items() * Together.most()), Name);
    S->setAlignment(std::max(S->getAlign(), Align(64)));
    return S;
  }

  DenseMap<Slot, Slot> createHomes() {
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

  void createVariables() {
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
    Plan.collect(Scalars);
    Memory.collect(Scalars);
  }

  void emitBlocks() {
    Type *CounterTy = Plan.W.Counter->getAllocatedType();
    Value *From = B.CreateLoad(CounterTy, Plan.W.Counter);
    Value *To = B.CreateLoad(CounterTy, Plan.W.Upper);
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
  void emitGroups(Shares &Share) {
    const Slot At = scalar(I64, "wi.at");
    B.CreateStore(Share.First, At);
    BasicBlock *Loop = B.block("wi.groups"), *Work = B.block("wi.next"),
               *Many = B.block("wi.many"), *Single = B.block("wi.one"),
               *Exit = B.block("wi.all");
    B.CreateBr(Loop);
    B.SetInsertPoint(Loop);
    Value *Number = B.CreateLoad(I64, At);
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
  void emitWhole() {
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
  void emitBlock() {
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

  void emitRegions() {
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

  BasicBlock *startOf(BasicBlock *Region) {
    return Region == Plan.W.Header ? BlockDone : Starts[Region];
  }

  /// Code in front of the region: what is done once a block.
  void emitActions(BasicBlock *Start) {
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
      for (unsigned D = 0; D < A.Dims; ++D) {
        Low.push_back(overItems(A.First[D], Intrinsic::smin));
        Past.push_back(overItems(A.Past[D], Intrinsic::smax));
      }
      Memory.begin(B, Index, Low, Past);
    }
  }

  /// The least or greatest value of a variable.
  Value *overItems(Slot S, Intrinsic::ID Operation) {
    if (Value *V = affineIn(Plan, S))
      return extreme(B, Plan, V, ArrayRef(Count, Plan.Block.Dims),
                     Operation == Intrinsic::smin);
    const Slot Home = Homes.lookup(S);
    if (R.Variables.find(S)->second.IsUniform)
      return B.CreateLoad(I64, Home);
    const Slot Result = scalar(I64, "wi.bound");
    B.CreateStore(B.CreateLoad(I64, Home), Result);
    const auto Visit = [&](Value *Item) {
      Value *V = B.CreateLoad(I64, B.CreateGEP(I64, Home, Item));
      B.CreateStore(
          B.CreateBinaryIntrinsic(Operation, V, B.CreateLoad(I64, Result)),
          Result);
    };
    if (Plan.Block.Dims == 1)
      B.forEach(Count[0], Visit, true);
    else
      B.forEach(
          Count[0],
          [&](Value *Row) {
            Value *First = B.CreateMul(Row, B.getInt64(Plan.Block.Size[1]));
            B.forEach(
                Count[1], [&](Value *I) { Visit(B.CreateAdd(First, I)); },
                true);
          },
          true);
    return B.CreateLoad(I64, Result);
  }

  /// Code that does for one work-item what it does for all.
  bool isOnce(BasicBlock *Start, const Region &Region) const {
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
  Range rangeOf(BasicBlock *Start, const Region &Region,
                const DenseMap<Slot, Value *> &Before) {
    Range All;
    for (unsigned D = 0; D < Plan.Block.Dims; ++D) {
      All.From[D] = B.getInt64(0);
      All.To[D] = Count[D];
    }
    BlockSet Followers;
    for (BasicBlock *Exit : Region.Exits)
      Followers.insert(Plan.followerOf(Region.Exits, Exit));
    if (Plan.RowLength || Plan.meetOf(Start) || Followers.size() > 1 ||
        any_of(Region.Exits, [&](BasicBlock *E) { return Plan.meetOf(E); }))
      return All;
    Forms::Variables Known;
    for (const auto &[S, V] : Before)
      if (!R.isStored(S, Region))
        Known[S] = V;
    return findRange(B, Plan, R, Start, Region,
                     ArrayRef(Count, Plan.Block.Dims), Known, Assumed,
                     IsTogether);
  }

  /// Each place of a dimension with work.
  BranchInst *along(const Range &Work, unsigned D,
                    function_ref<void(Value *)> Body) {
    Type *CounterTy = Plan.W.Counter->getAllocatedType();
    return B.forEach(
        B.CreateSub(Work.To[D], Work.From[D]),
        [&](Value *I) {
          Value *Place = B.CreateAdd(Work.From[D], I, "", true, true);
          B.CreateStore(B.CreateTrunc(Place, CounterTy), Plan.PlaceOf[D]);
          Body(Place);
        },
        Work.Holds.empty());
  }

  /// The loop that vectors are made of. \p First: number of the work-item at
  /// its place 0; null in blocks of one dimension.
  void emitRow(BasicBlock *Start, const Region &Region,
               const DenseMap<Slot, Value *> &Before, const Range &Work,
               Value *First, Parallel &Group) {
    const unsigned Inner = Plan.Block.Dims - 1;
    Given Values;
    for (const auto &[Test, Is] : Work.Holds)
      Values[Test] = B.getInt1(Is);
    const auto Item = [&](Value *Place) {
      Given Here = Values;
      if (IsFixed)
        Fix.addTo(B, Region, Here);
      emitItem(Start, Region,
               First ? B.CreateAdd(First, Place, "", true, true) : Place,
               Before, Group, Here);
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
      Type *CounterTy = Plan.W.Counter->getAllocatedType();
      const auto Body = [&](Value *I) {
        Value *Place = B.CreateAdd(From, I, "", true, true);
        B.CreateStore(B.CreateTrunc(Place, CounterTy), Plan.PlaceOf[Inner]);
        Parts.at(B, I, Values);
        Item(Place);
      };
      Group.mark(*B.forEach(B.getInt64(Length), Body, true));
    };
    B.forEach(B.CreateUDiv(Work.To[Inner], B.getInt64(Length)), Strip, true);
  }

  void emitRegion(BasicBlock *Start, const Region &Region) {
    emitActions(Start);
    // What is the same for all is read before anyone changes it.
    DenseMap<Slot, Value *> Before;
    for (Slot S : R.LiveIn[Start])
      if (R.Variables.find(S)->second.IsUniform)
        Before[S] = B.CreateLoad(S->getAllocatedType(), Homes[S]);
    Parallel Group(F.getContext());
    const Given None;
    if (isOnce(Start, Region)) {
      emitItem(Start, Region, nullptr, Before, Group, None);
      emitFollower(Start, Region);
      return;
    }
    const Range Work = rangeOf(Start, Region, Before);
    Type *CounterTy = Plan.W.Counter->getAllocatedType();
    const unsigned Inner = Plan.Block.Dims - 1;
    const auto Row = [&](Value *First) {
      emitRow(Start, Region, Before, Work, First, Group);
    };
    const auto TeamRow = [&](Value *Number) {
      B.CreateStore(ConstantInt::get(CounterTy, 0), Plan.PlaceOf[0]);
      B.CreateStore(B.CreateTrunc(Number, CounterTy), Plan.RowOf);
      Value *First =
          B.CreateMul(Number, B.getInt64(Plan.RowLength), "", true, true);
      BranchInst *Back = B.forEach(
          B.getInt64(Plan.RowLength),
          [&](Value *Place) {
            Value *Item = B.CreateAdd(First, Place, "", true, true);
            B.CreateStore(B.CreateTrunc(Place, CounterTy), Plan.ColumnOf);
            B.CreateStore(B.CreateTrunc(Item, CounterTy), Plan.PlaceOf[Inner]);
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
          Row(B.CreateAdd(B.CreateMul(Index, B.getInt64(Plan.Block.items()), "",
                                      true, true),
                          First, "", true, true));
        });
      });
    emitFollower(Start, Region);
  }

  void emitFollower(BasicBlock *Start, const Region &Region) {
    if (BasicBlock *Meet = Plan.meetOf(Start)) {
      B.CreateBr(startOf(Plan.nextOf(Meet, Start)));
      return;
    }
    BlockSet Followers;
    for (BasicBlock *Exit : Region.Exits)
      Followers.insert(Plan.followerOf(Region.Exits, Exit));
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

  Value *element(Slot Home, Value *Item) {
    return B.CreateInBoundsGEP(
        cast<ArrayType>(Home->getAllocatedType())->getElementType(), Home,
        Item);
  }

  /// The code of \p Region for one work-item.
  void emitItem(BasicBlock *Start, const Region &Region, Value *Item,
                const DenseMap<Slot, Value *> &Before, Parallel &Group,
                const Given &Values) {
    BasicBlock *End = B.block("wi.item.done");
    ValueToValueMapTy Map;
    if (Plan.meetOf(Start)) {
      BasicBlock *Mine = B.block("wi.item");
      LoadInst *At = B.CreateLoad(I32, element(Waiting, Item));
      Group.add(*At);
      B.CreateCondBr(B.CreateICmpEQ(At, B.getInt32(Plan.stopAt(Start)->Id)),
                     Mine, End);
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
    BlockSet Followers;
    for (BasicBlock *Exit : Region.Exits)
      Followers.insert(Plan.followerOf(Region.Exits, Exit));
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

  void leave(Slot S, Slot Now, Value *Item, Parallel &Group) {
    Value *V = B.CreateLoad(S->getAllocatedType(), Now);
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
  bool isIndependent(const Instruction &I) const {
    if (!isa<LoadInst, StoreInst>(I) || I.isAtomic() || I.isVolatile())
      return false;
    const Value *Object = getUnderlyingObject(getLoadStorePointerOperand(&I));
    return !R.Shared.contains(Object);
  }

  void promote() {
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
};

} // namespace

void emitLoops(LoopPlan &Plan, Regions &R) { Emitter(Plan, R).run(); }

} // namespace accx::workitems
