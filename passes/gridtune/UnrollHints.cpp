//===- UnrollHints.cpp - Sequential loops of GPUs to unroll ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gridtune/UnrollHints.h"

#include "gridloop/GridIv.h"
#include "ir/LoopCopy.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <optional>

using namespace llvm;

static cl::opt<unsigned>
    UnrollSize("accx-grid-unroll", cl::init(384), cl::Hidden,
               cl::desc("Instructions that small sequential loops of GPUs have "
                        "when unrolled; 0: as LLVM likes"));

namespace accx::gridtune {

constexpr unsigned MaxInstructions = 48;
/// Times that loops are unrolled which may be short, and at most.
constexpr unsigned ForShort = 4, AtMost = 16;
/// Elements of a thread's array, at most, which a loop may not even all touch.
constexpr uint64_t MostOfShort = 128;
/// LLVM leaves a loop that would have more instructions when unrolled in full.
constexpr uint64_t MostInFull = 1200;

/// Operations of \p Block on what it has loaded.
static size_t operationsOnLoads(const BasicBlock &Block) {
  SmallPtrSet<const Value *, 16> Loaded;
  size_t Operations = 0;
  for (const Instruction &I : Block) {
    const bool Uses = any_of(
        I.operands(), [&](const Value *V) { return Loaded.contains(V); });
    if (isa<LoadInst>(I) || Uses)
      Loaded.insert(&I);
    Operations +=
        Uses && !isa<LoadInst, StoreInst, CastInst, GetElementPtrInst>(I);
  }
  return Operations;
}

/// LLVM can unroll \p L, it is small, too long to be unrolled in full, and
/// nobody asks for anything else.
static bool mayUnroll(const Loop &L, ScalarEvolution &SE) {
  const uint64_t Size = ir::sizeOf(L);
  const unsigned Iterations = SE.getSmallConstantTripCount(&L);
  if (Size > MaxInstructions || L.getHeader()->getParent()->hasOptSize() ||
      (Iterations && Iterations * Size <= MostInFull) ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)) ||
      hasUnrollTransformation(&L) != TM_Unspecified ||
      hasVectorizeTransformation(&L) != TM_Unspecified)
    return false;
  return none_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && Call->isConvergent();
    });
  });
}

/// A loop of one small block that computes with what it loads. LLVM unrolls
/// sums of products by itself, and only behind a hint does it tell ptxas to
/// leave a loop at that: a product of matrices takes 1.5 times as long with the
/// hint, one that computes each body's force half as long. What else threads
/// share among them takes a division by a variable to count, as grid-stride
/// loops do.
static bool computes(const Loop &L, ScalarEvolution &SE) {
  constexpr size_t LeastOperations = 4;
  return L.getNumBlocks() == 1 &&
         operationsOnLoads(*L.getHeader()) >= LeastOperations &&
         !SCEVExprContains(SE.getBackedgeTakenCount(&L), [](const SCEV *S) {
           const auto *Division = dyn_cast<SCEVUDivExpr>(S);
           return Division && !isa<SCEVConstant>(Division->getRHS());
         });
}

namespace {

/// How a loop whose step is a variable goes on: while Next, which Step leads to
/// from Start on, is below Bound.
struct VariableStep {
  Instruction *Next = nullptr;
  Value *Start = nullptr;
  Value *Bound = nullptr;

  static std::optional<VariableStep> find(const Loop &L, ScalarEvolution &SE);
};

} // namespace

std::optional<VariableStep> VariableStep::find(const Loop &L,
                                               ScalarEvolution &SE) {
  const BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPredecessor();
  if (!Latch || !Before || L.getExitingBlock() != Latch)
    return std::nullopt;
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Next = dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(Latch));
    if (!Next || Next->getOpcode() != Instruction::Add ||
        !Next->hasNoSignedWrap())
      continue;
    const auto Test =
        gridloop::BoundTest::find(L, *Latch, *Next, /*IsSigned=*/true);
    if (!Test || Test->IsInclusive)
      continue;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (Counter && Counter->getLoop() == &L && Counter->isAffine() &&
        !isa<SCEVConstant>(Counter->getStepRecurrence(SE)))
      return VariableStep{Next, Phi.getIncomingValueForBlock(Before),
                          Test->Bound};
  }
  return std::nullopt;
}

