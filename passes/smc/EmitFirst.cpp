//===- EmitFirst.cpp - A thread's first block -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches have a block for each place, as far as the device has room for them:
// most threads work for one block of iterations only. That one gets code of its
// own, in front of the loop, where nothing is carried and nobody is waited for.
//
//     for (b = first; b < blocks; b += all)     if (first < blocks) body(first)
//       body(b)                                 for (b = first + all; ...
//
//===----------------------------------------------------------------------===//

#include "smc/EmitParts.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace accx::smc {

/// Twice so much is not worth it.
static constexpr unsigned MaxBody = 2000;

/// Blocks of the loop from \p Header to \p Latch, without the header.
static SmallVector<BasicBlock *, 32> bodyOf(BasicBlock &Header,
                                            BasicBlock &Latch) {
  SmallSetVector<BasicBlock *, 32> Body;
  SmallVector<BasicBlock *, 16> Work = {&Latch};
  while (!Work.empty()) {
    BasicBlock *Block = Work.pop_back_val();
    if (Block == &Header || !Body.insert(Block))
      continue;
    append_range(Work, predecessors(Block));
  }
  // With what ends the program in it.
  for (unsigned I = 0; I < Body.size(); ++I)
    for (BasicBlock *Next : successors(Body[I]))
      if (Next != &Header)
        Body.insert(Next);
  return Body.takeVector();
}

void takeOutFirst(const BlockNest &N) {
  BasicBlock *Header = N.Iv->getParent();
  Function &F = *Header->getParent();
  BasicBlock *Before = N.Preheader, *Latch = nullptr;
  for (BasicBlock *From : predecessors(Header))
    if (From != Before)
      Latch = From;
  assert(Latch && N.Iv->getBasicBlockIndex(Before) >= 0 &&
         "the loop is entered from its preheader");
  const SmallVector<BasicBlock *, 32> Body = bodyOf(*Header, *Latch);
  unsigned Size = 0;
  for (const BasicBlock *Block : Body)
    Size += Block->size();
  if (Size > MaxBody)
    return;

  ValueToValueMapTy Map;
  for (PHINode &Phi : Header->phis())
    Map[&Phi] = Phi.getIncomingValueForBlock(Before);
  const RemapFlags Flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  Instruction *Test = N.Test->clone();
  Test->insertBefore(Before->getTerminator());
  RemapInstruction(Test, Map, Flags);
  SmallVector<BasicBlock *, 32> First;
  for (BasicBlock *Block : Body) {
    BasicBlock *Own = CloneBasicBlock(Block, Map, ".first", &F);
    Map[Block] = Own;
    First.push_back(Own);
    Own->moveBefore(Header);
  }
  for (BasicBlock *Block : First)
    for (Instruction &I : *Block)
      RemapInstruction(&I, Map, Flags);
  SmallVector<MDNode *, 8> Scopes;
  identifyNoAliasScopesToClone(Body, Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, First, F.getContext(), "first");

  auto *End = cast<BasicBlock>(Map.lookup(Latch));
  End->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
  for (PHINode &Phi : Header->phis()) {
    Value *Next = Phi.getIncomingValueForBlock(Latch);
    Value *Own = Map.lookup(Next);
    Phi.addIncoming(Own ? Own : Next, End);
  }
  auto *Begin = cast<BasicBlock>(Map.lookup(N.Body));
  for (PHINode &Phi : Begin->phis())
    Phi.replaceIncomingBlockWith(Header, Before);
  Before->getTerminator()->eraseFromParent();
  BranchInst::Create(Begin, Header, Test, Before);
}

} // namespace accx::smc
