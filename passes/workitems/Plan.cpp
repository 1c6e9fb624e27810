//===- Plan.cpp - A loop's blocks, their arrays and barriers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps of planning in order: shape of the block, body, stops, and
// where work-items meet again. Indices and arrays, the two longest steps, have
// sources of their own; here are the stops and the checks on them.
//
//===----------------------------------------------------------------------===//

#include "workitems/Plan.h"

#include "blocks/Notes.h"
#include "ir/LoopCopy.h"
#include "ir/Remark.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::workitems {

namespace smc = markers::smc;

Slot createSlot(const LoopPlan &Plan, Type *Ty, const Twine &Name) {
  BasicBlock &Entry = Plan.W.Header->getParent()->getEntryBlock();
  return new AllocaInst(Ty, 0, Name, Entry.begin());
}

Value *aheadOf(const LoopPlan &Plan, Value *V, unsigned Depth) {
  constexpr unsigned MaxDepth = 16;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.W.Nest->contains(I))
    return V;
  if (Depth > MaxDepth ||
      !isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst>(I))
    return nullptr;
  // Divisions may trap where the loop's body does not run.
  if (I->isIntDivRem() && !isa<Constant>(I->getOperand(1)))
    return nullptr;
  Instruction *Copy = ir::copyWith(
      *I, [&](Value &Operand) { return aheadOf(Plan, &Operand, Depth + 1); });
  if (Copy)
    Copy->insertBefore(Plan.W.Nest->getLoopPredecessor()->getTerminator());
  return Copy;
}

DenseSet<const Value *> LoopPlan::uniformSlots() const {
  const SmallVector<Slot, 16> All = slots();
  DenseSet<const Value *> Same(All.begin(), All.end());
  for (Slot S : {PlaceOf[0], PlaceOf[1], RowOf, ColumnOf})
    Same.erase(S);
  return Same;
}

Divergence LoopPlan::divergence(const PostDominatorTree &PDT) const {
  const DenseSet<const Value *> Same = uniformSlots();
  return Divergence(Body, W.Header, PDT, [&](const Instruction &I) {
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return !Same.contains(Load->getPointerOperand()) &&
             !Load->hasMetadata(LLVMContext::MD_invariant_load);
    if (const auto *Call = dyn_cast<CallBase>(&I))
      return !Call->doesNotAccessMemory() || Call->isConvergent();
    return I.mayReadFromMemory();
  });
}

/// The number of the loop's last iteration, against which its threads' shares
/// are clamped.
static Value *findLast(const offload::WorkLoop &W) {
  for (User *U : W.Upper->users()) {
    auto *Load = dyn_cast<LoadInst>(U);
    if (!Load || W.Nest->contains(Load))
      continue;
    for (User *Test : Load->users()) {
      auto *Compare = dyn_cast<ICmpInst>(Test);
      if (!Compare || Compare->isEquality())
        continue;
      Value *Other = Compare->getOperand(Compare->getOperand(0) == Load);
      if (!isa<LoadInst>(Other) ||
          cast<LoadInst>(Other)->getPointerOperand() != W.Counter)
        return Other;
    }
  }
  return nullptr;
}

static Refusal planShape(LoopPlan &Plan, ArrayRef<CallInst *> Begins) {
  for (CallInst *Begin : Begins) {
    const auto Numbers = blocks::askedShape(*Begin);
    if (!Numbers)
      return Refusal::NotConstant;
    Shape S;
    S.Dims = Numbers->size();
    if (S.Dims > 2)
      return Refusal::BlockShape;
    uint64_t Items = 1;
    for (unsigned D = 0; D < S.Dims; ++D) {
      const int64_t Size = (*Numbers)[D];
      if (Size <= 0 || Size > MaxItems || (Items *= Size) > MaxItems)
        return Refusal::BlockShape;
      S.Size[D] = Size;
    }
    if (Begin != Begins.front() && S != Plan.Block)
      return Refusal::BlockShape;
    Plan.Block = S;
    const auto Length = blocks::numberOf(*Begin, smc::FirstBlock + 2);
    if (blocks::isTeam(*Begin) && S.Dims == 2 && Length && *Length > 0 &&
        *Length < S.Size[1] && S.Size[1] % *Length == 0)
      Plan.RowLength = *Length;
  }
  return Refusal::None;
}

void findBody(LoopPlan &Plan) {
  SmallVector<BasicBlock *, 32> Done;
  SmallPtrSet<BasicBlock *, 32> Seen;
  const auto Visit = [&](const auto &Again, BasicBlock *Block) -> void {
    if (Block == Plan.W.Header || !Plan.W.Nest->contains(Block) ||
        !Seen.insert(Block).second)
      return;
    for (BasicBlock *Next : reverse(successors(Block)))
      Again(Again, Next);
    Done.push_back(Block);
  };
  Visit(Visit, Plan.W.Body);
  Plan.Body.clear();
  Plan.Body.insert(Done.rbegin(), Done.rend());
}

