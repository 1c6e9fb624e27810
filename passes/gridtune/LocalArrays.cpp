//===- LocalArrays.cpp - Arrays of a thread in registers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gridtune/LocalArrays.h"

#include "ir/Remark.h"
#include "offload/Kernel.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "local-arrays"

using namespace llvm;

STATISTIC(NumArrays, "Number of arrays that loops are unrolled for");

namespace accx::gridtune {

namespace {

/// A thread has at most 1,020 bytes of registers, for all else, too.
constexpr uint64_t MaxBytes = 256;
constexpr unsigned MaxTrips = 64;
/// Of all loops of a function together, once they are unrolled. LLVM follows
/// hints up to about as much.
constexpr uint64_t MaxInstructions = 12000;

using LoopSet = SmallSetVector<Loop *, 4>;

class ArrayLoops {
  Function &F;
  LoopInfo &Loops;
  ScalarEvolution &SE;
  /// Those that get hints.
  LoopSet Chosen;
  uint64_t Bytes = 0;

  bool unrolls(const Loop &L) const;
  bool settles(Value *V, LoopSet &By, unsigned Depth) const;
  bool findLoops(AllocaInst &Array, LoopSet &By) const;
  uint64_t sizeWith(const LoopSet &Unrolled) const;

public:
  ArrayLoops(Function &F, FunctionAnalysisManager &FAM)
      : F(F), Loops(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)) {}

  void choose(AllocaInst &Array);
  bool mark();
};

} // namespace

/// Whether LLVM may unroll \p L in full, and nothing else is wanted of it.
bool ArrayLoops::unrolls(const Loop &L) const {
  const unsigned Trips = SE.getSmallConstantTripCount(&L);
  return Trips && Trips <= MaxTrips &&
         hasUnrollTransformation(&L) == TM_Unspecified;
}

/// Whether \p V is a constant once the loops are unrolled that are added to
/// \p By.
bool ArrayLoops::settles(Value *V, LoopSet &By, unsigned Depth) const {
  constexpr unsigned MaxDepth = 8;
  if (isa<Constant>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth)
    return false;
  if (auto *Counter = dyn_cast<PHINode>(I)) {
    Loop *L = Loops.getLoopFor(Counter->getParent());
    if (!L || L->getHeader() != Counter->getParent() || !unrolls(*L))
      return false;
    By.insert(L);
    // Start and step, which may count in loops around this one.
    const auto *Counts = SE.isSCEVable(Counter->getType())
                             ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Counter))
                             : nullptr;
    if (!Counts || Counts->getLoop() != L || !Counts->isAffine() ||
        !isa<SCEVConstant>(Counts->getStepRecurrence(SE)))
      return false;
    Value *Start = Counter->getIncomingValueForBlock(L->getLoopPredecessor());
    return Start && settles(Start, By, Depth + 1);
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    const auto *Table = dyn_cast<GlobalVariable>(
        getUnderlyingObject(Load->getPointerOperand()));
    return Load->isSimple() && Table && Table->isConstant() &&
           Table->hasDefinitiveInitializer() &&
           settles(Load->getPointerOperand(), By, Depth + 1);
  }
  return isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(
             I) &&
         all_of(I->operands(),
                [&](Value *Of) { return settles(Of, By, Depth + 1); });
}

/// The loops that the places of \p Array's accesses depend on; false where one
/// does on something else.
bool ArrayLoops::findLoops(AllocaInst &Array, LoopSet &By) const {
  SmallVector<Value *, 8> Pointers = {&Array};
  while (!Pointers.empty()) {
    Value *Pointer = Pointers.pop_back_val();
    for (User *U : Pointer->users()) {
      auto *I = cast<Instruction>(U);
      if (auto *Address = dyn_cast<GetElementPtrInst>(I)) {
        if (!all_of(Address->indices(),
                    [&](Value *Index) { return settles(Index, By, 0); }))
          return false;
        Pointers.push_back(Address);
      } else if (isa<BitCastInst, AddrSpaceCastInst>(I)) {
        Pointers.push_back(I);
      } else if (auto *Move = dyn_cast<MemIntrinsic>(I)) {
        if (Move->isVolatile() || !isa<ConstantInt>(Move->getLength()))
          return false;
      } else if (const auto *Load = dyn_cast<LoadInst>(I)) {
        if (!Load->isSimple())
          return false;
      } else if (const auto *Store = dyn_cast<StoreInst>(I)) {
        if (!Store->isSimple() || Store->getValueOperand() == Pointer)
          return false;
      } else if (!I->isLifetimeStartOrEnd()) {
        return false;
      }
    }
  }
  return !By.empty();
}

/// Instructions of the loops' code where those of \p Unrolled are.
uint64_t ArrayLoops::sizeWith(const LoopSet &Unrolled) const {
  uint64_t Size = 0;
  for (BasicBlock &Block : F) {
    uint64_t Copies = 1;
    for (Loop *L = Loops.getLoopFor(&Block); L; L = L->getParentLoop())
      if (Unrolled.contains(L))
        Copies =
            std::min(Copies * SE.getSmallConstantTripCount(L), MaxInstructions);
    if (Copies > 1)
      Size += Copies * Block.sizeWithoutDebug();
  }
  return Size;
}

/// Adds the loops that \p Array needs, if all of it is worth that.
void ArrayLoops::choose(AllocaInst &Array) {
  const DataLayout &DL = F.getDataLayout();
  const auto Size = Array.getAllocationSize(DL);
  LoopSet By;
  if (!Array.isStaticAlloca() || !Size || Size->isScalable() ||
      Bytes + Size->getFixedValue() > MaxBytes || !findLoops(Array, By))
    return;
  By.insert(Chosen.begin(), Chosen.end());
  if (sizeWith(By) > MaxInstructions)
    return;
  ir::remarkPassed(DEBUG_TYPE, "InRegisters", *By.front(),
                   "loops are unrolled so that an array of ",
                   ore::NV("Bytes", Size->getFixedValue()),
                   " bytes is in registers");
  Chosen = std::move(By);
  Bytes += Size->getFixedValue();
  ++NumArrays;
}

bool ArrayLoops::mark() {
  for (Loop *L : Chosen)
    addStringMetadataToLoop(L, "llvm.loop.unroll.full", 1);
  return !Chosen.empty();
}

PreservedAnalyses LocalArraysPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() || !offload::isGpuCode(*F.getParent()))
    return PreservedAnalyses::all();
  SmallVector<AllocaInst *, 8> Arrays;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Local = dyn_cast<AllocaInst>(&I);
        Local && Local->getAllocatedType()->isAggregateType())
      Arrays.push_back(Local);
  // Most functions have none, and need not know their loops.
  if (Arrays.empty())
    return PreservedAnalyses::all();
  ArrayLoops Loops(F, FAM);
  for (AllocaInst *Array : Arrays)
    Loops.choose(*Array);
  if (!Loops.mark())
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::gridtune
