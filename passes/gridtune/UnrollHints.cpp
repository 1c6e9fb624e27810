//===- UnrollHints.cpp - Sequential loops of GPUs to unroll ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gridtune/UnrollHints.h"

#include "gridloop/GridIv.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

static cl::opt<unsigned>
    UnrollCount("accx-grid-unroll", cl::init(4), cl::Hidden,
                cl::desc("Times that small sequential loops of GPUs are "
                         "unrolled; 0: as LLVM likes"));

namespace accx::gridtune {

constexpr unsigned MaxInstructions = 48;

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

static unsigned sizeOf(const Loop &L) {
  unsigned Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += Block->sizeWithoutDebug();
  return Size;
}

/// LLVM can unroll \p L, it is small, its length is no constant, and nobody
/// asks for anything else.
static bool mayUnroll(const Loop &L, ScalarEvolution &SE) {
  if (!L.isInnermost() || sizeOf(L) > MaxInstructions ||
      SE.getSmallConstantTripCount(&L) ||
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
/// hint, one that computes each body's force half as long.
static bool isWorthUnrolling(const Loop &L, ScalarEvolution &SE) {
  constexpr size_t LeastOperations = 4;
  return L.getNumBlocks() == 1 &&
         operationsOnLoads(*L.getHeader()) >= LeastOperations &&
         mayUnroll(L, SE);
}

static void mark(Loop &L) {
  addStringMetadataToLoop(&L, "llvm.loop.unroll.count", UnrollCount);
}

unsigned markForUnrolling(Loop &Grid, ScalarEvolution &SE) {
  if (!UnrollCount)
    return 0;
  unsigned Marked = 0;
  for (Loop *L : Grid.getLoopsInPreorder())
    if (L != &Grid && isWorthUnrolling(*L, SE)) {
      mark(*L);
      ++Marked;
    }
  return Marked;
}

namespace {

/// What ends a loop: Next = Counter + Step, and on while Next < Bound.
struct SteppingEnd {
  Instruction *Next;
  PHINode *Phi;
  const SCEVAddRecExpr *Counter;
  const SCEV *Bound;

  /// Of a loop whose step is a variable.
  static std::optional<SteppingEnd> find(const Loop &L, ScalarEvolution &SE);
};

} // namespace

std::optional<SteppingEnd> SteppingEnd::find(const Loop &L,
                                             ScalarEvolution &SE) {
  ICmpInst *Test = L.getLatchCmpInst();
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Test || !L.getLoopPredecessor() || L.getExitingBlock() != Latch ||
      !L.isInnermost())
    return std::nullopt;
  const bool GoesIfTrue =
      Latch->getTerminator()->getSuccessor(0) == L.getHeader();
  CmpInst::Predicate Goes =
      GoesIfTrue ? Test->getPredicate() : Test->getInversePredicate();
  Value *Left = Test->getOperand(0), *Right = Test->getOperand(1);
  if (L.isLoopInvariant(Left)) {
    std::swap(Left, Right);
    Goes = CmpInst::getSwappedPredicate(Goes);
  }
  auto *Next = dyn_cast<BinaryOperator>(Left);
  if (Goes != CmpInst::ICMP_SLT || !Next || !L.isLoopInvariant(Right) ||
      Next->getOpcode() != Instruction::Add || !Next->hasNoSignedWrap())
    return std::nullopt;
  PHINode *Phi = nullptr;
  for (Value *Operand : Next->operands())
    if (auto *P = dyn_cast<PHINode>(Operand);
        P && P->getParent() == L.getHeader())
      Phi = P;
  const auto *Counter =
      Phi ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi)) : nullptr;
  if (!Counter || Counter->getLoop() != &L || !Counter->isAffine() ||
      isa<SCEVConstant>(Counter->getStepRecurrence(SE)) ||
      Phi->getIncomingValueForBlock(Latch) != Next)
    return std::nullopt;
  return SteppingEnd{Next, Phi, Counter, SE.getSCEV(Right)};
}

/// LLVM counts iterations only where it knows that steps are not negative. From
/// a start below the bound, negative ones would go on until they wrap, which
/// the program must not do, since nothing else ends the loop. Returns whether
/// that is news.
static bool noteDirection(const SteppingEnd &End, const Loop &L,
                          ScalarEvolution &SE) {
  const Value *Start =
      End.Phi->getIncomingValueForBlock(L.getLoopPredecessor());
  if (End.Next->hasNoUnsignedWrap() ||
      !isKnownNonNegative(Start, End.Next->getDataLayout()) ||
      !SE.isLoopEntryGuardedByCond(&L, CmpInst::ICMP_SLT,
                                   End.Counter->getStart(), End.Bound) ||
      !all_of(L.blocks(), [](const BasicBlock *Block) {
        return isGuaranteedToTransferExecutionToSuccessor(Block);
      }))
    return false;
  End.Next->setHasNoUnsignedWrap();
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

bool markVariableSteps(LoopInfo &Loops, ScalarEvolution &SE,
                       SmallVectorImpl<Loop *> &Marked) {
  bool Changed = false;
  if (!UnrollCount)
    return Changed;
  for (Loop *L : Loops.getLoopsInPreorder()) {
    const MDNode *Id = L->getLoopID();
    if ((Id && gridloop::isGridLoop(*Id)) || !loads(*L))
      continue;
    const auto End = SteppingEnd::find(*L, SE);
    if (!End)
      continue;
    Changed |= noteDirection(*End, *L, SE);
    if (!mayUnroll(*L, SE))
      continue;
    mark(*L);
    Marked.push_back(L);
    Changed = true;
  }
  return Changed;
}

} // namespace accx::gridtune
