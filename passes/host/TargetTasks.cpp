//===- TargetTasks.cpp - Target tasks that a function makes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TargetTasks.h.
//
//===----------------------------------------------------------------------===//

#include "host/TargetTasks.h"

#include "accx/late.h"
#include "host/RegionFlow.h"
#include "host/RuntimeCall.h"
#include "offload/DeviceCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace accx;
using namespace accx::host;

static constexpr char Make[] = "__kmpc_omp_target_task_alloc";
static constexpr char HandOver[] = "__kmpc_omp_task_with_deps";
static constexpr char DirectMake[] = "accx.target_task_alloc";
static constexpr char DirectHandOver[] = "accx.target_task";

/// Arguments of these.
enum : unsigned { MakeRoutine = 5, MakeCount = 7 };
enum : unsigned { HandOverTask = 2, HandOverCount = 7 };

/// The launch that comes whenever \p Routine is called; null if none does. One
/// with an `if` clause may run on the host instead.
static const CallInst *launchIn(const Function &Routine) {
  if (Routine.isDeclaration())
    return nullptr;
  SmallPtrSet<const BasicBlock *, 8> Seen;
  for (const BasicBlock *B = &Routine.getEntryBlock();
       B && Seen.insert(B).second; B = B->getUniqueSuccessor())
    for (const Instruction &I : *B)
      if (isLaunch(I))
        return cast<CallInst>(&I);
  return nullptr;
}

/// What the task of \p Record, a call of libomp's or of what stands for it,
/// runs.
static const Function *routineOf(const CallInst &Record) {
  return dyn_cast<Function>(Record.getArgOperand(MakeRoutine));
}

/// The record that \p Pointer points into, or to what it shares.
static const Value *recordOf(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  if (const auto *Load = dyn_cast<LoadInst>(Object))
    Object = Load->getPointerOperand();
  return Object;
}

TargetTasks::TargetTasks(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || offload::calledName(I) != HandOver ||
        Call->arg_size() != HandOverCount)
      continue;
    auto *Record = dyn_cast<CallInst>(Call->getArgOperand(HandOverTask));
    if (!Record || offload::calledName(*Record) != Make ||
        Record->arg_size() != MakeCount)
      continue;
    const Function *Routine = routineOf(*Record);
    auto HandsOver = [](const User *U) {
      return offload::calledName(*cast<Instruction>(U)) == HandOver;
    };
    if (Routine && launchIn(*Routine) &&
        count_if(Record->users(), HandsOver) == 1)
      RecordOf[Call] = Record;
  }
}

const CallInst &TargetTasks::launchOf(const CallInst &HandedOver) const {
  return *launchIn(
      *routineOf(*RecordOf.lookup(const_cast<CallInst *>(&HandedOver))));
}

bool TargetTasks::isHandedOver(const Instruction &I) const {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && RecordOf.contains(const_cast<CallInst *>(Call));
}

bool TargetTasks::isMaking(const Instruction &I) const {
  auto IsRecord = [&](const Value *V) {
    return any_of(RecordOf, [V](const auto &Task) { return Task.second == V; });
  };
  if (IsRecord(&I))
    return true;
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && IsRecord(recordOf(Load->getPointerOperand()));
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() && IsRecord(recordOf(Store->getPointerOperand()));
  const auto *Memory = dyn_cast<MemIntrinsic>(&I);
  if (!Memory || Memory->isVolatile() ||
      !IsRecord(recordOf(Memory->getRawDest())))
    return false;
  const auto *Copy = dyn_cast<MemTransferInst>(Memory);
  return !Copy || isa<AllocaInst, GlobalVariable>(
                      getUnderlyingObject(Copy->getRawSource()));
}

void TargetTasks::makeDirect(CallInst &HandedOver) {
  Module &M = *HandedOver.getModule();
  auto Replace = [&](CallInst &Call, StringRef Own, StringRef Name) {
    Call.setCalledFunction(runtimeCall(M, Own, Name, Call.getFunctionType(),
                                       Call.getCalledFunction()));
  };
  Replace(*RecordOf.lookup(&HandedOver), DirectMake,
          "__accx_target_task_alloc");
  Replace(HandedOver, DirectHandOver, "__accx_target_task");
}

bool host::hasTargetTasks(const Module &M) { return M.getFunction(Make); }

bool host::hasDirectTasks(const Module &M) {
  return M.getFunction(DirectHandOver);
}

bool host::isTaskRoutine(const Function &F) {
  return any_of(F.users(), [](const User *U) {
    const auto *Call = dyn_cast<CallInst>(U);
    return Call && (offload::calledName(*Call) == Make ||
                    offload::calledName(*Call) == DirectMake);
  });
}

TaskWaits::TaskWaits(Module &M) {
  Function *Wait = M.getFunction("__kmpc_omp_taskwait");
  if (!Wait || !hasTargetTasks(M))
    return;
  for (User *U : Wait->users()) {
    auto *Call = dyn_cast<CallInst>(U);
    const Instruction *Before = Call ? Call->getPrevNode() : nullptr;
    if (!Call || Call->getCalledFunction() != Wait ||
        (Before && settlesItself(*Before)) || isWatched(*Call->getFunction()))
      continue;
    IRBuilder<> B(Call);
    Calls.push_back(
        B.CreateCall(settleFunction(M), {B.getInt32(ACCX_SETTLE_TASKS)}));
  }
}

void TaskWaits::takeBack() {
  for (CallInst *Call : Calls) {
    Function *Settle = Call->getCalledFunction();
    Call->eraseFromParent();
    if (Settle->use_empty())
      Settle->eraseFromParent();
  }
  Calls.clear();
}
