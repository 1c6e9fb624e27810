//===- GridFold.cpp - Combines the blocks of a grid -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the function that combines the blocks of a grid by tickets and records
// in the launch's buffer. Blocks of one group have GroupFold.cpp.
//
//===----------------------------------------------------------------------===//

#include "reduce/GridFold.h"

#include "offload/PointerList.h"

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

void goOnInLastBlock(ir::CodeWriter &B, GlobalVariable &Ticket,
                     const gpu::ThreadPlace &At, Value *Count,
                     function_ref<void()> Leave) {
  Value *IsFirst = B.CreateICmpEQ(At.Thread, B.getInt32(0));
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

static void copyVariable(ir::CodeWriter &B, Type *T, Value *To, Value *From) {
  if (T->isSingleValueType()) {
    B.CreateStore(B.CreateLoad(T, From), To);
    return;
  }
  const DataLayout &Layout = B.GetInsertBlock()->getDataLayout();
  const Align Alignment = Layout.getABITypeAlign(T);
  B.CreateMemCpy(To, Alignment, From, Alignment, Layout.getTypeAllocSize(T));
}

void copyRecord(ir::CodeWriter &B, const ReductionPlan &Plan, Value *List,
                Value *Record, bool IntoRecord) {
  for (unsigned I = 0; I < Plan.Variables.size(); ++I) {
    Value *From = B.CreateStructGEP(Plan.recordType(), Record, I);
    Value *To = offload::loadSlot(B, List, I);
    if (IntoRecord)
      std::swap(From, To);
    copyVariable(B, Plan.Variables[I], To, From);
  }
}

void combineRecords(ir::CodeWriter &B, const ReductionPlan &Plan,
                    Function &Fold, const gpu::ThreadPlace &At, Value *List,
                    Value *Used, RecordUse Load, RecordUse Combine,
                    unsigned Unroll, function_ref<void()> Reset) {
  SmallVector<Value *, 4> Variables;
  AllocaInst *Own = makeList(B, Plan, "own", Variables);
  B.when(B.CreateICmpULT(At.Thread, Used), [&] {
    Load(Own, At.Thread);
    B.loop(
        B.CreateAdd(At.Thread, At.Threads), Used, At.Threads,
        [&](Value *Index) { Combine(Own, Index); }, Unroll);
  });
  B.callTogether(Fold,
                 {Own, At.Thread,
                  B.CreateBinaryIntrinsic(Intrinsic::umin, At.Threads, Used)});
  Value *IsFirst = B.CreateICmpEQ(At.Thread, B.getInt32(0));
  B.when(IsFirst, [&] {
    for (unsigned I = 0; I < Variables.size(); ++I)
      copyVariable(B, Plan.Variables[I], offload::loadSlot(B, List, I),
                   Variables[I]);
    Reset();
  });
  B.CreateRet(B.CreateZExt(IsFirst, B.getInt32Ty()));
}

static Value *fieldAt(ir::CodeWriter &B, Value *Environment, uint64_t Offset) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Environment, Offset);
}

Value *loadBuffer(ir::CodeWriter &B, Value *Environment) {
  return B.CreateLoad(
      B.getPtrTy(),
      fieldAt(B, Environment, offsetof(LaunchEnvironment, Buffer)), "buffer");
}

Function *writeGridFold(const ReductionPlan &Plan, Function &Fold,
                        Slots &Shared, uint32_t Records) {
  constexpr auto Relaxed = AtomicOrdering::Monotonic;
  LLVMContext &C = Plan.Combine->getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      ir::createHelper(Twine(offload::ReductionHelper) + "grid",
                       Type::getInt32Ty(C), {Ptr, Ptr}, *Plan.Combine);
  Value *Environment = F->getArg(0);
  Value *List = F->getArg(1);
  GlobalVariable &Ticket = *Shared.ticket();
  ir::CodeWriter B(*F);
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  Value *Window = fieldAt(B, Environment, offsetof(LaunchEnvironment, Window));
  Value *Buffer = loadBuffer(B, Environment);
  const auto LeaveRecord = [&] {
    Value *Count = B.getInt32(Records);
    Value *IsFirstWindow = B.CreateICmpULT(At.Block, Count, "first.window");
    B.when(B.CreateNot(IsFirstWindow), [&] {
      B.until([&] {
        Value *First = B.CreateAtomicRMW(AtomicRMWInst::Or, Window,
                                         B.getInt32(0), Align(4), Relaxed);
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
  };
  goOnInLastBlock(B, Ticket, At, At.Blocks, LeaveRecord);
  // Loads of several records are under way at a time.
  constexpr unsigned Unroll = 8;
  Value *Used = B.CreateBinaryIntrinsic(Intrinsic::umin, At.Blocks,
                                        B.getInt32(Records), {}, "records");
  const auto Use = [&](Function *How) {
    return [&B, Buffer, How](Value *Own, Value *Record) {
      B.CreateCall(How, {Buffer, Record, Own});
    };
  };
  combineRecords(B, Plan, Fold, At, List, Used, Use(Plan.LoadRecord),
                 Use(Plan.CombineFromRecord), Unroll, [&] {
                   B.CreateStore(B.getInt32(0), Environment);
                   B.CreateStore(B.getInt32(0), Window);
                 });
  return F;
}

} // namespace accx::reduce
