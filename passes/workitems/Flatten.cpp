//===- Flatten.cpp - Code that loops over work-items vectorize well -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three rewritings of a body, ahead of cutting it at its stops. They do not
// know of each other.
//
//   * `e = x == n - 1 ? x : x + 1` is Clang's branch and a phi, which a stop
//     would find alive. As a select it is computed again where it is used.
//   * `long(x + 1)` of 32 bits is `long(x) + 1` where x + 1 does not overflow:
//     what is next to each other for a vector must be so in 64 bits.
//   * `a[c ? x : x + 1]` would be a gather; `c ? a[x] : a[x + 1]` is two masked
//     loads.
//
//===----------------------------------------------------------------------===//

#include "ir/LoopCopy.h"
#include "workitems/Forms.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace accx::workitems {

namespace {

constexpr unsigned MaxChoices = 4, MaxArm = 4, MaxDepth = 8;

/// Whether it may run where the program would not, at little cost.
bool isCheap(const Instruction &I) {
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst>(I) &&
         !I.isIntDivRem() && isSafeToSpeculativelyExecute(&I);
}

/// Whether \p Arm only computes, at little cost, what \p Join takes.
bool isArm(const BasicBlock &Arm, const BasicBlock &Fork,
           const BasicBlock &Join) {
  if (Arm.getUniquePredecessor() != &Fork ||
      Arm.getUniqueSuccessor() != &Join || Arm.size() > MaxArm + 1)
    return false;
  return all_of(Arm, [&](const Instruction &I) {
    return I.isTerminator() || isCheap(I);
  });
}

bool flatten(BasicBlock &Join) {
  const SmallVector<BasicBlock *, 2> From(predecessors(&Join));
  BasicBlock *IfTrue = nullptr, *IfFalse = nullptr;
  BranchInst *Branch = isa<PHINode>(Join.front())
                           ? GetIfCondition(&Join, IfTrue, IfFalse)
                           : nullptr;
  if (!Branch)
    return false;
  BasicBlock *Fork = Branch->getParent();
  for (BasicBlock *Arm : From)
    if (Arm != Fork && !isArm(*Arm, *Fork, Join))
      return false;
  SmallVector<PHINode *, MaxChoices> Phis;
  for (PHINode &Phi : Join.phis())
    Phis.push_back(&Phi);
  if (Phis.size() > MaxChoices)
    return false;
  for (BasicBlock *Arm : From)
    if (Arm != Fork)
      for (Instruction &I : make_early_inc_range(*Arm))
        if (!I.isTerminator())
          I.moveBefore(Branch);
  IRBuilder<> B(Branch);
  for (PHINode *Phi : Phis) {
    Value *Yes = Phi->getIncomingValueForBlock(IfTrue);
    Value *No = Phi->getIncomingValueForBlock(IfFalse);
    Phi->replaceAllUsesWith(B.CreateSelect(Branch->getCondition(), Yes, No));
    Phi->eraseFromParent();
  }
  B.CreateBr(&Join);
  Branch->eraseFromParent();
  for (BasicBlock *Arm : From)
    if (Arm != Fork)
      DeleteDeadBlock(Arm);
  return true;
}

/// Takes \p Second into the one block ahead of it, where both may go on to the
/// same third, with the same values: `a && b` is one condition.
bool join(BasicBlock &Second, const Loop &Nest) {
  BasicBlock *First = Second.getSinglePredecessor();
  auto *Fork = First && First != Nest.getHeader()
                   ? dyn_cast<BranchInst>(First->getTerminator())
                   : nullptr;
  auto *Last = dyn_cast<BranchInst>(Second.getTerminator());
  if (!Fork || !Last || First == &Second || !Fork->isConditional() ||
      !Last->isConditional() || Second.size() > MaxArm + 1 ||
      !all_of(Second, [](const Instruction &I) {
        return I.isTerminator() || isCheap(I);
      }))
    return false;
  const bool SecondIfTrue = Fork->getSuccessor(0) == &Second;
  BasicBlock *Common = Fork->getSuccessor(SecondIfTrue ? 1 : 0);
  const bool CommonIfTrue = Last->getSuccessor(0) == Common;
  BasicBlock *Other = Last->getSuccessor(CommonIfTrue ? 1 : 0);
  if (Common == &Second || Other == Common || Other == First ||
      Other == &Second || (!CommonIfTrue && Last->getSuccessor(1) != Common))
    return false;
  for (PHINode &Phi : Common->phis())
    if (Phi.getIncomingValueForBlock(First) !=
        Phi.getIncomingValueForBlock(&Second))
      return false;
  for (Instruction &I : make_early_inc_range(Second))
    if (!I.isTerminator())
      I.moveBefore(Fork);
  IRBuilder<> B(Fork);
  Value *Enters = Fork->getCondition(), *Leaves = Last->getCondition();
  if (!SecondIfTrue)
    Enters = B.CreateNot(Enters);
  if (CommonIfTrue)
    Leaves = B.CreateNot(Leaves);
  B.CreateCondBr(B.CreateSelect(Enters, Leaves, B.getFalse()), Other, Common);
  Fork->eraseFromParent();
  Common->removePredecessor(&Second, /*KeepOneInputPHIs=*/true);
  Other->replacePhiUsesWith(&Second, First);
  Last->eraseFromParent();
  IRBuilder<>(&Second).CreateUnreachable();
  DeleteDeadBlock(&Second);
  return true;
}

class Widener {
  const LoopPlan &Plan;

public:
  explicit Widener(const LoopPlan &Plan) : Plan(Plan) {}

