//===- KernelArrays.cpp - The arrays of one kernel's reduction ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the arrays that fit shared memory, emits the code for them, and
// reports. Recognizing them is in ArrayMatch.cpp.
//
//===----------------------------------------------------------------------===//

#include "reduce/KernelArrays.h"

#include "ir/Remark.h"
#include "reduce/BlockCopies.h"
#include "reduce/NarrowPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Support/CommandLine.h"

#include <algorithm>

#define DEBUG_TYPE "hier-reduce"

using namespace llvm;
using namespace accx::offload;

STATISTIC(NumShared, "Number of arrays that blocks reduce in shared memory");

static cl::opt<unsigned>
    CopyBytes("accx-reduce-copies", cl::init(16 << 10), cl::Hidden,
              cl::desc("Bytes of shared memory for more than one copy of the "
                       "arrays that a block reduces"));

namespace accx::reduce {

bool KernelArrays::matchPlans(const Reduction *OverTeams) {
  return ReductionPlan::match(Region.Reductions.front(), InTeam) ==
             Refusal::None &&
         any_of(InTeam.Variables, [](Type *T) { return T->isArrayTy(); }) &&
         (!OverTeams ||
          ReductionPlan::match(*OverTeams, Over) == Refusal::None);
}

void KernelArrays::report(const Candidate *C, unsigned Index, ArrayRefusal Why,
                          unsigned Copies) {
  std::string Text;
  raw_string_ostream OS(Text);
  InTeam.Variables[Index]->print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  if (C) {
    ir::remarkPassed(DEBUG_TYPE, "ArrayShared", *InTeam.Call,
                     "a block reduces ", ore::NV("Array", Text),
                     " in shared memory, in ",
                     ir::Counted(Copies, "copy", "Copies"));
    return;
  }
  ir::remarkMissed(DEBUG_TYPE, "ArrayPrivate", *InTeam.Call,
                   "each thread has a copy of ", ore::NV("Array", Text),
                   " of its own: ", ore::NV("Reason", textOf(Why)));
}

/// Where some variables stay, the combining functions must show where an
/// array's elements are combined. Drops arrays for which they do not.
void KernelArrays::dropWhatMustStay() {
  const bool All = Chosen.size() == InTeam.Variables.size();
  if (Chosen.empty() || All)
    return;
  clean(*InTeam.Combine);
  if (Over.Call)
    clean(*Over.Combine);
  erase_if(Chosen, [&](const Candidate &C) {
    const bool Stays = !loopOf(*InTeam.Combine, C.InTeam) ||
                       (Over.Call && !loopOf(*Over.Combine, C.OverTeams));
    if (Stays)
      report(nullptr, C.InTeam, ArrayRefusal::Form);
    return Stays;
  });
}

void KernelArrays::choose() {
  uint64_t Used = 0;
  for (unsigned I = 0; I < InTeam.Variables.size(); ++I) {
    if (!InTeam.Variables[I]->isArrayTy())
      continue;
    Candidate C;
    const uint64_t Bytes =
        Body.getParent()->getDataLayout().getTypeAllocSize(InTeam.Variables[I]);
    ArrayRefusal Why = match(I, C);
    if (Why == ArrayRefusal::None && Used + Bytes > Available)
      Why = ArrayRefusal::TooLarge;
    if (Why != ArrayRefusal::None) {
      report(nullptr, I, Why);
      continue;
    }
    Used += Bytes;
    Chosen.push_back(std::move(C));
  }
  dropWhatMustStay();
  // The runtime's own way with long arrays in loops takes all variables.
  if (Chosen.size() != InTeam.Variables.size() &&
      FAM.getResult<LoopAnalysis>(*Region.Call->getFunction())
          .getLoopFor(Region.Call->getParent())) {
    for (const Candidate &C : Chosen)
      report(nullptr, C.InTeam, ArrayRefusal::Form);
    Chosen.clear();
  }
}

bool KernelArrays::emit() {
  if (Chosen.empty())
    return false;
  uint64_t Bytes = 0;
  for (const Candidate &C : Chosen)
    Bytes += Body.getParent()->getDataLayout().getTypeAllocSize(
        C.Own->getAllocatedType());
  const uint64_t Room = std::min<uint64_t>(CopyBytes, Available);
  unsigned Copies = BlockCopies::Most;
  while (Copies > 1 && Bytes * Copies > Room)
    Copies /= 2;
  const bool OneTeam = !Over.Call;
  for (Candidate &C : Chosen) {
    report(&C, C.InTeam, ArrayRefusal::None, Copies);
    const BlockCopies Shared(*InTeam.Combine, C.Fold.Element, C.Fold.Count,
                             Copies, C.Op);
    Shared.emitClear(*(OneTeam ? C.Init : C.TeamInit).Before->getTerminator());
    End = Shared.emitFlush(*(OneTeam ? InTeam : Over).Call,
                           OneTeam ? C.Fold.Into : C.TeamFold.Into,
                           /*IsUsedAgain=*/OneTeam);
    Value *Lane = Shared.emitLane(Body);
    C.Uses.rewrite([&](IRBuilderBase &B, Value *Index) {
      return Shared.address(B, Index, Lane);
    });
    C.Init.remove();
    C.Fold.remove();
    if (!OneTeam) {
      C.TeamInit.remove();
      C.TeamFold.remove();
    }
    ++NumShared;
  }
  for (Function *F : {&Body, Kernel.Kernel})
    FAM.invalidate(*F, PreservedAnalyses::none());
  return true;
}

BitVector KernelArrays::taken(bool OverTeams) const {
  BitVector Out((OverTeams ? Over : InTeam).Variables.size());
  for (const Candidate &C : Chosen)
    Out.set(OverTeams ? C.OverTeams : C.InTeam);
  return Out;
}

} // namespace accx::reduce
