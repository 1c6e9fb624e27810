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
#include "gpu/ThreadPlace.h"
#include "offload/PointerList.h"
#include "offload/ReductionMark.h"
#include "reduce/GridFold.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"

#include <cstddef>

using namespace llvm;
using accx::offload::loadSlot;

namespace accx::reduce {

static StructType *recordType(const ReductionPlan &Plan) {
  return StructType::get(Plan.Combine->getContext(), Plan.Variables);
}

bool fitsRecord(const ReductionPlan &Plan) {
  const DataLayout &Layout = Plan.Combine->getParent()->getDataLayout();
  return Layout.getTypeAllocSize(recordType(Plan)).getFixedValue() <=
         ACCX_TICKET_RECORD;
}

namespace {

class GroupFoldWriter {
  const ReductionPlan &Plan;
  Function &Fold;
  GlobalVariable &Ticket;
  const DataLayout &Layout;
  ir::CodeWriter B;
  Value *Environment, *List, *Count;

public:
  GroupFoldWriter(const ReductionPlan &Plan, Function &Fold, Slots &Shared,
                  Function &F)
      : Plan(Plan), Fold(Fold), Ticket(*Shared.ticket()),
        Layout(F.getParent()->getDataLayout()), B(F), Environment(F.getArg(0)),
        List(F.getArg(1)), Count(F.getArg(2)) {}

  void write();

private:
  /// Between the variables of \p Of and the record at \p Record.
  void copy(Value *Of, Value *Record, bool IntoRecord);
};

} // namespace

void GroupFoldWriter::copy(Value *Of, Value *Record, bool IntoRecord) {
  const StructLayout *Fields = Layout.getStructLayout(recordType(Plan));
  for (unsigned I = 0; I < Plan.Variables.size(); ++I) {
    Type *T = Plan.Variables[I];
    Value *Field = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record,
                                                Fields->getElementOffset(I));
    Value *Own = loadSlot(B, Of, I);
    if (T->isSingleValueType()) {
      B.CreateStore(B.CreateLoad(T, IntoRecord ? Own : Field),
                    IntoRecord ? Field : Own);
      continue;
    }
    const Align Alignment = Layout.getABITypeAlign(T);
    B.CreateMemCpy(IntoRecord ? Field : Own, Alignment,
                   IntoRecord ? Own : Field, Alignment,
                   Layout.getTypeAllocSize(T));
  }
}

void GroupFoldWriter::write() {
  constexpr auto Relaxed = AtomicOrdering::Monotonic;
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  Value *Buffer = B.CreateLoad(
      B.getPtrTy(),
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Environment,
                                   offsetof(LaunchEnvironment, Buffer)),
      "buffer");
  Value *Base = B.CreateSub(At.Block, B.CreateURem(At.Block, Count), "base");
  Value *Tickets =
      B.CreateConstGEP1_64(B.getInt8Ty(), Buffer, -int64_t(ACCX_TICKET_BYTES));
  Value *Counter = B.CreateGEP(B.getInt32Ty(), Tickets,
                               B.CreateZExt(Base, B.getInt64Ty()), "ticket");
  const auto Record = [&](Value *Block) {
    return B.CreateGEP(
        B.getInt8Ty(),
        B.CreateConstGEP1_64(B.getInt8Ty(), Tickets, 2 * 4 * ACCX_TICKETS),
        B.CreateMul(B.CreateZExt(Block, B.getInt64Ty()),
                    B.getInt64(ACCX_TICKET_RECORD)));
  };
  Value *IsFirst = B.CreateICmpEQ(At.Thread, B.getInt32(0));
  goOnInLastBlock(B, Ticket, IsFirst, Count, [&] {
    copy(List, Record(At.Block), /*IntoRecord=*/true);
    B.fence();
    B.CreateStore(B.CreateAtomicRMW(AtomicRMWInst::Add, Counter, B.getInt32(1),
                                    Align(4), Relaxed),
                  &Ticket, /*isVolatile=*/true);
  });
  // The variables of the list may be seen by others.
  SmallVector<Value *, 4> OwnVariables, OtherVariables;
  AllocaInst *Own = makeList(B, Plan, "own", OwnVariables);
  AllocaInst *Other = makeList(B, Plan, "other", OtherVariables);
  B.when(B.CreateICmpULT(At.Thread, Count), [&] {
    copy(Own, Record(B.CreateAdd(Base, At.Thread)), /*IntoRecord=*/false);
    B.loop(
        B.CreateAdd(At.Thread, At.Threads), Count, At.Threads,
        [&](Value *Index) {
          copy(Other, Record(B.CreateAdd(Base, Index)), /*IntoRecord=*/false);
          B.CreateCall(Plan.Combine, {Own, Other});
        },
        /*Unroll=*/4);
  });
  B.callTogether(Fold,
                 {Own, At.Thread,
                  B.CreateBinaryIntrinsic(Intrinsic::umin, At.Threads, Count)});
  B.when(IsFirst, [&] {
    for (unsigned I = 0; I < Plan.Variables.size(); ++I) {
      Type *T = Plan.Variables[I];
      if (T->isSingleValueType()) {
        B.CreateStore(B.CreateLoad(T, loadSlot(B, Own, I)),
                      loadSlot(B, List, I));
        continue;
      }
      const Align Alignment = Layout.getABITypeAlign(T);
      B.CreateMemCpy(loadSlot(B, List, I), Alignment, loadSlot(B, Own, I),
                     Alignment, Layout.getTypeAllocSize(T));
    }
    B.CreateStore(B.getInt32(0), Counter);
  });
  B.CreateRet(B.CreateZExt(IsFirst, B.getInt32Ty()));
}

Function *writeGroupFold(const ReductionPlan &Plan, Function &Fold,
                         Slots &Shared) {
  LLVMContext &C = Plan.Combine->getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Type *Int = Type::getInt32Ty(C);
  Function *F = ir::createHelper(Twine(offload::ReductionHelper) + "group", Int,
                                 {Ptr, Ptr, Int}, *Plan.Combine);
  GroupFoldWriter(Plan, Fold, Shared, *F).write();
  return F;
}

} // namespace accx::reduce
