//===- Coarsen.cpp - Several iterations at a time -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how many iterations a loop may do at a time, and writes the loop that
// does them in front of the old one. Bodies with conditions come here only as
// the one block that Flatten.cpp has made of them.
//
//===----------------------------------------------------------------------===//

#include "gridtune/Coarsen.h"

#include "affine/Polynomial.h"
#include "gpu/SharedMemory.h"
#include "gridtune/Flatten.h"
#include "gridtune/NarrowLoop.h"
#include "ir/LoopCopy.h"
#include "offload/Annotations.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridtune {

namespace {

/// An access to base[i], base being the same in all iterations.
struct MovingAccess {
  Instruction *I;
  GetElementPtrInst *Address;
  uint64_t Bytes;
};

/// The block and what controls it.
struct Body {
  BasicBlock *Block;
  BasicBlock *Before;
  BasicBlock *Exit;
  Value *Bound;
  /// Bound is the last iteration, not the one behind.
  bool IsInclusive = false;

  static std::optional<Body> of(const gridloop::GridIv &Grid);
};

} // namespace

std::optional<Body> Body::of(const gridloop::GridIv &Grid) {
  Body B = {Grid.Nest->getHeader(), Grid.Nest->getLoopPreheader(),
            Grid.Nest->getUniqueExitBlock(), nullptr, false};
  const auto Test = gridloop::BoundTest::find(*Grid.Nest, *B.Block, *Grid.Next);
  if (!B.Exit || !Test || !Test->Compare->hasOneUse())
    return std::nullopt;
  B.Bound = Test->Bound;
  B.IsInclusive = Test->IsInclusive;
  return B;
}

/// Whether \p I adds to memory that a block's threads share and its result is
/// unused. Then it may be done later, as a store may.
static bool isSharedUpdate(const Instruction &I) {
  const auto *Update = dyn_cast<AtomicRMWInst>(&I);
  return Update && Update->use_empty() && !Update->isVolatile() &&
         Update->getOrdering() == AtomicOrdering::Monotonic &&
         Update->getPointerAddressSpace() == gpu::SharedSpace;
}

/// Loads, then stores, and nothing else that touches memory.
static bool isLoadThenStore(BasicBlock &Block) {
  bool Stored = false;
  for (Instruction &I : Block) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (isa<AssumeInst>(I) || isa<DbgInfoIntrinsic>(I))
        continue;
      if (!Call->doesNotAccessMemory() || Call->isConvergent())
        return false;
      continue;
    }
    if (!I.mayReadOrWriteMemory())
      continue;
    if (isSharedUpdate(I)) {
      Stored = true;
      continue;
    }
    Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || I.isVolatile() || I.isAtomic() ||
        isa<AllocaInst>(getUnderlyingObject(Pointer)))
      return false;
    if (isa<StoreInst>(I))
      Stored = true;
    else if (Stored)
      return false;
  }
  return true;
}

static SmallVector<MovingAccess, 4>
movingAccesses(const gridloop::GridIv &Grid) {
  SmallVector<MovingAccess, 4> Found;
  const DataLayout &Layout = Grid.Iv->getModule()->getDataLayout();
  for (Instruction &I : *Grid.Nest->getHeader()) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    auto *Address = dyn_cast_or_null<GetElementPtrInst>(Pointer);
    if (!Address || Address->getNumIndices() != 1 ||
        Address->getOperand(1) != Grid.Iv ||
        !Grid.Nest->isLoopInvariant(Address->getPointerOperand()))
      continue;
    const uint64_t Bytes =
        Layout.getTypeStoreSize(getLoadStoreType(&I)).getFixedValue();
    if (Layout.getTypeAllocSize(Address->getSourceElementType()) == Bytes &&
        isPowerOf2_64(Bytes) && Bytes <= 8)
      Found.push_back({&I, Address, Bytes});
  }
  return Found;
}

