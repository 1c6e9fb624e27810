//===- Regions.cpp - Code between stops, and what crosses them ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts the body at its stops, turns values that cross a stop into variables,
// and finds which of them each stop finds alive. It also computes cheap values
// again where they are used, so that fewer cross.
//
//===----------------------------------------------------------------------===//

#include "workitems/Regions.h"

#include "ir/LoopCopy.h"
#include "workitems/Forms.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace accx::workitems {

namespace {

/// Computes cheap values where they are used.
class Rematerializer {
  static constexpr unsigned MaxCost = 32;
  LoopPlan &Plan;
  DenseSet<const Value *> Slots;
  DenseSet<const Value *> Costly;
  DenseMap<std::pair<BasicBlock *, Instruction *>, Instruction *> Copies;

public:
  explicit Rematerializer(LoopPlan &Plan) : Plan(Plan) {
    for (Slot S : Plan.slots())
      Slots.insert(S);
  }

  void run() {
    SmallVector<Instruction *, 64> All;
    for (BasicBlock *Block : Plan.Body)
      for (Instruction &I : *Block)
        if (!I.getType()->isVoidTy() && isCheap(I))
          All.push_back(&I);
    for (Instruction *I : All)
      for (Use &U : make_early_inc_range(I->uses())) {
        auto *User = cast<Instruction>(U.getUser());
        auto *Phi = dyn_cast<PHINode>(User);
        BasicBlock *At = Phi ? Phi->getIncomingBlock(U) : User->getParent();
        if (At == I->getParent() || !Plan.Body.contains(At))
          continue;
        U.set(copyTo(*At, *I));
      }
  }

private:
  /// Whether it takes few instructions of \p I and those ahead of it.
  bool isCheap(const Instruction &I) {
    SmallSetVector<const Instruction *, 16> Needed;
    Needed.insert(&I);
    for (unsigned Number = 0; Number < Needed.size(); ++Number) {
      const Instruction *Next = Needed[Number];
      if (Needed.size() > MaxCost || Costly.contains(Next) || !isLight(*Next)) {
        Costly.insert(&I);
        return false;
      }
      for (const Value *Operand : Next->operands())
        if (const auto *Inner = dyn_cast<Instruction>(Operand);
            Inner &&
            Plan.Body.contains(const_cast<BasicBlock *>(Inner->getParent())))
          Needed.insert(Inner);
    }
    return true;
  }

  bool isLight(const Instruction &I) const {
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return Slots.contains(Load->getPointerOperand());
    return isa<BinaryOperator, CastInst, CmpInst, SelectInst,
               GetElementPtrInst>(I) &&
           !I.isIntDivRem() && I.getOpcode() != Instruction::FDiv;
  }

  Instruction *copyTo(BasicBlock &At, Instruction &I) {
    if (const auto Known = Copies.find({&At, &I}); Known != Copies.end())
      return Known->second;
    Instruction *Copy = ir::copyWith(I, [&](Value &Operand) -> Value * {
      auto *Inner = dyn_cast<Instruction>(&Operand);
      return Inner && Plan.Body.contains(Inner->getParent())
                 ? copyTo(At, *Inner)
                 : &Operand;
    });
    // Behind what it needs: those were put there before.
    Instruction *&Last = Ends[&At];
    if (Last)
      Copy->insertAfter(Last);
    else
      Copy->insertBefore(&*At.getFirstInsertionPt());
    Last = Copy;
    return Copies[{&At, &I}] = Copy;
  }

  DenseMap<BasicBlock *, Instruction *> Ends;
};

class Finder {
  LoopPlan &Plan;
  Regions &Out;

public:
  Finder(LoopPlan &Plan, Regions &Out) : Plan(Plan), Out(Out) {}

  Refusal run() {
    for (BasicBlock *Block : Plan.Body)
      for (Instruction &I : make_early_inc_range(*Block)) {
        if (isa<AllocaInst>(I))
          return Refusal::Outlives;
        if (I.isLifetimeStartOrEnd())
          I.eraseFromParent();
      }
    rematerialize(Plan);
    demote();
    coalesce(Plan.Body, Out.Variables);
    findVariables();
    dropStops();
    cut();
    findLife();
    return findMemory();
  }

private:
  void demote() {
    const BasicBlock::iterator Entry =
        Plan.W.Header->getParent()->getEntryBlock().begin();
    SmallVector<PHINode *, 16> Phis;
    for (BasicBlock *Block : Plan.Body)
      for (PHINode &Phi : Block->phis())
        Phis.push_back(&Phi);
    DenseSet<const Value *> Differ;
    for (PHINode *Phi : Phis) {
      const bool IsUniform = Plan.Uniformity->isUniform(Phi);
      Slot S = DemotePHIToStack(Phi, Entry);
      if (!S)
        continue;
      Out.Variables[S].IsUniform = IsUniform;
      for (User *U : make_early_inc_range(S->users()))
        if (auto *Load = dyn_cast<LoadInst>(U)) {
          if (!IsUniform)
            Differ.insert(Load);
          readInPlace(*Load, S, Differ);
        }
    }
    SmallVector<Instruction *, 32> Values;
    for (BasicBlock *Block : Plan.Body)
      for (Instruction &I : *Block)
        if (any_of(I.users(), [&](User *U) {
              return cast<Instruction>(U)->getParent() != Block;
            }))
          Values.push_back(&I);
    for (Instruction *I : Values) {
      const bool IsUniform =
          Plan.Uniformity->isUniform(I) && !Differ.contains(I);
      if (Slot S = DemoteRegToStack(*I, false, Entry))
        Out.Variables[S].IsUniform = IsUniform;
    }
  }

