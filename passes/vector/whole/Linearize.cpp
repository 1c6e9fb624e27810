//===- Linearize.cpp - Divergent control flow into masks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Linearize.h.
//
//===----------------------------------------------------------------------===//

#include "vector/whole/Linearize.h"

#include "vector/whole/Divergence.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <set>

using namespace llvm;

namespace accx::vector {

namespace {

/// What a guard costs, in simple operations.
constexpr unsigned GuardCost = 16;

class Linearizer {
public:
  Linearizer(Function &F, Value *EntryMask, const Regions &All,
             const Divergence &Ways, const LaneShapes &Shapes)
      : F(F), Context(F.getContext()), EntryMask(EntryMask), All(All),
        Ways(Ways), Shapes(Shapes),
        Any(F.getParent()->getOrInsertFunction(
            AnyLane, Type::getInt1Ty(Context), Type::getInt1Ty(Context))) {
    auto *Callee = cast<Function>(Any.getCallee());
    Callee->setDoesNotAccessMemory();
    Callee->setDoesNotThrow();
    Callee->setWillReturn();
  }

  StringRef run(BlockMasks &Masks) {
    const SmallVector<BasicBlock *, 32> Blocks(make_pointer_range(F));
    remember(Blocks);
    for (const auto &R : All.all())
      assignMasks(*R);
    findUnsafe();
    makePhiSlots(Blocks);
    for (BasicBlock *B : Blocks)
      writeEdges(B);
    // Inner loops first: they are nodes of the outer ones.
    for (const auto &R : reverse(All.all()))
      connect(*R);
    if (!Failure.empty())
      return Failure;
    readPhis();
    for (auto &[B, Mask] : MaskOf)
      Masks[B] = Mask;
    promote();
    return {};
  }

private:
  using Pending = std::set<unsigned>;
  /// An end of a loop's outside edges: a block that ends in one branch, or a
  /// divergent loop's dispatch, which has no terminator yet.
  struct Outgoing {
    BasicBlock *From;
    SmallVector<BasicBlock *, 4> Targets;
  };

  Function &F;
  LLVMContext &Context;
  Value *EntryMask;
  const Regions &All;
  const Divergence &Ways;
  const LaneShapes &Shapes;
  FunctionCallee Any;
  StringRef Failure;

  DenseMap<BasicBlock *, Value *> MaskOf;
  DenseMap<BasicBlock *, AllocaInst *> MaskSlot;
  /// The block from which a block has its mask.
  DenseMap<BasicBlock *, BasicBlock *> Root;
  DenseSet<BasicBlock *> Unsafe;
  MapVector<PHINode *, AllocaInst *> PhiSlot;
  /// Blocks whose branch becomes data.
  DenseSet<const BasicBlock *> Linear;
  DenseMap<const Loop *, BasicBlock *> Latches;
  DenseMap<const Loop *, SmallVector<BasicBlock *, 4>> Exits;
  /// Of divergent loops: lanes that go on, the tail, the dispatch.
  DenseMap<const Loop *, AllocaInst *> NextSlot;
  DenseMap<const Loop *, BasicBlock *> Tail;
  DenseMap<const Loop *, SmallVector<Outgoing, 2>> Leaving;
  SmallVector<AllocaInst *, 32> Slots;
  DenseMap<BasicBlock *, SmallVector<BasicBlock *, 2>> SplitEdges;

  AllocaInst *makeSlot(Type *Ty, const Twine &Name) {
    auto *Slot = new AllocaInst(Ty, 0, Name, F.getEntryBlock().begin());
    Slots.push_back(Slot);
    return Slot;
  }

  /// Gives the slot its value for lanes that do not come, in the region.
  void reset(AllocaInst *Slot, Value *Neutral, const BasicBlock *For) {
    const Region &R = All.around(For);
    if (!R.Cycle) {
      new StoreInst(Neutral, Slot, std::next(Slot->getIterator()));
      return;
    }
    BasicBlock *Header = R.Cycle->getHeader();
    new StoreInst(Neutral, Slot, Header->getFirstInsertionPt());
  }

