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
#include "gridloop/GridLoop.h"
#include "lanes/Marks.h"
#include "offload/DeviceCalls.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
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
  Value *Start =
      B.CreateZExt(B.CreateLoad(Int, W.Lower), B.getInt64Ty(), "thread");
  Value *Step =
      B.CreateZExt(B.CreateLoad(Int, W.Stride), B.getInt64Ty(), "threads");
  Instruction *LastNew = cast<Instruction>(Step);

  for (User *U : make_early_inc_range(W.Counter->users()))
    if (auto *Store = dyn_cast<StoreInst>(U))
      Store->eraseFromParent();
  BasicBlock *Before = W.Init->getParent();
  SplitBlock(Before, std::next(LastNew->getIterator()));
  Before->getTerminator()->eraseFromParent();
  BranchInst::Create(W.Header, Before);
  auto *Branch = cast<BranchInst>(W.Header->getTerminator());
  Branch->setSuccessor(0, W.Body);
  Branch->setSuccessor(1, W.Exit);
  removeUnreachableBlocks(*Before->getParent());

  B.SetInsertPoint(W.Header, W.Header->begin());
  PHINode *Counter = B.CreatePHI(B.getInt64Ty(), 2, "worker.iv");
  Counter->addIncoming(Start, Before);
  B.SetInsertPoint(Branch);
  Branch->setCondition(B.CreateICmpULT(Counter, Trip));
  B.SetInsertPoint(W.Body, W.Body->getFirstInsertionPt());
  B.CreateStore(B.CreateTrunc(B.CreateAdd(Counter, First), Int), W.Counter);
  Instruction *End = W.Latch->getTerminator();
  B.SetInsertPoint(End);
  Counter->addIncoming(B.CreateAdd(Counter, Step, "worker.next",
                                   /*HasNUW=*/true, /*HasNSW=*/false),
                       W.Latch);

  LLVMContext &C = B.getContext();
  const auto Option = [&](const char *Name, ArrayRef<Constant *> Values) {
    SmallVector<Metadata *, 3> Operands{MDString::get(C, Name)};
    for (Constant *V : Values)
      Operands.push_back(ConstantAsMetadata::get(V));
    return MDNode::get(C, Operands);
  };
  // The form of a grid-stride loop, for as long as this pass looks for it.
  End->setMetadata(LLVMContext::MD_loop,
                   makePostTransformationMetadata(
                       C, End->getMetadata(LLVMContext::MD_loop), {},
                       {Option(gridloop::GridLoopMetadata,
                               {B.getInt32(64), B.getInt1(false)}),
                        Option(WorkersMark, {})}));
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

/// \p Register, of a value in [Least, Bound).
static Value *readRegister(IRBuilderBase &B, Intrinsic::ID Register,
                           uint64_t Least, uint64_t Bound) {
  CallInst *Read = B.CreateIntrinsic(Register, {}, {});
  Read->addRangeRetAttr(ConstantRange(APInt(32, Least), APInt(32, Bound)));
  return Read;
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
    Thread = readRegister(B, Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, 1024);
    Threads = readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1, 1025);
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
        W.Group && W.Group < gpu::WarpLanes
            ? readRegister(B, Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, 1024)
            : Thread;
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
    Value *Block = B.CreateZExt(
        readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, 0x7fffffff),
        B.getInt64Ty());
    Value *Blocks = B.CreateZExt(
        readRegister(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x, 1, 0x80000000),
        B.getInt64Ty());
    Start = B.CreateAdd(B.CreateMul(Block, P.Step, "", true, true), Start, "",
                        true, true);
    P.Step = B.CreateMul(Blocks, P.Step, "", true, true);
  }
  // Beyond any trip count that could be counted to.
  P.Start =
      B.CreateSelect(IsWhole, Start, B.getInt64(uint64_t(1) << 62), "worker");
  return P;
}

BasicBlock *WorkerLoop::copy(ValueToValueMapTy &Map,
                             const Twine &Suffix) const {
  BasicBlock *Header = L->getHeader();
  SmallVector<BasicBlock *, 16> Copies;
  for (BasicBlock *Block : L->blocks()) {
    BasicBlock *Copy = CloneBasicBlock(Block, Map, Suffix, Header->getParent());
    Map[Block] = Copy;
    Copies.push_back(Copy);
  }
  remapInstructionsInBlocks(Copies, Map);
  auto *NewHeader = cast<BasicBlock>(Map[Header]);
  for (PHINode &Phi : L->getExitBlock()->phis()) {
    Value *From = Phi.getIncomingValueForBlock(Header);
    const auto Found = Map.find(From);
    Phi.addIncoming(Found == Map.end() ? From : &*Found->second, NewHeader);
  }
  return NewHeader;
}

} // namespace accx::lanes