  /// Other blocks read the variable of a phi themselves: it changes only where
  /// control goes on to the phi's block and nowhere else.
  void readInPlace(LoadInst &Load, Slot S, DenseSet<const Value *> &Differ) {
    for (Use &U : make_early_inc_range(Load.uses())) {
      auto *User = cast<Instruction>(U.getUser());
      // A phi's operand is read ahead of what its edge hands to others.
      if (isa<PHINode>(User) || User->getParent() == Load.getParent() ||
          isHandedOn(*User))
        continue;
      auto *Own = new LoadInst(Load.getType(), S, "", User);
      if (Differ.contains(&Load))
        Differ.insert(Own);
      U.set(Own);
    }
  }

  /// Stores that phis have become stand at the end of blocks, in any order.
  bool isHandedOn(const Instruction &I) const {
    const auto *Store = dyn_cast<StoreInst>(&I);
    const auto *S =
        Store ? dyn_cast<AllocaInst>(Store->getPointerOperand()) : nullptr;
    return S && Out.Variables.contains(const_cast<AllocaInst *>(S));
  }

  /// Finds the plan's variables and the code that stores to any of them.
  void findVariables() {
    for (const ArrayPlan &A : Plan.Arrays)
      for (unsigned D = 0; D < A.Rank; ++D)
        for (Slot S : {A.First[D], A.Past[D]})
          Out.Variables[S].IsUniform = all_of(S->users(), [&](User *U) {
            auto *Store = dyn_cast<StoreInst>(U);
            return !Store || isUniform(Store->getValueOperand());
          });
    for (auto &[S, V] : Out.Variables)
      for (User *U : S->users())
        if (auto *Store = dyn_cast<StoreInst>(U))
          V.StoredIn.insert(Store->getParent());
  }

  /// Whether \p V is uniform; it may have become a load of a variable.
  bool isUniform(Value *V) {
    if (auto *Load = dyn_cast<LoadInst>(V))
      if (auto *S = dyn_cast<AllocaInst>(Load->getPointerOperand()))
        if (const auto Found = Out.Variables.find(S);
            Found != Out.Variables.end())
          return Found->second.IsUniform;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Plan.Body.contains(I->getParent()))
      return true;
    if (isa<LoadInst>(I) || I->mayReadFromMemory())
      return Plan.Uniformity->isUniform(I) &&
             Plan.uniformSlots().contains(getLoadStorePointerOperand(I));
    return all_of(I->operands(), [&](Value *O) { return isUniform(O); });
  }

  /// Behind a write all wait until all have written. Drops that stop if no code
  /// reads a copy before the next stop.
  void dropStops() {
    DenseSet<const Value *> Copies;
    for (const ArrayPlan &A : Plan.Arrays)
      Copies.insert(A.Copy);
    const auto Looks = [&](BasicBlock *Block) {
      return any_of(*Block, [&](const Instruction &I) {
        return isa<LoadInst>(I) &&
               Copies.contains(cast<LoadInst>(I).getPointerOperand());
      });
    };
    SmallVector<BasicBlock *, 8> Needless;
    for (const auto &[Start, S] : Plan.Stops) {
      if (S.Kind != StopKind::Written)
        continue;
      BlockSet Seen;
      bool IsNeeded = false;
      SmallVector<BasicBlock *, 8> Worklist = {Start};
      while (!Worklist.empty()) {
        BasicBlock *Block = Worklist.pop_back_val();
        if (!Seen.insert(Block))
          continue;
        IsNeeded |= Looks(Block);
        for (BasicBlock *Next : successors(Block))
          if (Next != Plan.W.Header && !Plan.Stops.contains(Next))
            Worklist.push_back(Next);
      }
      if (!IsNeeded)
        Needless.push_back(Start);
    }
    for (BasicBlock *Start : Needless)
      Plan.Stops.erase(Start);
  }