  void run() {
    SmallVector<SExtInst *, 16> Widenings;
    for (BasicBlock *Block : Plan.Body)
      for (Instruction &I : *Block)
        if (auto *Widening = dyn_cast<SExtInst>(&I);
            Widening && Widening->getType()->isIntegerTy(64) &&
            isSum(Widening->getOperand(0)))
          Widenings.push_back(Widening);
    for (SExtInst *Widening : Widenings) {
      IRBuilder<> B(Widening);
      Value *Wide = widen(B, Widening->getOperand(0));
      Widening->replaceAllUsesWith(Wide);
      Widening->eraseFromParent();
    }
  }

private:
  bool hasPlace(const Value *V, unsigned Depth = 0) const {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth > MaxDepth)
      return false;
    if (isa<TruncInst>(I))
      I = dyn_cast<LoadInst>(I->getOperand(0));
    if (!I)
      return false;
    if (isa<LoadInst>(I))
      return is_contained(ArrayRef(Plan.PlaceOf, Plan.Block.Dims),
                          I->getOperand(0));
    return isa<BinaryOperator, SelectInst>(I) &&
           any_of(I->operands(),
                  [&](const Use &U) { return hasPlace(U, Depth + 1); });
  }

  /// Whether 32 bits have all of the plan's variable \p P.
  bool isPlain(const Value *P) const {
    for (unsigned D = 0; D < Plan.Block.Dims; ++D)
      if (P == Plan.PlaceOf[D] || (P == Plan.FirstOf[D] && Plan.IsNarrow[D]))
        return true;
    return false;
  }

  /// Whether \p V is a sum of places each part of which fits where the whole
  /// does.
  bool isSum(const Value *V) const {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !Plan.Body.contains(const_cast<BasicBlock *>(I->getParent())) ||
        !hasPlace(I))
      return false;
    if (isa<SelectInst>(I))
      return true;
    const auto *Sum = dyn_cast<OverflowingBinaryOperator>(I);
    return Sum && Sum->hasNoSignedWrap() && I->getOpcode() != Instruction::Shl;
  }

  Value *widen(IRBuilder<> &B, Value *V, unsigned Depth = 0) {
    // A place and the start of a block were cut from a wide value.
    if (auto *Cut = dyn_cast<TruncInst>(V))
      if (auto *Load = dyn_cast<LoadInst>(Cut->getOperand(0));
          Load && Load->getType()->isIntegerTy(64) &&
          isPlain(Load->getPointerOperand()))
        return Load;
    if (!isSum(V) || Depth > MaxDepth)
      return B.CreateSExt(V, B.getInt64Ty());
    auto *I = cast<Instruction>(V);
    if (auto *Choice = dyn_cast<SelectInst>(I)) {
      Value *Yes = widen(B, Choice->getTrueValue(), Depth + 1);
      Value *No = widen(B, Choice->getFalseValue(), Depth + 1);
      return B.CreateSelect(Choice->getCondition(), Yes, No);
    }
    Value *Left = widen(B, I->getOperand(0), Depth + 1);
    Value *Right = widen(B, I->getOperand(1), Depth + 1);
    switch (I->getOpcode()) {
    case Instruction::Add:
      return B.CreateNSWAdd(Left, Right);
    case Instruction::Sub:
      return B.CreateNSWSub(Left, Right);
    default:
      return B.CreateNSWMul(Left, Right);
    }
  }
};

/// A choice of which \p Address is made by sums and products, if there is
/// exactly one.
SelectInst *choiceIn(const LoopPlan &Plan, Value *V, unsigned Depth = 0) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.Body.contains(I->getParent()) || Depth > 2 * MaxDepth)
    return nullptr;
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return Choice;
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst>(I))
    return nullptr;
  SelectInst *Found = nullptr;
  for (Value *Operand : I->operands())
    if (SelectInst *Inner = choiceIn(Plan, Operand, Depth + 1)) {
      if (Found && Found != Inner)
        return nullptr;
      Found = Inner;
    }
  return Found;
}

/// \p V with \p Taken in place of \p Choice.
Value *withChoice(IRBuilder<> &B, const LoopPlan &Plan, Value *V,
                  SelectInst *Choice, Value *Taken) {
  if (V == Choice)
    return Taken;
  if (choiceIn(Plan, V) != Choice)
    return V;
  return B.Insert(ir::copyWith(*cast<Instruction>(V), [&](Value &Operand) {
    return withChoice(B, Plan, &Operand, Choice, Taken);
  }));
}

