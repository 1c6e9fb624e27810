//===- NestWriter.cpp - Writes a nest for all threads of a grid -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step by step what GridNest.h describes: variables, regions, the loop over
// gangs, and what comes after them.
//
//===----------------------------------------------------------------------===//

#include "reduce/NestWriter.h"

#include "gpu/Exchange.h"
#include "gpu/ThreadPlace.h"
#include "gridloop/DealOut.h"
#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"
#include "offload/DeviceCalls.h"
#include "offload/PointerList.h"
#include "reduce/BlockFold.h"
#include "reduce/GroupFold.h"
#include "reduce/NestCopies.h"
#include "reduce/NestShape.h"
#include "reduce/NestTogether.h"
#include "reduce/OverTeams.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>

using namespace llvm;
using namespace accx::offload;

namespace accx::reduce {

static constexpr char RegionAttribute[] = "accx-nest-region";

namespace {

bool hasVectors(const NestRegion &R) {
  return !R.isAnyCode() &&
         any_of(R.Workers->Nest->getLoopsInPreorder(), [](const Loop *L) {
           return findStringMetadataForLoop(L, "llvm.loop.vectorize.enable");
         });
}

class NestWriter {
  const TeamNest &N;
  const NestReductions &Reductions;
  const NestChoices &Choices;
  Function &Kernel;
  Function &Part;
  Slots Shared;
  NestShape Shape;
  SmallVector<NestCopy, 2> Copies;
  AllocaInst *First = nullptr;
  CommonVariables Common;
  gridloop::TeamCalls &Calls;
  SmallVector<Function *, 3> Regions;
  const bool HasVectors;

public:
  NestWriter(const TeamNest &N, const NestReductions &Reductions,
             const NestChoices &Choices, gridloop::TeamCalls &Calls)
      : N(N), Reductions(Reductions), Choices(Choices), Kernel(*N.Plan->Kernel),
        Part(*N.Part->F), Shared(*Kernel.getParent()), Calls(Calls),
        HasVectors(any_of(N.Regions, hasVectors)) {}

  void write() {
    giveVariables();
    Shape = N.Gangs ? readShape(N, Choices, Common, Copies) : blockShape();
    if (N.IsTogether)
      runTogether(N, *Shape.Rank, [&](IRBuilderBase &B) {
        if (N.isOfBlocks())
          B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
        else
          waitForGroup(B, Shape);
      });
    for (auto [Region, Reduced] : zip(N.Regions, Reductions.InRegions))
      callRegion(Region, Reduced);
    if (N.HasAfter)
      guardAfter();
    for (const NestRegion &Region : N.Regions)
      dropCall(Region);
    if (N.isOfBlocks())
      gridloop::TeamCalls::answerAround(Part);
    if (N.Gangs) {
      dealOutGangs();
      copyForGroups();
    }
    if (HasVectors)
      keepInLoop();
    inlinePart();
    configureKernel(N, Choices, HasVectors);
  }

private:
  void giveVariables();
  NestShape blockShape() const;
  void callRegion(const NestRegion &R, ArrayRef<ReductionPlan> Reduced);
  void reduceInRegion(const ReductionPlan &Plan, Value *Rank, Value *Threads,
                      Value *IsFirst, Value *Environment);
  void guardAfter();
  static void dropCall(const NestRegion &R);
  void dealOutGangs();
  void copyForGroups();
  void keepInLoop();
  void inlinePart();
};

} // namespace

/// Each thread its own.
void NestWriter::giveVariables() {
  for (CallInst *Free : N.Frees)
    Free->eraseFromParent();
  IRBuilder<> B(&*Part.getEntryBlock().getFirstInsertionPt());
  for (CallInst *Allocation : N.Allocations) {
    const auto Bytes = static_cast<uint64_t>(*constantArgument(*Allocation, 0));
    AllocaInst *Own =
        B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes), nullptr, "gang");
    Own->setAlignment(Align(16));
    Allocation->replaceAllUsesWith(Own);
    Allocation->eraseFromParent();
  }
  First = B.CreateAlloca(B.getInt32Ty(), nullptr, "first");
  Common = shareVariables(N, Choices.MayBeWarps ? gpu::WarpLanes : 1);
}

