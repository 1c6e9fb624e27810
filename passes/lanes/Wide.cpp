//===- Wide.cpp - Lanes of whole blocks, or of several --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the versions of a nest for groups of whole blocks, of several blocks,
// and of a few lanes: their choice, their places, and reductions over blocks.
// All else of these versions is the common emitter's.
//
//===----------------------------------------------------------------------===//

#include "lanes/Wide.h"

#include "accx/kernel_desc.h"
#include "gpu/Exchange.h"
#include "gpu/SharedMemory.h"
#include "gpu/ThreadPlace.h"
#include "ir/LoopCopy.h"
#include "lanes/Marks.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using accx::gpu::WarpLanes;

static cl::opt<unsigned>
    Short("accx-simt-lanes-short", cl::init(8), cl::Hidden,
          cl::desc("Lanes of groups for short vector loops of nests: 2, 4, 8 "
                   "or 16; 0: as for others"));

namespace accx::lanes {

unsigned shortLanes() { return Short; }

constexpr unsigned WordBytes = 8;
constexpr unsigned MaxReductions = ACCX_TICKET_RECORD / WordBytes;

/// The loop's trip count, from its test; null where it is not known before.
static Value *tripOf(const WorkerLoop &W) {
  const auto Test =
      gridloop::BoundTest::find(*W.L, *W.L->getHeader(), *W.Counter);
  return Test && !Test->IsInclusive ? Test->Bound : nullptr;
}

/// Whether blocks may be in one group: see the invariants.
static bool mayJoin(const Plan &P) {
  const VectorLoop &V = P.N.Vectors.front();
  const Loop &L = *P.N.W.L;
  if (V.isApart())
    return !V.Writes && P.Groups.empty();
  if (any_of(V.Reductions, [](const VectorReduction &R) { return R.IsOwn; }))
    return false;
  if (V.Writes || V.Reductions.empty() || V.L->getParentLoop() != &L ||
      L.getSubLoops().size() != 1)
    return false;
  SmallPtrSet<BasicBlock *, 1> Again{L.getHeader()};
  return none_of(P.Groups, [&](const Group &G) {
    return isPotentiallyReachable(G.First->getParent(), V.L->getHeader(),
                                  &Again);
  });
}

bool mayBeWide(Plan &P) {
  if (P.N.Vectors.size() != 1 || P.Lanes != WarpLanes || P.N.W.Group ||
      !isa<Argument>(P.N.W.Start) || !isa<Argument>(P.N.W.Step) ||
      !tripOf(P.N.W))
    return false;
  const VectorLoop &V = P.N.Vectors.front();
  if (!V.Lasts.empty() || V.Reductions.size() > MaxReductions)
    return false;
  const DataLayout &Layout = V.Counter->getModule()->getDataLayout();
  for (const VectorReduction &R : V.Reductions) {
    if (R.IsOwn)
      continue;
    Type *T = R.Result->getType();
    if (!R.Neutral || !T->isSingleValueType() ||
        Layout.getTypeStoreSize(T) > WordBytes)
      return false;
  }
  for (const Group &G : P.Groups) {
    const auto Guarded = guardedIn(G);
    for (const Instruction *I : Guarded)
      if (any_of(I->users(), [&](const User *U) {
            return !Guarded.contains(cast<Instruction>(U));
          }))
        return false;
  }
  P.MayJoin = mayJoin(P);
  return true;
}

/// Puts a copy of \p W's loop beside it, to run where \p Goes; \p Entry is the
/// end of the block before it. Returns its header.
static BasicBlock *addVersion(const WorkerLoop &W, Value *Goes,
                              Instruction *&Entry) {
  BasicBlock *Before = W.L->getLoopPreheader();
  BasicBlock *Header = W.L->getHeader();
  ValueToValueMapTy Map;
  BasicBlock *Copy = ir::copyLoop(*W.L, Map, ".wide");
  // Each loop has an entry of its own.
  LLVMContext &C = Header->getContext();
  Function *F = Header->getParent();
  BasicBlock *Usual = BasicBlock::Create(C, "usual", F, Header);
  BasicBlock *Other = BasicBlock::Create(C, "version", F, Copy);
  BranchInst::Create(Header, Usual);
  Entry = BranchInst::Create(Copy, Other);
  Header->replacePhiUsesWith(Before, Usual);
  Copy->replacePhiUsesWith(Before, Other);
  IRBuilder<> B(Before->getTerminator());
  B.CreateCondBr(Goes, Other, Usual);
  Before->getTerminator()->eraseFromParent();
  return Copy;
}

BasicBlock *addWideLoop(const Plan &P, Value *&Width) {
  const WorkerLoop &W = P.N.W;
  IRBuilder<> B(W.L->getLoopPreheader()->getTerminator());
  Value *Trip = tripOf(W);
  Value *Block = B.CreateZExt(gpu::readThreads(B), B.getInt64Ty(), "block");
  Value *Warps = B.CreateLShr(W.Step, Log2_32(WarpLanes));
  // At most half of the warps would have a worker.
  Value *IsFew = B.CreateICmpULE(Trip, B.CreateLShr(Warps, 1), "few");
  Value *IsWhole = B.CreateIsNull(B.CreateAnd(Block, WarpLanes - 1));
  Value *IsBlock = B.CreateICmpUGE(W.Step, Block);
  Value *Goes = B.CreateAnd(IsFew, B.CreateAnd(IsWhole, IsBlock), "wide");
  const VectorLoop &V = P.N.Vectors.front();
  constexpr uint64_t Least = 2 * WarpLanes;
  if (Value *Bound = V.bound(); W.L->isLoopInvariant(Bound) &&
                                Bound->getType()->getIntegerBitWidth() > 8) {
    Constant *Enough = ConstantInt::get(Bound->getType(), Least);
    Goes = B.CreateAnd(Goes, V.IsSigned ? B.CreateICmpSGE(Bound, Enough)
                                        : B.CreateICmpUGE(Bound, Enough));
  }
  Instruction *Entry = nullptr;
  BasicBlock *Copy = addVersion(W, Goes, Entry);
  Width = Block;
  if (P.MayJoin) {
    B.SetInsertPoint(Entry);
    Value *Blocks = B.CreateUDiv(W.Step, Block);
    Value *Each = B.CreateUDiv(
        Blocks, B.CreateBinaryIntrinsic(Intrinsic::umax, Trip, B.getInt64(1)));
    Width = B.CreateMul(
        B.CreateBinaryIntrinsic(Intrinsic::umax, Each, B.getInt64(1)), Block,
        "width");
  }
  return Copy;
}

BasicBlock *addShortLoop(const Plan &P) {
  const WorkerLoop &W = P.N.W;
  if (P.Lanes != WarpLanes || !isPowerOf2_32(Short) || Short < 2 ||
      Short >= WarpLanes)
    return nullptr;
  IRBuilder<> B(W.L->getLoopPreheader()->getTerminator());
  Value *Goes = B.getTrue();
  constexpr uint64_t Most = 2 * WarpLanes;
  for (const VectorLoop &V : P.N.Vectors) {
    Value *Bound = V.bound();
    if ((V.Length != LengthUnknown && V.Length != LengthOfPlainSimd) ||
        !W.L->isLoopInvariant(Bound) || isa<Constant>(Bound) ||
        Bound->getType()->getIntegerBitWidth() <= 8)
      return nullptr;
    Constant *Few = ConstantInt::get(Bound->getType(), Most);
    Goes = B.CreateAnd(Goes, V.IsSigned ? B.CreateICmpSLE(Bound, Few)
                                        : B.CreateICmpULE(Bound, Few));
  }
  Instruction *Entry = nullptr;
  return addVersion(W, Goes, Entry);
}

void dropVersion(BasicBlock &Header) {
  for (BasicBlock *Entry : predecessors(&Header))
    if (BasicBlock *Before = Entry->getSinglePredecessor())
      if (auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
          Branch && Branch->isConditional() && Branch->getSuccessor(0) == Entry)
        Branch->setCondition(ConstantInt::getFalse(Branch->getContext()));
}

LanePlace readWide(const Plan &P) {
  const WorkerLoop &W = P.N.W;
  Function *F = W.L->getHeader()->getParent();
  IRBuilder<> Entry(&*F->getEntryBlock().getFirstInsertionPt());
  AllocaInst *First = Entry.CreateAlloca(Entry.getInt32Ty(), nullptr, "first");
  IRBuilder<> B(W.L->getLoopPreheader()->getTerminator());
  LanePlace Place;
  Place.Lanes = WarpLanes;
  Place.Members = B.getInt32(~0U);
  WidePlace At;
  At.Thread = gpu::readThread(B);
  At.Threads = gpu::readThreads(B);
  At.Width = B.CreateTrunc(P.Wide, B.getInt32Ty());
  At.Blocks =
      B.CreateUDiv(P.Wide, B.CreateZExt(At.Threads, B.getInt64Ty()), "blocks");
  At.First = First;
  if (P.MayJoin && !P.N.Vectors.front().isApart())
    At.Environment = F->getArg(F->arg_size() - 1);
  Place.Lane =
      B.CreateTrunc(B.CreateURem(W.Start, P.Wide), B.getInt32Ty(), "lane");
  Place.IsFirst = B.CreateIsNull(Place.Lane, "first.lane");
  B.CreateStore(B.CreateZExt(Place.IsFirst, B.getInt32Ty()), First);
  Place.Start = B.CreateUDiv(W.Start, P.Wide, "worker");
  Place.Step = B.CreateUDiv(W.Step, P.Wide);
  Place.Wide = At;
  return Place;
}

namespace {

class WideReducer {
  ArrayRef<VectorReduction> Reductions;
  const WidePlace &At;
  SmallVectorImpl<Value *> &Values;
  const WideOperators &Operators;
  Instruction *Here;
  IRBuilder<> B;
  Value *Lane;

public:
  WideReducer(ArrayRef<VectorReduction> Reductions, const LanePlace &Place,
              SmallVectorImpl<Value *> &Values, const WideOperators &Operators)
      : Reductions(Reductions), At(*Place.Wide), Values(Values),
        Operators(Operators), Here(lastOf(Reductions)), B(Here),
        Lane(B.CreateAnd(At.Thread, WarpLanes - 1)) {}

