//===- NestCopies.cpp - Loops over gangs for parts of warps ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones the loop over gangs and its regions for groups of a part of a warp. It
// is plain cloning; what groups do is written by NestWriter.h.
//
//===----------------------------------------------------------------------===//

#include "reduce/NestCopies.h"

#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::reduce {

static Function *copyRegion(Function &Region, unsigned Threads) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&Region, Map);
  Copy->setName(Region.getName() + ".group");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  LLVMContext &C = Copy->getContext();
  MDNode *Group =
      ir::loopOption(C, gridloop::GroupLoopMetadata,
                     ConstantInt::get(Type::getInt32Ty(C), Threads));
  for (Instruction &I : instructions(*Copy)) {
    if (I.isTerminator()) {
      const MDNode *Id = I.getMetadata(LLVMContext::MD_loop);
      const bool IsWorkers =
          Id && findOptionMDForLoopID(const_cast<MDNode *>(Id),
                                      gridloop::NestLoopMetadata);
      ir::renewLoop(I, {}, IsWorkers ? ArrayRef(Group) : ArrayRef<MDNode *>());
    }
    // A block is at least a warp, or none would be taken apart.
    if (auto *Known = dyn_cast<IntrinsicInst>(&I);
        Known &&
        Known->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ntid_x)
      Known->addRangeRetAttr(ConstantRange(APInt(32, 32), APInt(32, 1025)));
  }
  return Copy;
}

SmallVector<Function *, 2> copyNest(BasicBlock &Header,
                                    ArrayRef<Function *> Regions,
                                    const NestCopy &How) {
  Function &F = *Header.getParent();
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  Loop *L = Loops.getLoopFor(&Header);
  BasicBlock *Before = L ? L->getLoopPredecessor() : nullptr;
  if (!Before || L->getHeader() != &Header)
    return {};
  for (BasicBlock *Block : L->blocks())
    for (Instruction &I : *Block)
      if (any_of(I.users(), [&](const User *U) {
            return !L->contains(cast<Instruction>(U));
          }))
        return {};
  ValueToValueMapTy Map;
  for (const auto &[From, To] : How.Instead)
    Map[From] = To;
  BasicBlock *Entry = ir::copyLoop(*L, Map, ".group");
  SmallVector<Function *, 2> Own;
  for (Function *Region : Regions)
    Own.push_back(copyRegion(*Region, How.Threads));
  for (BasicBlock *Block : L->blocks())
    for (Instruction &I : *cast<BasicBlock>(Map[Block]))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const auto *Region = find(Regions, Call->getCalledFunction());
            Region != Regions.end())
          Call->setCalledFunction(Own[Region - Regions.begin()]);
  BasicBlock *Choice =
      BasicBlock::Create(F.getContext(), "groups", &F, &Header);
  Before->getTerminator()->replaceSuccessorWith(&Header, Choice);
  IRBuilder<>(Choice).CreateCondBr(How.When, Entry, &Header);
  Entry->replacePhiUsesWith(Before, Choice);
  Header.replacePhiUsesWith(Before, Choice);
  return Own;
}

} // namespace accx::reduce
