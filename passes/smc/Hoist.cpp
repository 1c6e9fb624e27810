//===- Hoist.cpp - Writes of copies where all threads are -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A write of a channel type stands between two barriers, which all threads of
//   a block must reach. A write in code that only some threads run is taken
//   apart. Indices and value stay where they are. The write itself goes to
//   where the threads have met again, with a flag that says which threads
//   write.
//
// ALGORITHM
//   The nearest branch that may lead around the write, and the block where its
//   paths meet, enclose acyclic code. All paths stop at a new block U in front
//   of the meeting place: those that come from the write, and those that miss
//   it. A number says where each path goes on.
//
//         X                          X
//        / \                        / \
//       A   B                      A   B        A sets the flag
//     write  |        =>            \ /
//       C   /                        U          barrier, write if flag, barrier
//        \ /                        / \         (by number)
//         J                        C   |
//                                   \ /
//                                    J
//
//   This is repeated until no branch is left on which threads may part. Loops
//   around the write whose threads leave at different times, or do not all
//   enter, have no such place. Then the write is refused.
//
//   Values that cross a moved write go through variables, which become values
//   again at the end.
//
//===----------------------------------------------------------------------===//

#include "smc/Plan.h"

#include "blocks/Notes.h"
#include "blocks/Region.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace accx::blocks;

namespace accx::smc {

namespace {

/// A note that must be where all threads are, and what its write needs. A
/// barrier of the program has no array.
struct Meeting {
  CallInst *Note = nullptr;
  CallInst *Begin = nullptr;
  Value *Base = nullptr;
  Align Alignment;
  /// Variables, once the write has left its place: whether, where, what.
  AllocaInst *Flag = nullptr;
  /// Constants as they are.
  SmallVector<Value *, 4> Indices;
  AllocaInst *Stored = nullptr;
};

class Hoister {
  Function &F;
  FunctionAnalysisManager &FAM;
  const RefuseAt Refuse;
  SmallVector<AllocaInst *, 16> Variables;
  std::list<Meeting> Meetings;

public:
  Hoister(Function &F, FunctionAnalysisManager &FAM, RefuseAt Refuse)
      : F(F), FAM(FAM), Refuse(Refuse) {}

  bool run() {
    SmallVector<CallInst *, 4> Begins;
    ReversePostOrderTraversal<Function *> Order(&F);
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block)
        if (beginsChannel(I) && loops().getLoopFor(Block))
          Begins.push_back(cast<CallInst>(&I));
    if (!Begins.empty())
      foldConditions(F, FAM);
    for (CallInst *Begin : Begins)
      if (const Refusal R = collect(*Begin); R != Refusal::None) {
        Refuse(*Begin, R, "");
        return false;
      }
    dropOtherBarriers();
    sortMeetings();
    for (Meeting &M : Meetings)
      while (mayPartAt(*M.Note)) {
        if (moveOut(*M.Note))
          continue;
        Refuse(*M.Begin, Refusal::DivergentWrite, "");
        return false;
      }
    for (Meeting &M : Meetings)
      meet(M);
    promote();
    return true;
  }

private:
  const LoopInfo &loops() { return FAM.getResult<LoopAnalysis>(F); }
  void changed() { FAM.invalidate(F, PreservedAnalyses::none()); }

  AllocaInst *variable(Type *T) {
    auto *V = new AllocaInst(T, F.getDataLayout().getAllocaAddrSpace(), "smc",
                             F.getEntryBlock().begin());
    Variables.push_back(V);
    return V;
  }

  /// Nothing is written to copies elsewhere.
  void dropOtherBarriers() {
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (noteOf(I) == NoteKind::Barrier &&
          none_of(Meetings, [&](const Meeting &M) { return M.Note == &I; }))
        I.eraseFromParent();
  }

  /// A write that is moved out has all other sides of a branch ahead of it. So
  /// writes of the side that stands last in the program go first, whatever
  /// their array.
  void sortMeetings() {
    DenseMap<const BasicBlock *, unsigned> Place, Found;
    for (const BasicBlock &Block : F)
      Place.try_emplace(&Block, Place.size());
    SmallVector<const BasicBlock *, 32> Work = {&F.getEntryBlock()};
    while (!Work.empty()) {
      const BasicBlock *Block = Work.pop_back_val();
      if (!Found.try_emplace(Block, Found.size()).second)
        continue;
      SmallVector<const BasicBlock *, 4> Next(successors(Block));
      sort(Next, [&](const BasicBlock *A, const BasicBlock *B) {
        return Place.at(A) < Place.at(B);
      });
      append_range(Work, Next);
    }
    Meetings.sort([&](const Meeting &A, const Meeting &B) {
      const BasicBlock *Left = A.Note->getParent(),
                       *Right = B.Note->getParent();
      return Left == Right ? A.Note->comesBefore(B.Note)
                           : Found.at(Left) < Found.at(Right);
    });
  }

