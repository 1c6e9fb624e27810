//===- GridFold.cpp - Combines the blocks of a grid -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the function that combines the blocks of a grid by tickets and records
// in the launch's buffer. Blocks of one group have GroupFold.cpp.
//
//===----------------------------------------------------------------------===//

#include "reduce/GridFold.h"

#include "gpu/ThreadPlace.h"
#include "offload/PointerList.h"
#include "offload/ReductionMark.h"

#include "llvm/IR/Intrinsics.h"

#include <cstddef>

using namespace llvm;

namespace accx::reduce {

AllocaInst *makeList(ir::CodeWriter &B, const ReductionPlan &Plan,
                     const char *Name, SmallVectorImpl<Value *> &Variables) {
  AllocaInst *List =
      B.local(ArrayType::get(B.getPtrTy(), Plan.Variables.size()), Name);
  for (unsigned I = 0; I < Plan.Variables.size(); ++I) {
    Variables.push_back(B.local(Plan.Variables[I]));
    B.CreateStore(Variables.back(), offload::slotAt(B, List, I));
  }
  return List;
}

void goOnInLastBlock(ir::CodeWriter &B, GlobalVariable &Ticket, Value *IsFirst,
                     Value *Count, function_ref<void()> Leave) {
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Done = BasicBlock::Create(B.getContext(), "done", F);
  BasicBlock *Last = BasicBlock::Create(B.getContext(), "last", F);
  B.when(IsFirst, Leave);
  B.barrier();
  Value *Mine =
      B.CreateLoad(B.getInt32Ty(), &Ticket, /*isVolatile=*/true, "ticket");
  B.CreateCondBr(B.CreateICmpEQ(Mine, B.CreateSub(Count, B.getInt32(1))), Last,
                 Done);
  B.SetInsertPoint(Done);
  B.CreateRet(B.getInt32(0));
  B.SetInsertPoint(Last);
  B.fence();
}

namespace {

class GridFoldWriter {
  const ReductionPlan &Plan;
  Function &Fold;
  GlobalVariable &Ticket;
  const uint32_t Records;
  ir::CodeWriter B;
  Value *Environment, *List;
  Value *Window = nullptr;
  Value *Buffer = nullptr;

public:
  GridFoldWriter(const ReductionPlan &Plan, Function &Fold, Slots &Shared,
                 uint32_t Records, Function &F)
      : Plan(Plan), Fold(Fold), Ticket(*Shared.ticket()), Records(Records),
        B(F), Environment(F.getArg(0)), List(F.getArg(1)) {}

  void write();

private:
  void leaveRecord(const gpu::ThreadPlace &At);
  void combineRecords(const gpu::ThreadPlace &At, Value *IsFirst);
};

} // namespace

void GridFoldWriter::leaveRecord(const gpu::ThreadPlace &At) {
  constexpr auto Relaxed = AtomicOrdering::Monotonic;
  Value *Count = B.getInt32(Records);
  Value *IsFirstWindow = B.CreateICmpULT(At.Block, Count, "first.window");
  B.when(B.CreateNot(IsFirstWindow), [&] {
    B.until([&] {
      Value *First = B.CreateAtomicRMW(AtomicRMWInst::Or, Window, B.getInt32(0),
                                       Align(4), Relaxed);
      return B.CreateICmpULT(B.CreateSub(At.Block, First), Count);
    });
    B.fence();
    B.CreateCall(Plan.CombineIntoRecord,
                 {Buffer, B.CreateURem(At.Block, Count), List});
  });
  B.when(IsFirstWindow,
         [&] { B.CreateCall(Plan.StoreRecord, {Buffer, At.Block, List}); });
  B.fence();
  Value *Mine = B.CreateAtomicRMW(AtomicRMWInst::Add, Environment,
                                  B.getInt32(1), Align(4), Relaxed);
  B.CreateStore(Mine, &Ticket, /*isVolatile=*/true);
  Value *EndsWindow =
      B.CreateICmpEQ(B.CreateURem(Mine, Count), B.getInt32(Records - 1));
  B.when(EndsWindow, [&] {
    B.CreateAtomicRMW(AtomicRMWInst::Add, Window, Count, Align(4), Relaxed);
  });
}

void GridFoldWriter::combineRecords(const gpu::ThreadPlace &At,
                                    Value *IsFirst) {
  // Loads of several records are under way at a time.
  constexpr unsigned Unroll = 8;
  // The variables of the list may be the team's, which threads share.
  const DataLayout &Layout = Plan.Combine->getParent()->getDataLayout();
  SmallVector<Value *, 4> Variables;
  AllocaInst *Own = makeList(B, Plan, "own", Variables);
  Value *Used = B.CreateBinaryIntrinsic(Intrinsic::umin, At.Blocks,
                                        B.getInt32(Records), {}, "records");
  B.when(B.CreateICmpULT(At.Thread, Used), [&] {
    B.CreateCall(Plan.LoadRecord, {Buffer, At.Thread, Own});
    B.loop(
        B.CreateAdd(At.Thread, At.Threads), Used, At.Threads,
        [&](Value *Record) {
          B.CreateCall(Plan.CombineFromRecord, {Buffer, Record, Own});
        },
        Unroll);
  });
  B.callTogether(Fold,
                 {Own, At.Thread,
                  B.CreateBinaryIntrinsic(Intrinsic::umin, At.Threads, Used)});
  B.when(IsFirst, [&] {
    for (unsigned I = 0; I < Variables.size(); ++I) {
      const Align Alignment = Layout.getABITypeAlign(Plan.Variables[I]);
      B.CreateMemCpy(offload::loadSlot(B, List, I), Alignment, Variables[I],
                     Alignment, Layout.getTypeAllocSize(Plan.Variables[I]));
    }
    B.CreateStore(B.getInt32(0), Environment);
    B.CreateStore(B.getInt32(0), Window);
  });
}

void GridFoldWriter::write() {
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  const auto Field = [&](uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Environment, Offset);
  };
  Window = Field(offsetof(LaunchEnvironment, Window));
  Buffer = B.CreateLoad(B.getPtrTy(),
                        Field(offsetof(LaunchEnvironment, Buffer)), "buffer");
  Value *IsFirst = B.CreateICmpEQ(At.Thread, B.getInt32(0));
  goOnInLastBlock(B, Ticket, IsFirst, At.Blocks, [&] { leaveRecord(At); });
  combineRecords(At, IsFirst);
  B.CreateRet(B.CreateZExt(IsFirst, B.getInt32Ty()));
}

Function *writeGridFold(const ReductionPlan &Plan, Function &Fold,
                        Slots &Shared, uint32_t Records) {
  LLVMContext &C = Plan.Combine->getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      ir::createHelper(Twine(offload::ReductionHelper) + "grid",
                       Type::getInt32Ty(C), {Ptr, Ptr}, *Plan.Combine);
  GridFoldWriter(Plan, Fold, Shared, Records, *F).write();
  return F;
}

} // namespace accx::reduce
