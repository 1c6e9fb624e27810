//===- Columns.cpp - Outer loops that walk along rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of Columns.h.
//
//===----------------------------------------------------------------------===//

#include "vector/loops/Columns.h"

#include "vector/functions/Variants.h"
#include "vector/loops/ColumnsPlan.h"
#include "vector/loops/RowLoops.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "simd-columns"

using namespace llvm;

STATISTIC(NumLoops, "Number of outer loops that become lanes");

/// Of loops that become lanes, and with 0 of those that were looked at.
static constexpr char Marker[] = "accx.simd.columns";

/// Fewer iterations than these run as they are.
static constexpr uint64_t LeastIterations = 8;

namespace accx::vector {

bool isColumnsLoop(const Loop &L) {
  return getBooleanLoopAttribute(&L, Marker);
}

namespace {

/// Takes a planned loop twice, one of them for lanes.
class Emitter {
public:
  Emitter(const Columns &Plan, FunctionAnalysisManager &FAM, Function &F)
      : Plan(Plan), L(*Plan.Outer), F(F), FAM(FAM), Context(F.getContext()),
        Expander(FAM.getResult<ScalarEvolutionAnalysis>(F), F.getDataLayout(),
                 DEBUG_TYPE) {}

  bool canExpand(Instruction *At) const;
  void run();

private:
  struct Range {
    Value *First, *End;
  };

  /// Two to the power of 64.
  Constant *top() const {
    return ConstantInt::get(Type::getInt128Ty(Context),
                            APInt::getOneBitSet(128, 64));
  }
  Range rangeOf(const ColumnRange &Of, IRBuilder<> &Builder,
                function_ref<void(Value *)> IsKnown);
  Value *condition(Instruction *At);
  void mark(Loop &Lanes);

  const Columns &Plan;
  Loop &L;
  Function &F;
  FunctionAnalysisManager &FAM;
  LLVMContext &Context;
  SCEVExpander Expander;
};

} // namespace

bool Emitter::canExpand(Instruction *At) const {
  auto Can = [&](const SCEV *S) { return Expander.isSafeToExpandAt(S, At); };
  auto CanAccess = [&](const ColumnAccess &A) {
    return Can(A.Start) && all_of(A.Walks, [&](const ColumnAccess::Walk &W) {
             return Can(W.Step) && Can(W.Last) &&
                    (!W.More || (Can(W.More) && Can(W.Again)));
           });
  };
  return Can(Plan.LastIteration) &&
         all_of(Plan.Checks, [&](const std::pair<unsigned, unsigned> &Check) {
           return CanAccess(Plan.Accesses[Plan.Ranges[Check.first].Access]) &&
                  CanAccess(Plan.Accesses[Plan.Ranges[Check.second].Access]);
         });
}

/// From the lowest byte that is touched to behind the last one.
Emitter::Range Emitter::rangeOf(const ColumnRange &Of, IRBuilder<> &Builder,
                                function_ref<void(Value *)> IsKnown) {
  Type *Wide = Builder.getInt128Ty();
  auto Expand = [&](const SCEV *S, bool IsSigned) {
    Value *V =
        Expander.expandCodeFor(S, S->getType(), &*Builder.GetInsertPoint());
    return IsSigned ? Builder.CreateSExt(V, Wide) : Builder.CreateZExt(V, Wide);
  };
  // What goes beyond 128 bits is no address.
  auto Sum = [&](Value *Left, Value *Right) {
    return Builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Left, Right);
  };
  const ColumnAccess &A = Plan.Accesses[Of.Access];
  Value *Start = Expander.expandCodeFor(A.Start, A.Start->getType(),
                                        &*Builder.GetInsertPoint());
  Value *First = Builder.CreateZExt(
      Builder.CreatePtrToInt(Start, Builder.getInt64Ty()), Wide);
  Value *End = Builder.CreateAdd(First, ConstantInt::getSigned(Wide, Of.High));
  First = Builder.CreateAdd(First, ConstantInt::getSigned(Wide, Of.Low));
  Value *Zero = ConstantInt::get(Wide, 0);
  for (const ColumnAccess::Walk &Walk : A.Walks) {
    Value *Step = Expand(Walk.Step, true);
    Value *Last = Expand(Walk.Last, false);
    if (Walk.More) {
      Value *Final = Sum(Last, Builder.CreateMul(Expand(Walk.More, true),
                                                 Expand(Walk.Again, false)));
      IsKnown(Builder.CreateAnd(Builder.CreateICmpSGE(Final, Zero),
                                Builder.CreateICmpSLT(Final, top())));
      // Beyond it is none, as products stay within 128 bits.
      Final = Builder.CreateBinaryIntrinsic(Intrinsic::umin, Final, top());
      Last = Builder.CreateBinaryIntrinsic(Intrinsic::umax, Last, Final);
    }
    Value *Way = Builder.CreateMul(Step, Last);
    First =
        Sum(First, Builder.CreateBinaryIntrinsic(Intrinsic::smin, Way, Zero));
    End = Sum(End, Builder.CreateBinaryIntrinsic(Intrinsic::smax, Way, Zero));
  }
  return {First, End};
}