/// Loads of several elements that lie between those of the next iteration and
/// its own: neighbouring iterations of a thread would move its lanes apart.
static size_t stridedLoads(const gridloop::GridIv &Grid) {
  affine::Atoms Values(Type::getInt64Ty(Grid.Iv->getContext()));
  return count_if(*Grid.Nest->getHeader(), [&](Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    affine::Polynomial Bytes;
    if (!Load || !Values.ofAddress(Load->getPointerOperand(), Bytes, Grid.Nest))
      return false;
    const uint64_t Own =
        Load->getDataLayout().getTypeStoreSize(Load->getType()).getFixedValue();
    return any_of(Bytes, [&](const auto &Term) {
      return !Values.all(Term.first, [&](const Value &V) {
        return &V != Grid.Iv;
      }) && (Term.first.size() > 1 || Term.second != Own);
    });
  });
}

/// The maximum or minimum that \p Phi becomes in each iteration, or null. Of
/// floating-point numbers it depends on the order only where some are NaNs.
/// Threads have no order for these either.
static Instruction *extremeOf(PHINode &Phi, const BasicBlock &Latch) {
  auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(&Latch));
  if (const auto *Call = dyn_cast_or_null<IntrinsicInst>(Next);
      Call && (Call->getIntrinsicID() == Intrinsic::maxnum ||
               Call->getIntrinsicID() == Intrinsic::minnum))
    return Phi.hasOneUse() && Phi.user_back() == Next ? Next : nullptr;
  FCmpInst::Predicate How;
  Value *Left = nullptr, *Right = nullptr, *Yes = nullptr, *No = nullptr;
  if (!match(Next, m_Select(m_FCmp(How, m_Value(Left), m_Value(Right)),
                            m_Value(Yes), m_Value(No))) ||
      !((Left == Yes && Right == No) || (Left == No && Right == Yes)) ||
      (Left == &Phi) == (Right == &Phi) || !Phi.hasNUses(2) ||
      !cast<SelectInst>(Next)->getCondition()->hasOneUse())
    return nullptr;
  switch (FCmpInst::getOrderedPredicate(How)) {
  case FCmpInst::FCMP_OLT:
  case FCmpInst::FCMP_OLE:
  case FCmpInst::FCMP_OGT:
  case FCmpInst::FCMP_OGE:
    return Next;
  default:
    return nullptr;
  }
}

/// Whether the loop leaves nothing but reductions. Then a thread may do other
/// iterations than it would have. A value of the last iteration, for one, would
/// come from another iteration.
static bool yieldsOnlySums(const gridloop::GridIv &Grid) {
  BasicBlock &Block = *Grid.Nest->getHeader();
  SmallPtrSet<const Instruction *, 4> Results;
  for (PHINode &Phi : Block.phis()) {
    RecurrenceDescriptor Reduction;
    if (&Phi == Grid.Iv)
      continue;
    if (const Instruction *Extreme = extremeOf(Phi, Block))
      Results.insert(Extreme);
    else if (RecurrenceDescriptor::isReductionPHI(&Phi, Grid.Nest, Reduction))
      Results.insert(Reduction.getLoopExitInstr());
    else
      return false;
  }
  return all_of(Block, [&](const Instruction &I) {
    return Results.count(&I) || all_of(I.users(), [&](const User *U) {
             return cast<Instruction>(U)->getParent() == &Block;
           });
  });
}

/// Whether a full block has a thread for each iteration.
static bool hasThreadForEach(const gridloop::GridIv &Grid) {
  const auto *Bound = dyn_cast_or_null<ConstantInt>(Grid.bound());
  if (!Bound)
    return false;
  const unsigned Group = gridloop::groupOf(*Grid.Nest);
  return Bound->getValue().ule(
      Group ? Group : offload::annotated(*Grid.Iv->getFunction(), "maxntidx"));
}

bool hasFewLoads(const BasicBlock &Body) {
  constexpr long Few = 5;
  return count_if(Body,
                  [](const Instruction &I) { return isa<LoadInst>(I); }) <= Few;
}