void NestWriter::reduceInRegion(const ReductionPlan &Plan, Value *Rank,
                                Value *Threads, Value *IsFirst,
                                Value *Environment) {
  Function *Fold = writeBlockFold(Plan, Shared);
  ir::CodeWriter B(*Plan.Call);
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  Type *Int = B.getInt32Ty();
  Value *Lanes = B.getInt64(gpu::WarpLanes);
  Value *Block = B.CreateZExt(At.Threads, B.getInt64Ty());
  Value *IsPart = B.CreateICmpULE(Threads, Lanes);
  Value *Thread = B.CreateSelect(IsPart, B.CreateTrunc(Rank, Int), At.Thread);
  Value *Count = B.CreateTrunc(
      B.CreateSelect(IsPart, Threads,
                     B.CreateBinaryIntrinsic(Intrinsic::umin, Threads, Block)),
      Int);
  B.callTogether(*Fold, {Plan.List, Thread, Count});
  Value *Result = B.CreateZExt(B.CreateIsNull(Thread), Int);
  if (Choices.MayShare && N.joins()) {
    Function *Join = writeGroupFold(Plan, *Fold, Shared);
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateICmpUGT(Threads, Block), Plan.Call, /*Unreachable=*/false);
    BasicBlock *Before = Then->getParent()->getSinglePredecessor();
    B.SetInsertPoint(Then);
    Value *Joined = B.callTogether(
        *Join, {Environment, Plan.List,
                B.CreateTrunc(B.CreateUDiv(Threads, Block), Int)});
    B.SetInsertPoint(Plan.Call);
    PHINode *Phi = B.CreatePHI(Int, 2);
    Phi->addIncoming(Result, Before);
    Phi->addIncoming(Joined, Then->getParent());
    Result = Phi;
  }
  B.CreateStore(Result, IsFirst);
  Plan.Call->replaceAllUsesWith(Result);
  Plan.Call->eraseFromParent();
}

/// A team's code without a loop over gangs: one iteration of its block.
NestShape NestWriter::blockShape() const {
  IRBuilder<> B(&*Part.getEntryBlock().getFirstInsertionPt());
  NestShape Shape;
  Shape.Rank = B.CreateZExt(gpu::readThread(B), B.getInt64Ty());
  Shape.Threads = B.CreateZExt(gpu::readThreads(B), B.getInt64Ty());
  return Shape;
}

