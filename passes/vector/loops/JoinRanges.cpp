//===- JoinRanges.cpp - Ranges that follow each other are one loop --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of JoinRanges.h.
//
//===----------------------------------------------------------------------===//

#include "vector/loops/JoinRanges.h"

#include "vector/loops/JoinRangesPlan.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "simd-join"

using namespace llvm;

STATISTIC(NumLoops, "Number of loops whose ranges are one");

/// Of loops that were looked at.
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

/// Whether a number of 128 bits is one of \p Bits.
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

/// Sets Holds and Count.
void Emitter::count(IRBuilder<> &Builder) {
  // What goes beyond 128 bits is no number that fits.
  auto Sum = [&](Value *Left, Value *Right) {
    return Builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Left, Right);
  };
  // What is computed of poison, for what is not executed, decides nothing else.
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

/// One loop over what the inner one needs.
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
  // What is computed anew, or for nobody.
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
  if (MDNode *Id = K.getLoopID()) {
    // Nothing but that it goes on.
    SmallVector<Metadata *, 4> Kept(Id->operands());
    MDNode *New = MDNode::getDistinct(Context, Kept);
    New->replaceOperandWith(0, New);
    Back->setMetadata(LLVMContext::MD_loop, New);
  }
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
  // All that asks the analyses goes ahead of changes to them.
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
  // To the body, when it is there.
  Builder.CreateCondBr(None, Exit, Before);
  emitBody(Joined, Exit);
  addStringMetadataToLoop(&L, Marker, 1);
  ++NumLoops;
}

/// One loop of the function, as long as there is any.
static bool joinOne(Function &F, FunctionAnalysisManager &FAM,
                    SmallPtrSetImpl<const BasicBlock *> &Seen) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (L->getSubLoops().size() != 1 || findStringMetadataForLoop(L, Marker) ||
        !Seen.insert(L->getHeader()).second)
      continue;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, false);
    simplifyLoop(L->getSubLoops().front(), &DT, &LI, &SE, &AC, nullptr, false);
    formLCSSARecursively(*L, DT, &LI, &SE);
    JoinedRanges Plan;
    StringRef Reason = planJoin(*L, LI, DT, SE, Plan);
    if (Plan.IsNone)
      continue;
    OptimizationRemarkEmitter Remarks(&F);
    Emitter Emit(Plan, F, FAM);
    if (Reason.empty() && !Emit.canExpand())
      Reason = "its bounds are not known ahead of it";
    if (!Reason.empty()) {
      Remarks.emit([&] {
        return OptimizationRemarkMissed(DEBUG_TYPE, "RangesStay",
                                        L->getStartLoc(), L->getHeader())
               << "ranges that follow each other are not one loop: " << Reason;
      });
      continue;
    }
    Remarks.emit([&] {
      return OptimizationRemark(DEBUG_TYPE, "Joined", L->getStartLoc(),
                                L->getHeader())
             << "ranges that follow each other are one loop";
    });
    Emit.run();
    FAM.invalidate(F, PreservedAnalyses::none());
    return true;
  }
  return false;
}

PreservedAnalyses JoinRangesPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() || F.hasOptSize() ||
      FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return PreservedAnalyses::all();
  SmallPtrSet<const BasicBlock *, 8> Seen;
  while (joinOne(F, FAM, Seen))
    ;
  return Seen.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace accx::vector