Refusal planCoarsening(const gridloop::GridIv &Grid,
                       SmallVectorImpl<Coarsening> &Plan) {
  constexpr size_t Small = 40, Large = 96;
  if (!Grid.MayInterleave)
    return Refusal::ThreadObserved;
  if (Grid.Nest->getNumBlocks() != 1)
    return Refusal::SeveralBlocks;
  BasicBlock &Block = *Grid.Nest->getHeader();
  // Numbers of a narrow loop are extended where the wide one's are used as they
  // are, which costs next to nothing.
  const auto Extensions =
      count_if(Block, [](const Instruction &I) { return isa<ZExtInst>(I); });
  const size_t Size =
      Block.sizeWithoutDebug() - (isNarrow(Grid) ? Extensions : 0);
  if (Size > Large)
    return Refusal::TooLarge;
  if (!isLoadThenStore(Block))
    return Refusal::Memory;
  if (!Body::of(Grid))
    return Refusal::ControlForm;
  if (hasThreadForEach(Grid))
    return Refusal::FewIterations;
  // Accesses under a condition do not join.
  const bool HasGuards =
      any_of(Block, [](const Instruction &I) { return guardOf(I); });
  const size_t Moving = movingAccesses(Grid).size();
  if (Size <= Small && !HasGuards && !Grid.LostRuns && Moving &&
      Moving >= stridedLoads(Grid) && yieldsOnlySums(Grid))
    Plan.push_back({4, true});
  if (Grid.MostTurns)
    Plan.push_back({Grid.MostTurns, false});
  else
    Plan.push_back({Size <= Small && hasFewLoads(Block) ? 4u : 2u, false});
  return Refusal::None;
}

namespace {

/// Emits one main loop; see the picture in Coarsen.h.
class MainLoopEmitter {
  const gridloop::GridIv &Grid;
  const Coarsening C;
  Body From;
  const SmallVector<MovingAccess, 4> Moving;
  LLVMContext &Context;
  BasicBlock *Enough, *Main, *Left, *Rest;
  IRBuilder<> B;
  // Values before the main loop. First: where the threads' iterations begin;
  // Begin: where the main loop's counter does.
  Value *First = nullptr;
  Value *Begin = nullptr;
  Value *Reach = nullptr;
  Value *Groups = nullptr;
  Value *NextMain = nullptr;
  PHINode *Counter = nullptr;
  /// One phi for each phi of the body but the counter.
  SmallVector<PHINode *, 4> Carried;
  /// The values of the copy made last.
  DenseMap<const Value *, Value *> Copied;

public:
  MainLoopEmitter(const gridloop::GridIv &Grid, const Coarsening &C)
      : Grid(Grid), C(C), From(*Body::of(Grid)), Moving(movingAccesses(Grid)),
        Context(From.Block->getContext()), Enough(block("grid.enough")),
        Main(block("grid.main")), Left(block("grid.left")),
        Rest(block("grid.rest")), B(Context) {}

  void run() {
    From.Before->getTerminator()->replaceSuccessorWith(From.Block, Enough);
    emitTest();
    emitMain();
    emitRest();
  }

private:
  BasicBlock *block(const char *Name) {
    return BasicBlock::Create(Context, Name, From.Block->getParent(),
                              From.Block);
  }
  unsigned shift() const { return Log2_32(C.Iterations); }
  /// Whether the main loop has one turn, behind which nothing is left.
  bool isOnce() const { return C.Iterations == Grid.MostTurns; }
  Value *iteration(unsigned K);
  Value *copied(Value *V) const {
    auto Found = Copied.find(V);
    return Found == Copied.end() ? V : Found->second;
  }
  void emitTest();
  void emitMain();
  void emitCopy(unsigned K, SmallVectorImpl<Instruction *> &Stores,
                DenseMap<const Value *, Value *> &FirstAddresses);
  void emitRest();
};

} // namespace

