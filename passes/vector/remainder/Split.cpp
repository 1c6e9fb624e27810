//===- Split.cpp - The parts of a split loop ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of Split.h. Analyses are those of the function before
// anything was changed: whatever is expanded stands in the loop's preheader.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Split.h"

#include "ir/LoopCopy.h"
#include "vector/remainder/Plan.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::vector {

/// Twice 64 lanes of eight vectors: with as many iterations LLVM's vectorizer
/// takes the number for no reason to choose fewer.
static constexpr uint64_t LongTrips = 1024;

namespace {
class Splitter {
public:
  Splitter(Loop &L, ScalarEvolution &SE, const RemainderPlan &Plan)
      : L(L), SE(SE), Plan(Plan), Preheader(L.getLoopPreheader()),
        Function(*Preheader->getParent()),
        Expander(SE, Function.getDataLayout(), "simd"),
        Builder(Preheader->getTerminator()) {}

  SplitLoop split();
  LoopPart trial(BranchInst *&Switch);

private:
  using Values = SmallVector<Value *, 4>;

  BasicBlock *newBlock(const Twine &Name);
  Values expandStarts(Value *Done);
  BranchInst *openSwitch(BasicBlock *Entry);
  LoopPart copyLoop(StringRef Name, const Values &Starts, Value *Trips,
                    bool AtEnd, Values &Lasts);
  bool isLiveOut(unsigned Index) const {
    return any_of(Plan.LiveOuts, [&](const LiveOut &Out) {
      return Out.Is == LiveOut::Carried && Out.Index == Index;
    });
  }
  void countTo(BasicBlock *Header, BasicBlock *Latch, BasicBlock *From,
               BasicBlock *Exit, Value *Trips);
  void addPart(SplitLoop &Split, StringRef Name, Value *Done, Value *Trips,
               Value *Guard, unsigned Lanes, unsigned Interleave, bool Last);

  Loop &L;
  ScalarEvolution &SE;
  const RemainderPlan &Plan;
  BasicBlock *Preheader;
  llvm::Function &Function;
  SCEVExpander Expander;
  IRBuilder<> Builder;
  /// The end of the chain of parts so far, and the values there.
  BasicBlock *Current = nullptr;
  Values Now;
  /// What is used after the loop, but for what is carried.
  Values Outs;
};
} // namespace

BasicBlock *Splitter::newBlock(const Twine &Name) {
  return BasicBlock::Create(Function.getContext(), Name, &Function,
                            L.getExitBlock());
}

/// Where a part begins that follows Done iterations: null for what is carried.
Splitter::Values Splitter::expandStarts(Value *Done) {
  Values Starts;
  for (const CarriedValue &Value : Plan.Carried) {
    const auto *Rec = cast_or_null<SCEVAddRecExpr>(Value.Recurrence);
    if (!Rec) {
      Starts.push_back(nullptr);
      continue;
    }
    const SCEV *At = Rec->evaluateAtIteration(SE.getSCEV(Done), SE);
    Starts.push_back(Expander.expandCodeFor(At, Value.Phi->getType(),
                                            Preheader->getTerminator()));
  }
  return Starts;
}

/// Ends the preheader with a choice between new code, at \p Entry, and the
/// original loop.
BranchInst *Splitter::openSwitch(BasicBlock *Entry) {
  Instruction *End = Preheader->getTerminator();
  BasicBlock *Original = newBlock(L.getHeader()->getName() + ".original.ph");
  BranchInst::Create(L.getHeader(), Original);
  L.getHeader()->replacePhiUsesWith(Preheader, Original);
  // Undecided for every analysis in between.
  auto *Undecided =
      new FreezeInst(PoisonValue::get(Builder.getInt1Ty()), "", Preheader);
  auto *Switch = BranchInst::Create(Entry, Original, Undecided, Preheader);
  Switch->setDebugLoc(End->getDebugLoc());
  End->eraseFromParent();
  return Switch;
}

