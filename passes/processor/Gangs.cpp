//===- Gangs.cpp - As many gangs as the program asks for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes a region whose gangs the program counts, and writes the function
// that runs several gangs in a team. Loops inside get their share by
// StaticShares.h.
//
//===----------------------------------------------------------------------===//

#include "processor/Gangs.h"

#include "ir/Remark.h"
#include "markers/Markers.h"
#include "offload/DeviceCalls.h"
#include "processor/Runtime.h"
#include "processor/StaticShares.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "gangs"

using namespace llvm;
using namespace accx;
using namespace accx::processor;
using offload::calledName;

STATISTIC(NumRegions, "Number of regions whose gangs are counted");

static constexpr char Current[] = "__accx_gang";
static constexpr char TeamNumber[] = "omp_get_team_num";
static constexpr char Reduce[] = "__kmpc_reduce";
static constexpr char EndReduce[] = "__kmpc_end_reduce";
/// What libomp answers to ask for the lock.
static constexpr uint64_t UnderLock = 1;

/// One for all modules that are linked into an image, none beyond it.
static GlobalVariable &gangVariable(Module &M) {
  auto *Pair = ArrayType::get(Type::getInt32Ty(M.getContext()), 2);
  if (GlobalVariable *Found = M.getNamedGlobal(Current))
    return *Found;
  auto *New = new GlobalVariable(M, Pair, /*isConstant=*/false,
                                 GlobalValue::LinkOnceODRLinkage,
                                 ConstantAggregateZero::get(Pair), Current);
  New->setThreadLocal(true);
  New->setVisibility(GlobalValue::HiddenVisibility);
  New->setComdat(M.getOrInsertComdat(Current));
  return *New;
}

static Value *gangField(IRBuilderBase &B, Module &M, unsigned Field) {
  GlobalVariable &Gang = gangVariable(M);
  return B.CreateConstInBoundsGEP2_32(
      Gang.getValueType(), B.CreateThreadLocalAddress(&Gang), 0, Field);
}

processor::CurrentGang processor::readGang(IRBuilderBase &B, Module &M) {
  return {B.CreateLoad(B.getInt32Ty(), gangField(B, M, 0)),
          B.CreateLoad(B.getInt32Ty(), gangField(B, M, 1))};
}

namespace {

/// A kernel's region with the marker.
class Region {
  Module &M;
  /// Has the marker; what the league runs, which may only call it.
  Function &Body, *Entry = nullptr;
  CallInst *Fork = nullptr, *Push = nullptr;
  SmallVector<CallInst *, 4> Loops, Ends, Sums, SumEnds, Numbers, Counts;

  bool findFork(Function &Candidate);
  Refusal findCalls();
  Function *createGangs();
  void lockSums();

public:
  Region(Module &M, Function &Body) : M(M), Body(Body) {}
  /// Finds what its gangs do.
  Refusal read();
  /// False where the league stays.
  bool countGangs();
};

} // namespace

/// \p Candidate as what a league runs.
bool Region::findFork(Function &Candidate) {
  for (User *U : Candidate.users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Fork || calledName(*Call) != ForkTeams ||
        bodyToCall(*Call) != &Candidate)
      return false;
    Fork = Call;
  }
  if (!Fork)
    return false;
  Entry = &Candidate;
  for (Instruction &I : *Fork->getParent())
    if (calledName(I) == PushTeams && I.comesBefore(Fork))
      Push = cast<CallInst>(&I);
  return Push;
}

Refusal Region::findCalls() {
  for (Instruction &I : instructions(Body)) {
    const StringRef Name = calledName(I);
    auto *Call = dyn_cast<CallInst>(&I);
    if (Name.starts_with(offload::ForInit)) {
      if (!Call || !isDistributeLoop(*Call))
        return Refusal::Schedule;
      Loops.push_back(Call);
    } else if (Name == offload::ForFini && Call) {
      Ends.push_back(Call);
    } else if (Name.starts_with(Reduce) && Call) {
      Sums.push_back(Call);
    } else if (Name.starts_with(EndReduce) && Call) {
      SumEnds.push_back(Call);
    } else if (Name == TeamNumber && Call) {
      Numbers.push_back(Call);
    } else if (Name == NumTeams && Call) {
      Counts.push_back(Call);
    } else if (Name.starts_with(offload::DispatchInit)) {
      return Refusal::Schedule;
    }
  }
  return Refusal::None;
}

/// With debug information Clang wraps the region's function in another.
Refusal Region::read() {
  auto *Call =
      Body.hasOneUse() ? dyn_cast<CallInst>(Body.user_back()) : nullptr;
  const bool IsWrapped = Call && Call->getCalledFunction() == &Body;
  return Body.hasOneUse() && findFork(IsWrapped ? *Call->getFunction() : Body)
             ? findCalls()
             : Refusal::Body;
}

