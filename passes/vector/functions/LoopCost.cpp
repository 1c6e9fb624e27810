//===- LoopCost.cpp - Whether outer loops pay as lanes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The costs of Loop.h: how many registers a value may take, and whether
// the vectorizer should rather have the inner loops.
//
//===----------------------------------------------------------------------===//

#include "vector/functions/Loop.h"

#include "vector/functions/Variants.h"
#include "vector/loops/Columns.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::vector {

/// Whether all iterations of the outer loop stay in the inner one equally long.
static bool isUniform(const Loop &Inner, const Loop &L, ScalarEvolution &SE) {
  const SCEV *Count = SE.getBackedgeTakenCount(&Inner);
  return !isa<SCEVCouldNotCompute>(Count) && SE.isLoopInvariant(Count, &L);
}

/// Of loops whose lanes all take the same way: as many as hold what loops
/// inside carry, since each load of a column is worth a line of the cache.
static unsigned registersOfColumns(const Loop &L, ScalarEvolution &SE) {
  size_t Most = 0;
  for (const Loop *Inner : L.getLoopsInPreorder())
    if (Inner != &L)
      Most = std::max(
          Most, size_t(count_if(Inner->getHeader()->phis(), [&](PHINode &Phi) {
            return !SE.isSCEVable(Phi.getType()) ||
                   !isa<SCEVAddRecExpr>(SE.getSCEV(&Phi));
          })));
  const size_t Room = supportedRank(*L.getHeader()->getParent()) == 3 ? 24 : 12;
  return 4 * Most <= Room ? 4 : 2 * Most <= Room ? 2 : 1;
}

unsigned registersPerValue(const Loop &L, ScalarEvolution &SE) {
  size_t Count = 0;
  for (const BasicBlock *B : L.blocks()) {
    Count += B->size();
    // Of calls there are variants for one register.
    for (const Instruction &I : *B)
      if (const auto *Call = dyn_cast<CallInst>(&I);
          Call && Call->getCalledFunction() &&
          hasVariants(*Call->getCalledFunction()))
        return 1;
  }
  if (isColumnsLoop(L) && Count <= 400)
    return registersOfColumns(L, SE);
  // More lanes hide latency, but wait longer for the last of them.
  const bool AllUniform = all_of(
      L.getSubLoops(), [&](const Loop *S) { return isUniform(*S, L, SE); });
  if (Count <= 24 && AllUniform)
    return 4;
  return Count <= 48 ? 2 : 1;
}

/// By how many bytes the address changes in each iteration; nothing if that is
/// not constant. Of a loop that does not matter to the address: 0.
static std::optional<int64_t> strideIn(const SCEV *Address, const Loop &L,
                                       ScalarEvolution &SE) {
  if (SE.isLoopInvariant(Address, &L))
    return 0;
  while (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Address)) {
    if (Rec->getLoop() == &L) {
      const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
      if (!Step || Step->getAPInt().getSignificantBits() > 64)
        return std::nullopt;
      return Step->getAPInt().getSExtValue();
    }
    Address = Rec->getStart();
  }
  return std::nullopt;
}

bool hasBetterInnerLoops(const Loop &L, ScalarEvolution &SE) {
  const DataLayout &Layout = L.getHeader()->getModule()->getDataLayout();
  int Balance = 0;
  for (const Loop *Inner : L.getLoopsInPreorder()) {
    if (Inner == &L || !Inner->isInnermost())
      continue;
    // Lanes that wait for each other are what outer loops are widened for.
    if (!isUniform(*Inner, L, SE))
      return false;
    for (BasicBlock *B : Inner->blocks())
      for (Instruction &I : *B) {
        Value *Address = getLoadStorePointerOperand(&I);
        if (!Address)
          continue;
        const int64_t Size = int64_t(
            Layout.getTypeStoreSize(getLoadStoreType(&I)).getFixedValue());
        const SCEV *S = SE.getSCEV(Address);
        auto InOnePiece = [&](const Loop &Of) {
          const auto Stride = strideIn(S, Of, SE);
          return Stride && (*Stride == 0 || *Stride == Size);
        };
        Balance += int(InOnePiece(*Inner)) - int(InOnePiece(L));
      }
  }
  return Balance > 0;
}

} // namespace accx::vector
