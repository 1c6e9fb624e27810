//===- Emit.cpp - Runs a nest across lanes --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the loop over workers: the copy for few threads, the loop's control,
// where lanes meet around vector loops, and the code that lane 0 runs alone.
// Vector loops inside are in EmitVector.cpp.
//
//===----------------------------------------------------------------------===//

#include "lanes/Emit.h"

#include "gpu/Exchange.h"
#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"
#include "lanes/Marks.h"
#include "lanes/Wide.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using accx::gpu::Exchange;

namespace accx::lanes {

/// A copy of \p L for few threads. Returns its header.
static BasicBlock *copyForThreads(const Loop &L) {
  ValueToValueMapTy Map;
  // Hints that would only make it long are left out.
  return ir::copyLoop(
      L, Map, ".threads",
      {VectorMark, WorkersMark, gridloop::GridLoopMetadata,
       "llvm.loop.vectorize.", "llvm.loop.unroll."},
      ir::loopOption(L.getHeader()->getContext(), "llvm.loop.unroll.disable"));
}

/// Whether \p I may access what lanes share.
static bool accesses(Instruction &I) {
  if (!I.mayReadOrWriteMemory() || isa<DbgInfoIntrinsic, AssumeInst>(I) ||
      asNote(&I, "accx.lanes."))
    return false;
  if (const auto *Known = dyn_cast<IntrinsicInst>(&I))
    return !Known->isLifetimeStartOrEnd();
  const Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer)
    return true;
  // A thread's local memory is its own.
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return !all_of(Objects, [](const Value *V) { return isa<AllocaInst>(V); });
}

/// Sets WaitsBefore and WaitsAfter of \p N's vector loops. Lanes that write
/// memory in a vector loop meet before it and behind it, so that the worker's
/// own code and other lanes see one order. Workers are independent. So where no
/// code of the same worker accesses memory on one side of the loop, lanes do
/// not wait there.
static void findWaits(Nest &N) {
  const Loop &Workers = *N.W.L;
  if (N.Vectors.size() != 1)
    return;
  VectorLoop &V = N.Vectors.front();
  // A worker that runs it again reads what lanes wrote before.
  if (V.L->getParentLoop() != &Workers)
    return;
  V.WaitsBefore = V.WaitsAfter = false;
  BasicBlock *Header = V.L->getHeader();
  SmallPtrSet<BasicBlock *, 1> Again{Workers.getHeader()};
  const auto Reaches = [&](BasicBlock *From, BasicBlock *To) {
    return From != Workers.getHeader() &&
           isPotentiallyReachable(From, To, &Again);
  };
  for (BasicBlock *Block : Workers.blocks()) {
    if (V.L->contains(Block) ||
        none_of(*Block, [](Instruction &I) { return accesses(I); }))
      continue;
    // The header's own code comes first.
    V.WaitsBefore |= Block == Workers.getHeader() || Reaches(Block, Header);
    V.WaitsAfter |= Reaches(Header, Block);
  }
}

namespace {

class NestEmitter {
  Plan &P;
  Loop &L;
  LanePlace Place;
  /// The header's phis and the values that they begin with.
  SmallVector<std::pair<PHINode *, Value *>, 4> Starts;

public:
  explicit NestEmitter(Plan &P) : P(P), L(*P.N.W.L) {}

  void run() {
    findWaits(P.N);
    // Before lane 0 hands out its own.
    for (PHINode &Phi : L.getHeader()->phis())
      Starts.emplace_back(&Phi,
                          Phi.getIncomingValueForBlock(L.getLoopPreheader()));
    if (P.Wide)
      Place = readWide(P);
    else
      version();
    controlWorkers();
    for (VectorLoop &V : P.N.Vectors)
      runAcrossLanes(V, Place);
    for (const Group &G : P.Groups)
      guard(G);
  }

private:
  void version();
  void controlWorkers();
  void leaveEarly(BasicBlock &Exit, BasicBlock &Usual);
  void guard(const Group &G);
};

} // namespace

/// Puts the copy beside the loop, and what is needed before it.
void NestEmitter::version() {
  BasicBlock *Before = L.getLoopPreheader();
  BasicBlock *Header = L.getHeader();
  BasicBlock *Copy = copyForThreads(L);
  BasicBlock *Entry = BasicBlock::Create(Header->getContext(), "lanes",
                                         Header->getParent(), Header);
  Instruction *Jump = Before->getTerminator();
  IRBuilder<> B(Jump);
  Place = LanePlace::read(B, P.N.W, P.Lanes);
  for (const VectorLoop &V : P.N.Vectors)
    if (Value *Bound = V.bound(); P.LeastTrip && L.isLoopInvariant(Bound) &&
                                  !is_contained(P.FromOutside, Bound)) {
      Constant *Least = ConstantInt::get(Bound->getType(), P.LeastTrip);
      Place.Enough =
          B.CreateAnd(Place.Enough, V.IsSigned ? B.CreateICmpSGE(Bound, Least)
                                               : B.CreateICmpUGE(Bound, Least));
    }
  B.CreateCondBr(Place.Enough, Entry, Copy);
  Jump->eraseFromParent();
  B.SetInsertPoint(Entry);
  B.CreateBr(Header);
  Header->replacePhiUsesWith(Before, Entry);

  B.SetInsertPoint(Entry->getTerminator());
  const Exchange Hand(B, Place.Members);
  for (Value *V : P.FromOutside) {
    Value *Handed = Hand.fromLane(V, B.getInt32(0), P.Lanes);
    V->replaceUsesWithIf(Handed, [&](const Use &U) {
      const auto *User = cast<Instruction>(U.getUser());
      return User != P.N.W.Counter && User != P.N.W.Next && L.contains(User);
    });
  }
}

