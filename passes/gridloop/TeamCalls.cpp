//===- TeamCalls.cpp - What the runtime would say in a region -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TeamCalls.h. Which calls have an answer is decided in
// offload/DeviceCalls.cpp.
//
//===----------------------------------------------------------------------===//

#include "gridloop/TeamCalls.h"

#include "gpu/ThreadPlace.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace accx::offload;

namespace accx::gridloop {

/// Stores the bounds of the thread's first chunk, and the way to the next, as
/// the runtime does. Without a size there is one chunk a thread.
static void answerBounds(IRBuilderBase &B, const CallBase &Init,
                         Value *Number) {
  const auto At = [&](unsigned Index) { return Init.getArgOperand(Index); };
  Type *Int = At(staticinit::Chunk)->getType();
  Value *Thread = B.CreateZExt(gpu::readThread(B), Int);
  Value *Threads = B.CreateZExt(Number ? Number : gpu::readThreads(B), Int);
  Value *One = ConstantInt::get(Int, 1);
  Value *Lower = B.CreateLoad(Int, At(staticinit::Lower));
  Value *Last = B.CreateLoad(Int, At(staticinit::Upper));
  Value *Chunk = At(staticinit::Chunk);
  Value *Begin = nullptr, *Stride = nullptr, *IsLast = nullptr;
  if (constantArgument(Init, staticinit::Schedule) == schedule::StaticChunked) {
    Stride = B.CreateMul(Threads, Chunk);
    Begin = B.CreateAdd(Lower, B.CreateMul(Thread, Chunk));
    Value *Turn = B.CreateUDiv(B.CreateSub(Last, Lower), Chunk);
    IsLast = B.CreateICmpEQ(B.CreateURem(Turn, Threads), Thread);
  } else {
    Stride = B.CreateAdd(B.CreateSub(Last, Lower), One);
    Value *Left = B.CreateURem(Stride, Threads);
    Value *Gets = B.CreateICmpULT(Thread, Left);
    Chunk = B.CreateAdd(B.CreateUDiv(Stride, Threads), B.CreateZExt(Gets, Int));
    Begin = B.CreateAdd(
        Lower,
        B.CreateAdd(B.CreateMul(Thread, Chunk),
                    B.CreateSelect(Gets, ConstantInt::get(Int, 0), Left)));
  }
  Value *End = B.CreateSub(B.CreateAdd(Begin, Chunk), One);
  if (!IsLast)
    IsLast = B.CreateAnd(B.CreateICmpEQ(End, Last), B.CreateIsNotNull(Chunk));
  B.CreateStore(Begin, At(staticinit::Lower));
  B.CreateStore(End, At(staticinit::Upper));
  B.CreateStore(Stride, At(staticinit::Stride));
  B.CreateStore(B.CreateZExt(IsLast, B.getInt32Ty()), At(staticinit::Last));
}

/// What \p Call says, written in front of it; null: nothing. \p InRegion: else
/// one thread of the team runs it. \p Threads: of the region; null: all.
static Value *answer(IRBuilderBase &B, const CallBase &Call, bool InRegion,
                     Value *Threads) {
  const StringRef Name = calledName(Call);
  if (Name == "omp_get_team_num")
    return gpu::readBlock(B);
  if (Name == "omp_get_num_teams")
    return gpu::readBlocks(B);
  if (Name == "omp_get_thread_num" || Name == GlobalThread)
    return InRegion ? gpu::readThread(B) : B.getInt32(0);
  if (Name == "omp_get_num_threads")
    return !InRegion ? B.getInt32(1) : Threads ? Threads : gpu::readThreads(B);
  if (Name == "__kmpc_master" || Name == "__kmpc_single")
    return B.CreateZExt(B.CreateIsNull(gpu::readThread(B)), B.getInt32Ty());
  if (Name == "__kmpc_masked") {
    constexpr unsigned Filter = 2;
    return B.CreateZExt(
        B.CreateICmpEQ(gpu::readThread(B), Call.getArgOperand(Filter)),
        B.getInt32Ty());
  }
  if (Name.starts_with(ForInit))
    answerBounds(B, Call, Threads);
  if (Name == TeamBarrier)
    B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  return nullptr;
}

static void answerCalls(Function &F, bool InRegion, Value *Threads) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !isAnswered(calledName(I)))
      continue;
    IRBuilder<> B(Call);
    if (Value *Answer = answer(B, *Call, InRegion, Threads))
      Call->replaceAllUsesWith(Answer);
    Call->eraseFromParent();
  }
}

Function *TeamCalls::copyOf(Function &F) {
  if (const auto Found = Copies.find(&F); Found != Copies.end())
    return Found->second;
  if (!asksRuntime(F))
    return Copies[&F] = nullptr;
  ValueToValueMapTy Values;
  Function *Copy = CloneFunction(&F, Values);
  Copy->setName(F.getName() + ".team");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setComdat(nullptr);
  // Before its own calls, among which it may be.
  Copies[&F] = Copy;
  answerIn(*Copy);
  return Copy;
}

void TeamCalls::answerIn(Function &Region, Value *Threads) {
  for (Instruction &I : instructions(Region))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && !Callee->isDeclaration())
        if (Function *Copy = copyOf(*Callee))
          Call->setCalledFunction(Copy);
  answerCalls(Region, /*InRegion=*/true, Threads);
}

void TeamCalls::answerAround(Function &Team) {
  answerCalls(Team, /*InRegion=*/false, nullptr);
}

} // namespace accx::gridloop
