//===- RowLoops.cpp - Collapsed loops, row by row -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of RowLoops.h.
//
//===----------------------------------------------------------------------===//

#include "vector/loops/RowLoops.h"

#include "ir/Remark.h"
#include "vector/Loops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/MustExecute.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "simd-rows"

using namespace llvm;
using namespace llvm::PatternMatch;

STATISTIC(NumLoops, "Number of loops that go row by row");

namespace accx::vector {

/// Loops stay whose rows are known to have fewer elements, or that are known to
/// have fewer iterations.
static constexpr uint64_t LeastRow = 8;
/// Extensions of fewer bits wrap too often to end rows.
static constexpr unsigned LeastBits = 31;

namespace {

/// The lower \p Bits of a value that grows with the counter, extended and
/// shifted left.
struct Extension {
  Instruction *Wide;
  Value *Narrow;
  unsigned Bits;
  bool IsSigned;
  unsigned Shift;
};

/// A loop, its divisions, and the values that its rows need.
class Rows {
public:
  Rows(Loop &L, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE)
      : L(L), LI(LI), DT(DT), SE(SE) {}

  /// Null, or why nothing may be done; empty where there is nothing to do.
  const char *plan();
  /// Invalidates all analyses of the function.
  void emit();

private:
  bool findCounter();
  bool isConstant(Value *V) const;
  void classify(Instruction &I);
  bool isAlwaysExecuted(const BinaryOperator &Division) const;
  void classifyExtension(Instruction &I);
  Value *roomOf(const Extension &E, IRBuilder<> &Builder);
  Value *atStart(Value *V, IRBuilder<> &Builder);
  Value *roomOf(BinaryOperator &Division, IRBuilder<> &Builder);

  Loop &L;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  PHINode *Counter = nullptr;
  const SCEV *Count = nullptr;
  /// Values that grow by one in each iteration of a row; values that do not
  /// change within a row; the divisions, in the order of their execution.
  SmallPtrSet<Value *, 16> Linear, Constant;
  SmallVector<BinaryOperator *, 4> Divisions;
  /// A division of such a value may be left out.
  bool IsLeftOut = false;
  SmallVector<Extension, 4> Extensions;
  SimpleLoopSafetyInfo Safety;
  /// The values of the row's first iteration, and quotients of divisions.
  DenseMap<Value *, Value *> Start, Quotient;
};

} // namespace

static bool isSigned(const BinaryOperator &Division) {
  return Division.getOpcode() == Instruction::SDiv ||
         Division.getOpcode() == Instruction::SRem;
}

static bool isRemainder(const BinaryOperator &Division) {
  return Division.getOpcode() == Instruction::URem ||
         Division.getOpcode() == Instruction::SRem;
}

bool Rows::findCounter() {
  BasicBlock *Latch = L.getLoopLatch();
  if (!endsAtLatch(L) || !isa<BranchInst>(Latch->getTerminator()))
    return false;
  Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return false;
  // Only the counter that the loop's end compares is never poison.
  const auto *Ends = dyn_cast<ICmpInst>(
      cast<BranchInst>(Latch->getTerminator())->getCondition());
  const auto IsCompared = [&](const Value *V) {
    return Ends && is_contained(Ends->operands(), V);
  };
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (!Phi.getType()->isIntegerTy() ||
        (!IsCompared(&Phi) && !IsCompared(Phi.getIncomingValueForBlock(Latch))))
      continue;
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (Rec && Rec->getLoop() == &L && Rec->isAffine() &&
        Rec->getStepRecurrence(SE)->isOne() &&
        Phi.getType()->getIntegerBitWidth() >=
            Count->getType()->getIntegerBitWidth())
      Counter = &Phi;
  }
  if (Counter)
    Linear.insert(Counter);
  return Counter;
}

bool Rows::isConstant(Value *V) const {
  return L.isLoopInvariant(V) || Constant.contains(V);
}

bool Rows::isAlwaysExecuted(const BinaryOperator &Division) const {
  if (Division.getParent() == L.getHeader())
    return Safety.isGuaranteedToExecute(Division, &DT, &L);
  // A loop inside may have no end.
  return L.isInnermost() && !Safety.anyBlockMayThrow();
}