/// Replaces the test at the end of the loop by one of its own count, whose form
/// leaves the vectorizer no doubt. Once is no loop.
void Splitter::countTo(BasicBlock *Header, BasicBlock *Latch, BasicBlock *From,
                       BasicBlock *Exit, Value *Trips) {
  Type *Wide = Builder.getInt64Ty();
  if (match(Trips, m_One())) {
    for (PHINode &Phi : Header->phis())
      Phi.removeIncomingValue(Latch, /*DeletePHIIfEmpty=*/false);
    Instruction *Old = Latch->getTerminator();
    BranchInst::Create(Exit, Latch)->setDebugLoc(Old->getDebugLoc());
    Old->eraseFromParent();
    return;
  }
  PHINode *Count = PHINode::Create(Wide, 2, "count", Header->begin());
  auto *End = cast<BranchInst>(Latch->getTerminator());
  IRBuilder<> AtEnd(End);
  Value *Next = AtEnd.CreateAdd(Count, ConstantInt::get(Wide, 1), "count.next",
                                /*HasNUW=*/true, /*HasNSW=*/true);
  Count->addIncoming(ConstantInt::get(Wide, 0), From);
  Count->addIncoming(Next, Latch);
  Value *Old = End->isConditional() ? End->getCondition() : nullptr;
  BranchInst *Branch =
      AtEnd.CreateCondBr(AtEnd.CreateICmpEQ(Next, Trips), Exit, Header);
  Branch->copyMetadata(*End, {LLVMContext::MD_loop, LLVMContext::MD_dbg});
  End->eraseFromParent();
  if (Old)
    RecursivelyDeleteTriviallyDeadInstructions(Old);
}

/// Copies the loop with these values on entry; \p Lasts receives what each
/// carried header phi would be in the next iteration; where nothing follows but
/// the exit, only what is used there may leave the loop. Without \p Trips the
/// copy ends as the original does.
LoopPart Splitter::copyLoop(StringRef Name, const Values &Starts, Value *Trips,
                            bool AtEnd, Values &Lasts) {
  LoopPart Part;
  Part.Name = Name;
  Part.Preheader = newBlock(L.getHeader()->getName() + "." + Name + ".ph");
  Part.Exit = newBlock(L.getHeader()->getName() + "." + Name + ".exit");

  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Copies;
  for (BasicBlock *Block : L.getBlocks()) {
    BasicBlock *Copy = CloneBasicBlock(Block, Map, "." + Name, &Function);
    Copy->moveBefore(Part.Exit);
    Map[Block] = Copy;
    Copies.push_back(Copy);
  }
  Map[Preheader] = Part.Preheader;
  Map[L.getExitBlock()] = Part.Exit;
  remapInstructionsInBlocks(Copies, Map);
  SmallVector<MDNode *, 2> Scopes;
  identifyNoAliasScopesToClone(L.getBlocks(), Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Copies, Function.getContext(), Name);

  Part.Header = cast<BasicBlock>(Map[L.getHeader()]);
  BranchInst::Create(Part.Header, Part.Preheader)->setDebugLoc(L.getStartLoc());
  auto *Latch = cast<BasicBlock>(Map[L.getLoopLatch()]);
  for (auto [Index, Value] : enumerate(Plan.Carried)) {
    auto *Phi = cast<PHINode>(Map[Value.Phi]);
    Phi->setIncomingValueForBlock(Part.Preheader, Starts[Index]);
    Lasts.push_back(nullptr);
    if (Value.Recurrence || (AtEnd && !isLiveOut(Index)))
      continue;
    PHINode *Last =
        PHINode::Create(Phi->getType(), 1,
                        Value.Phi->getName() + "." + Name + ".last", Part.Exit);
    Last->addIncoming(Phi->getIncomingValueForBlock(Latch), Latch);
    Lasts.back() = Last;
  }
  if (Name == "last" && Plan.RepeatsLast)
    for (BasicBlock *Copy : Copies)
      for (Instruction &I : make_early_inc_range(*Copy))
        if (isa<StoreInst>(I))
          I.eraseFromParent();
  if (Name == "last")
    for (auto [Out, Value] : zip(Plan.LiveOuts, Outs)) {
      if (Out.Is != LiveOut::Last)
        continue;
      PHINode *Phi = PHINode::Create(Out.Phi->getType(), 1,
                                     Out.Phi->getName() + ".last", Part.Exit);
      Phi->addIncoming(Map[Out.value()], Latch);
      Value = Phi;
    }
  if (Trips)
    countTo(Part.Header, Latch, Part.Preheader, Part.Exit, Trips);
  return Part;
}