  void run() {
    overBlock();
    if (At.Environment)
      overBlocks();
  }

private:
  /// The last result: behind it all values are there.
  static Instruction *lastOf(ArrayRef<VectorReduction> Reductions) {
    Instruction *Last = Reductions.front().Result;
    for (const VectorReduction &R : Reductions)
      if (Last->comesBefore(R.Result))
        Last = R.Result;
    return Last;
  }
  Value *isThread(unsigned Number) {
    return B.CreateICmpEQ(At.Thread, B.getInt32(Number));
  }
  void barrier() { B.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {}); }
  void fence() { B.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {}); }
  void overBlock();
  SmallVector<PHINode *, 2>
  sumRecords(Instruction &Meet, Value *Base,
             function_ref<Value *(Value *, unsigned)> Field);
  void overBlocks();
};

} // namespace

static GlobalVariable &sharedWords(Module &M, const char *Name,
                                   uint64_t Count) {
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return *Known;
  Type *T = ArrayType::get(Type::getInt64Ty(M.getContext()), Count);
  return *gpu::createShared(M, *UndefValue::get(T), Name, Align(WordBytes));
}

void WideReducer::overBlock() {
  GlobalVariable &Slots = sharedWords(*Here->getModule(), "accx.lanes.slots",
                                      uint64_t(MaxReductions) * WarpLanes);
  const auto Slot = [&](unsigned I, Value *Warp) {
    return B.CreateInBoundsGEP(B.getInt64Ty(), &Slots,
                               B.CreateAdd(Warp, B.getInt32(I * WarpLanes)));
  };
  barrier();
  Instruction *Then =
      SplitBlockAndInsertIfThen(B.CreateIsNull(Lane), Here, false);
  B.SetInsertPoint(Then);
  Value *Warp = B.CreateLShr(At.Thread, Log2_32(WarpLanes));
  for (unsigned I = 0; I < Values.size(); ++I)
    B.CreateStore(Values[I], Slot(I, Warp), /*isVolatile=*/true);
  B.SetInsertPoint(Here);
  barrier();
  Value *Warps = B.CreateLShr(At.Threads, Log2_32(WarpLanes));
  Value *IsUsed = B.CreateICmpULT(Lane, Warps);
  Value *Index = B.CreateSelect(IsUsed, Lane, B.getInt32(0));
  for (unsigned I = 0; I < Values.size(); ++I) {
    Value *Word = B.CreateLoad(Values[I]->getType(), Slot(I, Index),
                               /*isVolatile=*/true);
    Word = B.CreateSelect(IsUsed, Word, Reductions[I].Neutral);
    Values[I] = Operators.OverLanes(B, I, Word);
  }
}