  //--- Masks ---------------------------------------------------------------//

  bool isDivergent(const Region &R) const {
    return R.Cycle && Ways.isDivergent(R.Cycle);
  }

  void assignMasks(Region &R) {
    DenseMap<unsigned, unsigned> Dominator = dominators(R);
    for (unsigned I = 0; I != R.end(); ++I) {
      BasicBlock *B = R.Nodes[I].Entry;
      if (I == 0) {
        assignHeader(R, B);
        continue;
      }
      // Loops are entered from their preheader alone.
      if (R.Nodes[I].Inner)
        continue;
      // All lanes of a dominating node that this one post-dominates get here.
      unsigned D = I;
      bool Same = false;
      while (D != 0 && !Same) {
        D = Dominator[D];
        Same = !R.Nodes[D].Inner && postDominates(R, I, D);
      }
      if (Same) {
        BasicBlock *Other = R.Nodes[D].Entry;
        MaskOf[B] = MaskOf[Other];
        Root[B] = Root[Other];
        continue;
      }
      makeMaskSlot(B);
      reset(MaskSlot[B], ConstantInt::getFalse(Context), B);
    }
  }

  void makeMaskSlot(BasicBlock *B) {
    AllocaInst *Slot = makeSlot(Type::getInt1Ty(Context), "mask.slot");
    MaskSlot[B] = Slot;
    Root[B] = B;
    MaskOf[B] = new LoadInst(Slot->getAllocatedType(), Slot, "mask",
                             B->getFirstInsertionPt());
  }

  void assignHeader(const Region &R, BasicBlock *Header) {
    if (!R.Cycle) {
      MaskOf[Header] = EntryMask;
      Root[Header] = Header;
    } else if (!isDivergent(R)) {
      BasicBlock *Before = R.Cycle->getLoopPreheader();
      MaskOf[Header] = MaskOf[Before];
      Root[Header] = Root[Before];
    } else {
      makeMaskSlot(Header);
      NextSlot[R.Cycle] = makeSlot(Type::getInt1Ty(Context), "next.slot");
      new StoreInst(ConstantInt::getFalse(Context), NextSlot[R.Cycle],
                    Header->getFirstInsertionPt());
      Tail[R.Cycle] =
          BasicBlock::Create(Context, Header->getName() + ".tail", &F);
    }
  }

  static DenseMap<unsigned, unsigned> dominators(const Region &R) {
    DenseMap<unsigned, unsigned> Result{{0, 0}};
    // The order is topological: predecessors of a node are known before it.
    for (unsigned I = 0; I != R.end(); ++I)
      for (unsigned S : R.Nodes[I].Successors) {
        if (S == R.end())
          continue;
        auto [It, First] = Result.try_emplace(S, I);
        if (First)
          continue;
        unsigned A = It->second;
        unsigned B = I;
        while (A != B)
          (A > B ? A : B) = Result[std::max(A, B)];
        It->second = A;
      }
    return Result;
  }

  static bool postDominates(const Region &R, unsigned Later, unsigned Earlier) {
    while (Earlier < Later)
      Earlier = R.Nodes[Earlier].PostDominator;
    return Earlier == Later;
  }

  //--- Which blocks need a guard -------------------------------------------//

  /// What it costs to execute the block for nothing; more than a guard if it
  /// is not allowed.
  unsigned costOf(BasicBlock &B) const {
    if (const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
        !Branch || (Branch->isConditional() && !isLinear(&B)))
      return GuardCost + 1;
    unsigned Cost = 0;
    for (const Instruction &I : B) {
      const Value *Address = getLoadStorePointerOperand(&I);
      if (Address && !I.isAtomic() && !I.isVolatile()) {
        if (Shapes.isUniform(Address))
          return GuardCost + 1;
        Cost += Shapes.of(Address).isStrided() ? 2 : 8;
      } else if (isa<CallBase>(I)) {
        Cost += isSafeToSpeculativelyExecute(&I) ? 2 : GuardCost + 1;
      } else if (I.mayReadOrWriteMemory()) {
        return GuardCost + 1;
      } else if (I.isIntDivRem()) {
        if (Shapes.isUniform(&I))
          return GuardCost + 1;
        Cost += 8;
      } else {
        Cost += I.isTerminator() || isa<PHINode>(I) ? 0 : 1;
      }
    }
    return Cost;
  }