/// The region with its place in the group, called as what it is.
void NestWriter::callRegion(const NestRegion &R,
                            ArrayRef<ReductionPlan> Reduced) {
  CallInst &Call = *R.Region->Call;
  Function &Old = *R.Region->Body;
  LLVMContext &C = Old.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Type *Wide = Type::getInt64Ty(C);
  SmallVector<Type *, 16> Types(Old.getFunctionType()->params());
  const unsigned Captured = Types.size();
  Types.append({Wide, Wide, Ptr, Ptr});
  Function *Region = Function::Create(
      FunctionType::get(Old.getReturnType(), Types, /*isVarArg=*/false),
      Old.getLinkage(), Old.getAddressSpace());
  Old.getParent()->getFunctionList().insert(Old.getIterator(), Region);
  Region->takeName(&Old);
  Region->copyAttributesFrom(&Old);
  Region->copyMetadata(&Old, 0);
  Region->addFnAttr(RegionAttribute);
  Regions.push_back(Region);
  Old.clearMetadata();
  Region->splice(Region->begin(), &Old);
  for (unsigned I = 0; I < Captured; ++I)
    Old.getArg(I)->replaceAllUsesWith(Region->getArg(I));
  Argument *Rank = Region->getArg(Captured);
  Argument *Threads = Region->getArg(Captured + 1);
  Rank->setName("rank");
  Threads->setName("threads");

  IRBuilder<> B(&*Region->getEntryBlock().getFirstInsertionPt());
  // Nobody changes them meanwhile, so that they can be values, for all that the
  // region stores to memory.
  constexpr uint64_t MaxBytes = 64;
  for (const auto &[Number, Bytes] : R.ReadOnly) {
    if (!Bytes || Bytes > MaxBytes)
      continue;
    Argument *Variable = Region->getArg(Number);
    AllocaInst *Copy =
        B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes), nullptr, "read");
    Copy->setAlignment(Align(16));
    Variable->replaceAllUsesWith(Copy);
    B.CreateMemCpy(Copy, Align(16), Variable, Align(16), Bytes);
  }

  B.SetInsertPoint(&*Part.getEntryBlock().getFirstInsertionPt());
  Value *Numbers[] = {B.CreateAlloca(B.getInt32Ty()),
                      B.CreateAlloca(B.getInt32Ty())};
  B.SetInsertPoint(&Call);
  if (!N.IsTogether && N.LoadsBefore && N.RegionWrites)
    waitForGroup(B, Shape);
  Value *Count = Shape.Threads;
  if (R.IsBounded) {
    Value *Asked = B.CreateZExt(Call.getArgOperand(parallel::NumThreads), Wide);
    Count = B.CreateBinaryIntrinsic(
        Intrinsic::umin, Count,
        B.CreateBinaryIntrinsic(Intrinsic::umax, Asked, B.getInt64(1)));
    B.SetInsertPoint(SplitBlockAndInsertIfThen(
        B.CreateICmpULT(Shape.Rank, Count), &Call, /*Unreachable=*/false));
  }
  B.CreateStore(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}),
                Numbers[0]);
  B.CreateStore(B.getInt32(0), Numbers[1]);
  B.CreateStore(B.CreateZExt(B.CreateIsNull(Shape.Rank), B.getInt32Ty()),
                First);
  SmallVector<Value *, 16> Arguments{Numbers[0], Numbers[1]};
  for (unsigned I = parallel::FirstCaptured; I < Captured; ++I)
    Arguments.push_back(loadSlot(B, Call.getArgOperand(parallel::Args),
                                 I - parallel::FirstCaptured, Types[I]));
  // The kernel alone has the launch's environment.
  Arguments.append({Shape.Rank, Count, First,
                    ConstantPointerNull::get(PointerType::getUnqual(C))});
  CallInst *RegionCall = B.CreateCall(Region, Arguments);
  RegionCall->setDebugLoc(Call.getDebugLoc());
  // A reduction of a warp orders no memory.
  if (N.HasAfter && (!N.Reduces || N.RegionWrites))
    waitForGroup(B, Shape);

  for (const ReductionPlan &Each : Reduced)
    reduceInRegion(Each, Rank, Threads, Region->getArg(Captured + 2),
                   Region->getArg(Captured + 3));
  for (const WorkLoop *Loop : R.Loops)
    gridloop::dealOut(*Loop, {Rank, Threads},
                      !(R.Region->Observes & ObservesIdentity),
                      {gridloop::NestLoopMetadata});
  if (!R.isAnyCode())
    return;
  B.SetInsertPoint(&*Region->getEntryBlock().getFirstInsertionPt());
  Calls.answerIn(*Region, R.IsBounded ? B.CreateTrunc(Threads, B.getInt32Ty())
                                      : nullptr);
}

/// Leaves what comes after the region to one thread.
void NestWriter::guardAfter() {
  CallInst &Call = *N.Regions.front().Region->Call;
  BasicBlock *Here = Call.getParent();
  BasicBlock *After = SplitBlock(Here, &Call);
  After->setName("after");
  Here->getTerminator()->eraseFromParent();
  IRBuilder<> B(Here);
  B.CreateCondBr(B.CreateIsNotNull(B.CreateLoad(B.getInt32Ty(), First)), After,
                 N.Gangs->Latch);
}