  void cut() {
    SmallVector<BasicBlock *, 16> Starts = {Plan.W.Body};
    for (const auto &[Block, S] : Plan.Stops)
      if (Block != Plan.W.Body)
        Starts.push_back(Block);
    for (BasicBlock *Start : Starts) {
      Region R;
      BlockSet Seen;
      SmallVector<BasicBlock *, 16> Worklist = {Start};
      while (!Worklist.empty()) {
        BasicBlock *Block = Worklist.pop_back_val();
        if (!Seen.insert(Block))
          continue;
        for (BasicBlock *Next : successors(Block)) {
          if (Next == Plan.W.Header || Plan.Stops.contains(Next))
            R.Exits.insert(Next);
          else
            Worklist.push_back(Next);
        }
      }
      for (BasicBlock *Block : Plan.Body)
        if (Seen.contains(Block))
          R.Blocks.push_back(Block);
      Out.At[Start] = std::move(R);
    }
  }

  void findLife() {
    Life Used;
    for (const auto &[Block, S] : Plan.Stops)
      if (S.Kind == StopKind::Begin)
        for (unsigned Index : S.Arrays)
          for (unsigned D = 0; D < Plan.Arrays[Index].Rank; ++D)
            for (Slot S :
                 {Plan.Arrays[Index].First[D], Plan.Arrays[Index].Past[D]})
              if (!affineIn(Plan, S))
                Used[Block].insert(S);
    Out.LiveIn = liveIn(Plan.Body, Out.Variables, std::move(Used));
  }

  /// Finds the variables that are no values.
  Refusal findMemory() {
    Function &F = *Plan.W.Header->getParent();
    const offload::WorkLoop &W = Plan.W;
    for (Instruction &I : F.getEntryBlock()) {
      auto *Local = dyn_cast<AllocaInst>(&I);
      if (!Local || Out.Variables.contains(Local) || Local == W.Counter ||
          Local == W.Lower || Local == W.Upper || Local == W.Stride ||
          Local == W.Last || isPlanned(Local))
        continue;
      BlockSet Inside;
      bool IsStored = false, IsOutside = false;
      collect(*Local, Inside, IsStored, IsOutside);
      if (Inside.empty() || !IsStored)
        continue;
      if (!IsOutside) {
        Out.Locals.push_back(Local);
        continue;
      }
      Out.Shared.insert(Local);
      // One region has them all, and work-items pass it one after the other.
      unsigned Owners = 0;
      for (const auto &[Start, R] : Out.At)
        Owners +=
            any_of(R.Blocks, [&](BasicBlock *B) { return Inside.contains(B); });
      if (Owners > 1)
        return Refusal::Outlives;
    }
    return Refusal::None;
  }

  bool isPlanned(const AllocaInst *Local) const {
    return is_contained(Plan.slots(), Local) ||
           Plan.TeamObjects.contains(Local);
  }

  /// Where accesses through \p V are.
  void collect(Value &V, BlockSet &Inside, bool &IsStored, bool &IsOutside) {
    SmallVector<Value *, 8> Worklist = {&V};
    DenseSet<Value *> Seen;
    while (!Worklist.empty()) {
      Value *P = Worklist.pop_back_val();
      if (!Seen.insert(P).second)
        continue;
      for (User *U : P->users()) {
        auto *I = cast<Instruction>(U);
        if (I->isLifetimeStartOrEnd())
          continue;
        if (!Plan.Body.contains(I->getParent())) {
          IsOutside = true;
          continue;
        }
        Inside.insert(I->getParent());
        IsStored |= !isa<LoadInst, GetElementPtrInst>(I);
        if (isa<GetElementPtrInst>(I))
          Worklist.push_back(I);
      }
    }
  }
};

} // namespace

Life liveIn(const BlockSet &Body, const MapVector<Slot, Variable> &Variables,
            Life Used) {
  Life Set, In;
  for (BasicBlock *Block : Body)
    for (Instruction &I : *Block) {
      auto *S = dyn_cast_or_null<AllocaInst>(getLoadStorePointerOperand(&I));
      if (!S || !Variables.contains(S))
        continue;
      if (isa<StoreInst>(I))
        Set[Block].insert(S);
      else if (!Set[Block].contains(S))
        Used[Block].insert(S);
    }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : reverse(Body)) {
      const size_t Before = In[Block].size();
      In[Block].insert(Used[Block].begin(), Used[Block].end());
      for (BasicBlock *Next : successors(Block))
        if (Body.contains(Next)) {
          const auto Live = In[Next];
          for (Slot S : Live)
            if (!Set[Block].contains(S))
              In[Block].insert(S);
        }
      Changed |= In[Block].size() != Before;
    }
  }
  return In;
}

void rematerialize(LoopPlan &Plan) { Rematerializer(Plan).run(); }

Refusal findRegions(LoopPlan &Plan, Regions &Result) {
  return Finder(Plan, Result).run();
}

} // namespace accx::workitems
