//===- NestWriter.cpp - Writes a nest for all threads of a grid -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See GridNest.h.
//
//===----------------------------------------------------------------------===//

#include "reduce/NestWriter.h"

#include "accx/kernel_desc.h"
#include "gpu/Exchange.h"
#include "gpu/ThreadPlace.h"
#include "gridloop/BlockBounds.h"
#include "gridloop/DealOut.h"
#include "gridloop/GridLoop.h"
#include "offload/Annotations.h"
#include "offload/DeviceCalls.h"
#include "reduce/BlockFold.h"
#include "reduce/GroupFold.h"
#include "reduce/NestCopies.h"
#include "reduce/NestTogether.h"
#include "reduce/OverTeams.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <algorithm>

using namespace llvm;
using namespace accx::offload;

static cl::opt<unsigned>
    BlockSize("accx-grid-nest-threads", cl::init(0), cl::Hidden,
              cl::desc("Threads of a block of nests without a clause; 0: by "
                       "what the nest does"));

static cl::opt<unsigned>
    AtOnce("accx-grid-nest-at-once", cl::init(0), cl::Hidden,
           cl::desc("Threads that a multiprocessor is to hold of small nests; "
                    "0: by what the nest does"));

namespace accx::reduce {

static constexpr char RegionAttribute[] = "accx-nest-region";

namespace {

struct BlockBounds {
  unsigned Threads;
  /// That a multiprocessor is to hold.
  unsigned AtOnce;
};

/// A thread's place, all of type i64 but Rank and Threads' uses in the region.
struct NestShape {
  /// First iteration of the outer loop, and from one to the next.
  Value *Group = nullptr;
  Value *Groups = nullptr;
  /// The thread's number in its group, and how many those are.
  Value *Rank = nullptr;
  Value *Threads = nullptr;
};

bool hasVectors(const NestRegion &R) {
  return any_of(R.Workers->Nest->getLoopsInPreorder(), [](const Loop *L) {
    return findStringMetadataForLoop(L, "llvm.loop.vectorize.enable");
  });
}

class Writer {
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
  SmallVector<Function *, 3> Regions;
  const bool HasVectors;

public:
  Writer(const TeamNest &N, const NestReductions &Reductions,
         const NestChoices &Choices)
      : N(N), Reductions(Reductions), Choices(Choices), Kernel(*N.Plan->Kernel),
        Part(*N.Part->F), Shared(*Kernel.getParent()),
        HasVectors(any_of(N.Regions, hasVectors)) {}

