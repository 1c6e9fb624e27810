//===- BlockCopies.cpp - An array of a block in shared memory -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the three helpers for an array in shared memory: to clear the copies,
// to find a lane's element, and to add the copies to the result.
//
//===----------------------------------------------------------------------===//

#include "reduce/BlockCopies.h"

#include "gpu/ThreadPlace.h"
#include "offload/PointerList.h"
#include "reduce/BlockFold.h"
#include "reduce/ElementLoop.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace accx::reduce {

BlockCopies::BlockCopies(const Function &Like, Type *Element, uint64_t Count,
                         unsigned Copies, AtomicRMWInst::BinOp Op)
    : Like(Like), Element(Element), Count(Count), Copies(Copies), Op(Op),
      Words(createShared(*const_cast<Module *>(Like.getParent()),
                         ArrayType::get(Element, Count * Copies),
                         "accx.reduce.array")) {}

Value *BlockCopies::word(ir::CodeWriter &B, Value *Index) const {
  return B.CreateInBoundsGEP(Element, Words, Index);
}

void BlockCopies::emitClear(Instruction &Before) const {
  Type *Void = Type::getVoidTy(Like.getContext());
  Function *F = ir::createHelper(Twine(offload::ReductionHelper) + "clear",
                                 Void, {}, Like);
  ir::CodeWriter B(*F);
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  B.loop(At.Thread, B.getInt32(Count * Copies), At.Threads, [&](Value *Index) {
    B.CreateStore(neutralOf(Op, Element), word(B, Index));
  });
  B.barrier();
  B.CreateRetVoid();
  ir::CodeWriter(Before).callTogether(*F, {});
}

CallInst *BlockCopies::emitFlush(Instruction &Before, Value *Result,
                                 bool IsUsedAgain) const {
  LLVMContext &C = Like.getContext();
  Function *F =
      ir::createHelper(Twine(offload::ReductionHelper) + "flush",
                       Type::getVoidTy(C), {PointerType::getUnqual(C)}, Like);
  ir::CodeWriter B(*F);
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  const Align Alignment =
      F->getParent()->getDataLayout().getABITypeAlign(Element);
  Type *Bits = B.getIntNTy(Element->getScalarSizeInBits());
  B.barrier();
  B.loop(At.Thread, B.getInt32(Count), At.Threads, [&](Value *Index) {
    Value *First = B.CreateMul(Index, B.getInt32(Copies));
    Value *All = nullptr;
    for (unsigned I = 0; I < Copies; ++I) {
      // Threads begin in different banks.
      Value *Copy = B.CreateAnd(B.CreateAdd(At.Thread, B.getInt32(I)),
                                B.getInt32(Copies - 1));
      Value *One = B.CreateLoad(Element, word(B, B.CreateOr(First, Copy)));
      All = All ? buildAtomicRMWValue(Op, B, All, One) : One;
    }
    Value *Nothing = ConstantExpr::getBitCast(neutralOf(Op, Element), Bits);
    Value *IsAny = B.CreateICmpNE(B.CreateBitCast(All, Bits), Nothing);
    B.when(IsAny, [&] {
      B.CreateAtomicRMW(Op, B.CreateInBoundsGEP(Element, F->getArg(0), Index),
                        All, Alignment, AtomicOrdering::Monotonic);
    });
  });
  if (IsUsedAgain)
    B.barrier();
  B.CreateRetVoid();
  return ir::CodeWriter(Before).callTogether(*F, {Result});
}

Value *BlockCopies::emitLane(Function &F) const {
  ir::CodeWriter B(*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return B.CreateZExt(B.CreateAnd(gpu::readThread(B), B.getInt32(Copies - 1)),
                      B.getInt64Ty(), "copy");
}

Value *BlockCopies::address(IRBuilderBase &B, Value *Index, Value *Lane) const {
  Value *First = B.CreateMul(Index, B.getInt64(Copies), "", /*HasNUW=*/true,
                             /*HasNSW=*/true);
  return B.CreateInBoundsGEP(Element, Words,
                             B.CreateAdd(First, Lane, "", true, true));
}

} // namespace accx::reduce