/// Whether iterations are known to be independent, and enough of them.
Value *Emitter::condition(Instruction *At) {
  IRBuilder<> Builder(At);
  Value *Last = Expander.expandCodeFor(Plan.LastIteration,
                                       Plan.LastIteration->getType(), At);
  Value *Result = Builder.CreateICmpUGE(
      Last, ConstantInt::get(Last->getType(), LeastIterations - 1));
  DenseMap<unsigned, Range> Known;
  Type *Wide = Builder.getInt128Ty();
  // What is computed of poison, for what is not executed, decides nothing else.
  auto Require = [&](Value *V) {
    Result = Builder.CreateAnd(Result, Builder.CreateFreeze(V));
  };
  auto Of = [&](unsigned I) {
    auto [Place, IsNew] = Known.try_emplace(I);
    if (IsNew) {
      const Range R = rangeOf(Plan.Ranges[I], Builder, Require);
      Place->second = R;
      // Addresses do not go round.
      Require(Builder.CreateICmpSGE(R.First, ConstantInt::get(Wide, 0)));
      Require(Builder.CreateICmpSLE(R.End, top()));
      return R;
    }
    return Place->second;
  };
  for (const auto &[One, Other] : Plan.Checks) {
    const Range A = Of(One), B = Of(Other);
    Require(Builder.CreateOr(Builder.CreateICmpSLE(A.End, B.First),
                             Builder.CreateICmpSLE(B.End, A.First)));
  }
  return Result;
}

/// Says of a loop that its iterations are independent.
void Emitter::mark(Loop &Lanes) {
  MDNode *Group = MDNode::getDistinct(Context, {});
  for (BasicBlock *Block : Lanes.blocks())
    for (Instruction &I : *Block)
      if (I.mayReadOrWriteMemory())
        I.setMetadata(LLVMContext::MD_access_group,
                      uniteAccessGroups(
                          I.getMetadata(LLVMContext::MD_access_group), Group));
  Metadata *Parallel = MDNode::get(
      Context, {MDString::get(Context, "llvm.loop.parallel_accesses"), Group});
  // Nothing that another loop said of itself.
  MDNode *Id = MDNode::getDistinct(
      Context, {nullptr, Parallel,
                MDNode::get(Context, MDString::get(Context, Marker))});
  Id->replaceOperandWith(0, Id);
  Lanes.setLoopID(Id);
}

void Emitter::run() {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  BasicBlock *Check = L.getLoopPreheader(), *Exit = L.getExitBlock();
  BasicBlock *Latch = L.getLoopLatch();
  Value *Condition = condition(Check->getTerminator());
  BasicBlock *Before =
      SplitBlock(Check, Check->getTerminator(), &DT, &LI, nullptr, "columns");
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Blocks;
  Loop *Lanes = cloneLoopWithPreheader(Before, Check, &L, Map, ".lanes", &LI,
                                       &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  auto *LanesBefore = cast<BasicBlock>(Map[Before]);
  ReplaceInstWithInst(Check->getTerminator(),
                      BranchInst::Create(LanesBefore, Before, Condition));
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Latch);
    Value *Copy = Map.lookup(V);
    Phi.addIncoming(Copy ? Copy : V, cast<BasicBlock>(Map[Latch]));
  }
  mark(*Lanes);
  addStringMetadataToLoop(&L, Marker, 0);
  ++NumLoops;
}

/// One loop of the function, as long as there is any.
static bool takeOne(Function &F, FunctionAnalysisManager &FAM,
                    SmallPtrSetImpl<const BasicBlock *> &Seen,
                    SmallPtrSetImpl<const BasicBlock *> &Rows) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (L->isInnermost() || Seen.contains(L->getHeader()) ||
        findStringMetadataForLoop(L, Marker) ||
        hasVectorizeTransformation(L) != TM_Unspecified ||
        findStringMetadataForLoop(L, "llvm.loop.vectorize.width"))
      continue;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    if (!hasJumps(*L, SE))
      continue;
    if (Rows.insert(L->getHeader()).second && goByRows(*L, F, FAM))
      return true;
    Seen.insert(L->getHeader());
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    simplifyLoop(L, &DT, &LI, &SE, &FAM.getResult<AssumptionAnalysis>(F),
                 nullptr, false);
    formLCSSARecursively(*L, DT, &LI, &SE);
    OptimizationRemarkEmitter Remarks(&F);
    Columns Plan;
    StringRef Reason = planColumns(*L, LI, SE, FAM.getResult<AAManager>(F),
                                   FAM.getResult<TargetIRAnalysis>(F), Plan);
    if (Plan.IsNone)
      continue;
    if (Reason.empty()) {
      Emitter Emit(Plan, FAM, F);
      if (Emit.canExpand(L->getLoopPreheader()->getTerminator())) {
        Remarks.emit([&] {
          return OptimizationRemark(DEBUG_TYPE, "Columns", L->getStartLoc(),
                                    L->getHeader())
                 << "iterations become lanes: a loop inside goes down columns";
        });
        Emit.run();
        FAM.invalidate(F, PreservedAnalyses::none());
        return true;
      }
      Reason = "its addresses are not known ahead of it";
    }
    Remarks.emit([&] {
      return OptimizationRemarkMissed(DEBUG_TYPE, "ColumnsStay",
                                      L->getStartLoc(), L->getHeader())
             << "a loop inside goes down columns: " << Reason;
    });
  }
  return false;
}

PreservedAnalyses ColumnsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const Triple Target(F.getParent()->getTargetTriple());
  if (F.hasOptNone() || F.hasOptSize() || Target.getArch() != Triple::x86_64 ||
      Target.isOSWindows() || supportedRank(F) < LeastRank)
    return PreservedAnalyses::all();
  SmallPtrSet<const BasicBlock *, 8> Seen, Rows;
  bool Changed = false;
  while (takeOne(F, FAM, Seen, Rows))
    Changed = true;
  // Loops were brought into form.
  return Changed || !Seen.empty() ? PreservedAnalyses::none()
                                  : PreservedAnalyses::all();
}

} // namespace accx::vector