/// Appends a part that runs if \p Guard holds, or always if there is none.
void Splitter::addPart(SplitLoop &Split, StringRef Name, Value *Done,
                       Value *Trips, Value *Guard, unsigned Lanes,
                       unsigned Interleave, bool Last) {
  Values Starts = expandStarts(Done), Lasts;
  for (auto [Start, Carried] : zip(Starts, Now))
    if (!Start)
      Start = Carried;
  LoopPart Part = copyLoop(Name, Starts, Trips, Last, Lasts);
  Part.Trips = Trips;
  Part.Lanes = Lanes;
  Part.Interleave = Interleave;
  auto *Known = dyn_cast<ConstantInt>(Trips);
  Part.Masked = Name == "masked" && !(Known && Known->getZExtValue() == Lanes);
  auto *Latch = *pred_begin(Part.Exit);
  // Predication is asked for everywhere: a part whose count is a multiple of
  // its step needs none, and must not get an epilogue either.
  auto Option = [&](StringRef Name, Constant *Value) {
    return ir::loopOption(Function.getContext(), Name, Value);
  };
  if (Lanes > 1)
    ir::renewLoop(
        *Latch->getTerminator(),
        {"llvm.loop.vectorize.", "llvm.loop.interleave.", "llvm.loop.unroll."},
        {Option("llvm.loop.vectorize.enable", Builder.getTrue()),
         Option("llvm.loop.vectorize.width", Builder.getInt32(Lanes)),
         Option("llvm.loop.interleave.count", Builder.getInt32(Interleave)),
         Option("llvm.loop.vectorize.predicate.enable", Builder.getTrue())});

  BasicBlock *Next = newBlock(L.getHeader()->getName() + "." + Name + ".join");
  IRBuilder<> AtGuard(Current);
  AtGuard.SetCurrentDebugLocation(L.getStartLoc());
  if (Guard)
    AtGuard.CreateCondBr(Guard, Part.Preheader, Next);
  else
    AtGuard.CreateBr(Part.Preheader);
  BranchInst::Create(Next, Part.Exit)->setDebugLoc(L.getStartLoc());
  for (auto [Index, Value] : enumerate(Plan.Carried)) {
    if (!Lasts[Index])
      continue;
    PHINode *Join = PHINode::Create(Value.Phi->getType(), 2,
                                    Value.Phi->getName() + "." + Name, Next);
    if (Guard)
      Join->addIncoming(Now[Index], Current);
    Join->addIncoming(Lasts[Index], Part.Exit);
    Now[Index] = Join;
    if (Lanes > 1)
      Split.Chains[Index].Joins.push_back(Join);
  }
  Current = Next;
  Split.Parts.push_back(Part);
}

