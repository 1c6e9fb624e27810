//===- EmitTurns.cpp - Two copies in turn ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each iteration writes its own element and no other, a write changes
// only a value that the thread has in a register. The thread puts that value
// into a second copy while others still read the first:
//
//     barrier                             own = v            (some threads)
//     copy[i] = v   (some threads)   =>   other[i] = own     (all)
//     barrier                             barrier
//                                         copy <-> other
//
// Threads that read what is now the other copy have done so before the barrier.
//
//===----------------------------------------------------------------------===//

#include "blocks/Notes.h"
#include "smc/Emit.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace accx::blocks;

namespace accx::smc {

WriteBarriers barriersOf(const Instruction &Write) {
  WriteBarriers Result;
  const BasicBlock *Block = Write.getParent();
  const BasicBlock *From = Block->getSinglePredecessor();
  const BasicBlock *To = Block->getSingleSuccessor();
  const auto Take = [](const Instruction *I) {
    return I && noteOf(*I) == NoteKind::Barrier
               ? const_cast<CallInst *>(cast<CallInst>(I))
               : nullptr;
  };
  if (From)
    Result.Before = Take(From->getTerminator()->getPrevNonDebugInstruction());
  if (To)
    Result.After = Take(To->getFirstNonPHIOrDbg());
  return Result;
}

void takeTurns(ArrayPlan &A, Turns &T) {
  Function &F = *A.Begin->getFunction();
  const unsigned Space = F.getDataLayout().getAllocaAddrSpace();
  const auto Variable = [&](unsigned Bits) {
    auto *V = new AllocaInst(IntegerType::get(F.getContext(), Bits), Space,
                             "smc.own", F.getEntryBlock().begin());
    IRBuilder<> B(V->getNextNode());
    B.CreateStore(B.getIntN(Bits, 0), V);
    return V;
  };
  T.Own = Variable(A.Element * 8);
  T.Side = Variable(32);
  if (A.isWrittenBack())
    T.Flag = Variable(1);
  erase_if(A.Accesses, [&](const Access &Each) {
    if (!Each.isWrite())
      return false;
    const WriteBarriers Around = barriersOf(*Each.At);
    T.Swaps.push_back(Around.After);
    Around.Before->eraseFromParent();
    auto *Write = cast<StoreInst>(Each.At);
    IRBuilder<> B(Write);
    B.CreateStore(Write->getValueOperand(), T.Own);
    if (T.Flag)
      B.CreateStore(B.getTrue(), T.Flag);
    Write->eraseFromParent();
    return true;
  });
}

/// The copy that all read from now on.
static void swapSides(IRBuilderBase &B, const Copy &C) {
  Value *Side = B.CreateLoad(B.getInt32Ty(), C.Turn->Side);
  B.CreateStore(B.CreateXor(Side, B.getInt32(C.Plan.sideBytes())),
                C.Turn->Side);
}

static Value *sideOf(IRBuilderBase &B, const Copy &C) {
  return B.CreatePtrAdd(
      C.Tile,
      B.CreateZExt(B.CreateLoad(B.getInt32Ty(), C.Turn->Side), B.getInt64Ty()));
}

static void storeOwn(IRBuilderBase &B, const Copy &C) {
  Type *T = C.Turn->Own->getAllocatedType();
  B.CreateAlignedStore(
      B.CreateLoad(T, C.Turn->Own),
      B.CreatePtrAdd(sideOf(B, C), B.CreateZExt(C.OwnOffset, B.getInt64Ty(), "",
                                                /*IsNonNeg=*/true)),
      Align(C.Plan.Element));
}

void openTurns(Emission &E, Copy &C, IRBuilderBase &B, bool Carries) {
  Turns &T = *C.Turn;
  if (Carries)
    swapSides(B, C);
  else
    B.CreateStore(B.getInt32(0), T.Side);
  Type *Type = T.Own->getAllocatedType();
  B.CreateStore(C.Pieces.empty() ? Constant::getNullValue(Type)
                                 : C.Pieces.front().first,
                T.Own);
  C.Pieces.clear();
  if (T.Flag)
    B.CreateStore(B.getFalse(), T.Flag);
  C.OwnOffset = B.CreateMul(ownNumber(B, E, C), B.getInt32(C.Plan.Element), "",
                            true, true);
  storeOwn(B, C);
  for (CallInst *Barrier : T.Swaps) {
    IRBuilder<> At(Barrier);
    swapSides(At, C);
    At.SetInsertPoint(SplitBlockAndInsertIfThen(E.Place.Active, Barrier,
                                                /*Unreachable=*/false));
    storeOwn(At, C);
  }
}

void redirectInTurn(Emission &E, Copy &C, Access &Each) {
  IRBuilder<> B(Each.At);
  if (!Each.IsOwn || Each.size() != C.Plan.Element) {
    C.Address = sideOf(B, C);
    redirect(E, C, Each);
    return;
  }
  Each.At->replaceAllUsesWith(B.CreateLoad(Each.type(), C.Turn->Own));
  Each.At->eraseFromParent();
}

void writeBackTurns(const Emission &E, Copy &C) {
  IRBuilder<> B(C.Plan.End);
  Value *Written =
      B.CreateAnd(B.CreateLoad(B.getInt1Ty(), C.Turn->Flag), E.Place.Active);
  B.SetInsertPoint(
      SplitBlockAndInsertIfThen(Written, C.Plan.End, /*Unreachable=*/false));
  Type *T = C.Turn->Own->getAllocatedType();
  B.CreateAlignedStore(B.CreateLoad(T, C.Turn->Own), ownAddress(B, E, C),
                       Align(C.Plan.Unit));
}

} // namespace accx::smc
