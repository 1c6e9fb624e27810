//===- Versions.cpp - Overlap compared once -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of Versions.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Versions.h"

#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LoopVersioning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace accx::vector {

/// The domain of the scopes that were added last to the loop's accesses.
static MDNode *lastDomain(const Loop &L) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      for (unsigned Kind :
           {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
        if (MDNode *List = I.getMetadata(Kind); List && List->getNumOperands())
          if (auto *Scope = dyn_cast<MDNode>(*std::prev(List->op_end())))
            return const_cast<MDNode *>(AliasScopeNode(Scope).getDomain());
  return nullptr;
}

Versions versionLoop(BasicBlock *Header, Function &F,
                     FunctionAnalysisManager &FAM, unsigned Lanes,
                     unsigned Interleave) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Loop &L = *LI.getLoopFor(Header);
  const LoopAccessInfo &Info = FAM.getResult<LoopAccessAnalysis>(F).getInfo(L);
  const RuntimePointerChecking &Pointers = *Info.getRuntimePointerChecking();
  LoopVersioning Versioning(Info, Pointers.getChecks(), &L, &LI,
                            &FAM.getResult<DominatorTreeAnalysis>(F), &SE);
  Versioning.versionLoop();
  Versioning.annotateLoopWithNoAlias();

  Versions Made;
  Made.Scalar = Versioning.getNonVersionedLoop()->getHeader();
  Made.Check = cast<BranchInst>(
      L.getLoopPreheader()->getSinglePredecessor()->getTerminator());
  std::optional<ArrayRef<PointerDiffInfo>> Distances = Pointers.getDiffChecks();
  if (!Distances || Distances->empty())
    return Made;
  SCEVExpander Expander(SE, F.getDataLayout(), "distance");
  Value *Near = addDiffRuntimeChecks(
      Made.Check, *Distances, Expander,
      [&](IRBuilderBase &Builder, unsigned Bits) {
        return Builder.getIntN(Bits, Lanes);
      },
      Interleave);
  if (!Near)
    return Made;
  Value *Overlap = Made.Check->getCondition();
  Made.Check->setCondition(Near);
  RecursivelyDeleteTriviallyDeadInstructions(Overlap);
  Made.Domain = lastDomain(L);
  return Made;
}

void dropScopes(Function &F, const MDNode *Domain) {
  if (!Domain)
    return;
  for (Instruction &I : instructions(F))
    for (unsigned Kind :
         {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias}) {
      MDNode *List = I.getMetadata(Kind);
      if (!List)
        continue;
      SmallVector<Metadata *, 4> Others;
      for (const MDOperand &Scope : List->operands())
        if (AliasScopeNode(cast<MDNode>(Scope)).getDomain() != Domain)
          Others.push_back(Scope);
      if (Others.size() != List->getNumOperands())
        I.setMetadata(Kind, Others.empty()
                                ? nullptr
                                : MDNode::get(F.getContext(), Others));
    }
}

} // namespace accx::vector
