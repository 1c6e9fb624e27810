//===- WorkItemLoops.cpp - Blocks of iterations on processors -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs preparation, plan, regions and emitter on each loop of a module, reports
// what came of it, and makes each refusal an error. None of the steps is here.
//
//===----------------------------------------------------------------------===//

#include "workitems/WorkItemLoops.h"

#include "blocks/Notes.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"
#include "workitems/Emit.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#define DEBUG_TYPE "workitem-loops"

using namespace llvm;

STATISTIC(NumLoops, "Number of loops whose iterations became work-items");
STATISTIC(NumCopies, "Number of arrays of which blocks have copies");

namespace accx::workitems {

namespace {

class Rewriter {
  Module &M;
  FunctionAnalysisManager &FAM;

public:
  Rewriter(Module &M, ModuleAnalysisManager &MAM)
      : M(M),
        FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()) {
  }

  bool run() {
    if (offload::isGpuCode(M) || !M.getFunction(markers::SmcBegin))
      return false;
    bool Changed = false;
    for (Function &F : make_early_inc_range(M))
      if (any_of(instructions(F), blocks::beginsChannel)) {
        rewrite(F);
        Changed = true;
      }
    return Changed;
  }

private:
  void refuse(StringRef Where, Refusal Why) {
    M.getContext().emitError(Where +
                             Twine(": the iterations of a block cannot "
                                   "run together: ") +
                             textOf(Why));
  }

  void rewrite(Function &F) {
    // One after the other: each changes what is known of the function.
    for (std::vector<offload::WorkLoop> Loops = prepare(F, FAM); !Loops.empty();
         Loops = findRegionLoops(F, FAM)) {
      LoopPlan Plan;
      Refused R = planLoop(Loops.front(), FAM, Plan);
      Regions Found;
      if (R.Why == Refusal::None)
        R.Why = findRegions(Plan, Found);
      if (R.Why != Refusal::None) {
        refuse(R.Where, R.Why);
        FAM.invalidate(F, PreservedAnalyses::none());
        return;
      }
      report(F, Plan, Found);
      emitLoops(Plan, Found);
      FAM.invalidate(F, PreservedAnalyses::none());
      ++NumLoops;
      NumCopies += Plan.Arrays.size();
    }
    FAM.invalidate(F, PreservedAnalyses::none());
    for (Instruction &I : instructions(F))
      if (blocks::beginsChannel(I)) {
        refuse(blocks::whereOf(cast<CallInst>(I)), whyNoLoop(F));
        break;
      }
  }

  /// Why \p F has a region and no loop for it.
  Refusal whyNoLoop(Function &F) {
    Refusal Why = Refusal::NotWorkLoop;
    offload::forEachCall(F, offload::ForInit, [&](CallInst &Call) {
      offload::WorkLoop W;
      if (offload::WorkLoop::match(Call, FAM.getResult<LoopAnalysis>(F), W) ==
          offload::Refusal::SeveralExits)
        Why = Refusal::SeveralExits;
    });
    return Why;
  }

  void report(Function &F, const LoopPlan &Plan, const Regions &Found) {
    if (raw_ostream *Print = ir::plansGoTo()) {
      *Print << F.getName() << "\n";
      Plan.print(*Print);
    }
    for (const ArrayPlan &A : Plan.Arrays)
      ir::remarkPassed(DEBUG_TYPE, "WorkItemLoops",
                       {DebugLoc(), F.getEntryBlock()}, A.Where, ": blocks of ",
                       ore::NV("Items", Plan.Block.items()),
                       " iterations run together, in ",
                       ir::Counted(Found.At.size(), "loop", "Loops"));
  }
};

} // namespace

PreservedAnalyses WorkItemLoopsPass::run(Module &M,
                                         ModuleAnalysisManager &MAM) {
  return Rewriter(M, MAM).run() ? PreservedAnalyses::none()
                                : PreservedAnalyses::all();
}

} // namespace accx::workitems
