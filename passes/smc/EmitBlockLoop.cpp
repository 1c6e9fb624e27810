//===- EmitBlockLoop.cpp - Rewrites loops over blocks ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BlockNest.h.
//
//===----------------------------------------------------------------------===//

#include "kernels/GridLoop.h"
#include "smc/BlockNest.h"
#include "smc/Notes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace accx::smc {

namespace {

class BlockLoopWriter {
  const BlockNest &N;
  const BlockShape &Shape;
  BlockPlace Place;
  /// Trip counts and numbers of blocks in each dimension.
  SmallVector<Value *, 3> Trips, Blocks;
  Value *Active = nullptr;

public:
  BlockLoopWriter(const BlockNest &N, const BlockShape &Shape)
      : N(N), Shape(Shape) {}

  BlockPlace write() {
    // What the body does is known before anything is added to it.
    SmallVector<Instruction *, 16> Writes;
    for (BasicBlock *Block : N.Nest->blocks())
      for (Instruction &I : *Block)
        if (isWrite(I))
          Writes.push_back(&I);
    SmallVector<PHINode *, 4> Carried;
    for (PHINode &Phi : N.Nest->getHeader()->phis())
      if (&Phi != N.Iv)
        Carried.push_back(&Phi);
    SmallVector<User *, 8> Uses;
    for (User *U : N.Iv->users())
      if (U != N.Test && U != N.Next)
        Uses.push_back(U);
    const unsigned Dims = N.Indices.size();
    Instruction *End = N.Latch->getTerminator();
    checkBlock();
    countBlocks();
    placeThread();
    replaceIndices(Dims, Uses);
    // Values that go on to the next iteration.
    for (PHINode *Phi : Carried) {
      IRBuilder<> B(N.Latch->getTerminator());
      const int From = Phi->getBasicBlockIndex(N.Latch);
      Phi->setIncomingValue(
          From, B.CreateSelect(Active, Phi->getIncomingValue(From), Phi));
    }
    for (Instruction *Write : Writes)
      guard(*Write);
    unmark(*End);
    Place.Own.append(Indices.begin(), Indices.end());
    return std::move(Place);
  }

private:
  static bool isWrite(const Instruction &I) {
    const Value *To = nullptr;
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      To = Store->getPointerOperand();
    else if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
      To = Fill->getRawDest();
    else if (isa<AtomicRMWInst>(I))
      return true;
    return To && !isa<AllocaInst>(getUnderlyingObject(To));
  }

  /// Code counts on the descriptor's number of threads.
  void checkBlock() {
    IRBuilder<> B(N.Preheader->getTerminator());
    Value *Threads =
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ntid_x, {}, {});
    Value *Wrong = B.CreateICmpNE(Threads, B.getInt32(launchedFor(Shape)));
    Instruction *Then = SplitBlockAndInsertIfThen(
        Wrong, N.Preheader->getTerminator(), /*Unreachable=*/true);
    IRBuilder<>(Then).CreateIntrinsic(Intrinsic::trap, {}, {});
  }

  /// The block that now precedes the header.
  BasicBlock *before() const {
    for (BasicBlock *P : predecessors(N.Nest->getHeader()))
      if (P != N.Latch)
        return P;
    return nullptr;
  }

