//===- NestShape.cpp - A thread's place in a nest -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code in front of a nest's outer loop that decides on groups (GridNest.h),
// and the one with which a group's threads wait for each other.
//
//===----------------------------------------------------------------------===//

#include "reduce/NestShape.h"

#include "accx/kernel_desc.h"
#include "gpu/Exchange.h"
#include "gpu/ThreadPlace.h"
#include "gridloop/DealOut.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace accx::reduce {

/// Threads of groups that are parts of warps, the smaller ones first: they take
/// more iterations.
static SmallVector<unsigned, 2> smallGroups(const offload::TeamNest &N,
                                            const NestChoices &Choices) {
  SmallVector<unsigned, 2> Sizes;
  if (!Choices.MayBeWarps)
    return Sizes;
  // Without loops of their own workers access what lies side by side.
  if (Choices.PartThreads && !N.Regions.front().Workers->Nest->isInnermost())
    Sizes.push_back(Choices.PartThreads);
  Sizes.push_back(gpu::WarpLanes);
  return Sizes;
}

/// Whether \p Groups end at about the same time: an eighth of it is lost at
/// most. That is known of eight rounds. Who asks for a block an iteration has
/// short ones, for which two rounds of small groups are better than blocks.
/// Long ones are not: a block's leave more of the caches to each.
static Value *areMany(IRBuilderBase &B, const offload::TeamNest &N, Value *Trip,
                      Value *Groups) {
  constexpr uint64_t Parts = 8, Least = 2;
  if (!N.asksForBlocks())
    return B.CreateICmpUGE(Trip, B.CreateMul(Groups, B.getInt64(Parts)),
                           "many");
  // Blocks of fewer threads have none, and do not get here.
  Groups = B.CreateBinaryIntrinsic(Intrinsic::umax, Groups, B.getInt64(1));
  Value *Rounds = B.CreateUDiv(
      B.CreateAdd(Trip, B.CreateSub(Groups, B.getInt64(1))), Groups);
  Value *IsEven = B.CreateICmpUGE(
      B.CreateMul(Trip, B.getInt64(Parts)),
      B.CreateMul(B.CreateMul(Rounds, Groups), B.getInt64(Parts - 1)), "even");
  return B.CreateAnd(IsEven, B.CreateICmpUGE(Rounds, B.getInt64(Least)),
                     "many");
}

NestShape readShape(const offload::TeamNest &N, const NestChoices &Choices,
                    const CommonVariables &Common,
                    SmallVectorImpl<NestCopy> &Copies) {
  IRBuilder<> B(N.Gangs->Init);
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  Type *Wide = B.getInt64Ty();
  Value *Thread = B.CreateZExt(At.Thread, Wide);
  Value *AllThreads = B.CreateZExt(At.Threads, Wide);
  Value *Block = B.CreateZExt(At.Block, Wide);
  Value *Blocks = B.CreateZExt(At.Blocks, Wide);
  Value *Last = gridloop::lastIteration(B, *N.Gangs);
  Value *Trip = B.CreateAdd(Last, B.getInt64(1), "gangs");
  constexpr uint64_t Lanes = gpu::WarpLanes;
  Value *IsWhole = B.CreateIsNull(B.CreateAnd(At.Threads, Lanes - 1), "whole");

  // Values of their own, since copies of the loop have others.
  const auto Own = [&](Value *V) { return B.CreateFreeze(V); };
  NestShape Shape = {Own(Block), Own(Blocks), Own(Thread), Own(AllThreads)};
  const auto Choose = [&](Value *When, const NestShape &Then) {
    Shape.Group = B.CreateSelect(When, Then.Group, Shape.Group);
    Shape.Groups = B.CreateSelect(When, Then.Groups, Shape.Groups);
    Shape.Rank = B.CreateSelect(When, Then.Rank, Shape.Rank);
    Shape.Threads = B.CreateSelect(When, Then.Threads, Shape.Threads);
  };
  if (Choices.MayShare) {
    Value *Used = B.CreateBinaryIntrinsic(Intrinsic::umin, Blocks,
                                          B.getInt64(ACCX_TICKETS));
    Value *Each = B.CreateUDiv(
        Used, B.CreateBinaryIntrinsic(Intrinsic::umax, Trip, B.getInt64(1)),
        "each");
    Value *Shares =
        B.CreateAnd(IsWhole, B.CreateICmpUGT(Each, B.getInt64(1)), "shares");
    Each = B.CreateBinaryIntrinsic(Intrinsic::umax, Each, B.getInt64(1));
    NestShape Several;
    Several.Group = B.CreateUDiv(Block, Each);
    // None does another iteration.
    Several.Groups = B.getInt64(uint64_t(1) << 40);
    Several.Rank =
        B.CreateAdd(B.CreateMul(B.CreateURem(Block, Each), AllThreads), Thread);
    Several.Threads = B.CreateMul(Each, AllThreads);
    Choose(Shares, Several);
  }
  for (unsigned Threads : smallGroups(N, Choices)) {
    const unsigned Shift = Log2_32(Threads);
    Value *Groups = B.CreateMul(Blocks, B.CreateLShr(AllThreads, Shift));
    Value *IsMany = areMany(B, N, Trip, Groups);
    NestCopy &Copy = Copies.emplace_back();
    Copy.When = B.CreateAnd(IsWhole, IsMany);
    Copy.Threads = Threads;
    Value *Group = B.CreateLShr(
        B.CreateAdd(B.CreateMul(Block, AllThreads), Thread), Shift);
    Copy.Instead = {{Shape.Group, Group},
                    {Shape.Groups, Groups},
                    {Shape.Rank, B.CreateAnd(Thread, Threads - 1)},
                    {Shape.Threads, B.getInt64(Threads)}};
    if (Common.At)
      Copy.Instead.emplace_back(
          Common.At,
          B.CreateInBoundsGEP(B.getInt8Ty(), Common.At,
                              B.CreateMul(B.CreateLShr(Thread, Shift),
                                          B.getInt64(Common.Bytes)),
                              "common.group"));
  }
  return Shape;
}

void waitForGroup(IRBuilderBase &B, const NestShape &Shape) {
  Value *Rank = Shape.Rank;
  Value *Threads = Shape.Threads;
  Value *IsWarp = B.CreateICmpULE(Threads, B.getInt64(gpu::WarpLanes));
  Instruction *Here = &*B.GetInsertPoint();
  Instruction *Warp = nullptr;
  Instruction *Block = nullptr;
  SplitBlockAndInsertIfThenElse(IsWarp, Here, &Warp, &Block);
  B.SetInsertPoint(Warp);
  // A group of up to 32 threads is a part of a warp, or a block that is less
  // than one.
  Value *Size = B.CreateTrunc(Threads, B.getInt32Ty());
  Value *Before = B.CreateAnd(
      B.CreateSub(gpu::readThread(B), B.CreateTrunc(Rank, B.getInt32Ty())),
      gpu::WarpLanes - 1);
  Value *Members =
      B.CreateShl(B.CreateLShr(B.getInt32(~0U),
                               B.CreateSub(B.getInt32(gpu::WarpLanes), Size)),
                  Before);
  B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {Members});
  B.SetInsertPoint(Block);
  B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  B.SetInsertPoint(Here);
}

} // namespace accx::reduce
