//===- EmitVector.cpp - Vector loops, one iteration a lane ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a vector loop: lanes' counters, reductions over the lanes, and the
// value of the last iteration. The loop over workers around it is in Emit.cpp.
//
//===----------------------------------------------------------------------===//

#include "lanes/Emit.h"

#include "gpu/Exchange.h"
#include "ir/LoopCopy.h"
#include "lanes/Jam.h"
#include "lanes/Marks.h"
#include "lanes/Wide.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

static cl::opt<unsigned>
    UnrollCount("accx-simt-lanes-unroll", cl::init(4), cl::Hidden,
                cl::desc("Times that small vector loops are unrolled; 0: as "
                         "LLVM likes"));

using accx::gpu::Exchange;

namespace accx::lanes {

/// Counts lane, lane + lanes, ..., and returns how far. Signed counters of 32
/// bits count as unsigned ones, so that a step beyond the last iteration stays
/// within the type. Others take 64 bits.
static std::pair<PHINode *, Value *> controlLanes(VectorLoop &V,
                                                  const LanePlace &Place) {
  Loop &L = *V.L;
  BasicBlock *Before = L.getLoopPreheader();
  auto *Branch = cast<BranchInst>(L.getHeader()->getTerminator());
  Type *Own = V.Counter->getType();
  const bool IsNarrow =
      V.IsSigned && !V.IsInclusive && Own->getIntegerBitWidth() <= 32;

  IRBuilder<> B(Before->getTerminator());
  Type *Int = IsNarrow ? B.getInt32Ty() : B.getInt64Ty();
  Value *Trip = B.CreateIntCast(V.bound(), Int, V.IsSigned);
  // One more wraps only where the program's own loop would never end.
  if (V.IsInclusive)
    Trip = B.CreateAdd(Trip, ConstantInt::get(Int, 1));
  if (V.IsSigned)
    Trip = B.CreateBinaryIntrinsic(Intrinsic::smax, Trip,
                                   ConstantInt::get(Int, 0));
  Value *First = B.CreateZExt(Place.Lane, Int);

  B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
  PHINode *Lane = B.CreatePHI(Int, 2, "lane.iv");
  Value *Step = Place.Wide ? nullptr : ConstantInt::get(Int, Place.Lanes);
  Value *Tested = Lane;
  Value *Bound = Trip;
  if (Place.Wide) {
    // The loop counts by ones, since the unroller knows only such loops.
    B.SetInsertPoint(Before->getTerminator());
    Step = B.CreateZExt(Place.Wide->Width, Int);
    Value *Left = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Trip, First);
    Value *IsAny = B.CreateIsNotNull(Left);
    Value *Count =
        B.CreateUDiv(B.CreateSub(Left, ConstantInt::get(Int, 1)), Step);
    // The count is frozen, since the unroller hesitates at counts that it would
    // have to divide for.
    Bound = B.CreateFreeze(
        B.CreateSelect(IsAny, B.CreateAdd(Count, ConstantInt::get(Int, 1)),
                       ConstantInt::get(Int, 0)),
        "turns");
    B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
    PHINode *Turn = B.CreatePHI(Int, 2, "turn");
    Turn->addIncoming(ConstantInt::get(Int, 0), Before);
    B.SetInsertPoint(L.getLoopLatch()->getTerminator());
    Turn->addIncoming(B.CreateAdd(Turn, ConstantInt::get(Int, 1), "turn.next",
                                  /*HasNUW=*/true),
                      L.getLoopLatch());
    Tested = Turn;
  }
  B.SetInsertPoint(Branch);
  const bool StaysIfTrue = L.contains(Branch->getSuccessor(0));
  Branch->setCondition(StaysIfTrue ? B.CreateICmpULT(Tested, Bound)
                                   : B.CreateICmpUGE(Tested, Bound));
  B.SetInsertPoint(L.getHeader(), L.getHeader()->getFirstInsertionPt());
  V.Counter->replaceAllUsesWith(B.CreateZExtOrTrunc(Lane, Own));
  V.Counter->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(V.Test);
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Lane->addIncoming(First, Before);
  Lane->addIncoming(
      B.CreateAdd(Lane, Step, "lane.next", /*HasNUW=*/!Place.Wide),
      L.getLoopLatch());
  return {Lane, Trip};
}

/// The operator, where it is a single instruction that commutes.
static std::optional<Instruction::BinaryOps>
operatorOf(const VectorReduction &R) {
  if (R.Steps.size() != 1)
    return std::nullopt;
  const auto *I = dyn_cast<BinaryOperator>(R.Steps.front());
  Value *Left = I ? I->getOperand(0) : nullptr;
  Value *Right = I ? I->getOperand(1) : nullptr;
  if (!(Left == R.Original && Right == R.Result) &&
      !(Left == R.Result && Right == R.Original))
    return std::nullopt;
  return Instruction::isCommutative(I->getOpcode())
             ? std::optional(I->getOpcode())
             : std::nullopt;
}