/// Notes \p I if it extends the lower bits of a linear value. It grows with the
/// counter while these bits do not wrap.
void Rows::classifyExtension(Instruction &I) {
  if (I.getType() != Counter->getType())
    return;
  const unsigned Bits = I.getType()->getIntegerBitWidth();
  Value *From = nullptr;
  const APInt *Mask = nullptr;
  uint64_t Up = 0, Down = 0;
  Extension E{&I, nullptr, 0, false, 0};
  if (match(&I, m_ZExtOrSExt(m_Value(From)))) {
    E.Bits = From->getType()->getIntegerBitWidth();
    E.IsSigned = isa<SExtInst>(I);
  } else if (match(&I, m_And(m_Value(From), m_APInt(Mask))) && Mask->isMask()) {
    E.Bits = Mask->countr_one();
  } else if (match(&I, m_AShr(m_Shl(m_Value(From), m_ConstantInt(Up)),
                              m_ConstantInt(Down))) &&
             Down <= Up && Up < Bits) {
    E.Bits = Bits - unsigned(Up);
    E.IsSigned = true;
    E.Shift = unsigned(Up - Down);
  }
  if (!From || !Linear.contains(From) || E.Bits < LeastBits || E.Bits == Bits)
    return;
  E.Narrow = From;
  Extensions.push_back(E);
  if (E.Shift == 0)
    Linear.insert(&I);
}

void Rows::classify(Instruction &I) {
  if (all_of(I.operands(), [&](Value *V) { return isConstant(V); })) {
    if (!isa<PHINode>(I) && !I.mayReadOrWriteMemory() &&
        isSafeToSpeculativelyExecute(&I))
      Constant.insert(&I);
    return;
  }
  if (isa<TruncInst>(I) && Linear.contains(I.getOperand(0))) {
    Linear.insert(&I);
    return;
  }
  classifyExtension(I);
  auto *Op = dyn_cast<BinaryOperator>(&I);
  if (!Op)
    return;
  Value *Left = Op->getOperand(0), *Right = Op->getOperand(1);
  switch (Op->getOpcode()) {
  case Instruction::Add:
    if ((Linear.contains(Left) && isConstant(Right)) ||
        (Linear.contains(Right) && isConstant(Left)))
      Linear.insert(&I);
    return;
  case Instruction::Sub:
    if (Linear.contains(Left) && isConstant(Right))
      Linear.insert(&I);
    return;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    if (!Linear.contains(Left) || !L.isLoopInvariant(Right))
      return;
    if (!isAlwaysExecuted(*Op)) {
      IsLeftOut = true;
      return;
    }
    Divisions.push_back(Op);
    (isRemainder(*Op) ? Linear : Constant).insert(Op);
    return;
  default:
    return;
  }
}

const char *Rows::plan() {
  if (!findCounter())
    return "its end is not that of a counter in steps of one";
  const unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  if (Most != 0 && Most < LeastRow)
    return "";
  Safety.computeLoopSafetyInfo(&L);
  LoopBlocksRPO Order(&L);
  Order.perform(&LI);
  for (BasicBlock *Block : Order)
    if (LI.getLoopFor(Block) == &L && DT.dominates(Block, L.getLoopLatch()))
      for (Instruction &I : *Block)
        if (!isa<PHINode>(I))
          classify(I);
  if (Divisions.empty())
    return IsLeftOut ? "iterations may leave its division out" : "";
  if (any_of(Divisions, [](const BinaryOperator *Division) {
        const auto *Known = dyn_cast<ConstantInt>(Division->getOperand(1));
        return Known && Known->getValue().abs().ult(LeastRow);
      }))
    return "its rows are short";
  SCEVExpander Expander(SE, L.getHeader()->getDataLayout(), DEBUG_TYPE);
  if (!Expander.isSafeToExpandAt(Count, L.getLoopPreheader()->getTerminator()))
    return "its end is not known ahead of it";
  return nullptr;
}

/// The value of \p V, which is linear or constant, in a row's first iteration.
/// Computes it where it is not there yet.
Value *Rows::atStart(Value *V, IRBuilder<> &Builder) {
  if (L.isLoopInvariant(V))
    return V;
  if (Value *Known = Start.lookup(V))
    return Known;
  auto *Copy = cast<Instruction>(V)->clone();
  Copy->dropPoisonGeneratingFlags();
  for (Use &Operand : Copy->operands())
    Operand.set(atStart(Operand.get(), Builder));
  Builder.Insert(Copy, V->getName());
  return Start[V] = Copy;
}

