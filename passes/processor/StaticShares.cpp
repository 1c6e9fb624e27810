//===- StaticShares.cpp - Threads compute their iterations ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the arithmetic of a static schedule in place of libomp's calls: the
// share of a thread, of a gang, or the whole loop. The other passes of this
// room use it for the loops in the bodies that they copy.
//
//===----------------------------------------------------------------------===//

#include "processor/StaticShares.h"

#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "processor/Runtime.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#define DEBUG_TYPE "static-shares"

using namespace llvm;
using namespace accx;
using namespace accx::processor;
using offload::ForFini;
using offload::ForInit;

STATISTIC(NumLoops, "Number of loops whose shares are computed");

namespace {

/// The loops of a function.
struct Loops {
  SmallVector<CallInst *, 4> Inits, Finis;
  /// Of another schedule.
  Instruction *Other = nullptr;

  /// False if there are some of other schedules.
  bool find(Function &F, int64_t Schedule);
  void eraseCalls();
};

} // namespace

static bool hasForm(const CallInst &Init, int64_t Schedule) {
  namespace args = offload::staticinit;
  return offload::constantArgument(Init, args::Schedule) == Schedule &&
         offload::constantArgument(Init, args::Increment) == 1;
}

bool Loops::find(Function &F, int64_t Schedule) {
  for (Instruction &I : instructions(F)) {
    const StringRef Name = offload::calledName(I);
    const bool IsInit = Name.starts_with(ForInit);
    if (!IsInit && Name != ForFini)
      continue;
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || (IsInit && !hasForm(*Call, Schedule))) {
      Other = &I;
      return false;
    }
    (IsInit ? Inits : Finis).push_back(Call);
  }
  return true;
}

/// Whether a loop of \p F is shared by a team's threads, and not by teams.
static bool hasSharedLoop(Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && offload::calledName(I).starts_with(ForInit) &&
           !isDistributeLoop(*Call);
  });
}

void Loops::eraseCalls() {
  for (CallInst *Call : concat<CallInst *>(Inits, Finis))
    Call->eraseFromParent();
  NumLoops += Inits.size();
}

namespace {

/// What a loop's init is given.
class Bounds {
  CallInst &Init;
  IRBuilder<> B;
  Type *Ty;
  Value *Lower, *Upper, *Trip;
  bool IsSigned;

  Value *place(unsigned Arg) { return Init.getArgOperand(Arg); }
  void set(unsigned Arg, Value *V) { B.CreateStore(V, place(Arg)); }
  Value *call(StringRef Name) {
    Module *M = Init.getModule();
    return B.CreateCall(
        M->getOrInsertFunction(Name, B.getInt32Ty(), B.getPtrTy()),
        Init.getArgOperand(0));
  }

public:
  explicit Bounds(CallInst &Init);
  Value *count();
  void takeAll();
  void takeShare();
  void takeShare(Value *Thread, Value *Threads);
  void takeChunks(Value *Thread, Value *Threads);
};

} // namespace

Bounds::Bounds(CallInst &Init) : Init(Init), B(&Init) {
  namespace args = offload::staticinit;
  const StringRef Kind =
      Init.getCalledFunction()->getName().drop_front(sizeof(ForInit) - 1);
  Ty = Kind.starts_with("8") ? B.getInt64Ty() : B.getInt32Ty();
  IsSigned = !Kind.ends_with("u");
  Lower = B.CreateLoad(Ty, place(args::Lower));
  Upper = B.CreateLoad(Ty, place(args::Upper));
  Trip = B.CreateAdd(B.CreateSub(Upper, Lower), ConstantInt::get(Ty, 1));
}

/// In 64 bits.
Value *Bounds::count() {
  const auto Widen = [&](Value *V) {
    return IsSigned ? B.CreateSExt(V, B.getInt64Ty())
                    : B.CreateZExt(V, B.getInt64Ty());
  };
  return B.CreateAdd(B.CreateSub(Widen(Upper), Widen(Lower)), B.getInt64(1));
}

void Bounds::takeAll() {
  namespace args = offload::staticinit;
  set(args::Last, B.getInt32(1));
  set(args::Stride, Trip);
}

void Bounds::takeShare() {
  Value *Threads = call("__kmpc_bound_num_threads");
  takeShare(call("__kmpc_bound_thread_num"), Threads);
}

