//===- GroupFold.cpp - Combines some blocks of a grid ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the function that combines the blocks of one group, in which no block
// waits. It needs no windows, unlike GridFold.cpp, since a group's blocks are
// few.
//
//===----------------------------------------------------------------------===//

#include "reduce/GroupFold.h"

#include "accx/kernel_desc.h"
#include "offload/PointerList.h"
#include "reduce/GridFold.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace accx::reduce {

bool fitsRecord(const ReductionPlan &Plan) {
  const DataLayout &Layout = Plan.Combine->getParent()->getDataLayout();
  return Layout.getTypeAllocSize(Plan.recordType()).getFixedValue() <=
         ACCX_TICKET_RECORD;
}

Function *writeGroupFold(const ReductionPlan &Plan, Function &Fold,
                         Slots &Shared) {
  LLVMContext &C = Plan.Combine->getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Type *Int = Type::getInt32Ty(C);
  Function *F = ir::createHelper(Twine(offload::ReductionHelper) + "group", Int,
                                 {Ptr, Ptr, Int}, *Plan.Combine);
  Value *List = F->getArg(1);
  Value *Count = F->getArg(2);
  ir::CodeWriter B(*F);
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  Value *Buffer = loadBuffer(B, F->getArg(0));
  Value *Base = B.CreateSub(At.Block, B.CreateURem(At.Block, Count), "base");
  Value *Tickets =
      B.CreateConstGEP1_64(B.getInt8Ty(), Buffer, ACCX_TICKETS_AT(0));
  Value *Counter = B.CreateGEP(B.getInt32Ty(), Tickets,
                               B.CreateZExt(Base, B.getInt64Ty()), "ticket");
  const auto Record = [&](Value *Block) {
    return B.CreateGEP(
        B.getInt8Ty(),
        B.CreateConstGEP1_64(B.getInt8Ty(), Buffer, ACCX_TICKET_RECORDS_AT(0)),
        B.CreateMul(B.CreateZExt(Block, B.getInt64Ty()),
                    B.getInt64(ACCX_TICKET_RECORD)));
  };
  GlobalVariable &Ticket = *Shared.ticket();
  goOnInLastBlock(B, Ticket, At, Count, [&] {
    copyRecord(B, Plan, List, Record(At.Block), /*IntoRecord=*/true);
    B.fence();
    B.CreateStore(B.CreateAtomicRMW(AtomicRMWInst::Add, Counter, B.getInt32(1),
                                    Align(4), AtomicOrdering::Monotonic),
                  &Ticket, /*isVolatile=*/true);
  });
  SmallVector<Value *, 4> Variables;
  AllocaInst *Other = makeList(B, Plan, "other", Variables);
  const auto Load = [&](Value *Into, Value *Index) {
    copyRecord(B, Plan, Into, Record(B.CreateAdd(Base, Index)),
               /*IntoRecord=*/false);
  };
  combineRecords(
      B, Plan, Fold, At, List, Count, Load,
      [&](Value *Own, Value *Index) {
        Load(Other, Index);
        B.CreateCall(Plan.Combine, {Own, Other});
      },
      /*Unroll=*/4, [&] { B.CreateStore(B.getInt32(0), Counter); });
  return F;
}

} // namespace accx::reduce
