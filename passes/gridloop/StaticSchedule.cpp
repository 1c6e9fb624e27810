//===- StaticSchedule.cpp - Static schedules for dynamic ones -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes Clang's code for a schedule that asks at run time, and writes a
// static schedule in its place. It runs ahead of `grid-loop`, which takes loops
// with static schedules only.
//
//===----------------------------------------------------------------------===//

#include "gridloop/StaticSchedule.h"

#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "static-schedule"

using namespace llvm;
using namespace accx::offload;

STATISTIC(NumMadeStatic, "Number of loops given a static schedule");

namespace accx::gridloop {

namespace {

constexpr char DispatchNext[] = "__kmpc_dispatch_next_";
constexpr char DispatchDeinit[] = "__kmpc_dispatch_deinit";
constexpr char SetSchedule[] = "omp_set_schedule";

/// Arguments of __kmpc_dispatch_init_* and __kmpc_dispatch_next_*.
namespace dispatch {
enum : unsigned { Ident = 0, Thread, Schedule, First, End, Increment };
enum : unsigned { Last = 2, Lower, Upper, Stride, Count };
} // namespace dispatch

/// Schedules of libomp that ask at run time, and what may be or'ed to them.
enum : int64_t {
  DynamicChunked = 35,
  Runtime = 37,
  Auto = 38,
  BalancedChunkedSimd = 45,
  GuidedSimd = 46,
  RuntimeSimd = 47,
  Modifiers = (int64_t(1) << 29) | (int64_t(1) << 30)
};

/// One loop, and the calls that deal it out.
struct Dispatch {
  CallInst *Init = nullptr;
  CallInst *Next = nullptr;
  BranchInst *Test = nullptr;
  BasicBlock *Latch = nullptr;
  SmallVector<CallInst *, 2> Deinits;
  bool IsUnsigned = false;
};

class DispatchRewriter {
  Function &F;
  const LoopInfo &Loops;

  const char *match(CallInst &Init, Dispatch &D) const;
  static void rewrite(const Dispatch &D);

public:
  DispatchRewriter(Function &F, const LoopInfo &Loops) : F(F), Loops(Loops) {}
  bool run();
};

} // namespace

static bool asksAtRunTime(int64_t Schedule) {
  Schedule &= ~int64_t(Modifiers);
  return (Schedule >= DynamicChunked && Schedule <= Auto) ||
         (Schedule >= BalancedChunkedSimd && Schedule <= RuntimeSimd);
}

/// The first calls that end a dispatch on the ways out of \p L.
static void findDeinits(const Loop &L, SmallVectorImpl<CallInst *> &Found) {
  SmallVector<BasicBlock *, 8> Worklist;
  SmallPtrSet<BasicBlock *, 8> Visited;
  L.getExitBlocks(Worklist);
  while (!Worklist.empty()) {
    BasicBlock *Block = Worklist.pop_back_val();
    if (!Visited.insert(Block).second)
      continue;
    Instruction *End = nullptr;
    for (Instruction &I : *Block)
      if (calledName(I).starts_with(DispatchDeinit)) {
        End = &I;
        break;
      }
    if (End)
      Found.push_back(cast<CallInst>(End));
    else
      append_range(Worklist, successors(Block));
  }
}

/// Null, or why the loop of \p Init stays.
const char *DispatchRewriter::match(CallInst &Init, Dispatch &D) const {
  D.Init = &Init;
  StringRef Suffix = calledName(Init);
  Suffix.consume_front(DispatchInit);
  D.IsUnsigned = Suffix.ends_with("u");
  const auto Schedule = constantArgument(Init, dispatch::Schedule);
  if (!Schedule || !asksAtRunTime(*Schedule))
    return "it has iterations in order";
  const int64_t Plain = *Schedule & ~int64_t(Modifiers);
  if ((Plain == Runtime || Plain == RuntimeSimd) &&
      F.getParent()->getFunction(SetSchedule))
    return "the program may set a static schedule and rely on it";
  if (constantArgument(Init, dispatch::Increment) != 1)
    return "its counter is not normalized";

  auto *Enter = dyn_cast<BranchInst>(Init.getParent()->getTerminator());
  BasicBlock *Header =
      Enter && Enter->isUnconditional() ? Enter->getSuccessor(0) : nullptr;
  const Loop *L = Header ? Loops.getLoopFor(Header) : nullptr;
  if (!L || L->getHeader() != Header || !L->getLoopLatch() ||
      L->getLoopPredecessor() != Init.getParent() ||
      isa<PHINode>(Header->front()))
    return "it does not have the form that Clang gives loops";
  D.Latch = L->getLoopLatch();
  for (Instruction &I : *Header)
    if (StringRef Name = calledName(I);
        Name.consume_front(DispatchNext) && Name == Suffix)
      D.Next = cast<CallInst>(&I);
  D.Test = dyn_cast<BranchInst>(Header->getTerminator());
  const auto *Compare = D.Test && D.Test->isConditional()
                            ? dyn_cast<ICmpInst>(D.Test->getCondition())
                            : nullptr;
  if (!D.Next || D.Next->arg_size() != dispatch::Count || !Compare ||
      Compare->getPredicate() != ICmpInst::ICMP_NE ||
      Compare->getOperand(0) != D.Next || !D.Next->hasOneUse() ||
      !Compare->hasOneUse() || !L->contains(D.Test->getSuccessor(0)))
    return "it does not have the form that Clang gives loops";
  for (unsigned I = dispatch::Last; I < dispatch::Count; ++I)
    if (!isa<AllocaInst>(D.Next->getArgOperand(I)))
      return "it does not have the form that Clang gives loops";
  findDeinits(*L, D.Deinits);
  return nullptr;
}

/// Whether \p Local holds \p V at \p At, without another store.
static bool holds(const Value *Local, const Value *V, const Instruction &At) {
  const auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || Load->getPointerOperand() != Local ||
      Load->getParent() != At.getParent())
    return false;
  for (const Instruction *I = Load; I != &At; I = I->getNextNode())
    if (const auto *Store = dyn_cast<StoreInst>(I);
        Store && Store->getPointerOperand() == Local)
      return false;
  return true;
}