/// An empty loop keeps its bounds.
void Bounds::takeShare(Value *Thread, Value *Threads) {
  namespace args = offload::staticinit;
  Threads = B.CreateZExt(Threads, Ty);
  Thread = B.CreateZExt(Thread, Ty);
  Value *IsEmpty = B.CreateICmp(
      IsSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT, Lower, Upper);
  Value *All = B.CreateSelect(IsEmpty, ConstantInt::get(Ty, 0), Trip);
  Value *Least = B.CreateUDiv(All, Threads);
  Value *More = B.CreateSub(All, B.CreateMul(Least, Threads));
  Value *Before =
      B.CreateAdd(B.CreateMul(Thread, Least),
                  B.CreateBinaryIntrinsic(Intrinsic::umin, Thread, More));
  Value *Own =
      B.CreateAdd(Least, B.CreateZExt(B.CreateICmpULT(Thread, More), Ty));
  Value *Past = B.CreateAdd(Before, Own);
  Value *HasLast = B.CreateAnd(B.CreateICmpEQ(Past, All),
                               B.CreateICmpNE(Own, ConstantInt::get(Ty, 0)));
  Value *First = B.CreateAdd(Lower, Before);
  Value *Final = B.CreateAdd(Lower, B.CreateSub(Past, ConstantInt::get(Ty, 1)));
  set(args::Last, B.CreateZExt(HasLast, B.getInt32Ty()));
  set(args::Lower, First);
  set(args::Upper, B.CreateSelect(IsEmpty, Upper, Final));
  set(args::Stride, B.CreateSelect(IsEmpty, ConstantInt::get(Ty, 1), Trip));
}

/// The first chunk, and the way to the next. Bounds are computed where nothing
/// overflows. A thread without a chunk gets a last iteration before the first.
void Bounds::takeChunks(Value *Thread, Value *Threads) {
  namespace args = offload::staticinit;
  Type *Wide = B.getInt128Ty();
  Value *One = ConstantInt::get(Wide, 1);
  Value *Asked = place(args::Chunk);
  Value *Chunk = B.CreateZExt(
      B.CreateBinaryIntrinsic(Intrinsic::smax, Asked, ConstantInt::get(Ty, 1)),
      Wide);
  Threads = B.CreateZExt(Threads, Wide);
  Thread = B.CreateZExt(Thread, Wide);
  Value *All = B.CreateZExt(Trip, Wide);
  Value *Before = B.CreateMul(Thread, Chunk);
  Value *Past =
      B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateAdd(Before, Chunk), All);
  Value *IsEmpty = B.CreateICmpUGE(Before, All);
  Value *Next = B.CreateBinaryIntrinsic(Intrinsic::umin,
                                        B.CreateMul(Threads, Chunk), All);
  Value *Last = B.CreateUDiv(B.CreateSub(All, One), Chunk);
  Value *HasLast =
      B.CreateAnd(B.CreateICmpEQ(B.CreateURem(Last, Threads), Thread),
                  B.CreateNot(IsEmpty));
  Value *First = B.CreateSelect(IsEmpty, One, Before);
  Value *Final = B.CreateSelect(IsEmpty, ConstantInt::get(Wide, 0),
                                B.CreateSub(Past, One));
  set(args::Last, B.CreateZExt(HasLast, B.getInt32Ty()));
  set(args::Lower, B.CreateAdd(Lower, B.CreateTrunc(First, Ty)));
  set(args::Upper, B.CreateAdd(Lower, B.CreateTrunc(Final, Ty)));
  set(args::Stride, B.CreateTrunc(Next, Ty));
}

bool processor::isDistributeLoop(const CallInst &Init) {
  return hasForm(Init, offload::schedule::Distribute) ||
         hasForm(Init, offload::schedule::DistributeChunked);
}

void processor::takeShareOf(CallInst &Init, Value *Number, Value *Count) {
  if (hasForm(Init, offload::schedule::Distribute))
    Bounds(Init).takeShare(Number, Count);
  else
    Bounds(Init).takeChunks(Number, Count);
  Init.eraseFromParent();
}

bool processor::takeWholeLoops(Function &F, int64_t Schedule) {
  Loops Found;
  if (!Found.find(F, Schedule))
    return false;
  for (CallInst *Init : Found.Inits)
    Bounds(*Init).takeAll();
  Found.eraseCalls();
  return true;
}

Value *processor::iterationsOf(CallInst &Init) { return Bounds(Init).count(); }

void processor::takeWholeLoop(CallInst &Init) {
  Bounds(Init).takeAll();
  Init.eraseFromParent();
}

PreservedAnalyses processor::StaticSharesPass::run(Module &M,
                                                   ModuleAnalysisManager &) {
  if (!isHostDevice(M))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M) {
    Loops Found;
    if (!Found.find(F, offload::schedule::Static)) {
      if (hasSharedLoop(F))
        ir::remarkRefused(DEBUG_TYPE, Refusal::Schedule, *Found.Other,
                          "threads ask libomp for their iterations");
      continue;
    }
    if (Found.Inits.empty())
      continue;
    for (CallInst *Init : Found.Inits)
      Bounds(*Init).takeShare();
    Found.eraseCalls();
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
