//===- Unroll.cpp - Steps of a block as straight code ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of a region takes a few steps, a constant number of them, and writes
// in each. In straight code, it is constant which work-items have something to
// do in a step, and what they access.
//
//     for (h = 8; h > 0; h /= 2)         if (w < 8) a[w] += a[w + 8];
//       if (w < h) a[w] += a[w + h];     if (w < 4) a[w] += a[w + 4]; ...
//
// LLVM's own unroller does it; here are the loops chosen: those that write
// memory or wait at a barrier.
//
//===----------------------------------------------------------------------===//

#include "blocks/Notes.h"
#include "blocks/Region.h"
#include "workitems/Plan.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace accx::workitems {

namespace {

constexpr unsigned MaxSteps = 16, MaxInstructions = 640;

/// Whether work-items meet inside: a write to memory, or a barrier.
bool meets(const Instruction &I) {
  return (isa<StoreInst>(I) && blocks::writesShared(I)) ||
         blocks::noteOf(I) == blocks::NoteKind::Barrier;
}

bool isSteps(const Loop &L, ScalarEvolution &SE) {
  unsigned Instructions = 0;
  bool Meets = false;
  for (BasicBlock *Block : L.blocks()) {
    Instructions += Block->size();
    for (Instruction &I : *Block) {
      const auto Note = blocks::noteOf(I);
      if (Note == blocks::NoteKind::Begin || Note == blocks::NoteKind::End)
        return false;
      Meets |= meets(I);
    }
  }
  const unsigned Steps = SE.getSmallConstantTripCount(&L);
  return Meets && Steps > 0 && Steps <= MaxSteps &&
         Steps * Instructions <= MaxInstructions && L.isSafeToClone();
}

/// Unrolls one of the loops inside of \p Nest.
bool unrollOne(Function &F, Loop &Nest, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  const SmallVector<Loop *, 4> Inside = Nest.getLoopsInPreorder();
  for (Loop *L : reverse(Inside)) {
    if (L == &Nest || !isSteps(*L, SE))
      continue;
    simplifyLoop(L, &DT, &Loops, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*L, DT, &Loops, &SE);
    UnrollLoopOptions Options{};
    Options.Count = SE.getSmallConstantTripCount(L);
    Options.Force = true;
    const LoopUnrollResult Result = UnrollLoop(
        L, Options, &Loops, &SE, &DT, &AC, &FAM.getResult<TargetIRAnalysis>(F),
        &FAM.getResult<OptimizationRemarkEmitterAnalysis>(F),
        /*PreserveLCSSA=*/true);
    if (Result != LoopUnrollResult::FullyUnrolled)
      continue;
    for (BasicBlock &Block : F)
      ConstantFoldTerminator(&Block, /*DeleteDeadConditions=*/true);
    removeUnreachableBlocks(F);
    return true;
  }
  return false;
}

} // namespace

void unrollSteps(Function &F, ArrayRef<BasicBlock *> Headers,
                 FunctionAnalysisManager &FAM) {
  constexpr unsigned MaxLoops = 32;
  for (BasicBlock *Header : Headers)
    for (unsigned Left = MaxLoops; Left > 0; --Left) {
      Loop *Nest = FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
      const bool Changed = unrollOne(F, *Nest, FAM);
      FAM.invalidate(F, PreservedAnalyses::none());
      if (!Changed)
        break;
    }
}

} // namespace accx::workitems