/// The call of the runtime.
void NestWriter::dropCall(const NestRegion &R) {
  CallInst &Call = *R.Region->Call;
  Function *Wrapper = dyn_cast<Function>(
      Call.getArgOperand(parallel::Wrapper)->stripPointerCasts());
  Call.eraseFromParent();
  // It calls the region as it was.
  if (Wrapper && Wrapper->hasLocalLinkage() && Wrapper->use_empty())
    Wrapper->eraseFromParent();
  Function &Old = *R.Region->Body;
  if (Old.use_empty())
    Old.eraseFromParent();
}

void NestWriter::dealOutGangs() {
  gridloop::dealOut(*N.Gangs, {Shape.Group, Shape.Groups},
                    /*MayInterleave=*/false);
  // Other passes deal out the workers' loop.
  ir::renewLoop(*N.Gangs->Latch->getTerminator(), {gridloop::GridLoopMetadata});
  removeUnreachableBlocks(Part);
}

void NestWriter::copyForGroups() {
  // The one that is written first is asked for first.
  const SmallVector<Function *, 2> Copied(Regions.begin(), Regions.end());
  for (const NestCopy &Copy : Copies)
    append_range(Regions, copyNest(*N.Gangs->Header, Copied, Copy));
}

/// A region has several versions of its loops, one of which runs. What they
/// compute of a thread's place would all be moved in front of the loop over
/// gangs, and so take registers of that one; hidden, it stays.
void NestWriter::keepInLoop() {
  Type *Narrow = Type::getInt32Ty(Kernel.getContext());
  InlineAsm *Hide = InlineAsm::get(
      FunctionType::get(Narrow, {Narrow}, /*isVarArg=*/false), "", "=r,0",
      /*hasSideEffects=*/true);
  constexpr unsigned PlaceArguments = 4;
  for (Function *Region : Regions)
    for (User *U : Region->users()) {
      auto *Call = cast<CallInst>(U);
      IRBuilder<> B(Call);
      for (unsigned Rank = Call->arg_size() - PlaceArguments, I = Rank;
           I < Rank + 2; ++I)
        if (Value *Place = Call->getArgOperand(I); !isa<Constant>(Place))
          Call->setArgOperand(
              I,
              B.CreateZExt(B.CreateCall(Hide, {B.CreateTrunc(Place, Narrow)}),
                           Place->getType()));
    }
}

void NestWriter::inlinePart() {
  auto *Caller = cast<CallInst>(Part.user_back());
  InlineFunctionInfo Info;
  if (!InlineFunction(*Caller, Info).isSuccess())
    report_fatal_error("accx: an outlined function cannot be inlined");
  if (Part.use_empty())
    Part.eraseFromParent();
  // The region is called from the kernel now.
  Value *Environment = launchEnvironment(Kernel);
  for (Function *Region : Regions)
    for (User *U : Region->users()) {
      auto *Call = cast<CallInst>(U);
      if (Environment)
        Call->setArgOperand(Call->arg_size() - 1, Environment);
    }
  if (!Reductions.OverTeams)
    return;
  // The call has been inlined, and is another one.
  ReductionPlan Plan = *Reductions.OverTeams;
  forEachCall(Kernel, TeamsReduce, [&](CallInst &Call) {
    Plan.Call = &Call;
    constexpr unsigned ListArgument = 4;
    Plan.List = Call.getArgOperand(ListArgument);
    replaceOverTeams(*N.Plan, Plan, Shared, /*FoldsBlock=*/!N.IsTogether);
  });
}

void writeNest(const TeamNest &Nest, const NestReductions &Reductions,
               const NestChoices &Choices, gridloop::TeamCalls &Calls) {
  NestWriter(Nest, Reductions, Choices, Calls).write();
}

bool inlineNestRegions(Module &M) {
  bool Any = false;
  for (Function &F : make_early_inc_range(M)) {
    if (F.isDeclaration() || !F.hasFnAttribute(RegionAttribute))
      continue;
    F.removeFnAttr(RegionAttribute);
    for (User *U : make_early_inc_range(F.users())) {
      InlineFunctionInfo Info;
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == &F)
        Any |= InlineFunction(*Call, Info).isSuccess();
    }
    if (F.use_empty())
      F.eraseFromParent();
  }
  return Any;
}

} // namespace accx::reduce