/// Makes each stop the start of a block.
static void split(LoopPlan &Plan, MapVector<Instruction *, Stop> &Stops,
                  LoopInfo &Loops) {
  for (auto &[I, S] : Stops) {
    BasicBlock *Block =
        SplitBlock(I->getParent(), I, static_cast<DominatorTree *>(nullptr),
                   &Loops, nullptr, "wi.stop");
    Plan.Stops[Block] = S;
  }
  Plan.W.Latch = Plan.W.Nest->getLoopLatch();
  findBody(Plan);
}

/// Blocks that hand a value to another alone go on to it.
static void splitCritical(LoopPlan &Plan, LoopInfo &Loops) {
  CriticalEdgeSplittingOptions Options(nullptr, &Loops);
  for (BasicBlock *Block : Plan.Body) {
    if (!isa<PHINode>(Block->front()))
      continue;
    const SmallVector<BasicBlock *, 4> Preds(predecessors(Block));
    for (BasicBlock *Pred : Preds)
      if (Pred->getTerminator()->getNumSuccessors() > 1)
        SplitCriticalEdge(Pred, Block, Options);
  }
  Plan.W.Latch = Plan.W.Nest->getLoopLatch();
  findBody(Plan);
}

/// Whether \p Block computes nothing but what is the same for all.
static bool isUniformCode(const BasicBlock &Block, const Divergence &Uniform) {
  return all_of(Block, [&](const Instruction &I) {
    return isa<PHINode>(I) ||
           (Uniform.isUniform(&I) && !I.mayHaveSideEffects() &&
            !I.mayReadFromMemory());
  });
}

static bool hasStop(const LoopPlan &Plan, const Divergence::Influence &In) {
  return any_of(In.Blocks,
                [&](BasicBlock *Block) { return Plan.Stops.contains(Block); });
}

/// Control flow that is the same for all, and has stops inside, stands outside
/// of the loops over work-items.
static void addControl(LoopPlan &Plan, const Divergence &Uniform) {
  const auto AddTo = [&](BasicBlock *Block) {
    if (Block && Plan.Body.contains(Block) && Block != Plan.W.Body)
      Plan.Stops.insert({Block, Stop{StopKind::Join, {}, nullptr, 0}});
  };
  for (bool Changed = true; Changed;) {
    const size_t Before = Plan.Stops.size();
    for (BasicBlock *Block : Plan.Body) {
      if (Block->getTerminator()->getNumSuccessors() < 2 ||
          Uniform.Branches.contains(Block) || Uniform.isDivergent(Block))
        continue;
      const Divergence::Influence In = Uniform.influenceOf(Block);
      if (!hasStop(Plan, In))
        continue;
      AddTo(In.Join);
      for (BasicBlock *Next : successors(Block))
        AddTo(Next);
      if (isUniformCode(*Block, Uniform))
        AddTo(Block);
    }
    Changed = Plan.Stops.size() != Before;
  }
}

/// Stops where ways meet again of which some have stops.
static bool addJoins(LoopPlan &Plan, const Divergence &Uniform) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &[Branch, In] : Uniform.Branches) {
      if (!hasStop(Plan, In))
        continue;
      if (!In.Join || !Plan.Body.contains(In.Join))
        return false;
      if (!Plan.Stops.contains(In.Join)) {
        Plan.Stops[In.Join].Kind = StopKind::Join;
        Changed = true;
      }
    }
  }
  return true;
}

static Refusal checkStops(LoopPlan &Plan, const Divergence &Uniform,
                          const LoopInfo &Loops) {
  unsigned NumIds = 0;
  DenseMap<BasicBlock *, unsigned> Order;
  for (BasicBlock *Block : Plan.Body)
    Order[Block] = Order.size();
  for (auto &[Block, S] : Plan.Stops) {
    for (const auto &[Branch, In] : Uniform.Branches) {
      if (!In.Blocks.contains(Block))
        continue;
      if (S.Kind == StopKind::Begin || S.Kind == StopKind::End ||
          (Plan.IsTeam && S.Kind == StopKind::Barrier))
        return Refusal::Divergent;
      // No way leads back to the stop before all meet.
      if (In.Blocks.contains(Branch))
        return Refusal::DivergentLoop;
      if (const Loop *L = Loops.getLoopFor(Block); !L->contains(Branch))
        return Refusal::DivergentLoop;
      if (!S.Meet || Order[S.Meet] < Order[In.Join])
        S.Meet = In.Join;
    }
    if (S.Meet)
      S.Id = ++NumIds;
  }
  return Refusal::None;
}

