//===- Parallel.cpp - Loops whose iterations vectors may join -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches the metadata by which LLVM's vectorizer takes a loop for parallel,
// and keeps LLVM from unrolling the loop earlier.
//
//===----------------------------------------------------------------------===//

#include "workitems/Parallel.h"

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
  Metadata *Whole = MDString::get(Context, "llvm.loop.unroll.disable");
  SmallVector<Metadata *, 4> Wishes = {nullptr, MDNode::get(Context, Accesses),
                                       MDNode::get(Context, Whole)};
  if (IsMasked)
    Wishes.push_back(MDNode::get(
        Context,
        {MDString::get(Context, "llvm.loop.vectorize.predicate.enable"),
         ConstantAsMetadata::get(ConstantInt::getTrue(Context))}));
  MDNode *Loop = MDNode::getDistinct(Context, Wishes);
  Loop->replaceOperandWith(0, Loop);
  Back.setMetadata(LLVMContext::MD_loop, Loop);
}

} // namespace accx::workitems