/// How many iterations may follow the row's first one before the quotient of
/// \p Division changes. Sets Start and Quotient.
Value *Rows::roomOf(BinaryOperator &Division, IRBuilder<> &Builder) {
  Value *Dividend = atStart(Division.getOperand(0), Builder);
  Value *Divisor = Division.getOperand(1);
  const bool Signed = isSigned(Division);
  // Not `exact`: that is a promise about one iteration, the quotient is the
  // row's.
  Value *Ratio = Signed ? Builder.CreateSDiv(Dividend, Divisor)
                        : Builder.CreateUDiv(Dividend, Divisor);
  Value *Rest = Builder.CreateSub(Dividend, Builder.CreateMul(Ratio, Divisor));
  Quotient[&Division] = Ratio;
  Start[&Division] = isRemainder(Division) ? Rest : Ratio;
  Type *T = Dividend->getType();
  Value *Room = Builder.CreateSub(
      Builder.CreateSub(Divisor, ConstantInt::get(T, 1)), Rest);
  const unsigned Bits = T->getIntegerBitWidth();
  const APInt Largest =
      Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits);
  Value *ToWrap = Builder.CreateSub(ConstantInt::get(T, Largest), Dividend);
  Room = Builder.CreateBinaryIntrinsic(Intrinsic::umin, Room, ToWrap);
  if (Signed) {
    Value *Zero = ConstantInt::get(T, 0);
    Value *IsRow = Builder.CreateAnd(Builder.CreateICmpSGE(Dividend, Zero),
                                     Builder.CreateICmpSGT(Divisor, Zero));
    Room = Builder.CreateSelect(IsRow, Room, Zero);
  }
  return Builder.CreateZExt(Builder.CreateFreeze(Room), Counter->getType());
}

/// How many iterations may follow before the extended bits wrap.
Value *Rows::roomOf(const Extension &E, IRBuilder<> &Builder) {
  Value *First = Builder.CreateTrunc(atStart(E.Narrow, Builder),
                                     Builder.getIntNTy(E.Bits));
  const APInt Largest = E.IsSigned ? APInt::getSignedMaxValue(E.Bits)
                                   : APInt::getMaxValue(E.Bits);
  Value *Room = Builder.CreateSub(Builder.getInt(Largest), First);
  return Builder.CreateZExt(Builder.CreateFreeze(Room), Counter->getType());
}