  void findUnsafe() {
    for (BasicBlock &B : F)
      if (Root.contains(&B) && costOf(B) > GuardCost)
        Unsafe.insert(Root[&B]);
    for (const auto &R : All.all())
      if (R->Cycle)
        Unsafe.insert(Root[R->Cycle->getLoopPreheader()]);
  }

  //--- Edges ---------------------------------------------------------------//

  /// Header phis of loops whose lanes stay together remain phis.
  bool keepsPhis(const BasicBlock *B) const {
    const Loop *L = All.loops().getLoopFor(B);
    return L && L->getHeader() == B && !Ways.isDivergent(L);
  }

  void makePhiSlots(ArrayRef<BasicBlock *> Blocks) {
    for (BasicBlock *B : Blocks) {
      if (keepsPhis(B))
        continue;
      // A header's slot is read in the tail, for the next iteration.
      for (PHINode &Phi : B->phis()) {
        PhiSlot[&Phi] = makeSlot(Phi.getType(), Phi.getName() + ".slot");
        reset(PhiSlot[&Phi], PoisonValue::get(Phi.getType()), B);
      }
    }
  }

  /// Whether the edge leads back to, or out of, the innermost loop around it.
  static bool isBackEdge(const Loop *L, const BasicBlock *To) {
    return L && L->getHeader() == To;
  }

  /// Records that the lanes of `EdgeMask` go from `From` to `To`.
  void writeEdge(IRBuilder<> &Builder, BasicBlock *From, BasicBlock *To,
                 Value *EdgeMask) {
    const Loop *L = All.loops().getLoopFor(From);
    const bool Back = isBackEdge(L, To);
    const Loop *ToLoop = All.loops().getLoopFor(To);
    const bool Enters = !Back && ToLoop && ToLoop->getHeader() == To;
    if (Back && !Ways.isDivergent(L))
      return;
    if (Back || Enters) {
      if (AllocaInst *Slot = Back ? NextSlot[L] : MaskSlot.lookup(To))
        Builder.CreateStore(EdgeMask, Slot);
    } else if (AllocaInst *Slot = MaskSlot.lookup(To)) {
      Value *Old = Builder.CreateLoad(Builder.getInt1Ty(), Slot);
      Builder.CreateStore(Builder.CreateOr(Old, EdgeMask), Slot);
    }
    // The first value of a header's phi stays at the phi.
    if (Enters)
      return;
    for (PHINode &Phi : To->phis()) {
      AllocaInst *Slot = PhiSlot.lookup(&Phi);
      if (!Slot)
        continue;
      Value *New = Phi.getIncomingValueForBlock(From);
      if (!Back && !Shapes.isUniform(&Phi))
        New = Builder.CreateSelect(EdgeMask, New,
                                   Builder.CreateLoad(Phi.getType(), Slot));
      Builder.CreateStore(New, Slot);
    }
  }

  /// What the control flow was before it changes.
  void remember(ArrayRef<BasicBlock *> Blocks) {
    for (BasicBlock *B : Blocks)
      if (Ways.isDivergentBranch(B) || leavesDivergentLoop(B))
        Linear.insert(B);
    for (const auto &R : All.all())
      if (R->Cycle) {
        Latches[R->Cycle] = R->Cycle->getLoopLatch();
        R->Cycle->getUniqueExitBlocks(Exits[R->Cycle]);
      }
  }

  bool leavesDivergentLoop(const BasicBlock *B) const {
    const Loop *L = All.loops().getLoopFor(B);
    return L && Ways.isDivergent(L) &&
           any_of(successors(B),
                  [&](const BasicBlock *S) { return !L->contains(S); });
  }

  bool isLinear(const BasicBlock *B) const { return Linear.contains(B); }

  bool isFull(const Value *Mask) const {
    const auto *C = dyn_cast<ConstantInt>(Mask);
    return C && C->isOne();
  }

