//===- DeviceCalls.cpp - The device runtime's entry points ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds calls of the device runtime and their arguments, and what code can
// learn through them of who runs it. It knows single calls; WorkLoop.cpp and
// Kernel.cpp put them together.
//
//===----------------------------------------------------------------------===//

#include "offload/DeviceCalls.h"

#include "offload/PointerList.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::offload {

StringRef calledName(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? Callee->getName() : StringRef();
}

bool isMath(const CallBase &Call) {
  const StringRef Name = calledName(Call);
  return Name == "__nvvm_reflect" ||
         (Name.starts_with("__nv_") && none_of(Call.args(), [](const Use &A) {
            return A->getType()->isPointerTy();
          }));
}

bool isUnnoticed(StringRef Name) {
  static constexpr StringRef Known[] = {TargetInit, TargetDeinit, BlockThreads,
                                        DistributeFini, GlobalThread};
  return is_contained(Known, Name);
}

void forEachCall(Function &F, StringRef Prefix,
                 function_ref<void(CallInst &)> Visit) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && calledName(I).starts_with(Prefix))
      Calls.push_back(Call);
  for (CallInst *Call : Calls)
    Visit(*Call);
}

std::optional<int64_t> constantArgument(const CallBase &Call, unsigned Index) {
  if (Index >= Call.arg_size())
    return std::nullopt;
  const auto *Value = dyn_cast<ConstantInt>(Call.getArgOperand(Index));
  if (!Value || Value->getBitWidth() > 64)
    return std::nullopt;
  return Value->getSExtValue();
}

Value *capturedValue(const CallInst &Call, unsigned Index) {
  const Value *Args = Call.getArgOperand(parallel::Args);
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  Value *Found = nullptr;
  for (const Instruction &I : *Call.getParent()) {
    if (&I == &Call)
      break;
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store)
      continue;
    if (slotOf(Store->getPointerOperand(), Args, Layout) == Index)
      Found = const_cast<Value *>(Store->getValueOperand());
  }
  return Found;
}

bool isOnlyBodyOf(const Function &Body, const CallInst &Call) {
  const Value *Wrapper =
      Call.getArgOperand(parallel::Wrapper)->stripPointerCasts();
  return all_of(Body.users(), [&](const User *U) {
    const auto *Use = dyn_cast<CallInst>(U);
    return Use && (Use == &Call || Use->getFunction() == Wrapper);
  });
}