  /// The region's writes of its array.
  Refusal collect(CallInst &Begin) {
    ArrayPlan A;
    if (!readArray(Begin, A))
      return Refusal::NotConstant;
    const Region R(Begin, loops(), FAM.getResult<DominatorTreeAnalysis>(F));
    if (!R.IsClosed || !R.End)
      return Refusal::LoopForm;
    localizeAddresses(R, A);
    for (CallInst *Note : R.Barriers)
      if (none_of(Meetings, [&](const Meeting &M) { return M.Note == Note; })) {
        Meetings.emplace_back();
        Meetings.back().Note = Note;
        Meetings.back().Begin = &Begin;
      }
    for (Instruction *I : R.Writes) {
      auto *Store = dyn_cast<StoreInst>(I);
      if (!Store || !Store->isSimple() ||
          !mayBeIn(Store->getPointerOperand(), A))
        continue;
      const auto Terms =
          splitAddress(Store->getPointerOperand(), A, F.getDataLayout());
      if (!Terms || Store->getValueOperand()->getType()->isAggregateType())
        return Refusal::ChannelAccess;
      takeApart(*Store, A, *Terms);
    }
    return Refusal::None;
  }

  /// Each access of the array gets an address of its own: only indices cross
  /// moved writes.
  void localizeAddresses(const Region &R, const ArrayPlan &A) {
    for (LoadInst *Load : R.Loads) {
      Instruction *User =
          mayBeIn(Load->getPointerOperand(), A) ? Load : nullptr;
      while (User) {
        auto *Step = dyn_cast<Instruction>(User->getOperand(0));
        if (!Step || Step == A.Base ||
            !isa<GetElementPtrInst, AddrSpaceCastInst>(Step))
          break;
        Instruction *Own = Step->clone();
        Own->insertBefore(User);
        User->setOperand(0, Own);
        User = Own;
      }
    }
  }

  /// The indices of \p Terms, i64; what they are of a write.
  static SmallVector<Value *, 4>
  indicesOf(IRBuilderBase &B, ArrayRef<Term> Terms, unsigned Rank) {
    SmallVector<Value *, 4> Indices(markers::smc::MaxDims + 1, B.getInt64(0));
    for (const Term &T : Terms) {
      Value *V =
          T.V ? B.CreateSExtOrTrunc(T.V, B.getInt64Ty()) : B.getInt64(T.Factor);
      if (T.V && T.Factor != 1)
        V = B.CreateMul(V, B.getInt64(T.Factor));
      Value *&Sum = Indices[T.Dim < Rank ? T.Dim : markers::smc::MaxDims];
      const auto *C = dyn_cast<ConstantInt>(Sum);
      Sum = C && C->isZero() ? V : B.CreateAdd(Sum, V);
    }
    return Indices;
  }

  void takeApart(StoreInst &Store, const ArrayPlan &A, ArrayRef<Term> Terms) {
    Meeting &M = Meetings.emplace_back();
    M.Begin = A.Begin;
    M.Base = A.Base;
    M.Alignment = Store.getAlign();
    IRBuilder<> B(&Store);
    const auto Indices = indicesOf(B, Terms, A.Dims.size());
    Value *V = Store.getValueOperand();
    M.Stored = variable(V->getType());
    B.CreateStore(V, M.Stored);
    for (Value *Index : Indices) {
      M.Indices.push_back(Index);
      if (isa<ConstantInt>(Index))
        continue;
      M.Indices.back() = variable(Index->getType());
      B.CreateStore(Index, M.Indices.back());
    }
    M.Flag = variable(B.getInt1Ty());
    B.CreateStore(B.getTrue(), M.Flag);
    M.Note = createNote(B, NoteKind::Write);
    forget(IRBuilder<>(A.Begin), M);
    Store.eraseFromParent();
    changed();
  }

  bool mayPartAt(Instruction &I) {
    const Loop *L = loops().getLoopFor(I.getParent());
    return L && mayPart(*I.getParent(), *L->getOutermostLoop(),
                        FAM.getResult<UniformityInfoAnalysis>(F),
                        FAM.getResult<PostDominatorTreeAnalysis>(F));
  }

