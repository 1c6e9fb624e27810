//===- Finish.cpp - Cleans up the vectorized parts ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks, scalar copies and masks of Finish.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Finish.h"

#include "vector/Lanes.h"
#include "vector/peephole/GatherPairs.h"
#include "vector/remainder/Calls.h"
#include "vector/remainder/Split.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <utility>

using namespace llvm;
using namespace llvm::PatternMatch;

static cl::opt<bool> AssumePadding(
    "accx-assume-padding", cl::Hidden, cl::init(false),
    cl::desc("Let loads reach up to 63 bytes behind what the program accesses, "
             "which it promises to be there"));

namespace accx::vector {

using BlockSet = SmallSetVector<BasicBlock *, 16>;

/// The blocks that a part consists of by now, its preheader first, its exit
/// not included.
static BlockSet regionOf(const LoopPart &Part) {
  BlockSet Blocks;
  Blocks.insert(Part.Preheader);
  for (unsigned I = 0; I < Blocks.size(); ++I)
    for (BasicBlock *Next : successors(Blocks[I]))
      if (Next != Part.Exit)
        Blocks.insert(Next);
  return Blocks;
}

/// What the condition of \p Branch in the part always is, if that is known.
static std::optional<bool>
knownCondition(BranchInst *Branch, const LoopPart &Part, ScalarEvolution &SE) {
  Value *Condition = Branch->getCondition();
  if (auto *Constant = dyn_cast<ConstantInt>(Condition))
    return Constant->isOne();
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare || !SE.isSCEVable(Compare->getOperand(0)->getType()))
    return std::nullopt;
  // The vectorizer asks whether one turn is too much for the count, which it
  // computes anew ahead of a loop around this one.
  ICmpInst::Predicate Predicate;
  Value *Count;
  uint64_t Turn;
  if (!Part.Masked &&
      match(Compare, m_ICmp(Predicate, m_Value(Count), m_ConstantInt(Turn))) &&
      Turn == Part.step() && Predicate == ICmpInst::ICMP_ULT &&
      SE.getSCEV(Count) == SE.getSCEV(Part.Trips))
    return false;
  return SE.evaluatePredicateAt(Compare->getPredicate(),
                                SE.getSCEV(Compare->getOperand(0)),
                                SE.getSCEV(Compare->getOperand(1)), Branch);
}

static bool isStraight(const BlockSet &Blocks) {
  return all_of(Blocks, [](BasicBlock *Block) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    return Branch && Branch->isUnconditional();
  });
}

static bool callsPerLane(const BasicBlock *Block) {
  return any_of(*Block, isCallPerLane);
}

/// Zen gathers and scatters lane by lane, also where a mask is off. That pays
/// where a lane is two elements.
static bool gathersSlowly(const BasicBlock *Block) {
  Attribute CPU = Block->getParent()->getFnAttribute("target-cpu");
  if (!CPU.isStringAttribute() || !CPU.getValueAsString().starts_with("znver"))
    return false;
  return any_of(*Block, [](const Instruction &I) {
    return (match(&I, m_Intrinsic<Intrinsic::masked_gather>()) &&
            !isJoinedGather(I)) ||
           match(&I, m_Intrinsic<Intrinsic::masked_scatter>());
  });
}

StringRef removeScalarCopies(ArrayRef<LoopPart> Parts, Function &F,
                             FunctionAnalysisManager &FAM) {
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  for (const LoopPart &Part : Parts)
    for (BasicBlock *Block : regionOf(Part))
      joinGathers(*Block, TTI, /*Reports=*/false);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  // All decided before anything changes, while the analyses hold.
  SmallVector<std::pair<BranchInst *, bool>, 8> Known;
  for (const LoopPart &Part : Parts)
    for (BasicBlock *Block : regionOf(Part)) {
      auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
      if (!Branch || Branch->isUnconditional())
        continue;
      Loop *Around = LI.getLoopFor(Block);
      bool Latch = Around && Around->getLoopLatch() == Block;
      if (Latch && !isa<ConstantInt>(Branch->getCondition()))
        continue;
      if (std::optional<bool> Condition = knownCondition(Branch, Part, SE))
        Known.emplace_back(Branch, *Condition);
    }
  for (auto [Branch, Condition] : Known) {
    Branch->setCondition(ConstantInt::getBool(Branch->getContext(), Condition));
    ConstantFoldTerminator(Branch->getParent(), /*DeleteDeadConditions=*/true);
  }

  for (const LoopPart &Part : Parts) {
    BlockSet Blocks = regionOf(Part);
    if (Part.Lanes > 1 && Blocks.contains(Part.Header))
      return "a part would keep a scalar loop";
    if (!Part.Masked)
      continue;
    if (!isStraight(Blocks))
      return "the masked vector would branch for each lane";
    if (any_of(Blocks, callsPerLane))
      return "the masked vector would call the mathematical library for each "
             "lane";
    if (any_of(Blocks, gathersSlowly))
      return "the masked vector would gather, which is slow on this processor";
  }
  removeUnreachableBlocks(F);
  return "";
}