void NestEmitter::controlWorkers() {
  WorkerLoop &W = P.N.W;
  BasicBlock *Header = L.getHeader();
  BasicBlock *Entry = W.Counter->getIncomingBlock(
      W.Counter->getIncomingBlock(0) == L.getLoopLatch() ? 1 : 0);
  BasicBlock *Exit = L.getExitBlock();
  W.Counter->setIncomingValueForBlock(Entry, Place.Start);
  W.Next->setOperand(W.Next->getOperand(0) == W.Counter ? 1 : 0, Place.Step);

  // Other threads had no iteration. What they hold is from before the loop, not
  // what lane 0 has handed out.
  BasicBlock *Leave = BasicBlock::Create(Header->getContext(), "lanes.exit",
                                         Header->getParent(), Exit);
  IRBuilder<> B(Leave);
  Header->getTerminator()->replaceSuccessorWith(Exit, Leave);
  for (PHINode &Phi : Exit->phis()) {
    const int At = Phi.getBasicBlockIndex(Header);
    Phi.setIncomingBlock(At, Leave);
    auto *Carried = dyn_cast<PHINode>(Phi.getIncomingValue(At));
    if (Phi.use_empty() || !Carried || Carried->getParent() != Header)
      continue;
    for (const auto &[Of, Start] : Starts)
      if (Of == Carried)
        Phi.setIncomingValue(At,
                             B.CreateSelect(Place.isFirst(B), Carried, Start));
  }
  B.CreateBr(Exit);
  if (Place.Wide && Place.Wide->Environment)
    leaveEarly(*Exit, *Leave);
  unmark(L, {gridloop::GridLoopMetadata, WorkersMark});
}

/// A way out for blocks whose worker other blocks go on with. What they hold is
/// from before the loop.
void NestEmitter::leaveEarly(BasicBlock &Exit, BasicBlock &Usual) {
  BasicBlock *Left = BasicBlock::Create(Exit.getContext(), "lanes.left",
                                        Exit.getParent(), &Exit);
  BranchInst::Create(&Exit, Left);
  Place.Wide->Left = Left;
  for (PHINode &Phi : Exit.phis()) {
    Value *V = Phi.getIncomingValueForBlock(&Usual);
    if (auto *Choice = dyn_cast<SelectInst>(V);
        Choice && Choice->getParent() == &Usual)
      V = Choice->getFalseValue();
    else if (auto *I = dyn_cast<Instruction>(V); I && L.contains(I))
      V = PoisonValue::get(Phi.getType());
    Phi.addIncoming(V, Left);
  }
}

void NestEmitter::guard(const Group &G) {
  const auto Guarded = guardedIn(G);
  for (auto It = G.First->getIterator(), End = std::next(G.Last->getIterator());
       It != End;) {
    Instruction &I = *It++;
    if (!Guarded.contains(&I))
      I.moveBefore(G.First);
  }

  BasicBlock *Head = G.First->getParent();
  BasicBlock *Body = SplitBlock(Head, G.First);
  BasicBlock *Tail = SplitBlock(Body, std::next(G.Last->getIterator()));
  Body->setName("first.lane");
  IRBuilder<> B(Head->getTerminator());
  const auto Wait = [&] {
    if (G.IsShared)
      Place.wait(B);
  };
  Wait();
  B.CreateCondBr(Place.isFirst(B), Body, Tail);
  Head->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Tail, Tail->begin());
  Wait();
  const Exchange Hand(B, Place.Members);
  for (Instruction &I : *Body) {
    SmallVector<Use *, 4> Outside;
    for (Use &U : I.uses())
      if (cast<Instruction>(U.getUser())->getParent() != Body)
        Outside.push_back(&U);
    if (Outside.empty())
      continue;
    PHINode *Phi = PHINode::Create(I.getType(), 2, "", Tail->begin());
    Phi->addIncoming(&I, Body);
    Phi->addIncoming(PoisonValue::get(I.getType()), Head);
    // Other lanes' words are not used, but must not be poison.
    Value *Handed = Hand.fromLane(B.CreateFreeze(Phi), B.getInt32(0), P.Lanes);
    for (Use *U : Outside)
      U->set(Handed);
  }
}

void emit(Plan &P) { NestEmitter(P).run(); }

} // namespace accx::lanes