/// Each lane's sums of the records of a group's blocks, in front of \p Meet:
/// \p Base is the group's first block, \p Field a place in a block's record.
SmallVector<PHINode *, 2>
WideReducer::sumRecords(Instruction &Meet, Value *Base,
                        function_ref<Value *(Value *, unsigned)> Field) {
  Type *Wide = B.getInt64Ty();
  Value *First = B.CreateZExt(Lane, Wide);
  BasicBlock *Enter = Meet.getParent();
  BasicBlock *Rest = SplitBlock(Enter, &Meet);
  Function *F = Meet.getFunction();
  LLVMContext &C = B.getContext();
  BasicBlock *Loop = BasicBlock::Create(C, "records", F, Rest);
  BasicBlock *Body = BasicBlock::Create(C, "record", F, Rest);
  Enter->getTerminator()->replaceSuccessorWith(Rest, Loop);
  B.SetInsertPoint(Loop);
  PHINode *Index = B.CreatePHI(Wide, 2);
  SmallVector<PHINode *, 2> Sums;
  for (unsigned I = 0; I < Values.size(); ++I)
    Sums.push_back(B.CreatePHI(Values[I]->getType(), 2));
  B.CreateCondBr(B.CreateICmpULT(Index, At.Blocks), Body, Rest);
  B.SetInsertPoint(Body);
  Index->addIncoming(First, Enter);
  Value *Of = B.CreateAdd(Base, Index);
  for (unsigned I = 0; I < Values.size(); ++I) {
    Sums[I]->addIncoming(Reductions[I].Neutral, Enter);
    Value *Word = B.CreateLoad(Values[I]->getType(), Field(Of, I));
    Sums[I]->addIncoming(Operators.OfTwo(B, I, Sums[I], Word), Body);
  }
  Index->addIncoming(B.CreateAdd(Index, B.getInt64(WarpLanes)), Body);
  B.CreateBr(Loop);
  return Sums;
}