/// The captured of the entry, and the number of gangs.
Function *Region::createGangs() {
  LLVMContext &C = M.getContext();
  FunctionType *Old = Entry->getFunctionType();
  SmallVector<Type *, 8> Params(Old->params());
  Params.push_back(Type::getInt64Ty(C));
  auto *F = Function::Create(FunctionType::get(Old->getReturnType(), Params,
                                               /*isVarArg=*/false),
                             GlobalValue::InternalLinkage,
                             Entry->getName() + ".gangs", M);
  F->copyAttributesFrom(Entry);
  F->removeFnAttr(Attribute::AlwaysInline);
  F->setComdat(nullptr);
  auto *Begin = BasicBlock::Create(C, "", F);
  auto *Head = BasicBlock::Create(C, "gang", F);
  auto *Run = BasicBlock::Create(C, "gang.run", F);
  auto *End = BasicBlock::Create(C, "gang.end", F);
  IRBuilder<> B(Begin);
  Type *I32 = B.getInt32Ty();
  Value *Team = B.CreateCall(M.getOrInsertFunction(TeamNumber, I32));
  Value *Teams = B.CreateCall(M.getOrInsertFunction(NumTeams, I32));
  Value *Count = B.CreateTrunc(F->getArg(Params.size() - 1), I32);
  B.CreateBr(Head);

  B.SetInsertPoint(Head);
  PHINode *Gang = B.CreatePHI(I32, 2);
  Gang->addIncoming(Team, Begin);
  B.CreateCondBr(B.CreateICmpULT(Gang, Count), Run, End);

  B.SetInsertPoint(Run);
  B.CreateStore(Gang, gangField(B, M, 0));
  B.CreateStore(Count, gangField(B, M, 1));
  SmallVector<Value *, 8> Args;
  for (Argument &A : F->args())
    Args.push_back(&A);
  Args.pop_back();
  B.CreateCall(Entry, Args);
  Gang->addIncoming(B.CreateAdd(Gang, Teams), Run);
  B.CreateBr(Head);

  B.SetInsertPoint(End);
  B.CreateStore(B.getInt32(0), gangField(B, M, 1));
  B.CreateRetVoid();
  return F;
}

/// A team adds the sums of several gangs, which libomp's barrier and tree do
/// not expect: the way under the lock is taken, and the others are erased.
void Region::lockSums() {
  Type *I32 = Type::getInt32Ty(M.getContext());
  Type *Ptr = PointerType::getUnqual(M.getContext());
  auto *Ty = FunctionType::get(Type::getVoidTy(M.getContext()), {Ptr, I32, Ptr},
                               /*isVarArg=*/false);
  const auto Replace = [&](CallInst &Call, StringRef Name) {
    IRBuilder<> B(&Call);
    B.CreateCall(M.getOrInsertFunction(Name, Ty),
                 {Call.getArgOperand(0), Call.getArgOperand(1),
                  Call.getArgOperand(Call.arg_size() - 1)});
  };
  for (CallInst *Sum : Sums) {
    Replace(*Sum, "__kmpc_critical");
    Sum->replaceAllUsesWith(ConstantInt::get(Sum->getType(), UnderLock));
    BasicBlock *Block = Sum->getParent();
    Sum->eraseFromParent();
    ConstantFoldTerminator(Block);
  }
  for (CallInst *End : SumEnds) {
    Replace(*End, "__kmpc_end_critical");
    End->eraseFromParent();
  }
  if (!Sums.empty())
    removeUnreachableBlocks(Body);
}

bool Region::countGangs() {
  if (const Refusal Why = read(); Why != Refusal::None) {
    ir::remarkRefused(DEBUG_TYPE, Why, Body,
                      "the region has no more gangs than there are cores");
    return false;
  }
  for (CallInst *Loop : Loops) {
    IRBuilder<> B(Loop);
    const CurrentGang Gang = readGang(B, M);
    takeShareOf(*Loop, Gang.Number, Gang.Count);
  }
  for (CallInst *End : Ends)
    End->eraseFromParent();
  lockSums();
  const auto Replace = [&](ArrayRef<CallInst *> Calls, bool IsCount) {
    for (CallInst *Call : Calls) {
      IRBuilder<> B(Call);
      const CurrentGang Gang = readGang(B, M);
      Call->replaceAllUsesWith(IsCount ? Gang.Count : Gang.Number);
      Call->eraseFromParent();
    }
  };
  Replace(Numbers, false);
  Replace(Counts, true);

  IRBuilder<> B(Push);
  Type *I32 = B.getInt32Ty();
  Value *Asked = B.CreateBinaryIntrinsic(
      Intrinsic::smax, Push->getArgOperand(pushteams::Teams), B.getInt32(1));
  Value *Cores = B.CreateCall(M.getOrInsertFunction("omp_get_num_procs", I32));
  Push->setArgOperand(pushteams::Teams,
                      B.CreateBinaryIntrinsic(Intrinsic::smin, Asked, Cores));
  Function *Gangs = createGangs();
  B.SetInsertPoint(Fork);
  SmallVector<Value *, 8> Args(Fork->args());
  Args[fork::Count] = B.getInt32(Args.size() - fork::Args + 1);
  Args[fork::Body] = Gangs;
  Args.push_back(B.CreateZExt(Asked, B.getInt64Ty()));
  CallInst *New =
      B.CreateCall(Fork->getFunctionType(), Fork->getCalledOperand(), Args);
  New->setDebugLoc(Fork->getDebugLoc());
  Fork->eraseFromParent();
  ++NumRegions;
  ir::remarkPassed(DEBUG_TYPE, "Gangs", Body,
                   "the region has as many gangs as the program asks for");
  return true;
}

PreservedAnalyses processor::GangsPass::run(Module &M,
                                            ModuleAnalysisManager &) {
  Function *Marker = M.getFunction(markers::Gangs);
  if (!Marker || !isHostDevice(M))
    return PreservedAnalyses::all();
  SmallPtrSet<Function *, 8> Bodies;
  for (User *U : Marker->users())
    if (auto *Call = dyn_cast<CallInst>(U))
      Bodies.insert(Call->getFunction());
  bool Changed = false;
  for (Function &F : make_early_inc_range(M))
    if (Bodies.contains(&F))
      Changed |= Region(M, F).countGangs();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