Refused planLoop(const offload::WorkLoop &W, FunctionAnalysisManager &FAM,
                 LoopPlan &Plan) {
  Plan.W = W;
  findBody(Plan);
  SmallVector<CallInst *, 4> Begins;
  for (BasicBlock *Block : Plan.Body)
    for (Instruction &I : *Block)
      if (blocks::beginsChannel(I))
        Begins.push_back(cast<CallInst>(&I));
  Refused Result;
  Result.Where = blocks::whereOf(*Begins.front());
  const auto Refuse = [&](Refusal Why) {
    Result.Why = Why;
    return Result;
  };
  Plan.Last = findLast(W);
  if (W.readsLast() || isa<PHINode>(W.Header->front()))
    return Refuse(Refusal::Outlives);
  if (!W.Nest->getLoopPredecessor() || !Plan.Last)
    return Refuse(Refusal::Schedule);
  if (const Refusal R = planShape(Plan, Begins); R != Refusal::None)
    return Refuse(R);
  if (const Refusal R = recoverIndices(Plan); R != Refusal::None)
    return Refuse(R);
  widenIndices(Plan);
  Function &F = *W.Header->getParent();
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  MapVector<Instruction *, Stop> Stops;
  if (Refused R = planArrays(Plan, Begins, Loops, Stops);
      R.Why != Refusal::None)
    return R;
  splitChoices(Plan, Loops);
  split(Plan, Stops, Loops);
  takeApart(Plan, Loops);
  splitCritical(Plan, Loops);
  const PostDominatorTree PDT(F);
  Plan.Uniformity = std::make_unique<Divergence>(Plan.divergence(PDT));
  if (!addJoins(Plan, *Plan.Uniformity))
    return Refuse(Refusal::DivergentLoop);
  addControl(Plan, *Plan.Uniformity);
  return Refuse(checkStops(Plan, *Plan.Uniformity, Loops));
}

SmallVector<Slot, 16> LoopPlan::slots() const {
  SmallVector<Slot, 16> Slots;
  const auto Add = [&](Slot S) {
    if (S)
      Slots.push_back(S);
  };
  for (unsigned D = 0; D < Block.Dims; ++D)
    for (Slot S : {FirstOf[D], BlockOf[D], PlaceOf[D]})
      Add(S);
  Add(RowOf);
  Add(ColumnOf);
  for (const ArrayPlan &A : Arrays) {
    Add(A.Copy);
    Add(A.Dirty);
    for (Slot Step : A.Step)
      Add(Step);
  }
  return Slots;
}

std::optional<unsigned> LoopPlan::dimensionOf(const Value *P) const {
  for (unsigned D = 0; D < Block.Dims; ++D)
    if (P == PlaceOf[D])
      return D;
  return std::nullopt;
}

bool LoopPlan::isOfBlock(const Value *P) const {
  return is_contained(ArrayRef(FirstOf, Block.Dims), P) ||
         is_contained(ArrayRef(BlockOf, Block.Dims), P);
}

bool LoopPlan::isLarge() const {
  constexpr size_t MaxInstructions = 2000;
  size_t Number = 0;
  for (BasicBlock *Each : Body)
    Number += Each->size();
  return Number > MaxInstructions;
}

const Stop *LoopPlan::stopAt(BasicBlock *Block) const {
  const auto Found = Stops.find(Block);
  return Found == Stops.end() ? nullptr : &Found->second;
}

BasicBlock *LoopPlan::meetOf(BasicBlock *Block) const {
  const Stop *S = stopAt(Block);
  return S ? S->Meet : nullptr;
}

BasicBlock *LoopPlan::nextOf(BasicBlock *Meet, BasicBlock *After) const {
  bool IsBehind = !After;
  for (BasicBlock *Block : Body) {
    if (IsBehind && meetOf(Block) == Meet)
      return Block;
    IsBehind |= Block == After;
  }
  return Meet;
}

BasicBlock *LoopPlan::followerOf(const BlockSet &Exits,
                                 BasicBlock *Exit) const {
  if (BasicBlock *Meet = meetOf(Exit))
    return nextOf(Meet, nullptr);
  return any_of(Exits, [&](BasicBlock *E) { return meetOf(E) == Exit; })
             ? nextOf(Exit, nullptr)
             : Exit;
}

BlockSet LoopPlan::followersOf(const BlockSet &Exits) const {
  BlockSet All;
  for (BasicBlock *Exit : Exits)
    All.insert(followerOf(Exits, Exit));
  return All;
}

void LoopPlan::print(raw_ostream &OS) const {
  OS << "block " << Block.Size[0];
  if (Block.Dims == 2)
    OS << " x " << Block.Size[1];
  OS << "\n";
  for (const ArrayPlan &A : Arrays)
    OS << "  copy of " << A.Where << ", " << ir::Counted(A.Rank, "dimension")
       << " of " << ir::Counted(A.Element, "byte") << '\n';
  static constexpr const char *Names[] = {"begin",   "end",     "write",
                                          "written", "barrier", "join"};
  for (const auto &[Block, S] : Stops)
    OS << "  stop: " << Names[static_cast<unsigned>(S.Kind)]
       << (S.Meet ? ", some" : ", all") << "\n";
}

} // namespace accx::workitems