  void write() {
    giveVariables();
    readShape();
    if (N.IsTogether)
      runTogether(N, *Shape.Rank, [&](IRBuilderBase &B) { waitForGroup(B); });
    for (auto [Region, Reduction] : zip(N.Regions, Reductions.InRegions))
      callRegion(Region, Reduction);
    if (N.HasAfter)
      guardAfter();
    for (const NestRegion &Region : N.Regions)
      dropCall(Region);
    dealOutGangs();
    copyForGroups();
    if (HasVectors)
      keepInLoop();
    inlinePart();
    configureKernel();
  }

private:
  void giveVariables();
  void readShape();
  void callRegion(const NestRegion &R,
                  const std::optional<ReductionPlan> &Reduction);
  void reduceInRegion(const ReductionPlan &Plan, Value *Rank, Value *Threads,
                      Value *IsFirst, Value *Environment);
  void guardAfter();
  static void dropCall(const NestRegion &R);
  void dealOutGangs();
  void copyForGroups();
  void keepInLoop();
  void inlinePart();
  void configureKernel();
  void waitForGroup(IRBuilderBase &B);
  SmallVector<unsigned, 2> smallGroups() const;
  BlockBounds boundsOfBlocks() const;
};

} // namespace

/// Each thread its own.
void Writer::giveVariables() {
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

void Writer::readShape() {
  IRBuilder<> B(N.Gangs->Init);
  const gpu::ThreadPlace At = gpu::ThreadPlace::read(B);
  Type *Wide = B.getInt64Ty();
  Value *Thread = B.CreateZExt(At.Thread, Wide);
  Value *AllThreads = B.CreateZExt(At.Threads, Wide);
  Value *Block = B.CreateZExt(At.Block, Wide);
  Value *Blocks = B.CreateZExt(At.Blocks, Wide);
  Value *Last = gridloop::lastIteration(B, *N.Gangs);
  Value *Trip = B.CreateAdd(Last, B.getInt64(1), "gangs");
  constexpr uint64_t Lanes = gpu::WarpLanes;
  Value *IsWhole = B.CreateIsNull(B.CreateAnd(At.Threads, Lanes - 1), "whole");

  // Values of their own, since copies of the loop have others.
  const auto Own = [&](Value *V) { return B.CreateFreeze(V); };
  Shape = {Own(Block), Own(Blocks), Own(Thread), Own(AllThreads)};
  const auto Choose = [&](Value *When, const NestShape &Then) {
    Shape.Group = B.CreateSelect(When, Then.Group, Shape.Group);
    Shape.Groups = B.CreateSelect(When, Then.Groups, Shape.Groups);
    Shape.Rank = B.CreateSelect(When, Then.Rank, Shape.Rank);
    Shape.Threads = B.CreateSelect(When, Then.Threads, Shape.Threads);
  };
  if (Choices.MayShare) {
    Value *Used = B.CreateBinaryIntrinsic(Intrinsic::umin, Blocks,
                                          B.getInt64(ACCX_TICKETS));
    Value *Each = B.CreateUDiv(
        Used, B.CreateBinaryIntrinsic(Intrinsic::umax, Trip, B.getInt64(1)),
        "each");
    Value *Shares =
        B.CreateAnd(IsWhole, B.CreateICmpUGT(Each, B.getInt64(1)), "shares");
    Each = B.CreateBinaryIntrinsic(Intrinsic::umax, Each, B.getInt64(1));
    NestShape Several;
    Several.Group = B.CreateUDiv(Block, Each);
    // None does another iteration.
    Several.Groups = B.getInt64(uint64_t(1) << 40);
    Several.Rank =
        B.CreateAdd(B.CreateMul(B.CreateURem(Block, Each), AllThreads), Thread);
    Several.Threads = B.CreateMul(Each, AllThreads);
    Choose(Shares, Several);
  }
  // So many that groups end at about the same time.
  constexpr uint64_t Least = 8;
  for (unsigned Threads : smallGroups()) {
    const unsigned Shift = Log2_32(Threads);
    Value *Groups = B.CreateMul(Blocks, B.CreateLShr(AllThreads, Shift));
    Value *IsMany =
        B.CreateICmpUGE(Trip, B.CreateMul(Groups, B.getInt64(Least)), "many");
    NestCopy &Copy = Copies.emplace_back();
    Copy.When = B.CreateAnd(IsWhole, IsMany);
    Copy.Threads = Threads;
    Value *Group = B.CreateLShr(
        B.CreateAdd(B.CreateMul(Block, AllThreads), Thread), Shift);
    Copy.Instead = {{Shape.Group, Group},
                    {Shape.Groups, Groups},
                    {Shape.Rank, B.CreateAnd(Thread, Threads - 1)},
                    {Shape.Threads, B.getInt64(Threads)}};
    if (Common.At)
      Copy.Instead.emplace_back(
          Common.At,
          B.CreateInBoundsGEP(B.getInt8Ty(), Common.At,
                              B.CreateMul(B.CreateLShr(Thread, Shift),
                                          B.getInt64(Common.Bytes)),
                              "common.group"));
  }
}

/// Threads of groups that are parts of warps, the smaller ones first: they take
/// more iterations.
SmallVector<unsigned, 2> Writer::smallGroups() const {
  SmallVector<unsigned, 2> Sizes;
  if (!Choices.MayBeWarps)
    return Sizes;
  // Without loops of their own workers access what lies side by side.
  if (Choices.PartThreads && !N.Regions.front().Workers->Nest->isInnermost())
    Sizes.push_back(Choices.PartThreads);
  Sizes.push_back(gpu::WarpLanes);
  return Sizes;
}

/// All threads of the group meet here, which is at most a block.
void Writer::waitForGroup(IRBuilderBase &B) {
  Value *Rank = Shape.Rank;
  Value *Threads = Shape.Threads;
  Value *IsWarp = B.CreateICmpULE(Threads, B.getInt64(gpu::WarpLanes));
  Instruction *Here = &*B.GetInsertPoint();
  Instruction *Warp = nullptr;
  Instruction *Block = nullptr;
  SplitBlockAndInsertIfThenElse(IsWarp, Here, &Warp, &Block);
  B.SetInsertPoint(Warp);
  // A group of up to 32 threads is a part of a warp, or a block that is less
  // than one.
  Value *Size = B.CreateTrunc(Threads, B.getInt32Ty());
  Value *Before = B.CreateAnd(B.CreateSub(gpu::ThreadPlace::read(B).Thread,
                                          B.CreateTrunc(Rank, B.getInt32Ty())),
                              gpu::WarpLanes - 1);
  Value *Members =
      B.CreateShl(B.CreateLShr(B.getInt32(~0U),
                               B.CreateSub(B.getInt32(gpu::WarpLanes), Size)),
                  Before);
  B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {Members});
  B.SetInsertPoint(Block);
  B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
  B.SetInsertPoint(Here);
}

void Writer::reduceInRegion(const ReductionPlan &Plan, Value *Rank,
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

/// The region with its place in the group, called as what it is.
void Writer::callRegion(const NestRegion &R,
                        const std::optional<ReductionPlan> &Reduction) {
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
    waitForGroup(B);
  B.CreateStore(B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_tid_x, {}, {}),
                Numbers[0]);
  B.CreateStore(B.getInt32(0), Numbers[1]);
  B.CreateStore(B.CreateZExt(B.CreateIsNull(Shape.Rank), B.getInt32Ty()),
                First);
  SmallVector<Value *, 16> Arguments{Numbers[0], Numbers[1]};
  for (unsigned I = parallel::FirstCaptured; I < Captured; ++I)
    Arguments.push_back(B.CreateLoad(
        Types[I],
        B.CreateConstInBoundsGEP1_64(Ptr, Call.getArgOperand(parallel::Args),
                                     I - parallel::FirstCaptured)));
  // The kernel alone has the launch's environment.
  Arguments.append({Shape.Rank, Shape.Threads, First,
                    ConstantPointerNull::get(PointerType::getUnqual(C))});
  CallInst *RegionCall = B.CreateCall(Region, Arguments);
  RegionCall->setDebugLoc(Call.getDebugLoc());
  // A reduction of a warp orders no memory.
  if (N.HasAfter && (!N.Reduces || N.RegionWrites))
    waitForGroup(B);

  if (Reduction)
    reduceInRegion(*Reduction, Rank, Threads, Region->getArg(Captured + 2),
                   Region->getArg(Captured + 3));
  gridloop::dealOut(*R.Workers, {Rank, Threads}, /*MayInterleave=*/true,
                    {gridloop::NestLoopMetadata});
}

/// Leaves what comes after the region to one thread.
void Writer::guardAfter() {
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
void Writer::dropCall(const NestRegion &R) {
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

void Writer::dealOutGangs() {
  BasicBlock *Latch = N.Gangs->Latch;
  gridloop::dealOut(*N.Gangs, {Shape.Group, Shape.Groups},
                    /*MayInterleave=*/false);
  // Other passes deal out the workers' loop.
  Instruction *End = Latch->getTerminator();
  End->setMetadata(
      LLVMContext::MD_loop,
      makePostTransformationMetadata(End->getContext(),
                                     End->getMetadata(LLVMContext::MD_loop),
                                     {gridloop::GridLoopMetadata}, {}));
  removeUnreachableBlocks(Part);
}

void Writer::copyForGroups() {
  // The one that is written first is asked for first.
  const SmallVector<Function *, 2> Copied(Regions.begin(), Regions.end());
  for (const NestCopy &Copy : Copies)
    append_range(Regions, copyNest(*N.Gangs->Header, Copied, Copy));
}

/// A region has several versions of its loops, one of which runs. What they
/// compute of a thread's place would all be moved in front of the loop over
/// gangs, and so take registers of that one; hidden, it stays.
void Writer::keepInLoop() {
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

void Writer::inlinePart() {
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

/// Loops that only move have few loads under way, and so need threads; those
/// that reduce have many, for which they need registers. Where threads meet
/// often small blocks leave others something to do.
BlockBounds Writer::boundsOfBlocks() const {
  constexpr unsigned FewOperations = 800;
  constexpr BlockBounds Usual = {512, 1024};
  constexpr BlockBounds Moving = {512, 1536};
  constexpr BlockBounds Reducing = {256, 768};
  constexpr BlockBounds Together = {256, 1024};
  constexpr BlockBounds Large = {512, 512};
  constexpr BlockBounds Calling = {256, 256};
  const bool IsSmall = gridloop::operationsOf(Kernel) <= FewOperations;
  BlockBounds Bounds = Usual;
  if (gridloop::keepsCalls(Kernel))
    Bounds = Calling;
  else if (!IsSmall)
    Bounds = Large;
  else if (HasVectors && !N.RegionWrites)
    Bounds = Reducing;
  else if (N.IsTogether)
    Bounds = Together;
  else if (HasVectors && !N.Reduces)
    Bounds = Moving;
  if (BlockSize)
    Bounds.Threads = BlockSize;
  if (AtOnce && Bounds.AtOnce > Bounds.Threads)
    Bounds.AtOnce = AtOnce;
  return Bounds;
}

void Writer::configureKernel() {
  GlobalVariable &Environment = *N.Plan->Environment;
  configure(Environment, configuration::StateMachine, 0);
  configure(Environment, configuration::Mode,
            static_cast<int64_t>(ExecMode::Spmd));
  // A clause that is no constant leaves 1 and no bound: what it says comes with
  // the launch, and is obeyed, but for 0, which leaves the choice.
  if (N.Plan->MinTeams <= 1 && N.Plan->MaxTeams <= 0)
    configure(Environment, configuration::MinTeams, ACCX_TEAMS_OF_A_WAVE);
  // The tickets come with a buffer, whatever its size.
  if (Choices.MayShare && !N.ReducesTeams) {
    configure(Environment, configuration::ReductionBytes, ACCX_TICKET_RECORD);
    configure(Environment, configuration::ReductionRecords, 1);
  }
  constexpr int64_t ChosenByClang = 128;
  if (N.Plan->MaxThreads != ChosenByClang || N.Plan->MinThreads > 1)
    return;
  const BlockBounds Bounds = boundsOfBlocks();
  configure(Environment, configuration::MinThreads, Bounds.Threads);
  configure(Environment, configuration::MaxThreads, Bounds.Threads);
  annotate(Kernel, "maxntidx", Bounds.Threads);
  // Without it ptxas spends all registers on loops of a few instructions.
  if (!annotated(Kernel, "minctasm") && Bounds.AtOnce > Bounds.Threads)
    annotate(Kernel, "minctasm", Bounds.AtOnce / Bounds.Threads);
  Kernel.addFnAttr("omp_target_thread_limit", utostr(Bounds.Threads));
  renew(Kernel);
  Kernel.eraseFromParent();
}

void writeNest(const TeamNest &Nest, const NestReductions &Reductions,
               const NestChoices &Choices) {
  Writer(Nest, Reductions, Choices).write();
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