/// Folds what became constant when the part's loop lost its back edge.
static void simplifyRegion(const BlockSet &Blocks) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (BasicBlock *Block : Blocks)
      Changed |= SimplifyInstructionsInBlock(Block);
  }
}

/// Whether \p V is the vector 0, 1, 2, ...
static bool isLaneNumbers(Value *V) {
  auto *Type = dyn_cast<FixedVectorType>(V->getType());
  return Type && Type->getElementType()->isIntegerTy() &&
         V == laneNumbers(Type->getElementType(), Type->getNumElements());
}

/// The width of what the mask's users work on, in bits.
static unsigned dataWidth(Value *Mask) {
  unsigned Bits = 8;
  for (User *U : Mask->users()) {
    Type *Data = U->getType();
    if (Data->isVoidTy())
      Data = cast<Instruction>(U)->getOperand(0)->getType();
    if (Data->isVectorTy())
      Bits = std::max(Bits, Data->getScalarSizeInBits());
  }
  return Bits;
}

/// Library functions are slow on zero, infinity and not-a-number, and so are
/// inactive lanes that hold them.
static void fillInactive(CallInst &Call, Value *Mask) {
  auto Lanes = cast<VectorType>(Mask->getType())->getElementCount();
  for (Use &Arg : Call.args()) {
    auto *Type = dyn_cast<VectorType>(Arg->getType());
    if (!Type || !Type->isFPOrFPVectorTy() || Type->getElementCount() != Lanes)
      continue;
    IRBuilder<> Builder(&Call);
    Arg.set(Builder.CreateSelect(Mask, Arg, ConstantFP::get(Type, 1.0)));
  }
}

/// Where \p I repeats each lane of \p Mask for the members of a strided group:
/// how often; else 0.
static unsigned repeats(Instruction &I, Value *Mask) {
  auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
  int Times = 0, Lanes = 0;
  if (!Shuffle || Shuffle->getOperand(0) != Mask ||
      !Shuffle->isReplicationMask(Times, Lanes))
    return 0;
  const unsigned All = unsigned(Times) * unsigned(Lanes);
  return Times > 1 && All <= 64 && isPowerOf2_32(All) ? unsigned(Times) : 0;
}

/// The first \p Count lanes, each repeated, are the first of the repeated ones.
/// For registers of masks alone: where masks are vectors these are as good as
/// they are.
static void simplifyRepeated(Value *Mask, Value *Count) {
  for (User *U : make_early_inc_range(Mask->users())) {
    auto &I = *cast<Instruction>(U);
    unsigned Times = repeats(I, Mask);
    if (!Times)
      continue;
    IRBuilder<> Builder(&I);
    auto *Type = cast<FixedVectorType>(I.getType());
    Value *Repeated = createPrefixMask(
        Builder,
        Builder.CreateMul(Count, ConstantInt::get(Count->getType(), Times)),
        Type->getNumElements(), 0, /*Registers=*/true);
    I.replaceAllUsesWith(Repeated);
    I.eraseFromParent();
  }
}

/// Loads whole vectors where the first lanes are active: what lies behind may
/// be loaded if all memory is padded.
static void loadPadded(Value *Mask) {
  for (User *U : make_early_inc_range(Mask->users())) {
    auto *Load = dyn_cast<IntrinsicInst>(U);
    if (!Load || Load->getIntrinsicID() != Intrinsic::masked_load ||
        Load->getArgOperand(2) != Mask)
      continue;
    IRBuilder<> Builder(Load);
    LoadInst *Whole = Builder.CreateAlignedLoad(
        Load->getType(), Load->getArgOperand(0),
        cast<ConstantInt>(Load->getArgOperand(1))->getAlignValue());
    Whole->setAAMetadata(Load->getAAMetadata());
    Value *Other = Load->getArgOperand(3);
    Load->replaceAllUsesWith(isa<UndefValue>(Other)
                                 ? Whole
                                 : Builder.CreateSelect(Mask, Whole, Other));
    Load->eraseFromParent();
  }
}