/// LLVM counts iterations only where it knows that steps are not negative. From
/// a start below the bound, negative ones would go on until they wrap, which
/// the program must not do, since nothing else ends the loop. Returns whether
/// that is news.
static bool noteDirection(const VariableStep &By, const Loop &L,
                          ScalarEvolution &SE) {
  if (By.Next->hasNoUnsignedWrap() ||
      !isKnownNonNegative(By.Start, By.Next->getDataLayout()) ||
      !SE.isLoopEntryGuardedByCond(&L, CmpInst::ICMP_SLT, SE.getSCEV(By.Start),
                                   SE.getSCEV(By.Bound)) ||
      !all_of(L.blocks(), [](const BasicBlock *Block) {
        return isGuaranteedToTransferExecutionToSuccessor(Block);
      }))
    return false;
  By.Next->setHasNoUnsignedWrap();
  SE.forgetLoop(&L);
  return true;
}

static bool loads(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      return Load && Load->isSimple();
    });
  });
}

/// Whether \p L walks over a small array of the thread's own.
static bool walksSmallArray(const Loop &L) {
  const DataLayout &DL = L.getHeader()->getDataLayout();
  return any_of(L.blocks(), [&](BasicBlock *Block) {
    return any_of(*Block, [&](Instruction &I) {
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (!Pointer || L.isLoopInvariant(Pointer))
        return false;
      const auto *Array = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer));
      const auto Size = Array ? Array->getAllocationSize(DL) : std::nullopt;
      return Size && !Size->isScalable() &&
             Size->getFixedValue() <=
                 MostOfShort * DL.getTypeStoreSize(getLoadStoreType(&I));
    });
  });
}

/// Whether each thread looks up how many iterations \p L has, as those of a
/// sparse row. What is loaded from an argument itself is the program's
/// variable.
static bool looksUpCount(const Loop &L, ScalarEvolution &SE) {
  return SCEVExprContains(SE.getBackedgeTakenCount(&L), [](const SCEV *S) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(S);
    const auto *Load =
        Unknown ? dyn_cast<LoadInst>(Unknown->getValue()) : nullptr;
    return Load &&
           !isa<Argument, GlobalVariable>(
               Load->getPointerOperand()->stripInBoundsConstantOffsets());
  });
}

/// Whether \p L may well have few iterations: what is left of them, one by one,
/// would be most of them.
static bool maybeShort(const Loop &L, ScalarEvolution &SE) {
  return !SE.getSmallConstantTripCount(&L) &&
         (walksSmallArray(L) || looksUpCount(L, SE));
}

/// How often \p L is unrolled. The more often, the more loads are under way,
/// but loops whose step is a variable have few iterations a thread.
static unsigned countFor(const Loop &L, bool Steps, ScalarEvolution &SE) {
  if (Steps || maybeShort(L, SE))
    return ForShort;
  return unsigned(std::clamp<uint64_t>(bit_floor(UnrollSize / ir::sizeOf(L)),
                                       ForShort, AtMost));
}

bool markForUnrolling(LoopInfo &Loops, ScalarEvolution &SE,
                      SmallVectorImpl<Loop *> &Marked) {
  if (!UnrollSize)
    return false;
  bool Changed = false;
  for (Loop *L : Loops.getLoopsInPreorder()) {
    const MDNode *Id = L->getLoopID();
    if (!L->isInnermost() || (Id && gridloop::isGridLoop(*Id)))
      continue;
    const auto By = VariableStep::find(*L, SE);
    const bool Steps = By && loads(*L);
    if (Steps)
      Changed |= noteDirection(*By, *L, SE);
    if (!mayUnroll(*L, SE) || !(Steps || computes(*L, SE)))
      continue;
    addStringMetadataToLoop(L, "llvm.loop.unroll.count",
                            countFor(*L, Steps, SE));
    Marked.push_back(L);
    Changed = true;
  }
  return Changed;
}

} // namespace accx::gridtune