void Rows::emit() {
  BasicBlock *Preheader = L.getLoopPreheader(), *Header = L.getHeader();
  BasicBlock *Latch = L.getLoopLatch(), *Exit = L.getExitBlock();
  auto *Branch = cast<BranchInst>(Latch->getTerminator());
  Type *T = Counter->getType();
  SCEVExpander Expander(SE, Header->getDataLayout(), DEBUG_TYPE);
  Value *First = Counter->getIncomingValueForBlock(Preheader);
  Value *Last = Expander.expandCodeFor(SE.getNoopOrZeroExtend(Count, T), T,
                                       Preheader->getTerminator());
  Last = IRBuilder<>(Preheader->getTerminator()).CreateAdd(First, Last);

  Function &F = *Header->getParent();
  BasicBlock *Row = BasicBlock::Create(F.getContext(), "row", &F, Header);
  BasicBlock *Next = BasicBlock::Create(F.getContext(), "row.next", &F, Exit);
  IRBuilder<> Builder(Row);
  Builder.SetCurrentDebugLocation(Branch->getDebugLoc());
  // Rows hand on what the loop carries.
  for (PHINode &Phi : Header->phis()) {
    PHINode *Begin =
        Builder.CreatePHI(Phi.getType(), 2, Phi.getName() + ".row");
    Begin->addIncoming(Phi.getIncomingValueForBlock(Preheader), Preheader);
    if (&Phi != Counter) {
      PHINode *Carried = PHINode::Create(Phi.getType(), 1, "", Next);
      Carried->addIncoming(Phi.getIncomingValueForBlock(Latch), Latch);
      Begin->addIncoming(Carried, Next);
    }
    Phi.setIncomingBlock(Phi.getBasicBlockIndex(Preheader), Row);
    Phi.setIncomingValueForBlock(Row, Begin);
    Start[&Phi] = Begin;
  }
  Value *Here = Start[Counter];
  Value *Length = Builder.CreateSub(Last, Here);
  for (BinaryOperator *Division : Divisions)
    Length = Builder.CreateBinaryIntrinsic(Intrinsic::umin, Length,
                                           roomOf(*Division, Builder));
  for (const Extension &E : Extensions) {
    Length = Builder.CreateBinaryIntrinsic(Intrinsic::umin, Length,
                                           roomOf(E, Builder));
    atStart(E.Wide, Builder);
  }
  Value *End = Builder.CreateAdd(Here, Length, "row.end");
  Builder.CreateBr(Header);
  Preheader->getTerminator()->replaceSuccessorWith(Header, Row);

  Builder.SetInsertPoint(Next);
  for (PHINode &Phi : Exit->phis()) {
    PHINode *Out = PHINode::Create(Phi.getType(), 1, "", Next->begin());
    Out->addIncoming(Phi.getIncomingValueForBlock(Latch), Latch);
    const int Index = Phi.getBasicBlockIndex(Latch);
    Phi.setIncomingBlock(Index, Next);
    Phi.setIncomingValue(Index, Out);
  }
  cast<PHINode>(Here)->addIncoming(
      Builder.CreateAdd(End, ConstantInt::get(T, 1)), Next);
  Builder.CreateCondBr(Builder.CreateICmpEQ(End, Last), Exit, Row);

  Builder.SetInsertPoint(Branch);
  const bool LeavesIfTrue = Branch->getSuccessor(0) == Exit;
  Value *Old = Branch->getCondition();
  Branch->setCondition(Builder.CreateICmp(
      LeavesIfTrue ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE, Counter, End));
  Branch->replaceSuccessorWith(Exit, Next);
  RecursivelyDeleteTriviallyDeadInstructions(Old);

  for (BinaryOperator *Division : Divisions) {
    Value *Ratio = Quotient[Division];
    Value *New = Ratio;
    if (isRemainder(*Division)) {
      Builder.SetInsertPoint(Row->getTerminator());
      Value *Product = Builder.CreateMul(Ratio, Division->getOperand(1));
      Builder.SetInsertPoint(Division);
      New = Builder.CreateSub(Division->getOperand(0), Product);
    }
    Division->replaceAllUsesWith(New);
    Division->eraseFromParent();
  }
  if (!Extensions.empty()) {
    Builder.SetInsertPoint(&*Header->getFirstInsertionPt());
    Value *Done = Builder.CreateSub(Counter, Here, "row.done");
    for (const Extension &E : Extensions) {
      Builder.SetInsertPoint(E.Wide);
      Value *More = E.Shift ? Builder.CreateShl(Done, E.Shift) : Done;
      E.Wide->replaceAllUsesWith(Builder.CreateAdd(Start[E.Wide], More));
    }
    for (const Extension &E : Extensions)
      RecursivelyDeleteTriviallyDeadInstructions(E.Wide);
  }
  bool Changed = false;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : make_early_inc_range(*Block))
      if (Constant.contains(&I))
        L.makeLoopInvariant(&I, Changed, Row->getTerminator());
  ++NumLoops;
}

/// Whether \p L itself, not a loop inside, divides by an invariant.
static bool dividesByInvariant(const Loop &L, const LoopInfo &LI) {
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return LI.getLoopFor(Block) == &L &&
           any_of(*Block, [&](const Instruction &I) {
             return I.isIntDivRem() && L.isLoopInvariant(I.getOperand(1));
           });
  });
}

bool goByRows(Loop &L, Function &F, FunctionAnalysisManager &FAM, bool Tells) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  // Most loops have no such division.
  if (!dividesByInvariant(L, LI))
    return false;
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  const bool Changed = simplifyLoop(
      &L, &DT, &LI, &SE, &FAM.getResult<AssumptionAnalysis>(F), nullptr, false);
  Rows R(L, LI, DT, SE);
  if (const char *Why = R.plan()) {
    if (Tells && *Why)
      ir::remarkMissed(
          DEBUG_TYPE, "RowsStay", L,
          "loop divides in each iteration: ", ore::NV("Reason", Why));
    return Changed;
  }
  formLCSSA(L, DT, &LI, &SE);
  ir::remarkPassed(DEBUG_TYPE, "Rows", L,
                   "loop goes row by row: what its counter is divided for is "
                   "known once a row");
  R.emit();
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

PreservedAnalyses RowLoopsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() ||
      FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return PreservedAnalyses::all();
  SmallPtrSet<const BasicBlock *, 8> Seen;
  const bool Changed = takeLoops(F, FAM, [&](Loop &L) {
    return L.isInnermost() && Seen.insert(L.getHeader()).second &&
           goByRows(L, F, FAM, /*Tells=*/true);
  });
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::vector
