//===- GridShape.cpp - Grids of two and three dimensions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a kernel, finds the digits of its loop's number in the copy
// (Digits.h), and puts a thread's place in the grid there instead of counting
// them. A copy that cannot be finished goes.
//
//===----------------------------------------------------------------------===//

#include "gridtune/GridShape.h"

#include "accx/kernel_desc.h"
#include "gpu/LaunchGrid.h"
#include "gpu/ThreadPlace.h"
#include "gridloop/GridIv.h"
#include "gridloop/GridLoop.h"
#include "gridtune/Coarsen.h"
#include "gridtune/Digits.h"
#include "gridtune/Flatten.h"
#include "gridtune/FunctionLoops.h"
#include "gridtune/NarrowLoop.h"
#include "gridtune/Neighbours.h"
#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "offload/Annotations.h"
#include "offload/DeviceCalls.h"
#include "offload/Kernel.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"

#define DEBUG_TYPE "grid-shape"

using namespace llvm;

STATISTIC(NumShaped, "Number of kernels for grids of several dimensions");

static cl::opt<bool> Always("accx-grid-shape-always", cl::init(false),
                            cl::Hidden,
                            cl::desc("Give all nests a second kernel"));

namespace accx::gridtune {

/// Blocks that stay drift apart where they read so many arrays.
static constexpr size_t ManyArrays = 4;
/// Threads of a row, and rows of a block.
static constexpr unsigned Columns = 64, Rows = 4;
/// Of a thread, where neighbouring rows read the same.
static constexpr unsigned SharedRows = 4;
static constexpr char Suffix[] = "_accx_grid";

namespace {

/// The second kernel, as it is made.
class Shaper : FunctionLoops {
  std::optional<gridloop::GridIv> Grid;
  Value *Bound = nullptr;
  /// Where the kernel asks whether the thread has an iteration at all.
  SmallVector<ICmpInst *, 1> Guards;
  /// Neighbouring rows that a thread does one after the other.
  unsigned ThreadRows = 1;
  /// Blocks of a row come in strips.
  bool HasStrips = false;

public:
  Shaper(Function &F, FunctionAnalysisManager &FAM) : FunctionLoops(F, FAM) {}