  void writeEdges(BasicBlock *B) {
    auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
    if (!Branch)
      return;
    Value *Mask = MaskOf[B];
    if (!Branch->isConditional()) {
      IRBuilder<> Builder(Branch);
      writeEdge(Builder, B, Branch->getSuccessor(0), Mask);
      return;
    }
    if (isLinear(B)) {
      IRBuilder<> Builder(Branch);
      Value *Condition = Branch->getCondition();
      Value *Not = nullptr;
      if (isFull(Mask)) {
        Not = Builder.CreateNot(Condition);
      } else {
        // Lanes that are not here may have computed poison.
        Condition = Builder.CreateFreeze(Condition);
        Not = Builder.CreateAnd(Mask, Builder.CreateNot(Condition));
        Condition = Builder.CreateAnd(Mask, Condition);
      }
      writeEdge(Builder, B, Branch->getSuccessor(0), Condition);
      writeEdge(Builder, B, Branch->getSuccessor(1), Not);
      return;
    }
    // Only one way is taken: what belongs to it goes on the edge.
    const Loop *L = All.loops().getLoopFor(B);
    for (unsigned I = 0; I != 2; ++I) {
      BasicBlock *To = Branch->getSuccessor(I);
      if (isBackEdge(L, To))
        continue;
      BasicBlock *Edge =
          BasicBlock::Create(Context, B->getName() + ".edge", &F);
      IRBuilder<> Builder(Edge);
      writeEdge(Builder, B, To, Mask);
      Builder.CreateBr(To);
      Branch->setSuccessor(I, Edge);
      for (PHINode &Phi : To->phis())
        if (!PhiSlot.contains(&Phi))
          Phi.replaceIncomingBlockWith(B, Edge);
      SplitEdges[B].push_back(Edge);
    }
  }

  //--- Order ---------------------------------------------------------------//

  BasicBlock *blockOf(const Region &R, unsigned Node) const {
    return Node == R.end() ? Tail.lookup(R.Cycle) : R.Nodes[Node].Entry;
  }

  /// Ends `From` with a branch to the first of the nodes; the others are
  /// pending there.
  void fallThrough(const Region &R, BasicBlock *From, Pending Next,
                   std::vector<Pending> &Waiting) {
    IRBuilder<> Builder(From);
    while (true) {
      const unsigned First = *Next.begin();
      Next.erase(Next.begin());
      BasicBlock *To = blockOf(R, First);
      if (!To) {
        Failure = "its control flow cannot be linearized";
        Builder.CreateUnreachable();
        return;
      }
      AllocaInst *Slot = MaskSlot.lookup(To);
      const bool Guarded = Slot && First != R.end() && !R.Nodes[First].Inner &&
                           Unsafe.contains(To) && !Next.empty();
      if (First != R.end())
        Waiting[First].insert(Next.begin(), Next.end());
      if (!Guarded) {
        Builder.CreateBr(To);
        return;
      }
      auto *Skip = BasicBlock::Create(Context, To->getName() + ".none", &F);
      Value *Lanes = Builder.CreateLoad(Builder.getInt1Ty(), Slot);
      Builder.CreateCondBr(Builder.CreateCall(Any, Lanes), To, Skip);
      Builder.SetInsertPoint(Skip);
    }
  }

  void connect(const Region &R) {
    std::vector<Pending> Waiting(R.end() + 1);
    for (unsigned I = 0; I != R.end(); ++I) {
      const RegionNode &N = R.Nodes[I];
      const Pending Here = Waiting[I];
      if (!N.Inner) {
        connectBlock(R, N.Entry, Here, Waiting);
        continue;
      }
      for (Outgoing &Out : Leaving[N.Inner])
        redirect(R, Out.From, Out.Targets, Here, Waiting);
    }
    if (isDivergent(R))
      finishLoop(R);
  }

