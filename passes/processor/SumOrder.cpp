//===- SumOrder.cpp - Sums read memory from its beginning on --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SumOrder.h.
//
//===----------------------------------------------------------------------===//

#include "processor/SumOrder.h"

#include "processor/Runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "sum-order"

using namespace llvm;
using namespace accx;

STATISTIC(NumSums, "Number of sums that read memory upwards");

/// Fewer lines come at once anyway.
static constexpr size_t FewestLoads = 4;
static constexpr int64_t FewestBytes = 256;

namespace {

struct Place {
  const Value *Base;
  int64_t Offset;
};

class Sum {
  BinaryOperator &Root;
  const DataLayout &DL;
  struct Leaf {
    LoadInst *Load;
    int64_t Offset;
  };
  SmallVector<Leaf, 32> Loads;
  SmallVector<Value *, 8> Others;
  const Value *Base = nullptr;

  void collect(Value *V);
  bool mayMove() const;
  void dropPrefetches();

public:
  explicit Sum(BinaryOperator &Root)
      : Root(Root), DL(Root.getFunction()->getDataLayout()) {}
  bool order();
};

} // namespace

static Place placeOf(const Value *Pointer, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  return {Base, Offset.getSExtValue()};
}

static bool isPart(const Value *V, const BinaryOperator &Root) {
  const auto *Op = dyn_cast<BinaryOperator>(V);
  return Op && Op->getOpcode() == Root.getOpcode() && Op->isAssociative() &&
         Op->isCommutative() && Op->getParent() == Root.getParent();
}

void Sum::collect(Value *V) {
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (V == &Root || (Op && V->hasOneUse() && isPart(V, Root))) {
    collect(Op->getOperand(0));
    collect(Op->getOperand(1));
    return;
  }
  auto *Load = dyn_cast<LoadInst>(V);
  if (Load && Load->isSimple() && Load->hasOneUse() &&
      Load->getParent() == Root.getParent()) {
    const Place At = placeOf(Load->getPointerOperand(), DL);
    if (!Base)
      Base = At.Base;
    if (At.Base == Base) {
      Loads.push_back({Load, At.Offset});
      return;
    }
  }
  Others.push_back(V);
}

/// From the first load to the root.
bool Sum::mayMove() const {
  size_t Seen = 0;
  for (const Instruction &I : *Root.getParent()) {
    if (&I == &Root)
      return Seen == Loads.size();
    if (any_of(Loads, [&](const Leaf &L) { return L.Load == &I; }))
      ++Seen;
    const auto *Known = dyn_cast<IntrinsicInst>(&I);
    if (Seen != 0 && I.mayWriteToMemory() &&
        !(Known && Known->getIntrinsicID() == Intrinsic::prefetch))
      return false;
  }
  return false;
}

/// Processors ask for what follows themselves.
void Sum::dropPrefetches() {
  const int64_t Size =
      int64_t(DL.getTypeStoreSize(Root.getType()).getFixedValue());
  for (Instruction &I : make_early_inc_range(*Root.getParent())) {
    auto *Ask = dyn_cast<IntrinsicInst>(&I);
    if (!Ask || Ask->getIntrinsicID() != Intrinsic::prefetch)
      continue;
    const Place At = placeOf(Ask->getArgOperand(0), DL);
    if (At.Base == Base && At.Offset >= Loads.front().Offset &&
        At.Offset < Loads.back().Offset + Size) {
      auto *Address = dyn_cast<Instruction>(Ask->getArgOperand(0));
      Ask->eraseFromParent();
      if (Address)
        RecursivelyDeleteTriviallyDeadInstructions(Address);
    }
  }
}

bool Sum::order() {
  collect(&Root);
  const auto IsBelow = [](const Leaf &A, const Leaf &B) {
    return A.Offset < B.Offset;
  };
  if (Loads.size() < FewestLoads || is_sorted(Loads, IsBelow) || !mayMove())
    return false;
  sort(Loads, IsBelow);
  if (Loads.back().Offset - Loads.front().Offset < FewestBytes)
    return false;
  IRBuilder<> B(&Root);
  if (isa<FPMathOperator>(Root)) {
    FastMathFlags Free;
    Free.setAllowReassoc();
    Free.setNoSignedZeros();
    B.setFastMathFlags(Free);
  }
  Value *All = nullptr;
  const auto Add = [&](Value *V) {
    All = All ? B.CreateBinOp(Root.getOpcode(), All, V) : V;
  };
  for (const Leaf &L : Loads) {
    L.Load->moveBefore(&Root);
    Add(L.Load);
  }
  for (Value *V : Others)
    Add(V);
  dropPrefetches();
  Root.replaceAllUsesWith(All);
  RecursivelyDeleteTriviallyDeadInstructions(&Root);
  ++NumSums;
  return true;
}

/// Operations whose result no larger tree takes in.
static void findRoots(Function &F, SmallVectorImpl<WeakVH> &Roots) {
  for (Instruction &I : instructions(F)) {
    auto *Op = dyn_cast<BinaryOperator>(&I);
    if (!Op || !isPart(Op, *Op))
      continue;
    if (!Op->hasOneUse() || !isPart(*Op->user_begin(), *Op))
      Roots.push_back(Op);
  }
}

PreservedAnalyses processor::SumOrderPass::run(Module &M,
                                               ModuleAnalysisManager &) {
  if (!isHostDevice(M))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<WeakVH, 16> Roots;
    findRoots(F, Roots);
    for (const WeakVH &Root : Roots)
      if (Value *V = Root)
        Changed |= Sum(*cast<BinaryOperator>(V)).order();
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