/// Of what is narrowed only for its store the target would make a narrowing
/// masked store, which is slow, and hides operations on the narrow type. Zeros
/// in inactive lanes cost nothing.
static void zeroNarrowed(Value *Mask) {
  for (User *U : Mask->users()) {
    auto *Store = dyn_cast<IntrinsicInst>(U);
    if (!Store || Store->getIntrinsicID() != Intrinsic::masked_store ||
        Store->getArgOperand(3) != Mask)
      continue;
    Value *Narrow = Store->getArgOperand(0);
    if (!match(Narrow, m_OneUse(m_Trunc(m_Value()))))
      continue;
    IRBuilder<> Builder(Store);
    Store->setArgOperand(
        0, Builder.CreateSelect(Mask, Narrow,
                                Constant::getNullValue(Narrow->getType())));
  }
}

void countOn(const LoopPart &Part) {
  for (BasicBlock *Block : regionOf(Part)) {
    Value *Counted = nullptr, *End = nullptr;
    Instruction *Next = nullptr;
    ICmpInst::Predicate Predicate;
    auto *Latch = dyn_cast<BranchInst>(Block->getTerminator());
    if (!Latch || Latch->isUnconditional() ||
        !match(
            Latch->getCondition(),
            m_OneUse(m_ICmp(Predicate, m_Instruction(Next), m_Value(End)))) ||
        Predicate != ICmpInst::ICMP_EQ ||
        !match(Next, m_c_Add(m_Value(Counted), m_ConstantInt())))
      continue;
    auto *Count = dyn_cast<PHINode>(Counted);
    if (!Count || Count->getParent() != Block ||
        Count->getNumIncomingValues() != 2 ||
        Count->getBasicBlockIndex(Block) < 0)
      continue;
    unsigned Entry = Count->getIncomingBlock(0) == Block;
    if (!match(Count->getIncomingValue(Entry), m_Zero()))
      continue;
    // The only use but that of the count itself: start + count.
    Instruction *Offset = nullptr;
    bool Single = true;
    for (User *U : Count->users())
      if (U != Next)
        Single &= !std::exchange(Offset, cast<Instruction>(U));
    Value *Start = nullptr;
    if (!Offset || !Single || Offset->getParent() != Block ||
        !match(Offset, m_c_Add(m_Specific(Count), m_Value(Start))) ||
        !Next->hasNUses(2))
      continue;
    if (auto *Inside = dyn_cast<Instruction>(Start);
        Inside && Inside->getParent() == Block)
      continue;
    IRBuilder<> Builder(Count->getIncomingBlock(Entry)->getTerminator());
    Count->setIncomingValue(Entry, Start);
    Next->dropPoisonGeneratingFlags();
    cast<ICmpInst>(Latch->getCondition())
        ->setOperand(1, Builder.CreateAdd(Start, End));
    Offset->replaceAllUsesWith(Count);
    Offset->eraseFromParent();
  }
}

void simplifyMasked(const LoopPart &Part, Function &F,
                    FunctionAnalysisManager &FAM) {
  BlockSet Blocks = regionOf(Part);
  simplifyRegion(Blocks);
  bool Registers =
      hasMaskRegisters(FAM.getResult<TargetIRAnalysis>(F), F.getContext());
  SmallVector<ICmpInst *, 2> Tests;
  SmallVector<CallInst *, 4> Calls;
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : *Block) {
      auto *Call = dyn_cast<CallInst>(&I);
      if (Call && Call->getCalledFunction() && !isa<IntrinsicInst>(Call))
        Calls.push_back(Call);
      if (auto *Test = dyn_cast<ICmpInst>(&I))
        Tests.push_back(Test);
    }
  Value *Mask = nullptr;
  for (ICmpInst *Test : Tests) {
    Value *Last = getSplatValue(Test->getOperand(1));
    if (Test->getPredicate() != ICmpInst::ICMP_ULE ||
        !isLaneNumbers(Test->getOperand(0)) || !Last)
      continue;
    auto *Type = cast<FixedVectorType>(Test->getType());
    IRBuilder<> Builder(Test);
    Value *Count =
        Builder.CreateAdd(Last, ConstantInt::get(Last->getType(), 1));
    Mask = createPrefixMask(Builder, Count, Type->getNumElements(),
                            dataWidth(Test), Registers);
    Test->replaceAllUsesWith(Mask);
    Test->eraseFromParent();
    if (Registers)
      simplifyRepeated(Mask, Count);
    if (AssumePadding)
      loadPadded(Mask);
    if (Registers)
      zeroNarrowed(Mask);
  }
  if (Mask)
    for (CallInst *Call : Calls)
      fillInactive(*Call, Mask);
  simplifyRegion(Blocks);
}

} // namespace accx::vector
