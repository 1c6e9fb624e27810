//===- JoinRanges.cpp - Ranges that follow each other are one loop --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of JoinRanges.h.
//
//===----------------------------------------------------------------------===//

#include "vector/loops/JoinRanges.h"

#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "vector/Loops.h"
#include "vector/loops/JoinRangesPlan.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "simd-join"

using namespace llvm;

STATISTIC(NumLoops, "Number of loops whose ranges are one");

/// Metadata of loops that the pass has seen.
static constexpr char Marker[] = "accx.simd.ranges";

namespace accx::vector {

namespace {

class Emitter {
public:
  Emitter(const JoinedRanges &Plan, Function &F, FunctionAnalysisManager &FAM)
      : Plan(Plan), L(*Plan.Outer), K(*Plan.Inner), F(F),
        Context(F.getContext()), Wide(Type::getInt128Ty(Context)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Expander(SE, F.getDataLayout(), DEBUG_TYPE) {}

  bool canExpand() const;
  void run();

private:
  Value *expand(const SCEV *S, bool IsSigned, IRBuilder<> &Builder);
  Value *fits(Value *V, unsigned Bits, bool IsSigned, IRBuilder<> &Builder);
  void count(IRBuilder<> &Builder);
  void emitBody(BasicBlock *From, BasicBlock *Exit);

  const JoinedRanges &Plan;
  Loop &L, &K;
  Function &F;
  LLVMContext &Context;
  Type *Wide;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  /// Whether ranges follow each other, and iterations of all, in 128 bits.
  Value *Holds = nullptr, *Count = nullptr;
  /// The plan's values: where they begin, and their steps.
  SmallVector<std::tuple<Value *, Value *, Value *>, 8> Lines;
};

} // namespace

bool Emitter::canExpand() const {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  auto Can = [&](const SCEV *S) {
    return !S || Expander.isSafeToExpandAt(S, At);
  };
  for (const SCEV *S : {Plan.Last, Plan.Each, Plan.Begin, Plan.End, Plan.Limit})
    if (!Can(S))
      return false;
  for (const JoinedRanges::Counter &One : Plan.Narrow)
    if (!Can(One.Rec->getStart()) || !Can(One.Rec->getStepRecurrence(SE)))
      return false;
  return all_of(Plan.Values, [&](const auto &One) {
    return Can(One.second.First) && Can(One.second.Step);
  });
}

Value *Emitter::expand(const SCEV *S, bool IsSigned, IRBuilder<> &Builder) {
  Value *V =
      Expander.expandCodeFor(S, S->getType(), &*Builder.GetInsertPoint());
  return IsSigned ? Builder.CreateSExt(V, Wide) : Builder.CreateZExt(V, Wide);
}

/// Whether a number of 128 bits fits \p Bits.
Value *Emitter::fits(Value *V, unsigned Bits, bool IsSigned,
                     IRBuilder<> &Builder) {
  const APInt Least =
      IsSigned ? APInt::getSignedMinValue(Bits).sext(128) : APInt(128, 0);
  const APInt Most = IsSigned ? APInt::getSignedMaxValue(Bits).zext(128)
                              : APInt::getMaxValue(Bits).zext(128);
  return Builder.CreateAnd(
      Builder.CreateICmpSGE(V, ConstantInt::get(Wide, Least)),
      Builder.CreateICmpSLE(V, ConstantInt::get(Wide, Most)));
}

/// Computes Holds and Count ahead of the loops.
void Emitter::count(IRBuilder<> &Builder) {
  // A sum that does not fit 128 bits fits no counter: it may saturate.
  auto Sum = [&](Value *Left, Value *Right) {
    return Builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Left, Right);
  };
  // Frozen: a number that the loops never use may be poison, and must not spoil
  // the other answers.
  auto Require = [&](Value *V) {
    V = Builder.CreateFreeze(V);
    Holds = Holds ? Builder.CreateAnd(Holds, V) : V;
  };
  Value *Last = expand(Plan.Last, false, Builder);
  Value *Ranges = Builder.CreateAdd(Last, ConstantInt::get(Wide, 1));
  for (const auto [Rec, IsSigned] : Plan.Narrow) {
    const unsigned Bits = unsigned(SE.getTypeSizeInBits(Rec->getType()));
    Value *Way = Builder.CreateMul(
        expand(Rec->getStepRecurrence(SE), true, Builder), Last);
    Require(fits(Sum(expand(Rec->getStart(), IsSigned, Builder), Way), Bits,
                 IsSigned, Builder));
  }
  if (!Plan.IsGuarded) {
    Count = Builder.CreateMul(expand(Plan.Each, false, Builder), Ranges);
    Require(Builder.CreateICmpSGT(Count, ConstantInt::get(Wide, 0)));
    if (Plan.Condition)
      Require(Plan.RunsIf ? Plan.Condition : Builder.CreateNot(Plan.Condition));
  } else {
    Value *Each = expand(Plan.Each, true, Builder);
    Value *Begin = expand(Plan.Begin, Plan.IsSigned, Builder);
    Value *End = expand(Plan.End, Plan.IsSigned, Builder);
    Require(Builder.CreateICmpEQ(End, Builder.CreateAdd(Begin, Each)));
    Value *All = Sum(Begin, Builder.CreateMul(Each, Ranges));
    Require(fits(All, unsigned(SE.getTypeSizeInBits(Plan.Begin->getType())),
                 Plan.IsSigned, Builder));
    if (Plan.Limit)
      All = Builder.CreateBinaryIntrinsic(
          Intrinsic::smin, All, expand(Plan.Limit, Plan.IsSigned, Builder));
    Count = Builder.CreateSub(All, Begin);
  }
  Require(Builder.CreateICmpSLE(
      Count, ConstantInt::get(Wide, APInt::getSignedMaxValue(64).zext(128))));
}

/// Writes the joined loop, of the instructions that the plan needs.
void Emitter::emitBody(BasicBlock *From, BasicBlock *Exit) {
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Blocks;
  for (BasicBlock *Block : K.blocks()) {
    BasicBlock *Copy = CloneBasicBlock(Block, Map, ".joined", &F);
    Map[Block] = Copy;
    Blocks.push_back(Copy);
  }
  auto *Header = cast<BasicBlock>(Map[K.getHeader()]);
  auto *Latch = cast<BasicBlock>(Map[K.getLoopLatch()]);
  // The rest is recomputed from the joined counter, or unused.
  for (BasicBlock *Block : K.blocks())
    for (Instruction &I : *Block)
      if (!Plan.Needed.contains(&I))
        cast<Instruction>(Map[&I])->eraseFromParent();

  Instruction *Before = From->getTerminator();
  IRBuilder<> Builder(Before);
  Value *Number = Builder.CreateTrunc(Count, Builder.getInt64Ty());
  Builder.SetInsertPoint(Header, Header->begin());
  PHINode *Index = Builder.CreatePHI(Builder.getInt64Ty(), 2, "joined");
  Builder.SetInsertPoint(Header, Header->getFirstInsertionPt());
  for (const auto &[Old, First, Step] : Lines) {
    Value *Way =
        Builder.CreateMul(Builder.CreateTrunc(Index, Step->getType()), Step);
    Map[Old] = Old->getType()->isPointerTy()
                   ? Builder.CreateGEP(Builder.getInt8Ty(), First, Way)
                   : Builder.CreateAdd(First, Way);
  }
  remapInstructionsInBlocks(Blocks, Map);
  Builder.SetInsertPoint(Latch);
  Value *Next =
      Builder.CreateAdd(Index, Builder.getInt64(1), "joined.next", true, true);
  BranchInst *Back =
      Builder.CreateCondBr(Builder.CreateICmpEQ(Next, Number), Exit, Header);
  Back->setDebugLoc(K.getLoopLatch()->getTerminator()->getDebugLoc());
  Index->addIncoming(Builder.getInt64(0), From);
  Index->addIncoming(Next, Latch);
  // The only option of such a loop is that it makes progress.
  Back->setMetadata(LLVMContext::MD_loop, K.getLoopID());
  ir::renewLoop(*Back);
  cast<BranchInst>(Before)->setSuccessor(1, Header);
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(L.getLoopLatch());
    Phi.addIncoming(V, From);
    Phi.addIncoming(V, Latch);
  }
}