  void countBlocks() {
    BasicBlock *Before = before();
    IRBuilder<> B(Before->getTerminator());
    const auto AtLeast1 = [&](Value *V) {
      return B.CreateBinaryIntrinsic(Intrinsic::umax, V, B.getInt64(1));
    };
    Value *All = nullptr, *Outer = N.Trip;
    for (unsigned D = 0; D < N.Indices.size(); ++D) {
      Value *Divisor = N.Indices[D].Divisor;
      if (Divisor)
        Divisor = B.CreateZExt(Divisor, B.getInt64Ty());
      Trips.push_back(Divisor ? B.CreateUDiv(Outer, AtLeast1(Divisor), "trips")
                              : Outer);
      Outer = Divisor;
      Value *Count =
          B.CreateUDiv(B.CreateAdd(Trips[D], B.getInt64(Shape[D] - 1)),
                       B.getInt64(Shape[D]), "blocks");
      Blocks.push_back(Count);
      All = All ? B.CreateMul(All, Count) : Count;
    }
    // Nothing to do in one dimension: nothing to do.
    Value *Own = B.CreateZExt(
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {}, {}),
        B.getInt64Ty(), "block");
    Value *Step = B.CreateZExt(
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, {}, {}),
        B.getInt64Ty(), "all.blocks");
    N.Iv->setIncomingValueForBlock(Before, Own);
    N.Test->setOperand(1, All);
    B.SetInsertPoint(N.Latch->getTerminator());
    N.Iv->setIncomingValueForBlock(N.Latch, B.CreateAdd(N.Iv, Step, "", true));
    N.Next->replaceAllUsesWith(PoisonValue::get(N.Next->getType()));
    N.Next->eraseFromParent();
  }

  void placeThread() {
    IRBuilder<> B(N.Body, N.Body->getFirstInsertionPt());
    CallInst *Read =
        B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {});
    Read->addRangeRetAttr(
        ConstantRange(APInt(32, 0), APInt(32, launchedFor(Shape))));
    Place.Thread = Read;
    Value *Thread = Read;
    if (launchedFor(Shape) != threadsOf(Shape)) {
      Active = B.CreateICmpULT(Read, B.getInt32(threadsOf(Shape)));
      Thread = B.CreateBinaryIntrinsic(Intrinsic::umin, Read,
                                       B.getInt32(threadsOf(Shape) - 1));
    }
    const unsigned Dims = Shape.size();
    SmallVector<Value *, 3> Own(Dims);
    Value *Block = N.Iv;
    Place.Origin.resize(Dims);
    Place.Count.resize(Dims);
    for (unsigned D = Dims; D-- > 0;) {
      Value *Mine = Thread, *Number = Block;
      if (D > 0) {
        Mine = B.CreateURem(Thread, B.getInt32(Shape[D]));
        Thread = B.CreateUDiv(Thread, B.getInt32(Shape[D]));
        Number = B.CreateURem(Block, Blocks[D]);
        Block = B.CreateUDiv(Block, Blocks[D]);
      }
      Value *Origin =
          B.CreateMul(Number, B.getInt64(Shape[D]), "origin", true, true);
      Place.Origin[D] = Origin;
      Place.Count[D] = B.CreateBinaryIntrinsic(
          Intrinsic::umin, B.CreateSub(Trips[D], Origin, "", true, true),
          B.getInt64(Shape[D]));
      Own[D] = B.CreateAdd(Origin, B.CreateZExt(Mine, B.getInt64Ty()), "index",
                           true, true);
    }
    for (unsigned D = 0; D < Dims; ++D) {
      Value *Inside = B.CreateICmpULT(Own[D], Trips[D]);
      Active = Active ? B.CreateAnd(Active, Inside, "active") : Inside;
      Indices.push_back(B.CreateBinaryIntrinsic(
          Intrinsic::umin, Own[D],
          B.CreateSub(Trips[D], B.getInt64(1), "", true, true)));
    }
    Linear = Indices[0];
    for (unsigned D = 1; D < Dims; ++D)
      Linear = B.CreateAdd(B.CreateMul(Linear, Trips[D], "", true, true),
                           Indices[D], "", true, true);
  }

  void replaceIndices(unsigned Dims, ArrayRef<User *> Uses) {
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

  void guard(Instruction &Write) {
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

  /// It is no grid-stride loop any more.
  static void unmark(Instruction &End) {
    End.setMetadata(LLVMContext::MD_loop,
                    makePostTransformationMetadata(
                        End.getContext(), End.getMetadata(LLVMContext::MD_loop),
                        {kernels::GridLoopMetadata}, {}));
  }

  SmallVector<Value *, 3> Indices;
  Value *Linear = nullptr;
};

} // namespace

BlockPlace emitBlockLoop(const BlockNest &N, const BlockShape &Shape) {
  return BlockLoopWriter(N, Shape).write();
}

} // namespace accx::smc