  /// Fills \p Dimensions with what a launch has to compute.
  ShapeRefusal shape(gpu::LaunchGrid &Dimensions);
  unsigned threadRows() const { return ThreadRows; }
  bool hasStrips() const { return HasStrips; }

private:
  bool isWorthIt(const std::deque<Digit> &Digits);
  ShapeRefusal checkLoop();
  ShapeRefusal checkStart();
  void place(const std::deque<Digit> &Digits);
  Value *counted(Value *First, Value *Each);
  void enterWhere(Value *Condition);
  void runOnce(Value *Condition);
  void runRows(Value *Condition, Value *Number, Value *Row, Value *End);
};

} // namespace

ShapeRefusal Shaper::checkLoop() {
  Loop *L = gridloop::gridLoopsOf(Loops).front();
  simplify(*L);
  Grid = gridloop::GridIv::find(*L);
  if (!Grid || gridloop::groupOf(*L) || !(Bound = Grid->bound()) ||
      L->getExitingBlock() != L->getLoopLatch())
    return ShapeRefusal::Control;
  if (!Grid->MayInterleave)
    return ShapeRefusal::ThreadObserved;
  if (!L->getUniqueExitBlock()->phis().empty())
    return ShapeRefusal::Outlives;
  for (const BasicBlock *Block : L->blocks())
    for (const Instruction &I : *Block)
      if (any_of(I.users(), [&](const User *U) {
            return !L->contains(cast<Instruction>(U));
          }))
        return ShapeRefusal::Outlives;
  return checkStart();
}

/// Nothing but the loop and its guard may use where a thread starts and steps.
ShapeRefusal Shaper::checkStart() {
  auto Found = Grid->guards();
  if (!Found)
    return ShapeRefusal::BlockObserved;
  Guards = std::move(*Found);
  const auto IsNothing = [](const Instruction &I) {
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    return Intrinsic && Intrinsic->isAssumeLikeIntrinsic();
  };
  if (!isa<Instruction>(Grid->Start) || !Grid->Step->hasOneUse() ||
      !gridloop::ownsGrid(F, {Grid->Start, Grid->Step}, IsNothing))
    return ShapeRefusal::BlockObserved;
  return ShapeRefusal::None;
}

static size_t arraysOf(const Loop &L) {
  SmallPtrSet<const Value *, 8> Arrays;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (const Value *Pointer = getLoadStorePointerOperand(&I))
        Arrays.insert(getUnderlyingObject(Pointer));
  return Arrays.size();
}

/// Several iterations at a time are worth more to short bodies than places
/// without a division. May change the loop's conditions if not.
bool Shaper::isWorthIt(const std::deque<Digit> &Digits) {
  SmallVector<Coarsening, 2> Plan;
  if (Always || crosses(*Grid->Nest, Digits))
    return true;
  const Refusal OneAtATime = planCoarsening(*Grid, Plan);
  if (OneAtATime == Refusal::TooLarge)
    return arraysOf(*Grid->Nest) >= ManyArrays;
  if (OneAtATime == Refusal::None && Grid->bound() &&
      hasFewLoads(*Grid->Nest->getHeader()) &&
      sharesRows(*Grid->Nest, Digits)) {
    ThreadRows = SharedRows;
    return true;
  }
  return OneAtATime != Refusal::None &&
         flattenBody(*Grid, DT, Loops) != Refusal::None;
}

/// The loop is entered where \p Condition holds.
void Shaper::enterWhere(Value *Condition) {
  Loop &L = *Grid->Nest;
  Instruction *Enter = L.getLoopPreheader()->getTerminator();
  IRBuilder<>(Enter).CreateCondBr(Condition, L.getHeader(),
                                  L.getUniqueExitBlock());
  Enter->eraseFromParent();
}

/// The body runs at most once, where \p Condition holds.
void Shaper::runOnce(Value *Condition) {
  Loop &L = *Grid->Nest;
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  BasicBlock *Exit = L.getUniqueExitBlock();
  Header->removePredecessor(Latch);
  Latch->getTerminator()->eraseFromParent();
  BranchInst::Create(Exit, Latch);
  enterWhere(Condition);
}

/// \p First in the loop's first turn, and \p Each more in each further one.
Value *Shaper::counted(Value *First, Value *Each) {
  Loop &L = *Grid->Nest;
  PHINode *Phi = PHINode::Create(First->getType(), 2, "",
                                 L.getHeader()->getFirstNonPHIIt());
  auto *Next = BinaryOperator::CreateNUWAdd(Phi, Each, "",
                                            L.getLoopLatch()->getTerminator());
  Phi->addIncoming(First, L.getLoopPreheader());
  Phi->addIncoming(Next, L.getLoopLatch());
  return Phi;
}

/// The loop steps from row to row, up to \p End, where \p Condition holds.
void Shaper::runRows(Value *Condition, Value *Number, Value *Row, Value *End) {
  Loop &L = *Grid->Nest;
  const auto Test =
      gridloop::BoundTest::find(L, *L.getLoopLatch(), *Grid->Next);
  Test->Compare->replaceUsesOfWith(Test->Bound, End);
  Grid->Next->replaceUsesOfWith(Grid->Step, Row);
  Grid->Iv->setIncomingValueForBlock(L.getLoopPreheader(), Number);
  LLVMContext &C = F.getContext();
  ir::renewLoop(
      *L.getLoopLatch()->getTerminator(), {gridloop::GridLoopMetadata},
      {gridloop::gridLoopMark(C, Grid->Bits, Grid->MayInterleave),
       ir::loopOption(C, gridloop::RowLoopMetadata,
                      ConstantInt::get(Type::getInt32Ty(C), ThreadRows))});
  enterWhere(Condition);
}

/// A thread's place in the grid for its number and the number's digits.
void Shaper::place(const std::deque<Digit> &Digits) {
  const bool IsThree = Digits.size() == 2;
  IRBuilder<> B(Grid->Nest->getLoopPreheader()->getTerminator());
  Type *Wide = B.getInt64Ty();
  Value *Thread = gpu::readThread(B);
  const auto Along = [&](Value *Block, Value *Size, Value *Own,
                         const char *Name) {
    return B.CreateAdd(B.CreateMul(Block, Size, "", true, true), Own, Name,
                       true, true);
  };
  Value *BlockX = gpu::readBlock(B);
  if (HasStrips)
    BlockX = Along(gpu::readBlock(B, 2), gpu::readBlocks(B), BlockX, "column");
  Value *X =
      Along(BlockX, B.getInt32(Columns), B.CreateAnd(Thread, Columns - 1), "x");
  Value *Y = Along(gpu::readBlock(B, 1),
                   B.CreateUDiv(gpu::readThreads(B), B.getInt32(Columns)),
                   B.CreateUDiv(Thread, B.getInt32(Columns)), "y");
  Value *Z = IsThree ? gpu::readBlock(B, 2) : nullptr;
  if (ThreadRows > 1)
    Y = B.CreateMul(Y, B.getInt32(ThreadRows), "", true, true);
  const auto Widened = [&](Value *V) {
    return B.CreateZExt(V, Wide, "", true);
  };
  // Row by row: at most 2^35 threads begin in a row below 2^31.
  Value *Row = Widened(Digits.back().Magnitude);
  Value *Number = Along(Widened(Y), Row, Widened(X), "number");
  Value *Condition = B.CreateICmpULT(Widened(X), Row);
  Value *InPlane = Number, *End = Bound;
  if (IsThree) {
    Value *Plane = Widened(Digits.front().Magnitude);
    Condition = B.CreateAnd(Condition, B.CreateICmpULT(Number, Plane));
    Number = Along(Widened(Z), Plane, Number, "number");
    End = B.CreateBinaryIntrinsic(
        Intrinsic::umin, Bound,
        Along(Widened(Z), Plane, Plane, "end.of.plane"));
  }
  Condition = B.CreateAnd(Condition, B.CreateICmpULT(Number, Bound));

  // Each: what it grows by from row to row.
  const auto Replace = [&](PHINode &Counter, Value *By, Value *Each = nullptr) {
    By = B.CreateZExtOrTrunc(By, Counter.getType());
    if (Each && ThreadRows > 1)
      By = counted(By, B.CreateZExtOrTrunc(Each, Counter.getType()));
    Counter.replaceAllUsesWith(By);
    Counter.eraseFromParent();
  };
  for (const Digit &D : Digits) {
    const bool IsOuter = IsThree && &D == &Digits.front();
    Replace(D.counter(), IsOuter ? Z : Y, IsOuter ? nullptr : B.getInt32(1));
    Replace(*D.Remainder, IsOuter ? InPlane : X, IsOuter ? Row : nullptr);
  }
  for (ICmpInst *Guard : Guards)
    Guard->replaceUsesOfWith(Grid->Start, ConstantInt::get(Wide, 0));
  if (ThreadRows == 1) {
    Replace(*Grid->Iv, Number);
    return runOnce(Condition);
  }
  runRows(Condition, Number, Row,
          B.CreateBinaryIntrinsic(
              Intrinsic::umin, End,
              Along(Row, B.getInt64(ThreadRows), Number, "end.of.rows")));
}

ShapeRefusal Shaper::shape(gpu::LaunchGrid &Dimensions) {
  if (const ShapeRefusal R = checkLoop(); R != ShapeRefusal::None)
    return R;
  // The runtime sees to it that there are fewer than 2^31 iterations.
  Grid->Bits = std::min(Grid->Bits, NarrowBits);
  Grid->dropExtensions();
  SmallVector<CountedIndex, 4> Counted;
  Recovery Found(*Grid, SE, Counted, /*CountsCheap=*/true);
  Found.run();
  narrowComparisons(*Grid);
  const std::deque<Digit> &Digits = Found.digits();
  if (Digits.empty() || Digits.size() > 2 || !Digits[0].StartQuotient)
    return ShapeRefusal::Digits;
  const Digit &Outer = Digits.front(), &Inner = Digits.back();
  if (Digits.size() > 1 && Inner.Dividend != Outer.Wide &&
      Inner.Dividend != Outer.Remainder)
    return ShapeRefusal::Digits;
  const auto Describe = [&](gpu::LaunchGrid &To) {
    const unsigned BlockRows = Rows * ThreadRows;
    if (!To.addInner(Inner.Divisor, Columns) ||
        (Digits.size() > 1 &&
         !To.addInner(Outer.Divisor, Inner.Divisor, BlockRows)))
      return false;
    To.addOuter(Digits.size() > 1 ? 1 : BlockRows);
    return true;
  };
  if (gpu::LaunchGrid Any; !Describe(Any))
    return ShapeRefusal::Extents;
  if (!isWorthIt(Digits))
    return ShapeRefusal::Suits;
  (void)Describe(Dimensions);
  HasStrips = Digits.size() == 1 && rereads(*Grid->Nest, Digits);
  place(Digits);
  return ShapeRefusal::None;
}

/// A copy of \p Kernel with an environment of its own; the runtime does not
/// know it yet.
static Function &copyWithEnvironment(Function &Kernel) {
  Function &Copy = offload::copyKernel(Kernel, Suffix);
  // With as many registers as the kernel's largest blocks leave.
  const unsigned Threads = Columns * Rows;
  offload::annotate(Copy, "maxntidx", Threads);
  if (const uint64_t Most = offload::annotated(Kernel, "maxntidx");
      Most > Threads)
    offload::annotate(Copy, "minctasm", Most / Threads);
  GlobalVariable *Environment = offload::environmentOf(Kernel);
  auto *Own = new GlobalVariable(
      *Kernel.getParent(), Environment->getValueType(),
      Environment->isConstant(), Environment->getLinkage(),
      Environment->getInitializer(), "", Environment,
      Environment->getThreadLocalMode(), Environment->getAddressSpace());
  Own->copyAttributesFrom(Environment);
  Own->setName(Copy.getName() + offload::EnvironmentSuffix);
  Environment->replaceUsesWithIf(Own, [&](const Use &U) {
    const auto *I = dyn_cast<Instruction>(U.getUser());
    return I && I->getFunction() == &Copy;
  });
  return Copy;
}

static void shapeKernel(Function &Kernel, FunctionAnalysisManager &FAM) {
  const auto Nests = gridloop::gridLoopsOf(FAM.getResult<LoopAnalysis>(Kernel));
  if (Nests.empty() ||
      none_of(Nests, [](Loop *L) { return gridloop::divides(*L); }))
    return;
  Loop &Nest = *Nests.front();
  ShapeRefusal Why =
      Nests.size() > 1 ? ShapeRefusal::SeveralLoops : ShapeRefusal::None;
  Function *Variant = nullptr;
  unsigned ThreadRows = 1;
  bool HasStrips = false;
  gpu::LaunchGrid Dimensions;
  if (Why == ShapeRefusal::None) {
    Variant = &copyWithEnvironment(Kernel);
    Shaper S(*Variant, FAM);
    Why = S.shape(Dimensions);
    ThreadRows = S.threadRows();
    HasStrips = S.hasStrips();
    FAM.clear(*Variant, Variant->getName());
  }
  if (Why != ShapeRefusal::None) {
    ir::remarkRefused(DEBUG_TYPE, Why, Nest,
                      "a nest has a grid of one dimension");
    if (Variant) {
      GlobalVariable *Environment = offload::environmentOf(*Variant);
      offload::retire(*Variant);
      Environment->eraseFromParent();
    }
    return;
  }
  gpu::describeWholeGrid(Kernel, *Variant, Columns * Rows,
                         Columns * Rows * ThreadRows, Dimensions, HasStrips);
  ++NumShaped;
  ir::remarkPassed(
      DEBUG_TYPE, "Shaped", Nest,
      "a nest has a kernel for grids of several dimensions, with "
      "blocks of ",
      ore::NV("Rows", Rows), " rows of ", ore::NV("Columns", Columns),
      " threads, each with ", ore::NV("ThreadRows", ThreadRows),
      ThreadRows > 1 ? " rows" : " row", HasStrips ? ", strip by strip" : "");
}

PreservedAnalyses GridShapePass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!offload::isGpuCode(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *> Kernels;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() &&
        offload::annotated(F, "kernel") == 1 && offload::environmentOf(F) &&
        !M.getNamedGlobal((F.getName() + ACCX_KERNEL_DESC_SUFFIX).str()))
      Kernels.push_back(&F);
  for (Function *Kernel : Kernels)
    shapeKernel(*Kernel, FAM);
  return PreservedAnalyses::none();
}

} // namespace accx::gridtune
