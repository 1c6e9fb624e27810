//===- NestTogether.cpp - Groups that run a gang's code together ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts a group's variables into shared memory, and writes meetings and what the
// first thread does alone. Which they are is decided in
// offload/TeamRegions.cpp.
//
//===----------------------------------------------------------------------===//

#include "reduce/NestTogether.h"

#include "gpu/SharedMemory.h"
#include "gpu/ThreadPlace.h"
#include "ir/CodeWriter.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::reduce {

static GlobalVariable *createVariable(const Function &Part, uint64_t Bytes) {
  Type *Byte = Type::getInt8Ty(Part.getContext());
  return gpu::createShared(*const_cast<Module *>(Part.getParent()),
                           *UndefValue::get(ArrayType::get(Byte, Bytes)),
                           "accx.gang", Align(16));
}

CommonVariables shareVariables(const TeamNest &N, uint64_t Groups) {
  CommonVariables Common;
  if (N.Shared.empty())
    return Common;
  Function &Part = *N.Part->F;
  ir::CodeWriter B(*Part.getEntryBlock().getFirstInsertionPt());
  if (N.isOfBlocks()) {
    // Of several objects it is known that they are apart.
    for (const NestShared &Variable : N.Shared) {
      GlobalVariable *Words = createVariable(Part, Variable.Bytes);
      Constant *At = ConstantExpr::getAddrSpaceCast(Words, B.getPtrTy());
      Variable.Allocation->replaceAllUsesWith(At);
      Variable.Allocation->eraseFromParent();
    }
    return Common;
  }
  SmallVector<uint64_t, 4> Offsets;
  for (const NestShared &Variable : N.Shared) {
    Offsets.push_back(Common.Bytes);
    Common.Bytes = alignTo(Common.Bytes + Variable.Bytes, 16);
  }
  GlobalVariable *Words = createVariable(Part, Common.Bytes * Groups);
  // An instruction, since copies of the loop have another.
  Common.At = B.Insert(new AddrSpaceCastInst(Words, B.getPtrTy()), "common");
  // Other passes need not find out what threads may store to it.
  B.escape(Common.At);
  for (auto [Variable, Offset] : zip(N.Shared, Offsets)) {
    // Addresses are computed where they are used, for the same reason.
    for (Use &U : make_early_inc_range(Variable.Allocation->uses())) {
      auto *User = cast<Instruction>(U.getUser());
      const auto *Phi = dyn_cast<PHINode>(User);
      B.SetInsertPoint(Phi ? Phi->getIncomingBlock(U)->getTerminator() : User);
      U.set(Offset
                ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Common.At, Offset)
                : Common.At);
    }
    Variable.Allocation->eraseFromParent();
  }
  return Common;
}

void runTogether(const TeamNest &N, Value &Rank,
                 function_ref<void(IRBuilderBase &B)> Wait) {
  for (const NestMeeting &Meeting : N.Meetings) {
    ir::CodeWriter B(*Meeting.I);
    if (Meeting.InLoop)
      Wait(B);
    else
      B.barrier();
  }
  for (const NestSingle &Single : N.Singles) {
    IRBuilder<> B(Single.I);
    Value *Own = Single.InLoop ? &Rank : gpu::readThread(B);
    Instruction *Then = SplitBlockAndInsertIfThen(B.CreateIsNull(Own), Single.I,
                                                  /*Unreachable=*/false);
    for (Instruction *Operand : Single.Operands)
      Operand->moveBefore(Then);
    Single.I->moveBefore(Then);
  }
}

} // namespace accx::reduce