  /// The write in its place, between barriers.
  void meet(Meeting &M) {
    IRBuilder<> B(M.Note);
    if (!M.Flag)
      return;
    createNote(B, NoteKind::Barrier);
    Value *Flag = B.CreateLoad(B.getInt1Ty(), M.Flag);
    Instruction *Then =
        SplitBlockAndInsertIfThen(Flag, M.Note, /*Unreachable=*/false);
    B.SetInsertPoint(Then);
    SmallVector<Value *, 4> Indices;
    for (Value *Index : M.Indices)
      Indices.push_back(isa<ConstantInt>(Index)
                            ? Index
                            : B.CreateLoad(B.getInt64Ty(), Index));
    Value *V = B.CreateLoad(M.Stored->getAllocatedType(), M.Stored);
    createNote(B, NoteKind::Write, Indices);
    B.CreateAlignedStore(V, M.Base, M.Alignment);
    B.SetInsertPoint(M.Note);
    createNote(B, NoteKind::Barrier);
    forget(IRBuilder<>(M.Note), M);
    M.Note->eraseFromParent();
  }

  /// Nothing is to be written, and no value lives on.
  static void forget(IRBuilderBase &&B, const Meeting &M) {
    B.CreateStore(B.getFalse(), M.Flag);
    Type *Stored = M.Stored->getAllocatedType();
    B.CreateStore(PoisonValue::get(Stored), M.Stored);
    for (Value *Index : M.Indices)
      if (!isa<ConstantInt>(Index))
        B.CreateStore(PoisonValue::get(B.getInt64Ty()), Index);
  }

  void promote() {
    changed();
    erase_if(Variables, [](AllocaInst *V) {
      assert(isAllocaPromotable(V) && "it is only loaded and stored");
      if (!V->use_empty())
        return false;
      V->eraseFromParent();
      return true;
    });
    DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    PromoteMemToReg(Variables, DT);
    // An index that some paths do not use has its value from the other paths.
    const SimplifyQuery Query(F.getDataLayout(), nullptr, &DT);
    for (bool Again = true; Again;) {
      Again = false;
      for (BasicBlock &Block : F)
        for (PHINode &Phi : make_early_inc_range(Block.phis()))
          if (Value *Same = simplifyInstruction(&Phi, Query)) {
            Phi.replaceAllUsesWith(Same);
            Phi.eraseFromParent();
            Again = true;
          }
    }
    changed();
  }

  /// The code around a write that some threads do not run.
  struct Fork {
    BasicBlock *Top = nullptr, *Join = nullptr;
    /// All blocks between the two.
    SmallSetVector<BasicBlock *, 16> Blocks;
  };

  /// The nearest around \p Block; nothing where loops are in between.
  std::optional<Fork> findFork(BasicBlock &Block) {
    const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    const auto &PDT = FAM.getResult<PostDominatorTreeAnalysis>(F);
    const Loop *Around = loops().getLoopFor(&Block);
    const auto *Node = DT.getNode(&Block);
    while (Node && (Node = Node->getIDom()) &&
           PDT.dominates(&Block, Node->getBlock()))
      ;
    Fork Result;
    Result.Top = Node ? Node->getBlock() : nullptr;
    if (!Result.Top || loops().getLoopFor(Result.Top) != Around ||
        !isa<BranchInst, SwitchInst>(Result.Top->getTerminator()))
      return std::nullopt;
    const auto *Joined = PDT.getNode(Result.Top)->getIDom();
    Result.Join = Joined ? Joined->getBlock() : nullptr;
    if (!Result.Join || !Around->contains(Result.Join) ||
        Result.Join == Around->getHeader())
      return std::nullopt;
    SmallVector<BasicBlock *, 16> Work(successors(Result.Top));
    while (!Work.empty()) {
      BasicBlock *Next = Work.pop_back_val();
      if (Next == Result.Join || !Result.Blocks.insert(Next))
        continue;
      if (Next == Result.Top || !DT.dominates(Result.Top, Next) ||
          !Around->contains(Next))
        return std::nullopt;
      append_range(Work, successors(Next));
    }
    return Result;
  }

  /// Moves what costs nothing and depends on nothing in between to the top, so
  /// that it need not cross the write.
  static void liftIndices(const Fork &Around) {
    ReversePostOrderTraversal<BasicBlock *> Order(Around.Top);
    for (BasicBlock *Block : Order) {
      if (!Around.Blocks.contains(Block))
        continue;
      for (Instruction &I : make_early_inc_range(*Block))
        if (isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst>(I) &&
            I.getType()->isIntOrPtrTy() && isSafeToSpeculativelyExecute(&I) &&
            none_of(I.operands(), [&](const Value *Operand) {
              const auto *Def = dyn_cast<Instruction>(Operand);
              return Def && Around.Blocks.contains(
                                const_cast<BasicBlock *>(Def->getParent()));
            }))
          I.moveBefore(Around.Top->getTerminator());
    }
  }