void MainLoopEmitter::emitTest() {
  B.SetInsertPoint(Enough);
  if (From.IsInclusive)
    From.Bound = B.CreateAdd(From.Bound, B.getInt64(1), "", true);
  Value *Goes = nullptr;
  if (C.IsConsecutive) {
    // Runs have multiples of four iterations.
    First = B.getInt64(0);
    if (Grid.InRuns)
      First = B.CreateSelect(Grid.InRuns, Grid.FirstOfRun, First, "first");
    Begin = B.CreateSub(Grid.Start, First, "", true, true);
    Groups = B.CreateLShr(B.CreateSub(From.Bound, First, "", true), shift(),
                          "groups");
    // The same for threads that share iterations, each of which then has a
    // group at least.
    Goes = B.CreateICmpULE(Grid.Step, Groups);
    SmallPtrSet<Value *, 4> Bases;
    Value *Bits = B.getInt64(0);
    for (const MovingAccess &A : Moving)
      if (Bases.insert(A.Address->getPointerOperand()).second)
        Bits = B.CreateOr(Bits, B.CreatePtrToInt(A.Address->getPointerOperand(),
                                                 B.getInt64Ty()));
    Goes =
        B.CreateAnd(Goes, B.CreateICmpEQ(B.CreateAnd(Bits, 15), B.getInt64(0)));
  } else {
    Begin = Grid.Start;
    Reach = B.CreateMul(Grid.Step, B.getInt64(C.Iterations - 1), "reach", true,
                        true);
    Goes = B.CreateICmpULT(B.CreateAdd(Grid.Start, Reach), From.Bound);
  }
  B.CreateCondBr(Goes, Main, Rest);
}

/// The number of the main loop's iteration \p K.
Value *MainLoopEmitter::iteration(unsigned K) {
  if (C.IsConsecutive)
    return B.CreateAdd(
        B.CreateAdd(B.CreateShl(Counter, shift(), "", true, true), First, "",
                    true, true),
        B.getInt64(K), "", true, true);
  if (!K)
    return Counter;
  return B.CreateAdd(Counter, B.CreateMul(Grid.Step, B.getInt64(K), "", true),
                     "", true);
}

void MainLoopEmitter::emitCopy(
    unsigned K, SmallVectorImpl<Instruction *> &Stores,
    DenseMap<const Value *, Value *> &FirstAddresses) {
  DenseMap<const Value *, Value *> Own;
  Own[Grid.Iv] = iteration(K);
  unsigned Index = 0;
  for (PHINode &Phi : From.Block->phis())
    if (&Phi != Grid.Iv)
      Own[&Phi] = K ? copied(Phi.getIncomingValueForBlock(From.Block))
                    : Carried[Index++];
  Copied = std::move(Own);
  for (Instruction &I : *From.Block) {
    if (isa<PHINode, AssumeInst, DbgInfoIntrinsic>(I) || I.isTerminator())
      continue;
    const bool IsMoving =
        C.IsConsecutive &&
        any_of(Moving, [&](const MovingAccess &A) { return A.Address == &I; });
    if (IsMoving && K) {
      auto *Address = cast<GetElementPtrInst>(&I);
      Copied[&I] = B.CreateGEP(Address->getSourceElementType(),
                               FirstAddresses[&I], B.getInt64(K));
      continue;
    }
    Instruction *Copy = I.clone();
    for (Use &Operand : Copy->operands())
      Operand = copied(Operand);
    Copied[&I] = Copy;
    if (isa<StoreInst, AtomicRMWInst>(I))
      Stores.push_back(Copy);
    else
      B.Insert(Copy);
    if (IsMoving)
      FirstAddresses[&I] = Copy;
  }
  if (!C.IsConsecutive)
    return;
  // Each that begins an access of 16 bytes, or the only one.
  for (const MovingAccess &A : Moving) {
    if (K * A.Bytes % 16)
      continue;
    const Align Joined(std::min<uint64_t>(16, A.Bytes * C.Iterations));
    Value *Copy = Copied[A.I];
    if (auto *Load = dyn_cast<LoadInst>(Copy))
      Load->setAlignment(Joined);
    else
      cast<StoreInst>(Copy)->setAlignment(Joined);
  }
}

