//===- Mark.cpp - From markers to marked loops ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the marker that a vector loop belongs to, and notes its length on the
// loop. It is the only source that sees markers; later ones see marks.
//
//===----------------------------------------------------------------------===//

#include "lanes/Mark.h"

#include "lanes/Marks.h"
#include "markers/Markers.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::lanes {

/// The open marker at the entry of \p L.
static CallInst *markerOf(const Loop &L, const DominatorTree &DT,
                          const LoopInfo &Loops) {
  const Loop *Around = L.getParentLoop();
  for (const DomTreeNode *Node = DT.getNode(L.getHeader())->getIDom(); Node;
       Node = Node->getIDom()) {
    BasicBlock *Block = Node->getBlock();
    if (Loops.getLoopFor(Block) != Around)
      return nullptr;
    for (Instruction &I : reverse(*Block)) {
      const StringRef Name = offload::calledName(I);
      if (Name == markers::LanesEnd)
        return nullptr;
      if (Name == markers::LanesBegin)
        return cast<CallInst>(&I);
    }
  }
  return nullptr;
}

PreservedAnalyses MarkPass::run(Function &F, FunctionAnalysisManager &FAM) {
  const Function *Begin = F.getParent()->getFunction(markers::LanesBegin);
  if (!Begin || F.hasOptNone() || !offload::isGpuCode(*F.getParent()))
    return PreservedAnalyses::all();
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    if (!isSimdLoop(*L))
      continue;
    const CallInst *Marker = markerOf(*L, DT, Loops);
    if (!Marker)
      continue;
    const int64_t Length =
        offload::constantArgument(*Marker, 0).value_or(LengthUnknown);
    addStringMetadataToLoop(
        L, VectorMark, Length > 0 && Length <= 4096 ? Length : LengthUnknown);
  }
  return PreservedAnalyses::all();
}

} // namespace accx::lanes
