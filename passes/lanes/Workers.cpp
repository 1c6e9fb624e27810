//===- Workers.cpp - Loops over threads, dealt out to groups --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives loops over threads the form of grid-stride loops, recognizes that form
// again, and computes a thread's place in its group.
//
//===----------------------------------------------------------------------===//

#include "lanes/Workers.h"

#include "gpu/Exchange.h"
#include "gpu/ThreadPlace.h"
#include "gridloop/DealOut.h"
#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"
#include "lanes/Marks.h"
#include "offload/DeviceCalls.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using accx::offload::WorkLoop;

namespace accx::lanes {

/// Asks the runtime for the thread's number and the count of threads: chunks of
/// one iteration of a loop that begins at 0. The answers come in W's variables.
static void askForThread(IRBuilderBase &B, const WorkLoop &W) {
  auto *Int = cast<IntegerType>(W.Lower->getAllocatedType());
  const unsigned Bits = Int->getBitWidth();
  B.CreateStore(ConstantInt::get(Int, 0), W.Lower);
  B.CreateStore(ConstantInt::get(Int, W.IsUnsigned
                                          ? APInt::getMaxValue(Bits)
                                          : APInt::getSignedMaxValue(Bits)),
                W.Upper);
  B.CreateStore(ConstantInt::get(Int, 1), W.Stride);
}

void dealOutCyclically(const WorkLoop &W) {
  IRBuilder<> B(W.Init);
  Type *Int = W.Lower->getAllocatedType();
  const bool IsSigned = !W.IsUnsigned;
  Value *First =
      B.CreateIntCast(B.CreateLoad(Int, W.Lower), B.getInt64Ty(), IsSigned);
  Value *Last =
      B.CreateIntCast(B.CreateLoad(Int, W.Upper), B.getInt64Ty(), IsSigned);
  Value *IsEmpty =
      IsSigned ? B.CreateICmpSLT(Last, First) : B.CreateICmpULT(Last, First);
  Value *Trip = B.CreateSelect(
      IsEmpty, B.getInt64(0),
      B.CreateAdd(B.CreateSub(Last, First), B.getInt64(1)), "trip");
  askForThread(B, W);
  B.SetInsertPoint(W.Init->getNextNode());
  gridloop::Dealing How;
  How.Start =
      B.CreateZExt(B.CreateLoad(Int, W.Lower), B.getInt64Ty(), "thread");
  How.Step =
      B.CreateZExt(B.CreateLoad(Int, W.Stride), B.getInt64Ty(), "threads");
  How.Trip = Trip;
  How.Name = "worker";
  // The form of a grid-stride loop, for as long as this pass looks for it.
  gridloop::control(W, *cast<Instruction>(How.Step), How,
                    [&](IRBuilderBase &B, Value *Counter) {
                      return B.CreateTrunc(B.CreateAdd(Counter, First), Int);
                    },
                    {gridloop::gridLoopMark(B.getContext(), 64, false),
                     ir::loopOption(B.getContext(), WorkersMark)});
}

std::optional<WorkerLoop> WorkerLoop::find(Loop &L) {
  const auto Grid = gridloop::GridIv::find(L);
  if (!Grid)
    return std::nullopt;
  WorkerLoop W;
  W.L = &L;
  W.Counter = Grid->Iv;
  W.Next = Grid->Next;
  W.Start = Grid->Start;
  W.Step = Grid->Step;
  W.IsGrid = !findStringMetadataForLoop(&L, WorkersMark) &&
             !findStringMetadataForLoop(&L, gridloop::NestLoopMetadata);
  W.Group = gridloop::groupOf(L);
  if (L.getExitingBlock() != L.getHeader() || !L.hasDedicatedExits() ||
      !W.Next->hasOneUse())
    return std::nullopt;
  return W;
}

Value *LanePlace::isFirst(IRBuilderBase &B) const {
  return Wide ? B.CreateIsNotNull(B.CreateLoad(B.getInt32Ty(), Wide->First))
              : IsFirst;
}

void LanePlace::wait(IRBuilderBase &B) const {
  if (Wide)
    B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  else
    B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {Members});
}

LanePlace LanePlace::read(IRBuilderBase &B, const WorkerLoop &W,
                          unsigned Lanes) {
  LanePlace P;
  P.Lanes = Lanes;
  Value *Thread;
  Value *Threads;
  if (W.IsGrid) {
    Thread = gpu::readThread(B);
    Threads = gpu::readThreads(B);
  } else {
    Thread = B.CreateTrunc(W.Start, B.getInt32Ty());
    Threads =
        W.Group ? B.getInt32(W.Group) : B.CreateTrunc(W.Step, B.getInt32Ty());
  }
  const unsigned Shift = Log2_32(Lanes);
  P.Enough = B.CreateICmpUGE(Threads, B.getInt32(Lanes), "enough");
  P.Lane = B.CreateAnd(Thread, Lanes - 1, "lane");
  P.IsFirst = B.CreateIsNull(P.Lane, "first.lane");
  if (Lanes == gpu::WarpLanes) {
    P.Members = B.getInt32(~0U);
  } else {
    // Parts of warps have numbers of their own.
    Value *OfBlock =
        W.Group && W.Group < gpu::WarpLanes ? gpu::readThread(B) : Thread;
    Value *First = B.CreateAnd(OfBlock, (gpu::WarpLanes - 1) & ~(Lanes - 1));
    P.Members = B.CreateShl(B.getInt32((1U << Lanes) - 1), First, "members");
  }
  // Threads beyond the last whole group have no part in it.
  Value *Group = B.CreateLShr(Thread, Shift);
  Value *Groups = B.CreateLShr(Threads, Shift);
  Value *IsWhole = B.CreateICmpULT(Group, Groups);
  Value *Start = B.CreateZExt(Group, B.getInt64Ty());
  P.Step = B.CreateZExt(Groups, B.getInt64Ty());
  if (W.IsGrid) {
    Value *Block = B.CreateZExt(gpu::readBlock(B), B.getInt64Ty());
    Value *Blocks = B.CreateZExt(gpu::readBlocks(B), B.getInt64Ty());
    Start = B.CreateAdd(B.CreateMul(Block, P.Step, "", true, true), Start, "",
                        true, true);
    P.Step = B.CreateMul(Blocks, P.Step, "", true, true);
  }
  // Beyond any trip count that could be counted to.
  P.Start =
      B.CreateSelect(IsWhole, Start, B.getInt64(uint64_t(1) << 62), "worker");
  return P;
}

} // namespace accx::lanes
