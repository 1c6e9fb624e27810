//===- OneTeam.cpp - Kernels of one team start without a league -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes the fork of a league, copies its body for one team, and writes the
// test at run time that chooses between the two.
//
//===----------------------------------------------------------------------===//

#include "processor/OneTeam.h"

#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "processor/DirectBody.h"
#include "processor/Runtime.h"
#include "processor/StaticShares.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#define DEBUG_TYPE "one-team"

using namespace llvm;
using namespace accx;
using namespace accx::processor;
using offload::calledName;

STATISTIC(NumKernels, "Number of kernels that start without a league");

/// On calls that stay for leagues of more teams.
static constexpr char Mark[] = "accx.league";

namespace {

class Launch {
  Module &M;
  CallInst &Fork;
  /// Null: nothing is asked for.
  CallInst *Push = nullptr;

  bool findPush();
  Value *isOne(IRBuilder<> &B) const;
  bool mayBeOne() const;

public:
  Launch(Module &M, CallInst &Fork) : M(M), Fork(Fork) {}
  Function *body() const { return bodyToCall(Fork); }
  /// Whether calls of the body are what the fork would do.
  Refusal check(FunctionAnalysisManager &FAM);
  /// Checks, and starts a copy of the body where that may be.
  Refusal startDirectly(FunctionAnalysisManager &FAM);

private:
  void replace(Function &Direct);
};

} // namespace

/// Finds the call that asks for a number of teams. Such a call may only be in
/// the fork's block, ahead of the fork.
bool Launch::findPush() {
  for (Instruction &I : instructions(*Fork.getFunction())) {
    if (!calledName(I).starts_with(PushTeams))
      continue;
    if (Push || calledName(I) != PushTeams ||
        I.getParent() != Fork.getParent() || !I.comesBefore(&Fork))
      return false;
    Push = dyn_cast<CallInst>(&I);
    if (!Push)
      return false;
  }
  return true;
}

bool Launch::mayBeOne() const {
  if (!Push)
    return true;
  const auto *Teams =
      dyn_cast<ConstantInt>(Push->getArgOperand(pushteams::Teams));
  return !Teams || Teams->getZExtValue() <= 1;
}

Refusal Launch::check(FunctionAnalysisManager &FAM) {
  if (!body())
    return Refusal::Body;
  if (!findPush())
    return Refusal::Request;
  if (!mayBeOne())
    return Refusal::SeveralTeams;
  return mayObserve(*body(), FAM) ? Refusal::Observed : Refusal::None;
}

/// One team, and as many threads as a parallel region has without it.
Value *Launch::isOne(IRBuilder<> &B) const {
  Type *I32 = B.getInt32Ty();
  const auto Ask = [&](StringRef Name) {
    return B.CreateCall(M.getOrInsertFunction(Name, I32));
  };
  Value *None = B.getInt32(0), *One = B.getInt32(1);
  Value *Teams = Push ? Push->getArgOperand(pushteams::Teams) : None;
  Value *Limit = Push ? Push->getArgOperand(pushteams::Limit) : None;
  // Without a number the user's holds.
  Value *Asked = B.CreateSelect(B.CreateICmpEQ(Teams, None),
                                Ask("omp_get_max_teams"), Teams);
  Value *IsOne = B.CreateICmpSLE(Asked, One);
  Value *Threads = Ask("omp_get_max_threads");
  Value *IsLimited = B.CreateICmpNE(Limit, None);
  Value *Most = B.CreateSelect(IsLimited, Limit, Ask("omp_get_num_procs"));
  IsOne = B.CreateAnd(IsOne, B.CreateICmpSLE(Threads, Most));
  Value *IsFree = B.CreateICmpEQ(Ask("omp_get_teams_thread_limit"), None);
  return B.CreateAnd(IsOne, B.CreateOr(IsLimited, IsFree));
}

void Launch::replace(Function &Direct) {
  IRBuilder<> B(&Fork);
  Instruction *Then = insteadOf(Fork, isOne(B));
  Fork.setMetadata(Mark, MDNode::get(M.getContext(), {}));
  if (Push)
    Push->moveBefore(&Fork);
  callDirectly(Direct, Fork, *Then, /*DropsUnused=*/false);
  ++NumKernels;
}

/// A reduction of one thread waits for no other. libomp's barrier of such a
/// thread ends the program where the thread once had tasks that completed
/// elsewhere, such as target regions with nowait.
static void dropReductionBarriers(Module &M, Function &Direct) {
  for (Instruction &I : instructions(Direct)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const StringRef Name = Call ? calledName(I) : StringRef();
    if (Name == "__kmpc_reduce" || Name == "__kmpc_end_reduce")
      Call->setCalledFunction(M.getOrInsertFunction((Name + "_nowait").str(),
                                                    Call->getFunctionType()));
  }
}

Refusal Launch::startDirectly(FunctionAnalysisManager &FAM) {
  if (const Refusal R = check(FAM); R != Refusal::None)
    return R;
  Function *Direct = copyBody(*body(), ".one", OutsideRegions);
  if (!takeWholeLoops(*Direct, offload::schedule::Distribute)) {
    Direct->eraseFromParent();
    return Refusal::Schedule;
  }
  dropReductionBarriers(M, *Direct);
  replace(*Direct);
  return Refusal::None;
}

PreservedAnalyses processor::OneTeamPass::run(Module &M,
                                              ModuleAnalysisManager &MAM) {
  Function *ForkFn = M.getFunction(ForkTeams);
  if (!ForkFn || !isHostDevice(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<CallInst *, 8> Forks;
  for (User *U : ForkFn->users())
    if (auto *Call = dyn_cast<CallInst>(U);
        Call && Call->getCalledFunction() == ForkFn && !Call->hasMetadata(Mark))
      Forks.push_back(Call);
  bool Changed = false;
  for (CallInst *Fork : Forks) {
    const Refusal R = Launch(M, *Fork).startDirectly(FAM);
    if (R != Refusal::None) {
      ir::remarkRefused(DEBUG_TYPE, R, *Fork, "the kernel starts as a league");
      continue;
    }
    ir::remarkPassed(
        DEBUG_TYPE, "OneTeam", *Fork,
        "the kernel starts without a league where it has one team");
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
