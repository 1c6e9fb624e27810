//===- EmitVector.cpp - Vector loops, one iteration a lane ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See EmitVector.h.
//
//===----------------------------------------------------------------------===//

#include "lanes/EmitVector.h"

#include "kernels/Exchange.h"
#include "lanes/Marks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using accx::kernels::Combiner;
using accx::kernels::Exchange;

namespace accx::lanes {

/// Counts lane, lane + lanes, ... in 64 bits, which cannot wrap.
static Value *controlLanes(VectorLoop &V, const LanePlace &Place) {
  Loop &L = *V.L;
  BasicBlock *Before = L.getLoopPreheader();
  auto *Branch = cast<BranchInst>(L.getHeader()->getTerminator());
  Type *Int = V.Counter->getType();
  const bool Is64 = Int->isIntegerTy(64);

  IRBuilder<> B(Before->getTerminator());
  Value *Bound = B.CreateIntCast(V.bound(), B.getInt64Ty(), V.IsSigned);
  // One more wraps only where the program's own loop would never end.
  Value *Trip =
      V.IsInclusive ? B.CreateAdd(Bound, B.getInt64(1), "trip") : Bound;
  Value *First = B.CreateZExt(Place.Lane, B.getInt64Ty());

  B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
  PHINode *Lane = B.CreatePHI(B.getInt64Ty(), 2, "lane.iv");
  B.SetInsertPoint(Branch);
  Value *More = V.IsSigned || !Is64 ? B.CreateICmpSLT(Lane, Trip)
                                    : B.CreateICmpULT(Lane, Trip);
  const bool StaysIfTrue = L.contains(Branch->getSuccessor(0));
  Branch->setCondition(StaysIfTrue ? More : B.CreateNot(More));
  BasicBlock *Body = Branch->getSuccessor(StaysIfTrue ? 0 : 1);

  // Uses within the body are below the largest value of its type.
  B.SetInsertPoint(L.getHeader(), L.getHeader()->getFirstInsertionPt());
  Value *Own = Is64 ? static_cast<Value *>(Lane) : B.CreateTrunc(Lane, Int);
  if (!Is64 && Body->getSinglePredecessor() == L.getHeader()) {
    B.SetInsertPoint(Body, Body->getFirstInsertionPt());
    const unsigned Bits = Int->getIntegerBitWidth() - (V.IsSigned ? 1 : 0);
    B.CreateAssumption(B.CreateICmpULT(Lane, B.getInt64(uint64_t(1) << Bits)));
  }
  V.Counter->replaceAllUsesWith(Own);
  V.Counter->eraseFromParent();
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Lane->addIncoming(First, Before);
  Lane->addIncoming(B.CreateAdd(Lane, B.getInt64(Place.Lanes), "lane.next",
                                /*HasNUW=*/true,
                                /*HasNSW=*/V.IsSigned || !Is64),
                    L.getLoopLatch());
  return Trip;
}

/// The operator, where it is a single instruction that commutes.
static std::optional<Combiner> operatorOf(const VectorReduction &R) {
  if (R.Steps.size() != 1)
    return std::nullopt;
  const auto *I = dyn_cast<BinaryOperator>(R.Steps.front());
  Value *Left = I ? I->getOperand(0) : nullptr;
  Value *Right = I ? I->getOperand(1) : nullptr;
  if (!(Left == R.Original && Right == R.Result) &&
      !(Left == R.Result && Right == R.Original))
    return std::nullopt;
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::FAdd:
    return Combiner{kernels::Operator::Add};
  case Instruction::Mul:
  case Instruction::FMul:
    return Combiner{kernels::Operator::Mul};
  case Instruction::And:
    return Combiner{kernels::Operator::And};
  case Instruction::Or:
    return Combiner{kernels::Operator::Or};
  case Instruction::Xor:
    return Combiner{kernels::Operator::Xor};
  default:
    return std::nullopt;
  }
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

static void reduce(const VectorReduction &R, const LanePlace &Place) {
  IRBuilder<> B(R.Result);
  const Exchange Hand(B, Place.Members);
  Value *Own = R.Result->getArgOperand(0);
  Value *All;
  if (const auto Known = operatorOf(R)) {
    All = Hand.reduce(Own, *Known, Place.Lanes);
  } else {
    // Lanes could differ in the last bit, or in what they make of NaNs: one
    // lane's is taken. Words from beyond the group reach only lanes that
    // nobody asks.
    All = Own;
    for (unsigned Distance = Place.Lanes / 2; Distance; Distance /= 2)
      All = combine(B, R, All, Hand.down(All, B.getInt32(Distance)));
    All = Hand.fromLane(All, B.getInt32(0), Place.Lanes);
  }
  R.Result->replaceAllUsesWith(All);
  R.Result->eraseFromParent();
}

static void handOutLast(PHINode &Last, Value *Trip, const LanePlace &Place) {
  BasicBlock *Exit = Last.getParent();
  IRBuilder<> B(Exit, Exit->getFirstInsertionPt());
  Value *Lane = B.CreateAnd(
      B.CreateTrunc(B.CreateSub(Trip, B.getInt64(1)), B.getInt32Ty()),
      Place.Lanes - 1);
  SmallVector<Use *, 4> Uses;
  for (Use &U : Last.uses())
    Uses.push_back(&U);
  Value *Handed = Exchange(B, Place.Members)
                      .fromLane(B.CreateFreeze(&Last), Lane, Place.Lanes);
  for (Use *U : Uses)
    U->set(Handed);
}

/// What the loop's metadata says from now on.
static void describe(Loop &L) {
  SmallVector<MDNode *, 1> Options;
  LLVMContext &C = L.getHeader()->getContext();
  constexpr unsigned MaxInstructions = 64;
  unsigned Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += Block->sizeWithoutDebug();
  // Several loads under way.
  if (L.isInnermost() && Size <= MaxInstructions)
    Options.push_back(MDNode::get(
        C,
        {MDString::get(C, "llvm.loop.unroll.count"),
         ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), 4))}));
  L.setLoopID(makePostTransformationMetadata(
      C, L.getLoopID(), {"llvm.loop.vectorize.", VectorMark}, Options));
}

void runAcrossLanes(VectorLoop &V, const LanePlace &Place) {
  Loop &L = *V.L;
  const auto Wait = [&](Instruction *Before) {
    IRBuilder<> B(Before);
    B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {Place.Members});
  };
  BasicBlock *Exit = L.getExitBlock();
  Value *Trip = controlLanes(V, Place);
  for (PHINode *Last : V.Lasts)
    handOutLast(*Last, Trip, Place);
  if (V.Writes) {
    Wait(L.getLoopPreheader()->getTerminator());
    Wait(&*Exit->getFirstInsertionPt());
  }
  for (const VectorReduction &R : V.Reductions)
    reduce(R, Place);
  describe(L);
}

} // namespace accx::lanes