void MainLoopEmitter::emitMain() {
  B.SetInsertPoint(Main);
  Counter = B.CreatePHI(B.getInt64Ty(), 2, "grid.main.iv");
  Counter->addIncoming(Begin, Enough);
  for (PHINode &Phi : From.Block->phis())
    if (&Phi != Grid.Iv) {
      Carried.push_back(B.CreatePHI(Phi.getType(), 2));
      Carried.back()->addIncoming(Phi.getIncomingValueForBlock(From.Before),
                                  Enough);
    }
  SmallVector<Instruction *, 8> Stores;
  DenseMap<const Value *, Value *> FirstAddresses;
  for (unsigned K = 0; K < C.Iterations; ++K)
    emitCopy(K, Stores, FirstAddresses);
  // Those of neighbours to one array join only if none to another array, which
  // may be the same, comes between them.
  const size_t Each = Stores.size() / C.Iterations;
  for (size_t I = 0; I < Each; ++I)
    for (unsigned K = 0; K < C.Iterations; ++K)
      B.Insert(Stores[K * Each + I]);
  if (isOnce()) {
    B.CreateBr(Left);
    return;
  }
  Value *Step = Grid.Step;
  if (!C.IsConsecutive)
    Step = B.CreateShl(Step, shift(), "", true, true);
  NextMain = B.CreateAdd(Counter, Step, "grid.main.next", true);
  Value *Goes = C.IsConsecutive
                    ? B.CreateICmpULT(NextMain, Groups)
                    : B.CreateICmpULT(B.CreateAdd(NextMain, Reach), From.Bound);
  BranchInst *Branch = B.CreateCondBr(Goes, Main, Left);
  // Loops that only sum up wait for nothing but their loads: two of 16 bytes.
  ir::renewLoop(
      *Branch, {},
      C.IsConsecutive && Stores.empty()
          ? ir::loopOption(Context, "llvm.loop.unroll.count", B.getInt32(2))
          : ir::loopOption(Context, "llvm.loop.unroll.disable"));
  Counter->addIncoming(NextMain, Main);
  unsigned Index = 0;
  for (PHINode &Phi : From.Block->phis())
    if (&Phi != Grid.Iv)
      Carried[Index++]->addIncoming(
          copied(Phi.getIncomingValueForBlock(From.Block)), Main);
}

void MainLoopEmitter::emitRest() {
  B.SetInsertPoint(Left);
  Value *Next = NextMain;
  if (C.IsConsecutive)
    Next = B.CreateAdd(B.CreateShl(Groups, shift(), "", true), Grid.Start, "",
                       true);
  if (isOnce())
    B.CreateBr(From.Exit);
  else
    B.CreateCondBr(B.CreateICmpULT(Next, From.Bound), Rest, From.Exit);
  for (PHINode &Phi : From.Exit->phis())
    Phi.addIncoming(copied(Phi.getIncomingValueForBlock(From.Block)), Left);

  B.SetInsertPoint(Rest);
  for (PHINode &Phi : From.Block->phis()) {
    PHINode *Merged = B.CreatePHI(Phi.getType(), 2);
    Value *Start = Phi.getIncomingValueForBlock(From.Before);
    Merged->addIncoming(Start, Enough);
    if (!isOnce())
      Merged->addIncoming(
          &Phi == Grid.Iv ? Next
                          : copied(Phi.getIncomingValueForBlock(From.Block)),
          Left);
    const int At = Phi.getBasicBlockIndex(From.Before);
    Phi.setIncomingBlock(At, Rest);
    Phi.setIncomingValue(At, Merged);
  }
  B.CreateBr(From.Block);
}

void coarsen(const gridloop::GridIv &Grid, const Coarsening &C) {
  MainLoopEmitter(Grid, C).run();
}

} // namespace accx::gridtune