void Emitter::run() {
  BasicBlock *Check = L.getLoopPreheader(), *Exit = L.getExitBlock();
  IRBuilder<> Builder(Check->getTerminator());
  count(Builder);
  // Expand before the control flow changes: analyses are valid only until then.
  for (const auto &[Old, New] : Plan.Values)
    Lines.emplace_back(Old,
                       Expander.expandCodeFor(New.First, New.First->getType(),
                                              Check->getTerminator()),
                       Expander.expandCodeFor(New.Step, New.Step->getType(),
                                              Check->getTerminator()));
  BasicBlock *Before = SplitBlock(Check, Check->getTerminator(),
                                  static_cast<DominatorTree *>(nullptr),
                                  nullptr, nullptr, "ranges");
  BasicBlock *Joined = BasicBlock::Create(Context, "ranges.joined", &F, Before);
  ReplaceInstWithInst(Check->getTerminator(),
                      BranchInst::Create(Joined, Before, Holds));
  Builder.SetInsertPoint(Joined);
  Value *None = Builder.CreateICmpSLE(Count, ConstantInt::get(Wide, 0));
  // The second successor becomes the body, as soon as that is there.
  Builder.CreateCondBr(None, Exit, Before);
  emitBody(Joined, Exit);
  addStringMetadataToLoop(&L, Marker, 1);
  ++NumLoops;
}

/// Makes one loop of \p L and the loop inside if it can.
static bool join(Loop &L, Function &F, FunctionAnalysisManager &FAM) {
  bringIntoForm(L, F, FAM);
  JoinedRanges Plan;
  StringRef Reason = planJoin(L, FAM.getResult<LoopAnalysis>(F),
                              FAM.getResult<DominatorTreeAnalysis>(F),
                              FAM.getResult<ScalarEvolutionAnalysis>(F), Plan);
  if (Plan.IsNone)
    return false;
  Emitter Emit(Plan, F, FAM);
  if (Reason.empty() && !Emit.canExpand())
    Reason = "its bounds are not known ahead of it";
  if (!Reason.empty()) {
    ir::remarkMissed(
        DEBUG_TYPE, "RangesStay", L,
        "ranges that follow each other are not one loop: ", Reason);
    return false;
  }
  ir::remarkPassed(DEBUG_TYPE, "Joined", L,
                   "ranges that follow each other are one loop");
  Emit.run();
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

PreservedAnalyses JoinRangesPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() || F.hasOptSize() ||
      FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return PreservedAnalyses::all();
  SmallPtrSet<const BasicBlock *, 8> Seen;
  takeLoops(F, FAM, [&](Loop &L) {
    return L.getSubLoops().size() == 1 &&
           !findStringMetadataForLoop(&L, Marker) &&
           Seen.insert(L.getHeader()).second && join(L, F, FAM);
  });
  return Seen.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace accx::vector
