//===- Flatten.cpp - Bodies with conditions as one block ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one block of a loop's body, with conditions in the addresses of its
// accesses, and later gives the accesses their conditions back. Both directions
// are here, since no other pass is to know the form in between.
//
//===----------------------------------------------------------------------===//

#include "gridtune/Flatten.h"

#include "gpu/Ptx.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

static Use *pointerOf(Instruction &I) {
  if (isa<LoadInst>(I))
    return &I.getOperandUse(LoadInst::getPointerOperandIndex());
  if (isa<StoreInst>(I))
    return &I.getOperandUse(StoreInst::getPointerOperandIndex());
  return nullptr;
}

/// The choice between the address of \p I and null, or null.
static SelectInst *choiceOf(const Instruction &I) {
  Value *Pointer = const_cast<Value *>(getLoadStorePointerOperand(&I));
  auto *Choice = dyn_cast_or_null<SelectInst>(Pointer);
  return Choice && Choice->hasOneUse() &&
                 isa<ConstantPointerNull>(Choice->getFalseValue())
             ? Choice
             : nullptr;
}

Use *addressOf(Instruction &I) {
  SelectInst *Choice = choiceOf(I);
  return Choice ? &Choice->getOperandUse(1) : pointerOf(I);
}

Value *guardOf(const Instruction &I) {
  SelectInst *Choice = choiceOf(I);
  return Choice ? Choice->getCondition() : nullptr;
}

namespace {

class Flattener {
  const Loop &L;
  const DominatorTree &DT;
  BasicBlock *const Header;
  BasicBlock *const Latch;
  /// The blocks in an order in which each comes behind those that lead to it.
  SmallVector<BasicBlock *, 8> Blocks;
  /// The condition under which a block runs; null where it always does.
  DenseMap<const BasicBlock *, Value *> Guards;

public:
  Flattener(Loop &L, const LoopInfo &Loops, const DominatorTree &DT)
      : L(L), DT(DT), Header(L.getHeader()), Latch(L.getLoopLatch()) {
    LoopBlocksRPO Order(&L);
    Order.perform(&Loops);
    append_range(Blocks, Order);
  }

  Refusal check() const;
  void run();

private:
  bool isAlwaysRun(const BasicBlock &Block) const {
    return DT.dominates(&Block, Latch);
  }
  Value *edge(IRBuilderBase &B, BasicBlock &From, const BasicBlock &To);
  void enter(IRBuilderBase &B, BasicBlock &Block);
  void guard(Instruction &Access, Value &Condition);
};

} // namespace

/// Whether \p I may be computed where the program would not.
static bool isCheap(const Instruction &I) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
    case Intrinsic::fabs:
    case Intrinsic::maxnum:
    case Intrinsic::minnum:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::abs:
      return true;
    default:
      return false;
    }
  return !isa<CallBase>(I) && I.getOpcode() != Instruction::FDiv &&
         I.getOpcode() != Instruction::FRem && !I.getType()->isVectorTy() &&
         isSafeToSpeculativelyExecute(&I);
}

Refusal Flattener::check() const {
  constexpr size_t MaxBlocks = 12, MaxInstructions = 128, MaxGuarded = 48;
  if (!L.isInnermost())
    return Refusal::InnerLoop;
  if (Header == Latch || L.getExitingBlock() != Latch)
    return Refusal::OtherExit;
  size_t Size = 0, Guarded = 0;
  bool Stored = false;
  for (BasicBlock *Block : Blocks) {
    Size += Block->sizeWithoutDebug();
    Guarded += isAlwaysRun(*Block) ? 0 : Block->sizeWithoutDebug();
    if (!isa<BranchInst>(Block->getTerminator()))
      return Refusal::OtherBranch;
    for (const Instruction &I : *Block) {
      if (isa<PHINode, DbgInfoIntrinsic, AssumeInst>(I) || I.isTerminator())
        continue;
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (!Pointer) {
        const auto *Call = dyn_cast<CallBase>(&I);
        if (I.mayReadOrWriteMemory() || (Call && Call->isConvergent()))
          return Refusal::Memory;
        if (!isAlwaysRun(*Block) && !isCheap(I))
          return Refusal::Guarded;
        continue;
      }
      if (I.isVolatile() || I.isAtomic() || (isa<LoadInst>(I) && Stored) ||
          isa<AllocaInst>(getUnderlyingObject(Pointer)))
        return Refusal::Memory;
      Stored |= isa<StoreInst>(I);
    }
  }
  return Blocks.size() > MaxBlocks || Size > MaxInstructions ||
                 Guarded > MaxGuarded
             ? Refusal::TooLarge
             : Refusal::None;
}