SplitLoop Splitter::split() {
  SplitLoop Split;
  Type *Wide = Builder.getInt64Ty();
  auto Number = [&](uint64_t N) { return ConstantInt::get(Wide, N); };
  Instruction *End = Preheader->getTerminator();
  Value *Trips = Expander.expandCodeFor(Plan.TripCount, Wide, End);
  Builder.SetInsertPoint(End);
  uint64_t Width = Plan.width(), Lanes = Plan.Lanes;
  Value *WideTrips = Builder.CreateAnd(Trips, Number(-Width), "wide.end");
  Value *PlainEnd = WideTrips, *Turns = nullptr;
  if (Width != Lanes) {
    PlainEnd = Builder.CreateAnd(Trips, Number(-Lanes), "plain.end");
    Turns = Builder.CreateAnd(Trips, Number(Width - Lanes), "plain.trips");
  }
  Value *Rest = Builder.CreateAnd(Trips, Number(Lanes - 1), "masked.trips");

  for (const CarriedValue &Value : Plan.Carried) {
    Now.push_back(Value.Phi->getIncomingValueForBlock(Preheader));
    Split.Chains.push_back({Now.back(), {}});
  }
  for (const LiveOut &Out : Plan.LiveOuts)
    Outs.push_back(
        Out.Is == LiveOut::Closed
            ? Expander.expandCodeFor(Out.After, Out.Phi->getType(), End)
            : Out.value());

  BasicBlock *Entry = newBlock(L.getHeader()->getName() + ".parts");
  Current = Entry;
  // With a constant trip count there are no guards: a part is there or not.
  auto Add = [&](StringRef Name, Value *Done, Value *Count, Value *Guard,
                 unsigned PartLanes, unsigned Interleave, bool Last) {
    if (auto *Constant = dyn_cast<ConstantInt>(Count)) {
      if (Constant->isZero())
        return;
      Guard = nullptr;
    }
    addPart(Split, Name, Done, Count, Guard, PartLanes, Interleave, Last);
  };
  Add("wide", Number(0), WideTrips, Builder.CreateICmpUGE(Trips, Number(Width)),
      Lanes, Plan.Interleave, false);
  if (Turns)
    Add("plain", WideTrips, Turns, Builder.CreateICmpUGE(Turns, Number(Lanes)),
        Lanes, 1, false);
  Add("masked", PlainEnd, Rest, Builder.CreateICmpNE(Rest, Number(0)),
      Plan.lastLanes(), 1, !Plan.PeelsLast);
  if (Plan.PeelsLast)
    Add("last", Trips, Number(1), nullptr, 1, 1, true);
  if (Plan.RepeatsLast) {
    Builder.SetInsertPoint(End);
    Add("last", Builder.CreateSub(Trips, Number(1)), Number(1), nullptr, 1, 1,
        true);
  }

  IRBuilder<>(Current).CreateBr(L.getExitBlock());
  for (auto [Index, Out] : enumerate(Plan.LiveOuts))
    Out.Phi->addIncoming(
        Out.Is == LiveOut::Carried ? Now[Out.Index] : Outs[Index], Current);
  Split.Switch = openSwitch(Entry);
  return Split;
}

LoopPart Splitter::trial(BranchInst *&Switch) {
  Values Starts, Lasts;
  for (const CarriedValue &Value : Plan.Carried)
    Starts.push_back(Value.Phi->getIncomingValueForBlock(Preheader));
  // Of a short loop the number would change the verdict; of a long one a second
  // counter would, which costs as much as an operation of the loop.
  Value *Trips = nullptr;
  if (Plan.ConstantTrip && *Plan.ConstantTrip < LongTrips) {
    Builder.SetInsertPoint(Preheader->getTerminator());
    Trips = Builder.CreateFreeze(PoisonValue::get(Builder.getInt64Ty()));
  }
  LoopPart Part = copyLoop("trial", Starts, Trips, true, Lasts);
  BranchInst::Create(L.getExitBlock(), Part.Exit);
  for (const LiveOut &Out : Plan.LiveOuts) {
    Value *Last = PoisonValue::get(Out.Phi->getType());
    if (Out.Is == LiveOut::Carried)
      Last = Lasts[Out.Index];
    Out.Phi->addIncoming(Last, Part.Exit);
  }
  Switch = openSwitch(Part.Preheader);
  return Part;
}

SplitLoop splitLoop(Loop &L, ScalarEvolution &SE, const RemainderPlan &Plan) {
  return Splitter(L, SE, Plan).split();
}

LoopPart copyForTrial(Loop &L, ScalarEvolution &SE, const RemainderPlan &Plan,
                      BranchInst *&Switch) {
  return Splitter(L, SE, Plan).trial(Switch);
}

void decideSwitch(BranchInst *Switch, bool TakeCopies) {
  BasicBlock *Block = Switch->getParent();
  Value *Undecided = Switch->getCondition();
  Switch->setCondition(ConstantInt::getBool(Switch->getContext(), TakeCopies));
  RecursivelyDeleteTriviallyDeadInstructions(Undecided);
  ConstantFoldTerminator(Block);
  removeUnreachableBlocks(*Block->getParent());
}

} // namespace accx::vector