/// The steps of \p R on other operands.
static Value *combine(IRBuilderBase &B, const VectorReduction &R, Value *Left,
                      Value *Right) {
  ValueToValueMapTy Map;
  Map[R.Original] = Left;
  Map[R.Result] = Right;
  for (Instruction *Step : R.Steps) {
    Instruction *Copy = Step->clone();
    RemapInstruction(Copy, Map,
                     RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    B.Insert(Copy);
    // Flags hold for the program's own order.
    if (isa<OverflowingBinaryOperator>(Copy))
      Copy->dropPoisonGeneratingFlags();
    Map[Step] = Copy;
  }
  Value *Last = R.Combined->getArgOperand(0);
  const auto Found = Map.find(Last);
  return Found == Map.end() ? Last : &*Found->second;
}

/// Combines the values of the lanes of a warp, or of a part of one.
static Value *reduceLanes(IRBuilderBase &B, const VectorReduction &R,
                          const LanePlace &Place, Value *Own) {
  const Exchange Hand(B, Place.Members);
  if (const auto Known = operatorOf(R))
    return Hand.reduce(Own, *Known, Place.Lanes);
  // Lanes could differ in the last bit, or in how they treat NaNs, so one
  // lane's result is taken. Words from beyond the group reach only lanes whose
  // result is not used.
  Value *All = Own;
  for (unsigned Distance = Place.Lanes / 2; Distance; Distance /= 2)
    All = combine(B, R, All, Hand.down(All, B.getInt32(Distance)));
  return Hand.fromLane(All, B.getInt32(0), Place.Lanes);
}

static void reduce(ArrayRef<VectorReduction> All, const LanePlace &Place) {
  SmallVector<VectorReduction, 2> Reductions;
  for (const VectorReduction &R : All) {
    if (!R.IsOwn) {
      Reductions.push_back(R);
      continue;
    }
    R.Result->replaceAllUsesWith(R.Result->getArgOperand(0));
    R.Result->eraseFromParent();
  }
  if (Reductions.empty())
    return;
  SmallVector<Value *, 2> Values;
  for (const VectorReduction &R : Reductions) {
    IRBuilder<> B(R.Result);
    Values.push_back(reduceLanes(B, R, Place, R.Result->getArgOperand(0)));
  }
  if (Place.Wide)
    reduceWide(Reductions, Place, Values,
               {[&](IRBuilderBase &B, unsigned I, Value *Own) {
                  return reduceLanes(B, Reductions[I], Place, Own);
                },
                [&](IRBuilderBase &B, unsigned I, Value *Left, Value *Right) {
                  return combine(B, Reductions[I], Left, Right);
                }});
  for (auto [R, Whole] : zip_equal(Reductions, Values)) {
    R.Result->replaceAllUsesWith(Whole);
    R.Result->eraseFromParent();
  }
}

static void handOutLast(PHINode &Last, Value *Trip, const LanePlace &Place) {
  BasicBlock *Exit = Last.getParent();
  IRBuilder<> B(Exit, Exit->getFirstInsertionPt());
  Value *Lane = B.CreateAnd(
      B.CreateSub(B.CreateTrunc(Trip, B.getInt32Ty()), B.getInt32(1)),
      Place.Lanes - 1);
  SmallVector<Use *, 4> Uses;
  for (Use &U : Last.uses())
    Uses.push_back(&U);
  Value *Handed = Exchange(B, Place.Members)
                      .fromLane(B.CreateFreeze(&Last), Lane, Place.Lanes);
  for (Use *U : Uses)
    U->set(Handed);
}

/// Sets what the loop's metadata says from now on.
static void describe(Loop &L, bool IsRest, bool IsWide) {
  // Few warps share such a loop, and each has to have much under way.
  constexpr unsigned WideFactor = 4;
  SmallVector<MDNode *, 1> Options;
  LLVMContext &C = L.getHeader()->getContext();
  constexpr unsigned MaxInstructions = 64;
  // Several loads under way; but few iterations are left by another loop.
  if (IsRest)
    Options.push_back(ir::loopOption(C, "llvm.loop.unroll.disable"));
  else if (UnrollCount && L.isInnermost() && ir::sizeOf(L) <= MaxInstructions)
    Options.push_back(ir::loopOption(
        C, "llvm.loop.unroll.count",
        ConstantInt::get(Type::getInt32Ty(C),
                         UnrollCount * (IsWide ? WideFactor : 1))));
  ir::renewLoop(*L.getLoopLatch()->getTerminator(),
                {"llvm.loop.vectorize.", VectorMark}, Options);
}

void runAcrossLanes(VectorLoop &V, const LanePlace &Place) {
  Loop &L = *V.L;
  const auto Wait = [&](Instruction *Before) {
    IRBuilder<> B(Before);
    Place.wait(B);
  };
  BasicBlock *Exit = L.getExitBlock();
  const auto [Lane, Trip] = controlLanes(V, Place);
  for (PHINode *Last : V.Lasts)
    handOutLast(*Last, Trip, Place);
  if (V.Writes && V.WaitsBefore)
    Wait(L.getLoopPreheader()->getTerminator());
  if (V.Writes && V.WaitsAfter)
    Wait(&*Exit->getFirstInsertionPt());
  if (!V.Reductions.empty())
    reduce(V.Reductions, Place);
  const bool IsJammed = V.Writes && V.Reductions.empty() && !Place.Wide &&
                        jam(L, *Lane, *Trip, Place.Lanes);
  describe(L, IsJammed, Place.Wide.has_value());
}

} // namespace accx::lanes
