//===- Code.cpp - Loops in code that is being written ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches the metadata by which LLVM's vectorizer takes a loop for parallel,
// and keeps LLVM from unrolling the loop earlier.
//
//===----------------------------------------------------------------------===//

#include "workitems/Code.h"

#include "ir/LoopCopy.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace accx::workitems {

void Parallel::add(Instruction &I) {
  MDNode *Old = I.getMetadata(LLVMContext::MD_access_group);
  I.setMetadata(LLVMContext::MD_access_group, uniteAccessGroups(Old, Group));
}

void Parallel::mark(BranchInst &Back, bool IsMasked) {
  LLVMContext &Context = Back.getContext();
  Metadata *Accesses[] = {MDString::get(Context, "llvm.loop.parallel_accesses"),
                          Group};
  // Unrolled ahead of being vectorized, a row would leave its column's elements
  // to the loop around it: scattered.
  SmallVector<MDNode *, 3> Options = {
      MDNode::get(Context, Accesses),
      ir::loopOption(Context, "llvm.loop.unroll.disable")};
  if (IsMasked)
    Options.push_back(ir::loopOption(Context,
                                     "llvm.loop.vectorize.predicate.enable",
                                     ConstantInt::getTrue(Context)));
  ir::renewLoop(Back, {}, Options);
}

} // namespace accx::workitems
