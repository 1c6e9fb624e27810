//===- ElementLoop.cpp - Clang's loops over an array ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes a loop over the elements of an array, and maps the operators of
// reductions to those of atomics. The sources on arrays share both.
//
//===----------------------------------------------------------------------===//

#include "reduce/ElementLoop.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::reduce {

AtomicRMWInst::BinOp operatorOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
    return AtomicRMWInst::Add;
  case Instruction::FAdd:
    return AtomicRMWInst::FAdd;
  case Instruction::And:
    return AtomicRMWInst::And;
  case Instruction::Or:
    return AtomicRMWInst::Or;
  case Instruction::Xor:
    return AtomicRMWInst::Xor;
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::smax:
    return AtomicRMWInst::Max;
  case Intrinsic::smin:
    return AtomicRMWInst::Min;
  case Intrinsic::umax:
    return AtomicRMWInst::UMax;
  case Intrinsic::umin:
    return AtomicRMWInst::UMin;
  default:
    return AtomicRMWInst::BAD_BINOP;
  }
}

Constant *neutralOf(AtomicRMWInst::BinOp Op, Type *T) {
  const unsigned Bits = T->getScalarSizeInBits();
  switch (Op) {
  case AtomicRMWInst::FAdd:
    return ConstantFP::getNegativeZero(T);
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return Constant::getAllOnesValue(T);
  case AtomicRMWInst::Max:
    return ConstantInt::get(T, APInt::getSignedMinValue(Bits));
  case AtomicRMWInst::Min:
    return ConstantInt::get(T, APInt::getSignedMaxValue(Bits));
  default:
    return Constant::getNullValue(T);
  }
}

AtomicRMWInst::BinOp ElementLoop::combiner() const {
  auto *I = dyn_cast<Instruction>(Store->getValueOperand());
  if (!I || I->getParent() != Block || !From)
    return AtomicRMWInst::BAD_BINOP;
  const auto *A = dyn_cast<LoadInst>(I->getOperand(0));
  const auto *B =
      I->getNumOperands() > 1 ? dyn_cast<LoadInst>(I->getOperand(1)) : nullptr;
  const Value *Stored = Store->getPointerOperand();
  if (!A || !B || A->getParent() != Block || B->getParent() != Block ||
      (A->getPointerOperand() == Stored) == (B->getPointerOperand() == Stored))
    return AtomicRMWInst::BAD_BINOP;
  return operatorOf(*I);
}

namespace {

/// A pointer that goes from element to element.
struct Walker {
  PHINode *At;
  Value *Start;
  Value *Next;
};

} // namespace

/// How many elements of \p Size bytes there are until \p W meets the end that
/// \p Branch asks for; 0: another form.
static uint64_t countOf(const Walker &W, const BranchInst &Branch,
                        uint64_t Size, const DataLayout &Layout) {
  auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
  if (!Compare || !Compare->isEquality())
    return 0;
  Value *End = nullptr;
  if (!match(Compare, m_c_ICmp(m_Specific(W.Next), m_Value(End))))
    return 0;
  // Leaves the loop where they meet.
  const bool LeavesIfTrue = Branch.getSuccessor(0) != Branch.getParent();
  if (LeavesIfTrue != (Compare->getPredicate() == CmpInst::ICMP_EQ))
    return 0;
  APInt First(64, 0), Last(64, 0);
  const Value *Base = W.Start->stripAndAccumulateConstantOffsets(
      Layout, First, /*AllowNonInbounds=*/true);
  if (Base != End->stripAndAccumulateConstantOffsets(Layout, Last, true))
    return 0;
  const APInt Bytes = Last - First;
  return Bytes.isStrictlyPositive() && Bytes.urem(Size) == 0
             ? Bytes.getZExtValue() / Size
             : 0;
}

std::optional<ElementLoop> ElementLoop::match(BasicBlock &Block) {
  auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || !Branch->isConditional() || !Block.hasNPredecessors(2) ||
      (Branch->getSuccessor(0) == &Block) ==
          (Branch->getSuccessor(1) == &Block))
    return std::nullopt;
  ElementLoop L;
  L.Block = &Block;
  L.After = Branch->getSuccessor(Branch->getSuccessor(0) == &Block);
  for (BasicBlock *P : predecessors(&Block))
    if (P != &Block)
      L.Before = P;
  if (!L.Before || !L.After->phis().empty())
    return std::nullopt;
  for (Instruction &I : Block) {
    if (any_of(I.users(), [&](const User *U) {
          return cast<Instruction>(U)->getParent() != &Block;
        }))
      return std::nullopt;
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (L.Store)
        return std::nullopt;
      L.Store = Store;
    } else if (!isa<LoadInst>(I) && I.mayReadOrWriteMemory() &&
               !I.isDebugOrPseudoInst()) {
      return std::nullopt;
    }
  }
  if (!L.Store)
    return std::nullopt;
  L.Element = L.Store->getValueOperand()->getType();
  const DataLayout &Layout = Block.getModule()->getDataLayout();
  const uint64_t Size = Layout.getTypeStoreSize(L.Element);

  SmallVector<Walker, 2> Walkers;
  for (PHINode &Phi : Block.phis()) {
    Value *Next = Phi.getIncomingValueForBlock(&Block);
    APInt Step(64, 0);
    if (!Phi.getType()->isPointerTy() ||
        Next->stripAndAccumulateConstantOffsets(Layout, Step, true) != &Phi ||
        Step != Size)
      return std::nullopt;
    Walkers.push_back({&Phi, Phi.getIncomingValueForBlock(L.Before), Next});
  }
  for (const Walker &W : Walkers) {
    L.Count = std::max(L.Count, countOf(W, *Branch, Size, Layout));
    (W.At == L.Store->getPointerOperand() ? L.Into : L.From) = W.Start;
  }
  const bool OfWalkers = all_of(Block, [&](const Instruction &I) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    return !Pointer ||
           any_of(Walkers, [&](const Walker &W) { return W.At == Pointer; });
  });
  if (!L.Count || !L.Into || !OfWalkers || Walkers.size() > 2)
    return std::nullopt;
  return L;
}

void ElementLoop::remove() const {
  Before->getTerminator()->replaceSuccessorWith(Block, After);
  DeleteDeadBlock(Block);
}

} // namespace accx::reduce