void WideReducer::overBlocks() {
  constexpr auto Relaxed = AtomicOrdering::Monotonic;
  Type *Byte = B.getInt8Ty();
  Type *Wide = B.getInt64Ty();
  BasicBlock *Before = Here->getParent();
  Instruction *Meet = SplitBlockAndInsertIfThen(
      B.CreateICmpUGT(At.Blocks, B.getInt64(1)), Here, /*Unreachable=*/false);
  BasicBlock *After = Here->getParent();
  B.SetInsertPoint(Meet);
  // The level of workers comes second.
  Value *Buffer = B.CreateLoad(
      B.getPtrTy(), B.CreateConstInBoundsGEP1_64(Byte, At.Environment, 8));
  Value *Records =
      B.CreateConstGEP1_64(Byte, Buffer, ACCX_TICKET_RECORDS_AT(1));
  Value *Block = B.CreateZExt(
      B.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {}, {}), Wide);
  // This block's number in its group, from that of thread 0 of it.
  Function *F = Here->getFunction();
  Value *Rank =
      B.CreateSub(F->getArg(F->arg_size() - 4), B.CreateZExt(At.Thread, Wide));
  Value *Number = B.CreateURem(
      B.CreateUDiv(Rank, B.CreateZExt(At.Threads, Wide)), At.Blocks);
  Value *Base = B.CreateSub(Block, Number, "base");
  Value *Counter =
      B.CreateGEP(B.getInt32Ty(),
                  B.CreateConstGEP1_64(Byte, Buffer, ACCX_TICKETS_AT(1)), Base);
  const auto Field = [&](Value *Of, unsigned I) {
    Value *Record = B.CreateGEP(
        Byte, Records, B.CreateMul(Of, B.getInt64(ACCX_TICKET_RECORD)));
    return B.CreateConstGEP1_64(Byte, Record, uint64_t(I) * WordBytes);
  };
  GlobalVariable &Shared =
      sharedWords(*Here->getModule(), "accx.lanes.ticket", 1);
  Instruction *Leaves = SplitBlockAndInsertIfThen(isThread(0), Meet, false);
  B.SetInsertPoint(Leaves);
  for (unsigned I = 0; I < Values.size(); ++I)
    B.CreateStore(Values[I], Field(Block, I));
  fence();
  B.CreateStore(B.CreateAtomicRMW(AtomicRMWInst::Add, Counter, B.getInt32(1),
                                  Align(4), Relaxed),
                &Shared, /*isVolatile=*/true);
  B.SetInsertPoint(Meet);
  barrier();
  Value *Mine = B.CreateZExt(
      B.CreateLoad(B.getInt32Ty(), &Shared, /*isVolatile=*/true), Wide);
  Value *IsLast =
      B.CreateICmpEQ(Mine, B.CreateSub(At.Blocks, B.getInt64(1)), "last");
  // The others have no further worker.
  BasicBlock *Asked = Meet->getParent();
  BasicBlock *Last = SplitBlock(Asked, Meet);
  Asked->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Asked);
  B.CreateCondBr(IsLast, Last, At.Left);

  // All warps do the same, lane by lane.
  B.SetInsertPoint(Meet);
  fence();
  const SmallVector<PHINode *, 2> Sums = sumRecords(*Meet, Base, Field);

  B.SetInsertPoint(Meet);
  SmallVector<Value *, 2> All;
  for (unsigned I = 0; I < Values.size(); ++I)
    All.push_back(Operators.OverLanes(B, I, Sums[I]));
  B.CreateStore(B.CreateZExt(isThread(0), B.getInt32Ty()), At.First);
  Instruction *Resets = SplitBlockAndInsertIfThen(isThread(0), Meet, false);
  B.SetInsertPoint(Resets);
  B.CreateStore(B.getInt32(0), Counter);
  BasicBlock *Met = Meet->getParent();
  B.SetInsertPoint(After, After->begin());
  for (unsigned I = 0; I < Values.size(); ++I) {
    PHINode *Phi = B.CreatePHI(Values[I]->getType(), 2);
    Phi->addIncoming(Values[I], Before);
    Phi->addIncoming(All[I], Met);
    Values[I] = Phi;
  }
  B.SetInsertPoint(Here);
}

void reduceWide(ArrayRef<VectorReduction> Reductions, const LanePlace &Place,
                SmallVectorImpl<Value *> &Values,
                const WideOperators &Operators) {
  WideReducer(Reductions, Place, Values, Operators).run();
}

} // namespace accx::lanes
