//===- LoopCopy.cpp - Copies of loops and values, loops' options ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clones a loop's blocks and gives phis behind the loop the copy's values;
// clones single instructions with other operands.
//
//===----------------------------------------------------------------------===//

#include "ir/LoopCopy.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::ir {

size_t sizeOf(const Loop &L) {
  size_t Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += Block->sizeWithoutDebug();
  return Size;
}

MDNode *loopOption(LLVMContext &C, StringRef Name,
                   ArrayRef<Constant *> Values) {
  SmallVector<Metadata *, 3> Operands{MDString::get(C, Name)};
  for (Constant *V : Values)
    Operands.push_back(ConstantAsMetadata::get(V));
  return MDNode::get(C, Operands);
}

void renewLoop(Instruction &End, ArrayRef<StringRef> Without,
               ArrayRef<MDNode *> With) {
  MDNode *Id = End.getMetadata(LLVMContext::MD_loop);
  if (Id || !With.empty())
    End.setMetadata(
        LLVMContext::MD_loop,
        makePostTransformationMetadata(End.getContext(), Id, Without, With));
}

/// Phis behind \p Blocks, whose copies \p Map has, get the copies' values.
static void leaveAsWell(ArrayRef<BasicBlock *> Blocks,
                        const ValueToValueMapTy &Map) {
  const SmallPtrSet<BasicBlock *, 16> Inside(Blocks.begin(), Blocks.end());
  for (BasicBlock *Block : Blocks)
    for (BasicBlock *Next : successors(Block))
      if (!Inside.contains(Next))
        for (PHINode &Phi : Next->phis()) {
          Value *From = Phi.getIncomingValueForBlock(Block);
          const auto Found = Map.find(From);
          Phi.addIncoming(Found == Map.end() ? From : &*Found->second,
                          cast<BasicBlock>(Map.lookup(Block)));
        }
}

SmallVector<BasicBlock *, 16> copyBlocks(ArrayRef<BasicBlock *> Blocks,
                                         ValueToValueMapTy &Map,
                                         const Twine &Suffix) {
  SmallVector<BasicBlock *, 16> Copies;
  for (BasicBlock *Block : Blocks) {
    Copies.push_back(CloneBasicBlock(Block, Map, Suffix, Block->getParent()));
    Map[Block] = Copies.back();
  }
  remapInstructionsInBlocks(Copies, Map);
  leaveAsWell(Blocks, Map);
  return Copies;
}

BasicBlock *copyLoop(const Loop &L, ValueToValueMapTy &Map, const Twine &Suffix,
                     ArrayRef<StringRef> Without, ArrayRef<MDNode *> With) {
  const auto Copies = copyBlocks(L.getBlocks(), Map, Suffix);
  for (BasicBlock *Copy : Copies)
    renewLoop(*Copy->getTerminator(), Without,
              Copy->getTerminator()->getMetadata(LLVMContext::MD_loop)
                  ? With
                  : ArrayRef<MDNode *>());
  return Copies.front();
}

Loop *copyBeside(Loop &L, BasicBlock &Above, const Twine &Suffix,
                 LoopInfo &Loops, DominatorTree &DT) {
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 8> Copies;
  Loop *Copy = cloneLoopWithPreheader(L.getLoopPreheader(), &Above, &L, Map,
                                      Suffix, &Loops, &DT, Copies);
  remapInstructionsInBlocks(Copies, Map);
  leaveAsWell(L.getBlocks(), Map);
  DT.changeImmediateDominator(L.getUniqueExitBlock(), &Above);
  return Copy;
}

Instruction *copyWith(const Instruction &I, function_ref<Value *(Value &)> Of) {
  SmallVector<Value *, 4> Operands;
  for (const Use &Operand : I.operands()) {
    Operands.push_back(Of(*Operand));
    if (!Operands.back())
      return nullptr;
  }
  Instruction *Copy = I.clone();
  for (auto [U, Operand] : zip_equal(Copy->operands(), Operands))
    U.set(Operand);
  return Copy;
}

} // namespace accx::ir