void DispatchRewriter::rewrite(const Dispatch &D) {
  Module &M = *D.Init->getModule();
  IRBuilder<> B(D.Init);
  Value *Ident = D.Init->getArgOperand(dispatch::Ident);
  Value *Thread = D.Init->getArgOperand(dispatch::Thread);
  Value *First = D.Init->getArgOperand(dispatch::First);
  Value *End = D.Init->getArgOperand(dispatch::End);
  Value *Last = D.Next->getArgOperand(dispatch::Last);
  Value *Lower = D.Next->getArgOperand(dispatch::Lower);
  Value *Upper = D.Next->getArgOperand(dispatch::Upper);
  Value *Stride = D.Next->getArgOperand(dispatch::Stride);
  Type *Int = First->getType(), *Pointer = Lower->getType();
  // Loops find their bounds by the stores that Clang wrote.
  if (!holds(Lower, First, *D.Init))
    B.CreateStore(First, Lower);
  if (!holds(Upper, End, *D.Init))
    B.CreateStore(End, Upper);
  const StringRef Suffix =
      calledName(*D.Init).drop_front(StringRef(DispatchInit).size());
  Value *One = ConstantInt::get(Int, 1);
  const FunctionCallee StaticInit =
      M.getOrInsertFunction((ForInit + Suffix).str(), B.getVoidTy(),
                            Ident->getType(), Thread->getType(), B.getInt32Ty(),
                            Pointer, Pointer, Pointer, Pointer, Int, Int);
  B.CreateCall(StaticInit, {Ident, Thread, B.getInt32(schedule::StaticChunked),
                            Last, Lower, Upper, Stride, One, One});

  B.SetInsertPoint(D.Test);
  Value *Most = B.CreateLoad(Int, Upper);
  Value *IsBeyond =
      D.IsUnsigned ? B.CreateICmpUGT(Most, End) : B.CreateICmpSGT(Most, End);
  Value *Bound = B.CreateSelect(IsBeyond, End, Most);
  B.CreateStore(Bound, Upper);
  Value *Least = B.CreateLoad(Int, Lower);
  Value *Old = D.Test->getCondition();
  D.Test->setCondition(D.IsUnsigned ? B.CreateICmpULE(Least, Bound)
                                    : B.CreateICmpSLE(Least, Bound));
  RecursivelyDeleteTriviallyDeadInstructions(cast<Instruction>(Old));

  B.SetInsertPoint(D.Latch->getTerminator());
  for (Value *Local : {Lower, Upper})
    B.CreateStore(
        B.CreateAdd(B.CreateLoad(Int, Local), B.CreateLoad(Int, Stride)),
        Local);

  for (CallInst *Deinit : D.Deinits) {
    B.SetInsertPoint(Deinit);
    B.CreateCall(M.getOrInsertFunction(ForFini, B.getVoidTy(), Ident->getType(),
                                       Thread->getType()),
                 {Deinit->getArgOperand(dispatch::Ident),
                  Deinit->getArgOperand(dispatch::Thread)});
    Deinit->eraseFromParent();
  }
  // Code that computes a thread's number for the call would stand between the
  // loop's control and its header.
  Value *Number = D.Next->getArgOperand(dispatch::Thread);
  D.Next->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Number);
  D.Init->eraseFromParent();
}

bool DispatchRewriter::run() {
  bool Changed = false;
  forEachCall(F, DispatchInit, [&](CallInst &Init) {
    Dispatch D;
    if (const char *Reason = match(Init, D)) {
      ir::remarkMissed(
          DEBUG_TYPE, "Kept", Init,
          "loop keeps a schedule that LLVM 19's device runtime may fail at: ",
          ore::NV("Reason", Reason));
      return;
    }
    ir::remarkPassed(DEBUG_TYPE, "StaticSchedule", Init,
                     "loop's iterations are dealt out statically");
    rewrite(D);
    ++NumMadeStatic;
    Changed = true;
  });
  return Changed;
}

PreservedAnalyses StaticSchedulePass::run(Module &M,
                                          ModuleAnalysisManager &MAM) {
  if (!isGpuCode(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= DispatchRewriter(F, FAM.getResult<LoopAnalysis>(F)).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::gridloop
