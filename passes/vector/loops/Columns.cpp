//===- Columns.cpp - Outer loops that walk along rows ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of Columns.h.
//
//===----------------------------------------------------------------------===//

#include "vector/loops/Columns.h"

#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "vector/Loops.h"
#include "vector/functions/Variants.h"
#include "vector/loops/ColumnsPlan.h"
#include "vector/loops/RowLoops.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "simd-columns"

using namespace llvm;

STATISTIC(NumLoops, "Number of outer loops that become lanes");

/// Metadata of loops that become lanes. With 0: the pass has seen the loop.
static constexpr char Marker[] = "accx.simd.columns";

/// With fewer iterations the original loop runs.
static constexpr uint64_t LeastIterations = 8;

namespace accx::vector {

bool isColumnsLoop(const Loop &L) {
  return getBooleanLoopAttribute(&L, Marker);
}

namespace {

/// Copies a planned loop: lanes run the copy, the original is the alternative.
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

/// The first byte that accesses of the range touch, and the one behind the
/// last.
Emitter::Range Emitter::rangeOf(const ColumnRange &Of, IRBuilder<> &Builder,
                                function_ref<void(Value *)> IsKnown) {
  Type *Wide = Builder.getInt128Ty();
  auto Expand = [&](const SCEV *S, bool IsSigned) {
    Value *V =
        Expander.expandCodeFor(S, S->getType(), &*Builder.GetInsertPoint());
    return IsSigned ? Builder.CreateSExt(V, Wide) : Builder.CreateZExt(V, Wide);
  };
  // A sum that does not fit 128 bits is no address: it may saturate.
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
      // A valid number is at most that, and products then fit 128 bits.
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

/// Whether iterations are independent, and whether there are enough of them.
Value *Emitter::condition(Instruction *At) {
  IRBuilder<> Builder(At);
  Value *Last = Expander.expandCodeFor(Plan.LastIteration,
                                       Plan.LastIteration->getType(), At);
  Value *Result = Builder.CreateICmpUGE(
      Last, ConstantInt::get(Last->getType(), LeastIterations - 1));
  DenseMap<unsigned, Range> Known;
  Type *Wide = Builder.getInt128Ty();
  // Frozen: an address that is never accessed may be poison, and must not spoil
  // the other answers.
  auto Require = [&](Value *V) {
    Result = Builder.CreateAnd(Result, Builder.CreateFreeze(V));
  };
  auto Of = [&](unsigned I) {
    auto [Place, IsNew] = Known.try_emplace(I);
    if (IsNew) {
      const Range R = rangeOf(Plan.Ranges[I], Builder, Require);
      Place->second = R;
      // The range does not wrap around the address space.
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

/// Notes in metadata that the loop's iterations are independent.
void Emitter::mark(Loop &Lanes) {
  MDNode *Group = MDNode::getDistinct(Context, {});
  for (BasicBlock *Block : Lanes.blocks())
    for (Instruction &I : *Block)
      if (I.mayReadOrWriteMemory())
        I.setMetadata(LLVMContext::MD_access_group,
                      uniteAccessGroups(
                          I.getMetadata(LLVMContext::MD_access_group), Group));
  MDNode *Parallel = MDNode::get(
      Context, {MDString::get(Context, "llvm.loop.parallel_accesses"), Group});
  // The original's other options do not hold for the copy.
  Lanes.setLoopID(makePostTransformationMetadata(
      Context, nullptr, {}, {Parallel, ir::loopOption(Context, Marker)}));
}

void Emitter::run() {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  BasicBlock *Check = L.getLoopPreheader();
  Value *Condition = condition(Check->getTerminator());
  BasicBlock *Before =
      SplitBlock(Check, Check->getTerminator(), &DT, &LI, nullptr, "columns");
  Loop *Lanes = ir::copyBeside(L, *Check, ".lanes", LI, DT);
  ReplaceInstWithInst(
      Check->getTerminator(),
      BranchInst::Create(Lanes->getLoopPreheader(), Before, Condition));
  mark(*Lanes);
  addStringMetadataToLoop(&L, Marker, 0);
  ++NumLoops;
}

/// Makes the iterations of \p L lanes, or says why not. Either way the loop is
/// in simplified and closed form afterwards.
static bool makeLanes(Loop &L, Function &F, FunctionAnalysisManager &FAM) {
  bringIntoForm(L, F, FAM);
  Columns Plan;
  StringRef Reason = planColumns(L, FAM.getResult<LoopAnalysis>(F),
                                 FAM.getResult<ScalarEvolutionAnalysis>(F),
                                 FAM.getResult<AAManager>(F),
                                 FAM.getResult<TargetIRAnalysis>(F), Plan);
  if (Plan.IsNone)
    return false;
  Emitter Emit(Plan, FAM, F);
  if (Reason.empty() && !Emit.canExpand(L.getLoopPreheader()->getTerminator()))
    Reason = "its addresses are not known ahead of it";
  if (!Reason.empty()) {
    ir::remarkMissed(DEBUG_TYPE, "ColumnsStay", L,
                     "a loop inside goes down columns: ", Reason);
    return false;
  }
  ir::remarkPassed(DEBUG_TYPE, "Columns", L,
                   "iterations become lanes: a loop inside goes down columns");
  Emit.run();
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

PreservedAnalyses ColumnsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const Triple Target(F.getParent()->getTargetTriple());
  if (F.hasOptNone() || F.hasOptSize() || Target.getArch() != Triple::x86_64 ||
      Target.isOSWindows() || supportedRank(F) < LeastRank)
    return PreservedAnalyses::all();
  SmallPtrSet<const BasicBlock *, 8> Seen, Rows;
  const bool Changed = takeLoops(F, FAM, [&](Loop &L) {
    if (L.isInnermost() || Seen.contains(L.getHeader()) ||
        findStringMetadataForLoop(&L, Marker) ||
        hasVectorizeTransformation(&L) != TM_Unspecified ||
        findStringMetadataForLoop(&L, "llvm.loop.vectorize.width") ||
        !hasJumps(L, FAM.getResult<ScalarEvolutionAnalysis>(F)))
      return false;
    if (Rows.insert(L.getHeader()).second && goByRows(L, F, FAM))
      return true;
    Seen.insert(L.getHeader());
    return makeLanes(L, F, FAM);
  });
  // Loops that stay are in another form.
  return Changed || !Seen.empty() ? PreservedAnalyses::none()
                                  : PreservedAnalyses::all();
}

} // namespace accx::vector