  /// Puts the place of \p Note behind the code around it (see above).
  bool moveOut(Instruction &Note) {
    std::optional<Fork> Around = findFork(*Note.getParent());
    if (!Around)
      return false;
    liftIndices(*Around);
    BasicBlock *Before = Note.getParent();
    BasicBlock *Behind = Before->splitBasicBlock(Note.getNextNode());
    BasicBlock *Join = Around->Join;
    Around->Blocks.insert(Behind);
    // The blocks behind the write on some path.
    SmallSetVector<BasicBlock *, 16> After;
    SmallVector<BasicBlock *, 16> Work = {Behind};
    while (!Work.empty()) {
      BasicBlock *Next = Work.pop_back_val();
      if (Next == Join || !After.insert(Next))
        continue;
      append_range(Work, successors(Next));
    }
    if (After.contains(Before))
      return false;
    SmallVector<BasicBlock *, 16> First = {Around->Top};
    for (BasicBlock *Block : Around->Blocks)
      if (!After.contains(Block))
        First.push_back(Block);
    After.insert(Join);
    demote(First, After);

    BasicBlock *Meet = BasicBlock::Create(F.getContext(), "smc.meet", &F, Join);
    IRBuilder<> B(Meet);
    PHINode *Number = B.CreatePHI(B.getInt32Ty(), 2, "smc.path");
    Note.moveBefore(*Meet, Meet->end());
    SmallVector<BasicBlock *, 4> Targets;
    for (BasicBlock *From : First) {
      Instruction *End = From->getTerminator();
      for (unsigned S = 0; S < End->getNumSuccessors(); ++S) {
        BasicBlock *To = End->getSuccessor(S);
        if (!After.contains(To))
          continue;
        auto *Found = find(Targets, To);
        const unsigned Index = Found - Targets.begin();
        if (Found == Targets.end())
          Targets.push_back(To);
        BasicBlock *Edge =
            BasicBlock::Create(F.getContext(), "smc.edge", &F, Meet);
        BranchInst::Create(Meet, Edge);
        End->setSuccessor(S, Edge);
        Number->addIncoming(B.getInt32(Index), Edge);
      }
    }
    B.SetInsertPoint(Meet);
    SwitchInst *Go = B.CreateSwitch(Number, Targets.front(), Targets.size());
    for (unsigned T = 1; T < Targets.size(); ++T)
      Go->addCase(B.getInt32(T), Targets[T]);
    if (Targets.size() == 2) {
      Go->eraseFromParent();
      B.SetInsertPoint(Meet);
      B.CreateCondBr(B.CreateICmpEQ(Number, B.getInt32(0)), Targets[0],
                     Targets[1]);
    }
    changed();
    return true;
  }

  /// Values of \p First that \p After uses, and phis of \p After, become
  /// variables.
  void demote(ArrayRef<BasicBlock *> First,
              const SmallSetVector<BasicBlock *, 16> &After) {
    const size_t Before = Variables.size();
    SmallVector<PHINode *, 8> Phis;
    for (BasicBlock *Block : After)
      if (any_of(predecessors(Block),
                 [&](BasicBlock *From) { return is_contained(First, From); }))
        for (PHINode &Phi : Block->phis())
          Phis.push_back(&Phi);
    const BasicBlock::iterator At = F.getEntryBlock().begin();
    for (PHINode *Phi : Phis)
      if (AllocaInst *V = DemotePHIToStack(Phi, At))
        Variables.push_back(V);
    SmallVector<Instruction *, 16> Values;
    for (BasicBlock *Block : First)
      if (Block != First.front()) // it dominates all
        for (Instruction &I : *Block)
          if (any_of(I.users(), [&](const User *U) {
                const auto *By = dyn_cast<Instruction>(U);
                return By && After.contains(
                                 const_cast<BasicBlock *>(By->getParent()));
              }))
            Values.push_back(&I);
    for (Instruction *I : Values)
      if (AllocaInst *V = DemoteRegToStack(*I, /*VolatileLoads=*/false, At))
        Variables.push_back(V);
    // No value of theirs is of an earlier time around.
    BasicBlock *Top = First.front();
    IRBuilder<> B(Top, Top->getFirstInsertionPt());
    for (AllocaInst *V : drop_begin(Variables, Before))
      B.CreateStore(PoisonValue::get(V->getAllocatedType()), V);
  }
};

} // namespace

bool hoistWrites(Function &Kernel, FunctionAnalysisManager &FAM,
                 RefuseAt Refuse) {
  return Hoister(Kernel, FAM, Refuse).run();
}

} // namespace accx::smc