/// Whether \p V, with \p Taken in place of \p Choice, computes what \p Other
/// does, where nothing is written in between.
bool isSame(Value *V, Value *Other, SelectInst *Choice, Value *Taken,
            unsigned Depth = 0) {
  if (V == Choice)
    V = Taken;
  if (V == Other)
    return true;
  const auto *A = dyn_cast<Instruction>(V);
  const auto *B = dyn_cast<Instruction>(Other);
  if (!A || !B || Depth > 2 * MaxDepth || !A->isSameOperationAs(B))
    return false;
  const auto *Load = dyn_cast<LoadInst>(A);
  if (Load ? !Load->isSimple()
           : !isa<BinaryOperator, CastInst, GetElementPtrInst>(A))
    return false;
  return all_of(zip(A->operands(), B->operands()), [&](const auto &Pair) {
    return isSame(std::get<0>(Pair), std::get<1>(Pair), Choice, Taken,
                  Depth + 1);
  });
}

/// A load of the same block, ahead of \p Load, of what that would load with
/// \p Taken in place of \p Choice; null if there is none.
LoadInst *earlier(LoadInst &Load, SelectInst *Choice, Value *Taken) {
  for (Instruction *I = Load.getPrevNode(); I && !I->mayWriteToMemory();
       I = I->getPrevNode()) {
    auto *Other = dyn_cast<LoadInst>(I);
    if (Other && Other->isSameOperationAs(&Load) &&
        isSame(Load.getPointerOperand(), Other->getPointerOperand(), Choice,
               Taken))
      return Other;
  }
  return nullptr;
}

} // namespace

void flattenChoices(const Loop &Nest) {
  SmallVector<BasicBlock *, 32> Blocks(Nest.blocks());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *&Block : Blocks)
      if (Block && Block != Nest.getHeader() && join(*Block, Nest)) {
        Block = nullptr;
        Changed = true;
      }
    for (BasicBlock *&Block : Blocks) {
      if (!Block || Block == Nest.getHeader() || !isa<PHINode>(Block->front()))
        continue;
      const SmallVector<BasicBlock *, 2> From(predecessors(Block));
      if (!flatten(*Block))
        continue;
      // Its arms are no more.
      for (BasicBlock *&Other : Blocks)
        if (Other != Block && is_contained(From, Other) &&
            !is_contained(predecessors(Block), Other))
          Other = nullptr;
      Changed = true;
    }
  }
}

void widenIndices(const LoopPlan &Plan) { Widener(Plan).run(); }

void splitChoices(LoopPlan &Plan, LoopInfo &Loops) {
  const unsigned Inner = Plan.Block.Dims - 1;
  SmallVector<std::pair<LoadInst *, SelectInst *>, 8> Loads;
  for (BasicBlock *Block : Plan.Body)
    for (Instruction &I : *Block) {
      auto *Load = dyn_cast<LoadInst>(&I);
      SelectInst *Choice = Load && Load->isSimple()
                               ? choiceIn(Plan, Load->getPointerOperand())
                               : nullptr;
      // An address that a whole row shares is no vector's choice.
      if (Choice && !Choice->getType()->isPointerTy() &&
          isNextTo(Plan, Choice->getTrueValue(), Inner) &&
          isNextTo(Plan, Choice->getFalseValue(), Inner))
        Loads.push_back({Load, Choice});
    }
  // Goes from the last load back: code behind a split is in no block of the
  // body yet.
  for (const auto &[Load, Choice] : reverse(Loads)) {
    // Two loads would become one of a chosen address again.
    LoadInst *Known[] = {earlier(*Load, Choice, Choice->getTrueValue()),
                         earlier(*Load, Choice, Choice->getFalseValue())};
    Instruction *Yes = nullptr, *No = nullptr;
    SplitBlockAndInsertIfThenElse(Choice->getCondition(), Load, &Yes, &No,
                                  nullptr, nullptr, &Loops);
    const auto LoadWith = [&](Instruction *Before, Value *Taken) {
      IRBuilder<> B(Before);
      Value *Address =
          withChoice(B, Plan, Load->getPointerOperand(), Choice, Taken);
      auto *Copy = cast<LoadInst>(Load->clone());
      Copy->setOperand(0, Address);
      return B.Insert(Copy);
    };
    Value *First = Known[0] ? Known[0] : LoadWith(Yes, Choice->getTrueValue());
    Value *Second = Known[1] ? Known[1] : LoadWith(No, Choice->getFalseValue());
    PHINode *Phi = PHINode::Create(Load->getType(), 2, "", Load);
    Phi->addIncoming(First, Yes->getParent());
    Phi->addIncoming(Second, No->getParent());
    Load->replaceAllUsesWith(Phi);
    Load->eraseFromParent();
  }
}

} // namespace accx::workitems