Value *stripExtensions(Value *V) {
  while (isa<ZExtInst, SExtInst, TruncInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  return V;
}

Value *onlyStored(AllocaInst &Local) {
  Value *Stored = nullptr;
  for (User *U : Local.users()) {
    if (auto *Store = dyn_cast<StoreInst>(U)) {
      if (Store->getPointerOperand() != &Local || Stored)
        return nullptr;
      Stored = Store->getValueOperand();
      continue;
    }
    if (!isa<LoadInst>(U) && !cast<Instruction>(U)->isLifetimeStartOrEnd())
      return nullptr;
  }
  return Stored;
}

Value *originOf(Value *V) {
  // Each step goes to an operand or a stored value; a cycle needs a phi.
  for (unsigned Steps = 0; Steps < 32; ++Steps) {
    V = stripExtensions(V);
    auto *Load = dyn_cast<LoadInst>(V);
    auto *Local =
        Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
    Value *Stored = Local ? onlyStored(*Local) : nullptr;
    if (!Stored)
      return V;
    V = Stored;
  }
  return V;
}

Value *objectOf(Value *Pointer) {
  for (;;) {
    Value *Object = originOf(getUnderlyingObject(Pointer, 0));
    if (Object == Pointer)
      return Object;
    Pointer = Object;
  }
}

static bool readsIdentity(const IntrinsicInst &I) {
  return I.getCalledFunction()->getName().starts_with(
      "llvm.nvvm.read.ptx.sreg.");
}

/// Entry points that a body may call, whichever thread runs it.
static bool isNeutral(StringRef Name) {
  if (Name.starts_with(ForInit) || Name.starts_with("__nv_"))
    return true;
  static constexpr StringRef Neutral[] = {ForFini,
                                          AllocShared,
                                          "malloc",
                                          FreeShared,
                                          "free",
                                          "__llvm_omp_vprintf",
                                          "vprintf",
                                          "__assertfail",
                                          "__assert_fail",
                                          "__cxa_pure_virtual",
                                          "omp_get_wtime",
                                          "omp_get_wtick",
                                          "__llvm_rpc_client"};
  return is_contained(Neutral, Name);
}

/// Whether it belongs to the device runtime, not to the program.
static bool isRuntime(StringRef Name) {
  return Name.starts_with("__kmpc_") || Name.starts_with("omp_") ||
         Name.starts_with("ompx_") || Name.starts_with("_ZN4ompx");
}

bool isAnswered(StringRef Name) {
  static constexpr StringRef Answered[] = {
      "omp_get_thread_num", "omp_get_num_threads", "omp_get_team_num",
      "omp_get_num_teams",  GlobalThread,          TeamBarrier,
      "__kmpc_master",      "__kmpc_end_master",   "__kmpc_masked",
      "__kmpc_end_masked",  "__kmpc_single",       "__kmpc_end_single"};
  return is_contained(Answered, Name) || Name.starts_with(ForInit) ||
         Name == ForFini;
}

static bool isStaticLoop(const CallBase &Init) {
  const auto Schedule = constantArgument(Init, staticinit::Schedule);
  return Schedule == schedule::Static || Schedule == schedule::StaticChunked;
}

bool isStateless(StringRef Name) {
  static constexpr StringRef Stateless[] = {
      "__kmpc_flush",        "__kmpc_critical",
      "__kmpc_end_critical", "__kmpc_warp_active_thread_mask",
      "__kmpc_syncwarp",     "__kmpc_get_warp_size",
      BlockThreads,          BlockThread};
  return is_contained(Stateless, Name) ||
         (isNeutral(Name) && !Name.starts_with(ForInit) && Name != ForFini);
}

namespace {
/// What a walk over calls does behind one of them.
enum class Walk { Stop, Pass, Enter };
} // namespace

/// Visits the calls of \p F, and of the functions called that \p Visit wants to
/// enter, each function once. False: a visit stopped it.
static bool
walkCalls(Function &F,
          function_ref<Walk(CallBase &, const Function &In)> Visit) {
  SmallPtrSet<Function *, 8> Visited;
  SmallVector<Function *, 8> Worklist{&F};
  while (!Worklist.empty()) {
    Function *Next = Worklist.pop_back_val();
    if (!Visited.insert(Next).second)
      continue;
    for (Instruction &I : instructions(*Next)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Walk Then = Call ? Visit(*Call, *Next) : Walk::Pass;
      if (Then == Walk::Stop)
        return false;
      if (Then == Walk::Enter)
        Worklist.push_back(Call->getCalledFunction());
    }
  }
  return true;
}

bool asksRuntime(Function &F) {
  return !isStateless(F.getName()) &&
         !walkCalls(F, [](CallBase &Call, const Function &) {
           Function *Callee = Call.getCalledFunction();
           if (!Callee)
             return Walk::Pass;
           if (isAnswered(Callee->getName()))
             return Walk::Stop;
           return isStateless(Callee->getName()) ? Walk::Pass : Walk::Enter;
         });
}

bool mayBeLeftOut(Function &Region) {
  return none_of(instructions(Region), [](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm())
      return Call != nullptr;
    const StringRef Name = calledName(I);
    if (isa<IntrinsicInst>(Call))
      return Call->isConvergent();
    return Name == TeamBarrier || Name == ParallelReduce ||
           Name == "__kmpc_single" ||
           (!isAnswered(Name) && Call->getCalledFunction() &&
            asksRuntime(*Call->getCalledFunction()));
  });
}

bool isAnswerable(Function &Region) {
  return walkCalls(Region, [&](CallBase &Call, const Function &In) {
    if (isa<IntrinsicInst>(Call) || Call.isInlineAsm())
      return Walk::Pass;
    Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return Walk::Stop;
    const StringRef Name = Callee->getName();
    if (isStateless(Name) || (Name == ParallelReduce && &In == &Region) ||
        (isAnswered(Name) &&
         (!Name.starts_with(ForInit) || isStaticLoop(Call))))
      return Walk::Pass;
    if (isRuntime(Name) || Callee->isInterposable() ||
        (Callee->isDeclaration() && !Callee->doesNotAccessMemory()))
      return Walk::Stop;
    return Callee->isDeclaration() ? Walk::Pass : Walk::Enter;
  });
}

/// Entry points of code that starts regions and ends teams.
static bool isAroundRegions(StringRef Name) {
  static constexpr StringRef Around[] = {
      Parallel,    TargetInit,  TargetDeinit,   GlobalThread,
      TeamsReduce, FixedBuffer, DistributeFini, BlockThreads};
  return is_contained(Around, Name) || Name.starts_with(DistributeInit);
}

static unsigned observe(Function &F, bool IsAround) {
  constexpr unsigned All = ObservesIdentity | ObservesState;
  unsigned Seen = ObservesNothing;
  const bool IsKnown = walkCalls(F, [&](CallBase &Call, const Function &) {
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
      if (readsIdentity(*Intrinsic))
        Seen |= ObservesIdentity;
      return Walk::Pass;
    }
    Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return Walk::Stop;
    const StringRef Name = Callee->getName();
    if (isNeutral(Name) || (IsAround && isAroundRegions(Name)))
      return Walk::Pass;
    // A reduction's result does not show who runs it.
    if (Name == ParallelReduce)
      Seen |= ObservesState;
    else if (isRuntime(Name) ||
             (Callee->isDeclaration() && !Callee->doesNotAccessMemory()))
      Seen |= All;
    else
      return Walk::Enter;
    return Walk::Pass;
  });
  return IsKnown ? Seen : All;
}

unsigned observationsOf(Function &F) { return observe(F, /*IsAround=*/false); }

unsigned observationsAround(Function &Team) {
  return observe(Team, /*IsAround=*/true);
}

} // namespace accx::offload
