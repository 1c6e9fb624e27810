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

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace accx::workitems {

void Parallel::add(Instruction &I) {
  MDNode *Old = I.getMetadata(LLVMContext::MD_access_group);
  I.setMetadata(LLVMContext::MD_access_group, uniteAccessGroups(Old, Group));
}

void Parallel::mark(BranchInst &Back) {
  LLVMContext &Context = Back.getContext();
  Metadata *Accesses[] = {MDString::get(Context, "llvm.loop.parallel_accesses"),
                          Group};
  // Unrolled ahead of being vectorized, a row would leave its column's elements
  // to the loop around it: scattered.
  Metadata *Whole = MDString::get(Context, "llvm.loop.unroll.disable");
  MDNode *Loop =
      MDNode::getDistinct(Context, {nullptr, MDNode::get(Context, Accesses),
                                    MDNode::get(Context, Whole)});
  Loop->replaceOperandWith(0, Loop);
  Back.setMetadata(LLVMContext::MD_loop, Loop);
}

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
  DenseMap<BasicBlock *, unsigned> Order;
  BasicBlock *BlockDone = nullptr;
  /// Work-items in each dimension of the current block.
  Value *Count[2] = {};

public:
  Emitter(LoopPlan &Plan, Regions &R)
      : Plan(Plan), R(R), F(*Plan.W.Header->getParent()), B(F.getContext()),
        Memory(Plan), I64(B.getInt64Ty()), I32(B.getInt32Ty()) {
    for (BasicBlock *Block : Plan.Body)
      Order[Block] = Order.size();
  }

  void run() {
    createHomes();
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
    Slot S = createSlot(Plan, ArrayType::get(Ty, Plan.Block.items()), Name);
    S->setAlignment(std::max(S->getAlign(), Align(64)));
    return S;
  }

  void createHomes() {
    for (const auto &[S, V] : R.Variables) {
      bool Lives = false;
      for (const auto &[Start, Region] : R.At)
        Lives |= R.LiveIn[Start].contains(S);
      if (Lives)
        Homes[S] = V.IsUniform ? scalar(S->getAllocatedType(), "wi.same")
                               : array(S->getAllocatedType(), "wi.held");
    }
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
    for (unsigned D = 0; D < Plan.Block.Dims; ++D)
      Scalars.append({Plan.FirstOf[D], Plan.BlockOf[D], Plan.PlaceOf[D]});
    for (Slot S : {Plan.RowOf, Plan.ColumnOf})
      if (S)
        Scalars.push_back(S);
    for (const ArrayPlan &A : Plan.Arrays) {
      Scalars.push_back(A.Copy);
      if (A.Dirty)
        Scalars.push_back(A.Dirty);
      for (Slot Step : A.Step)
        if (Step)
          Scalars.push_back(Step);
    }
    Memory.collect(Scalars);
  }

  Value *wide(Value *V) {
    return Plan.W.IsUnsigned ? B.CreateZExt(V, I64) : B.CreateSExt(V, I64);
  }

  Value *ceiling(Value *A, Value *D) {
    Value *One = ConstantInt::get(A->getType(), 1);
    return B.CreateUDiv(B.CreateAdd(A, B.CreateSub(D, One)), D);
  }

  /// The first block of those whose share of iterations begins at \p From.
  Value *blockAt(Value *From, Value *Blocks, Value *Trip) {
    if (!Plan.W.Is64)
      return ceiling(B.CreateMul(From, Blocks), Trip);
    Type *I128 = B.getInt128Ty();
    const auto Widen = [&](Value *V) { return B.CreateZExt(V, I128); };
    return B.CreateTrunc(
        ceiling(B.CreateMul(Widen(From), Widen(Blocks)), Widen(Trip)), I64);
  }

  /// Block b of n is the thread's whose iterations have number b * trip / n.
  void emitBlocks() {
    Type *CounterTy = Plan.W.Counter->getAllocatedType();
    Value *From = wide(B.CreateLoad(CounterTy, Plan.W.Counter));
    Value *To = wide(B.CreateLoad(CounterTy, Plan.W.Upper));
    BasicBlock *Work = B.block("wi.work"), *Exit = B.block("wi.exit");
    B.CreateCondBr(B.CreateICmpSLE(From, To), Work, Exit);
    B.SetInsertPoint(Work);
    Value *Trip = B.CreateAdd(wide(Plan.Last), B.getInt64(1));
    const unsigned Dims = Plan.Block.Dims;
    Value *Length[2] = {Trip, nullptr}, *Blocks[2] = {};
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
    Value *FirstBlock = blockAt(From, All, Trip);
    Value *PastBlock = blockAt(B.CreateAdd(To, B.getInt64(1)), All, Trip);
    Memory.start(B);
    B.forEach(B.CreateSub(PastBlock, FirstBlock), [&](Value *I) {
      Value *Number = B.CreateAdd(FirstBlock, I);
      Value *At[2] = {Number, nullptr};
      if (Dims == 2) {
        At[0] = B.CreateUDiv(Number, Blocks[1]);
        At[1] = B.CreateURem(Number, Blocks[1]);
      }
      for (unsigned D = 0; D < Dims; ++D) {
        Value *Size = B.getInt64(Plan.Block.Size[D]);
        Value *First = B.CreateMul(At[D], Size, "", true, true);
        Count[D] = B.smin(Size, B.CreateSub(Length[D], First));
        B.CreateStore(B.CreateTrunc(First, CounterTy), Plan.FirstOf[D]);
        B.CreateStore(B.CreateTrunc(At[D], CounterTy), Plan.BlockOf[D]);
      }
      emitBlock();
    });
    Memory.finish(B);
    B.CreateBr(Exit);
    B.SetInsertPoint(Exit);
  }

  /// Indices were taken for what 32 bits can hold.
  void refuseLength(Value *Length) {
    B.when(B.CreateICmpSGT(Length, B.getInt64(INT32_MAX)), [&] {
      B.fail("accx: %s: a loop with a counter of 32 bits has more iterations "
             "than 2147483647\n",
             {B.CreateGlobalStringPtr(
                 Plan.Arrays.empty() ? "barrier" : Plan.Arrays.front().Where)});
    });
  }

  /// Most blocks are whole: their loops' numbers of iterations are constants.
  void emitBlock() {
    Value *IsWhole = B.getTrue();
    for (unsigned D = 0; D < Plan.Block.Dims; ++D)
      IsWhole = B.CreateAnd(
          IsWhole, B.CreateICmpEQ(Count[D], B.getInt64(Plan.Block.Size[D])));
    if (Plan.RowLength || isLarge()) {
      emitRegions();
      return;
    }
    BasicBlock *Whole = B.block("wi.whole"), *Part = B.block("wi.part"),
               *Done = B.block("wi.after");
    B.CreateCondBr(IsWhole, Whole, Part);
    B.SetInsertPoint(Part);
    emitRegions();
    B.CreateBr(Done);
    B.SetInsertPoint(Whole);
    for (unsigned D = 0; D < Plan.Block.Dims; ++D)
      Count[D] = B.getInt64(Plan.Block.Size[D]);
    emitRegions();
    B.CreateBr(Done);
    B.SetInsertPoint(Done);
  }

  /// Whether the code is too long to be there twice.
  bool isLarge() const {
    constexpr size_t MaxInstructions = 2000;
    size_t Number = 0;
    for (BasicBlock *Block : Plan.Body)
      Number += Block->size();
    return Number > MaxInstructions;
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

  const Stop *stopAt(BasicBlock *Block) const {
    const auto Found = Plan.Stops.find(Block);
    return Found == Plan.Stops.end() ? nullptr : &Found->second;
  }

  BasicBlock *meetOf(BasicBlock *Block) const {
    const Stop *S = stopAt(Block);
    return S ? S->Meet : nullptr;
  }

  /// Of the stops that only some reach before \p Meet, the first behind
  /// \p After; \p Meet behind the last.
  BasicBlock *nextOf(BasicBlock *Meet, BasicBlock *After) {
    BasicBlock *Found = Meet;
    for (const auto &[Block, S] : Plan.Stops)
      if (S.Meet == Meet && (!After || Order[After] < Order[Block]) &&
          (Found == Meet || Order[Block] < Order[Found]))
        Found = Block;
    return Found;
  }

  /// Which region is run next where work-items leave \p Region to \p Exit.
  /// Those that go straight to where all meet wait for the others.
  BasicBlock *followerOf(const Region &Region, BasicBlock *Exit) {
    if (BasicBlock *Meet = meetOf(Exit))
      return nextOf(Meet, nullptr);
    return any_of(Region.Exits,
                  [&](BasicBlock *E) { return meetOf(E) == Exit; })
               ? nextOf(Exit, nullptr)
               : Exit;
  }

  BasicBlock *startOf(BasicBlock *Region) {
    return Region == Plan.W.Header ? BlockDone : Starts[Region];
  }

  /// Code in front of the region: what is done once a block.
  void emitActions(BasicBlock *Start) {
    const Stop *S = stopAt(Start);
    if (!S)
      return;
    for (unsigned Index : S->Arrays) {
      if (S->Kind == StopKind::End) {
        Memory.end(B, Index);
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
    if (meetOf(Start))
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

  void emitRegion(BasicBlock *Start, const Region &Region) {
    emitActions(Start);
    // What is the same for all is read before anyone changes it.
    DenseMap<Slot, Value *> Before;
    for (Slot S : R.LiveIn[Start])
      if (R.Variables.find(S)->second.IsUniform)
        Before[S] = B.CreateLoad(S->getAllocatedType(), Homes[S]);
    Parallel Group(F.getContext());
    if (isOnce(Start, Region)) {
      emitItem(Start, Region, nullptr, Before, Group);
      emitFollower(Start, Region);
      return;
    }
    Type *CounterTy = Plan.W.Counter->getAllocatedType();
    const unsigned Inner = Plan.Block.Dims - 1;
    const auto Row = [&](Value *First) {
      const bool IsTeamRow = Plan.RowLength != 0;
      BranchInst *Back = B.forEach(
          IsTeamRow ? B.getInt64(Plan.RowLength) : Count[Inner],
          [&](Value *Place) {
            Value *Item =
                First ? B.CreateAdd(First, Place, "", true, true) : Place;
            if (IsTeamRow)
              B.CreateStore(B.CreateTrunc(Place, CounterTy), Plan.ColumnOf);
            B.CreateStore(B.CreateTrunc(IsTeamRow ? Item : Place, CounterTy),
                          Plan.PlaceOf[Inner]);
            emitItem(Start, Region, Item, Before, Group);
          },
          true);
      Group.mark(*Back);
    };
    if (Inner == 0)
      Row(nullptr);
    else if (Plan.RowLength)
      B.forEach(
          B.getInt64(Plan.Block.Size[1] / Plan.RowLength),
          [&](Value *Number) {
            B.CreateStore(ConstantInt::get(CounterTy, 0), Plan.PlaceOf[0]);
            B.CreateStore(B.CreateTrunc(Number, CounterTy), Plan.RowOf);
            Row(B.CreateMul(Number, B.getInt64(Plan.RowLength), "", true,
                            true));
          },
          true);
    else
      B.forEach(
          Count[0],
          [&](Value *Place) {
            B.CreateStore(B.CreateTrunc(Place, CounterTy), Plan.PlaceOf[0]);
            Row(B.CreateMul(Place, B.getInt64(Plan.Block.Size[1]), "", true,
                            true));
          },
          true);
    emitFollower(Start, Region);
  }

  void emitFollower(BasicBlock *Start, const Region &Region) {
    if (BasicBlock *Meet = meetOf(Start)) {
      B.CreateBr(startOf(nextOf(Meet, Start)));
      return;
    }
    BlockSet Followers;
    for (BasicBlock *Exit : Region.Exits)
      Followers.insert(followerOf(Region, Exit));
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
                const DenseMap<Slot, Value *> &Before, Parallel &Group) {
    BasicBlock *End = B.block("wi.item.done");
    ValueToValueMapTy Map;
    if (meetOf(Start)) {
      BasicBlock *Mine = B.block("wi.item");
      LoadInst *At = B.CreateLoad(I32, element(Waiting, Item));
      Group.add(*At);
      B.CreateCondBr(B.CreateICmpEQ(At, B.getInt32(stopAt(Start)->Id)), Mine,
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
    BlockSet Followers;
    for (BasicBlock *Exit : Region.Exits)
      Followers.insert(followerOf(Region, Exit));
    const bool Notes =
        Waiting && (meetOf(Start) || any_of(Region.Exits, [&](BasicBlock *E) {
                      return meetOf(E) != nullptr;
                    }));
    for (BasicBlock *Exit : Region.Exits) {
      B.SetInsertPoint(B.block("wi.leave"));
      Map[Exit] = B.GetInsertBlock();
      if (Exit != Plan.W.Header)
        for (Slot S : R.LiveIn[Exit])
          if (R.isStored(S, Region))
            leave(S, Now[S], Item, Group);
      if (Notes)
        Group.add(
            *B.CreateStore(B.getInt32(meetOf(Exit) ? stopAt(Exit)->Id : 0),
                           element(Waiting, Item)));
      if (!meetOf(Start) && Followers.size() > 1)
        B.CreateStore(B.getInt32(find(Followers, followerOf(Region, Exit)) -
                                 Followers.begin()),
                      Next);
      B.CreateBr(End);
    }
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