/// Whether control takes the edge; null: always.
Value *Flattener::edge(IRBuilderBase &B, BasicBlock &From,
                       const BasicBlock &To) {
  Value *Guard = Guards.lookup(&From);
  auto *Branch = cast<BranchInst>(From.getTerminator());
  if (Branch->isUnconditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return Guard;
  Value *Condition = Branch->getCondition();
  if (Branch->getSuccessor(0) != &To)
    Condition = B.CreateNot(Condition);
  // A condition that was not evaluated may be poison.
  return Guard ? B.CreateLogicalAnd(Guard, Condition) : Condition;
}

/// Finds when \p Block is run, and what its phis are then.
void Flattener::enter(IRBuilderBase &B, BasicBlock &Block) {
  SmallVector<std::pair<BasicBlock *, Value *>, 4> Edges;
  SmallPtrSet<BasicBlock *, 4> Seen;
  for (BasicBlock *From : predecessors(&Block))
    if (Seen.insert(From).second)
      Edges.push_back({From, edge(B, *From, Block)});
  for (PHINode &Phi : make_early_inc_range(Block.phis())) {
    Value *V = nullptr;
    for (const auto &[From, Taken] : Edges) {
      Value *Own = Phi.getIncomingValueForBlock(From);
      V = V && Taken ? B.CreateSelect(Taken, Own, V) : Own;
    }
    Phi.replaceAllUsesWith(V);
    Phi.eraseFromParent();
  }
  if (isAlwaysRun(Block))
    return;
  Value *Guard = nullptr;
  for (const auto &Edge : Edges)
    Guard = Guard ? B.CreateLogicalOr(Guard, Edge.second) : Edge.second;
  Guards[&Block] = Guard;
}

void Flattener::guard(Instruction &Access, Value &Condition) {
  Use *Pointer = pointerOf(Access);
  auto *Null =
      ConstantPointerNull::get(cast<PointerType>(Pointer->get()->getType()));
  // No builder: it would fold what it can.
  Pointer->set(SelectInst::Create(&Condition, Pointer->get(), Null, "",
                                  Access.getIterator()));
}

void Flattener::run() {
  Instruction *const Branch = Header->getTerminator();
  IRBuilder<> B(Branch);
  for (BasicBlock *Block : drop_begin(Blocks)) {
    enter(B, *Block);
    Value *Guard = Guards.lookup(Block);
    for (Instruction &I : make_early_inc_range(*Block)) {
      if (I.isTerminator())
        continue;
      if (Guard && isa<DbgInfoIntrinsic, AssumeInst>(I)) {
        I.eraseFromParent();
        continue;
      }
      I.moveBefore(Branch);
      if (Guard && getLoadStorePointerOperand(&I))
        guard(I, *Guard);
      else if (Guard)
        I.dropUBImplyingAttrsAndMetadata();
    }
  }
  Branch->eraseFromParent();
  Latch->getTerminator()->moveBefore(*Header, Header->end());
  for (BasicBlock *To : successors(Header))
    To->replacePhiUsesWith(Latch, Header);
  for (BasicBlock *Block : drop_begin(Blocks))
    Block->dropAllReferences();
  for (BasicBlock *Block : drop_begin(Blocks))
    Block->eraseFromParent();
}

Refusal flattenBody(const gridloop::GridIv &Grid, const DominatorTree &DT,
                    const LoopInfo &Loops) {
  if (!Grid.MayInterleave)
    return Refusal::ThreadObserved;
  Flattener Work(*Grid.Nest, Loops, DT);
  const Refusal Why = Work.check();
  if (Why == Refusal::None)
    Work.run();
  return Why;
}

/// Those from \p First on that are done under the same condition, if all can be
/// done where the last of them is.
static SmallVector<Instruction *, 8> groupOf(Instruction &First) {
  SmallVector<Instruction *, 8> Group{&First};
  // Loads may pass loads.
  const bool IsLoad = isa<LoadInst>(First);
  Value *Guard = guardOf(First);
  for (Instruction *I = First.getNextNode(); I && !I->isTerminator();
       I = I->getNextNode()) {
    if (isa<AssumeInst>(I))
      continue;
    if (any_of(I->operands(), [&](const Value *Operand) {
          return is_contained(Group, Operand);
        }))
      break;
    const bool IsSame =
        I->getOpcode() == First.getOpcode() && guardOf(*I) == Guard;
    if (IsSame)
      Group.push_back(I);
    else if (IsLoad ? I->mayWriteToMemory() : I->mayReadOrWriteMemory())
      break;
  }
  return Group;
}

namespace {

class Restorer {
  /// Pieces of assembly so far.
  unsigned Count = 0;

  Value &hidden(IRBuilderBase &B, Type &T, Value *Of);
  void hideAddresses(ArrayRef<Instruction *> Group);

public:
  void restore(ArrayRef<Instruction *> Group);
};

} // namespace

/// An empty piece of assembly whose result no pass knows: \p Of, or any value
/// of type \p T if that is null.
Value &Restorer::hidden(IRBuilderBase &B, Type &T, Value *Of) {
  const char Register = gpu::ptxRegisterOf(T);
  if (!Register)
    return Of ? *Of : *PoisonValue::get(&T);
  if (Of)
    return *B.CreateCall(InlineAsm::get(FunctionType::get(&T, {&T}, false), "",
                                        ("=" + Twine(Register) + ",0").str(),
                                        false),
                         {Of});
  // Equal pieces would become one, whose result is copied to all the others.
  return *B.CreateCall(InlineAsm::get(FunctionType::get(&T, false),
                                      ("// " + Twine(Count++)).str(),
                                      ("=" + Twine(Register)).str(), false));
}

/// The index of \p Address, if others may be computed from it without one more
/// register; else null.
static Value *indexOf(const GetElementPtrInst &Address) {
  Value *Index = Address.getNumIndices() == 1 ? Address.getOperand(1) : nullptr;
  return Index && isa<Instruction>(Index) && Index->getType()->isIntegerTy(64)
             ? Index
             : nullptr;
}

/// Keeps addresses that are computed from one another so. If all were computed
/// from counters, the back end would keep the invariant part of each in
/// registers.
void Restorer::hideAddresses(ArrayRef<Instruction *> Group) {
  MapVector<GetElementPtrInst *, unsigned> Neighbours;
  const auto LeaderOf = [](Instruction &I) {
    auto *Address = dyn_cast<GetElementPtrInst>(pointerOf(I)->get());
    return Address ? dyn_cast<GetElementPtrInst>(Address->getPointerOperand())
                   : nullptr;
  };
  for (Instruction *I : Group)
    if (GetElementPtrInst *Leader = LeaderOf(*I); Leader && indexOf(*Leader))
      ++Neighbours[Leader];
  for (const auto &[Leader, Count] : Neighbours) {
    if (Count < 2)
      continue;
    IRBuilder<> B(Group.front());
    auto *Hidden = cast<GetElementPtrInst>(Leader->clone());
    Value *Index = indexOf(*Leader);
    Hidden->setOperand(1, &hidden(B, *Index->getType(), Index));
    B.Insert(Hidden);
    for (Instruction *I : Group) {
      Use *Pointer = pointerOf(*I);
      if (Pointer->get() == Leader) {
        Pointer->set(Hidden);
      } else if (LeaderOf(*I) == Leader) {
        Instruction *Neighbour = cast<Instruction>(Pointer->get())->clone();
        Neighbour->setOperand(0, Hidden);
        Neighbour->insertBefore(I);
        Pointer->set(Neighbour);
      }
    }
  }
}

/// Puts all loads of \p Block, which come before all stores, and what they need
/// before all else.
static void loadFirst(BasicBlock &Block) {
  SmallPtrSet<Instruction *, 32> Needed;
  SmallVector<Instruction *, 32> Work;
  for (Instruction &I : Block)
    if (isa<LoadInst>(I))
      Work.push_back(&I);
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    if (I->getParent() != &Block || isa<PHINode>(I) || !Needed.insert(I).second)
      continue;
    for (Value *Operand : I->operands())
      if (auto *From = dyn_cast<Instruction>(Operand))
        Work.push_back(From);
  }
  Instruction *At = Block.getFirstNonPHI();
  for (Instruction &I : make_early_inc_range(Block)) {
    if (!Needed.contains(&I))
      continue;
    if (&I == At)
      At = At->getNextNode();
    else
      I.moveBefore(At);
  }
}

