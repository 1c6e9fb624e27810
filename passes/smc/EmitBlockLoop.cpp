//===- EmitBlockLoop.cpp - Rewrites loops over blocks ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the body of a loop of BlockNest.h becomes: indices from the thread's
// place in the block, writes of threads that have an iteration.
//
//===----------------------------------------------------------------------===//

#include "blocks/Region.h"
#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"
#include "smc/BlockLoopWriter.h"
#include "smc/Emit.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace accx::smc {

BlockPlace BlockLoopWriter::write() {
  // What the body does is known before anything is added to it.
  SmallVector<Instruction *, 16> Writes;
  for (BasicBlock *Block : N.Nest->blocks())
    for (Instruction &I : *Block)
      if (isa<AtomicRMWInst>(I) || blocks::writesShared(I))
        Writes.push_back(&I);
  SmallVector<PHINode *, 4> Carried;
  for (PHINode &Phi : N.Nest->getHeader()->phis())
    if (&Phi != N.Iv)
      Carried.push_back(&Phi);
  CarriesNothing = Carried.empty();
  SmallVector<User *, 8> Uses;
  for (User *U : N.Iv->users())
    if (U != N.Test && U != N.Next)
      Uses.push_back(U);
  const unsigned Dims = N.Indices.size();
  Instruction *End = N.Latch->getTerminator();
  OwnsGrid = N.ownsGrid();
  countBlocks();
  if (Column)
    nestColumns(N.Nest->getHeader());
  placeThread();
  replaceIndices(Dims, Uses);
  replaceRows();
  // Values that go on to the next iteration.
  for (PHINode *Phi : Carried) {
    IRBuilder<> B(N.Latch->getTerminator());
    const int From = Phi->getBasicBlockIndex(N.Latch);
    Phi->setIncomingValue(
        From, B.CreateSelect(Active, Phi->getIncomingValue(From), Phi));
  }
  if (!N.IsWhole)
    for (Instruction *Write : Writes)
      guard(*Write);
  // It is no grid-stride loop any more.
  ir::renewLoop(*End, {gridloop::GridLoopMetadata});
  Place.Active = Active;
  Place.Own.append(Indices.begin(), Indices.end());
  return std::move(Place);
}

/// The block that now precedes the header.
BasicBlock *BlockLoopWriter::before() const {
  for (BasicBlock *P : predecessors(N.Nest->getHeader()))
    if (P != N.Latch)
      return P;
  return nullptr;
}

void BlockLoopWriter::placeThread() {
  IRBuilder<> B(N.Body, N.Body->getFirstInsertionPt());
  if (Numbers.empty())
    Numbers = {B.CreateAdd(B.CreateMul(Parts[0], N.Rows.Divisor), Parts[1]),
               ConstantInt::get(Int, 0)};
  CallInst *Read =
      B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
  // What is computed of it stays in the loop, which mostly has one turn.
  if (N.IsWhole && !Stays)
    Read = cast<CallInst>(fixedHere(B, Read));
  Read->addRangeRetAttr(
      ConstantRange(APInt(32, 0), APInt(32, N.threadsFor(Shape))));
  Place.Thread = Read;
  Value *Thread = Read;
  if (N.threadsFor(Shape) != threadsOf(Shape)) {
    Active = B.CreateICmpULT(Read, B.getInt32(threadsOf(Shape)));
    Place.InShape = Active;
    Thread = B.CreateBinaryIntrinsic(Intrinsic::umin, Read,
                                     B.getInt32(threadsOf(Shape) - 1));
  }
  const unsigned Dims = Shape.size();
  Place.Origin.resize(Dims);
  Place.Count.resize(Dims);
  Place.Rest.resize(Dims);
  Place.Mine.resize(Dims);
  Place.Offset.resize(Dims);
  Indices.resize(Dims);
  for (unsigned D = Dims; D-- > 0;) {
    Value *Mine = Thread;
    if (D > 0) {
      Mine = B.CreateURem(Thread, B.getInt32(Shape[D]));
      Thread = B.CreateUDiv(Thread, B.getInt32(Shape[D]));
    }
    // The same for all, as can be seen.
    if (Shape[D] == 1)
      Mine = B.getInt32(0);
    Value *Origin =
        B.CreateMul(Numbers[D], ConstantInt::get(Int, Shape[D]), "origin",
                    /*HasNUW=*/true,
                    /*HasNSW=*/IsWide || isSigned(Trips[D]));
    // Places in a block have 32 bits, whatever indices have.
    Value *Rest = B.CreateTrunc(
        B.CreateBinaryIntrinsic(Intrinsic::umin,
                                B.CreateSub(Lasts[D], Origin, "", true),
                                ConstantInt::get(Int, Shape[D] - 1)),
        B.getInt32Ty(), "rest");
    Place.Origin[D] = B.CreateZExt(Origin, B.getInt64Ty());
    Place.Count[D] = B.CreateAdd(B.CreateZExt(Rest, B.getInt64Ty()),
                                 B.getInt64(1), "", true, true);
    Value *Inside = B.CreateICmpULE(Mine, Rest);
    Active = Active ? B.CreateAnd(Active, Inside, "active") : Inside;
    Place.Rest[D] = Rest;
    Place.Mine[D] = Mine;
    Place.Offset[D] =
        N.IsWhole ? Mine : B.CreateBinaryIntrinsic(Intrinsic::umin, Mine, Rest);
    Indices[D] = B.CreateAdd(Place.Origin[D],
                             B.CreateZExt(Place.Offset[D], B.getInt64Ty()),
                             "index", true, true);
  }
  Linear = Indices[0];
  for (unsigned D = 1; D < Dims; ++D)
    Linear = B.CreateAdd(B.CreateMul(Linear, Trips[D], "", true, true),
                         Indices[D], "", true, true);
}

void BlockLoopWriter::replaceIndices(unsigned Dims, ArrayRef<User *> Uses) {
  IRBuilder<> B(cast<Instruction>(Linear)->getNextNode());
  for (unsigned D = 0; D < Dims; ++D) {
    Instruction *Old = N.Indices[D].V;
    Indices[D] = B.CreateTrunc(Indices[D], Old->getType());
    Place.Origin[D] = B.CreateTrunc(Place.Origin[D], Old->getType());
    if (Old != N.Iv)
      Old->replaceAllUsesWith(Indices[D]);
  }
  // In place of the counter itself.
  for (User *U : Uses)
    U->replaceUsesOfWith(N.Iv, Linear);
}

/// The program divides the number of a row, as the device has done.
void BlockLoopWriter::replaceRows() {
  if (!N.IsWhole || Place.Grid.words().empty())
    return;
  N.Rows.Quotient->replaceAllUsesWith(Parts[0]);
  N.Rows.Rest->replaceAllUsesWith(Parts[1]);
}

void BlockLoopWriter::guard(Instruction &Write) {
  Instruction *Then =
      SplitBlockAndInsertIfThen(Active, &Write, /*Unreachable=*/false);
  Write.moveBefore(Then);
  if (Write.use_empty())
    return;
  BasicBlock *Tail = Then->getSuccessor(0);
  PHINode *Phi = PHINode::Create(Write.getType(), 2, "", Tail->begin());
  Write.replaceAllUsesWith(Phi);
  Phi->addIncoming(&Write, Then->getParent());
  Phi->addIncoming(Constant::getNullValue(Write.getType()),
                   Then->getParent()->getSinglePredecessor());
}

BlockPlace emitBlockLoop(const BlockNest &N, const BlockShape &Shape,
                         bool Stays) {
  return BlockLoopWriter(N, Shape, Stays).write();
}

} // namespace accx::smc