  void connectBlock(const Region &R, BasicBlock *B, const Pending &Here,
                    std::vector<Pending> &Waiting) {
    Instruction *End = B->getTerminator();
    if (!isa<BranchInst>(End)) {
      if (!Here.empty())
        Failure = "its control flow cannot be linearized";
      return;
    }
    if (End->getNumSuccessors() == 1 || isLinear(B)) {
      SmallVector<BasicBlock *, 2> Targets(successors(B));
      redirect(R, B, Targets, Here, Waiting);
      return;
    }
    for (BasicBlock *Edge : SplitEdges[B]) {
      SmallVector<BasicBlock *, 1> Target{Edge->getSingleSuccessor()};
      redirect(R, Edge, Target, Here, Waiting);
    }
  }

  /// Lets `From`, where lanes for all targets are, continue.
  void redirect(const Region &R, BasicBlock *From,
                ArrayRef<BasicBlock *> Targets, const Pending &Here,
                std::vector<Pending> &Waiting) {
    Pending Next = Here;
    bool Outside = false;
    for (BasicBlock *To : Targets) {
      Next.insert(R.target(To));
      Outside |= R.target(To) == R.end();
    }
    if (Outside && !isDivergent(R)) {
      // A way back or out that all lanes take together.
      if (Next.size() != 1) {
        Failure = "its control flow cannot be linearized";
        return;
      }
      if (R.Cycle && !R.contains(Targets.front()))
        Leaving[R.Cycle].push_back(
            {From, SmallVector<BasicBlock *, 4>(Targets)});
      return;
    }
    if (Instruction *End = From->getTerminator())
      End->eraseFromParent();
    fallThrough(R, From, std::move(Next), Waiting);
  }

  /// The tail: lanes that go on decide; those that left are sent to the exits.
  void finishLoop(const Region &R) {
    BasicBlock *Header = R.Cycle->getHeader();
    BasicBlock *Latch = Latches[R.Cycle];
    BasicBlock *End = Tail[R.Cycle];
    IRBuilder<> Builder(End);
    Value *Next = Builder.CreateLoad(Builder.getInt1Ty(), NextSlot[R.Cycle]);
    Builder.CreateStore(Next, MaskSlot[Header]);
    for (PHINode &Phi : Header->phis()) {
      Value *Value = Builder.CreateLoad(Phi.getType(), PhiSlot[&Phi]);
      const int I = Phi.getBasicBlockIndex(Latch);
      Phi.setIncomingValue(I, Value);
      Phi.setIncomingBlock(I, End);
    }
    auto *Dispatch =
        BasicBlock::Create(Context, Header->getName() + ".left", &F);
    Builder.CreateCondBr(Builder.CreateCall(Any, Next), Header, Dispatch);
    Leaving[R.Cycle].push_back({Dispatch, Exits[R.Cycle]});
  }

  //--- Back to SSA ---------------------------------------------------------//

  void readPhis() {
    for (auto &[Phi, Slot] : PhiSlot) {
      BasicBlock *B = Phi->getParent();
      const Loop *L = All.loops().getLoopFor(B);
      if (L && L->getHeader() == B)
        continue;
      auto *Value = new LoadInst(Phi->getType(), Slot, Phi->getName(),
                                 B->getFirstInsertionPt());
      Phi->replaceAllUsesWith(Value);
      Phi->eraseFromParent();
    }
  }

  void promote() {
    DominatorTree DT(F);
    PromoteMemToReg(Slots, DT);
    const DataLayout &Layout = F.getParent()->getDataLayout();
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock &B : F)
        for (Instruction &I : make_early_inc_range(B)) {
          // Masks stay, used or not.
          if (!I.hasValueHandle() && isInstructionTriviallyDead(&I)) {
            I.eraseFromParent();
            Changed = true;
            continue;
          }
          Value *Simple =
              I.use_empty() ? nullptr : simplifyInstruction(&I, {Layout, &I});
          if (!Simple || Simple == &I)
            continue;
          I.replaceAllUsesWith(Simple);
          Changed = true;
        }
    }
  }
};

} // namespace

StringRef linearize(Function &F, Value *Mask, const Regions &All,
                    const Divergence &Ways, const LaneShapes &Shapes,
                    BlockMasks &Masks) {
  return Linearizer(F, Mask, All, Ways, Shapes).run(Masks);
}

} // namespace accx::vector