void Restorer::restore(ArrayRef<Instruction *> Group) {
  Value *Guard = guardOf(*Group.front());
  Instruction *Then = SplitBlockAndInsertIfThen(
      Guard, std::next(Group.back()->getIterator()), /*Unreachable=*/false);
  BasicBlock *Behind = Then->getSuccessor(0);
  BasicBlock *Around = Then->getParent()->getSinglePredecessor();
  IRBuilder<> B(&Behind->front());
  for (Instruction *I : Group) {
    SelectInst *Choice = choiceOf(*I);
    pointerOf(*I)->set(Choice->getTrueValue());
    Choice->eraseFromParent();
    I->moveBefore(Then);
    if (I->use_empty())
      continue;
    PHINode *Loaded = B.CreatePHI(I->getType(), 2);
    I->replaceAllUsesWith(Loaded);
    Loaded->addIncoming(I, Then->getParent());
    IRBuilder<> Otherwise(Around->getTerminator());
    // The value is hidden: if InstCombine knew it, it would compute with the
    // loaded value before other loads are done.
    Loaded->addIncoming(&hidden(Otherwise, *I->getType(), nullptr), Around);
  }
  if (isa<LoadInst>(Group.front()))
    hideAddresses(Group);
}

void restoreGuards(Function &F) {
  Restorer Work;
  SmallVector<BasicBlock *> Blocks;
  for (BasicBlock &Block : F)
    if (any_of(Block, [](const Instruction &I) { return guardOf(I); })) {
      loadFirst(Block);
      Blocks.push_back(&Block);
    }
  while (!Blocks.empty()) {
    BasicBlock *Block = Blocks.pop_back_val();
    for (Instruction &I : *Block)
      if (guardOf(I)) {
        const auto Group = groupOf(I);
        Work.restore(Group);
        // The code before the group may hold other groups.
        Blocks.append({Block, Block->getTerminator()->getSuccessor(1)});
        break;
      }
  }
}

} // namespace accx::gridtune
