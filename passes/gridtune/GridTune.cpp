//===- GridTune.cpp - Makes grid-stride loops cheap -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies the actions to each marked loop and its copies, in the order that
// GridTune.h gives, and reports each. Between two of them it renews what is
// known of loops. The actions themselves are elsewhere.
//
//===----------------------------------------------------------------------===//

#include "gridtune/GridTune.h"

#include "gridloop/GridIv.h"
#include "gridloop/GridLoop.h"
#include "gridtune/AddressSharing.h"
#include "gridtune/Coarsen.h"
#include "gridtune/CounterMasks.h"
#include "gridtune/Flatten.h"
#include "gridtune/FunctionLoops.h"
#include "gridtune/IndexRecovery.h"
#include "gridtune/LateSteps.h"
#include "gridtune/LinearAddresses.h"
#include "gridtune/NarrowLoop.h"
#include "gridtune/UnrollHints.h"
#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "offload/Kernel.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "grid-tune"

using namespace llvm;

STATISTIC(NumDivisions, "Number of divisions replaced by counting");
STATISTIC(NumLinear, "Number of addresses made of their loop's number");
STATISTIC(NumNarrow, "Number of loops that count in 32 bits where they can");
STATISTIC(NumCoarsened, "Number of loops that do several iterations at a time");
STATISTIC(NumDelayed, "Number of loops whose steps are computed if needed");
STATISTIC(NumFlat, "Number of loops with conditions made one block");
STATISTIC(NumMasks, "Number of masks of counters dropped");
STATISTIC(NumShared, "Number of addresses computed from neighbours'");
STATISTIC(NumUnrolled, "Number of sequential loops marked for unrolling");

static cl::opt<bool> RecoverIndices("accx-grid-indices", cl::init(true),
                                    cl::Hidden,
                                    cl::desc("Count indices of collapsed loops"
                                             " instead of dividing"));
static cl::opt<bool>
    NarrowLoops("accx-grid-narrow", cl::init(true), cl::Hidden,
                cl::desc("Count indices of 64 bits in 32 where the number of "
                         "iterations allows it"));
static cl::opt<bool>
    LinearLoops("accx-grid-linear", cl::init(true), cl::Hidden,
                cl::desc("Use the number of an iteration where "
                         "indices add up to it"));
static cl::opt<bool> Coarsen("accx-grid-coarsen", cl::init(true), cl::Hidden,
                             cl::desc("Do several iterations of grid-stride "
                                      "loops at a time"));
static cl::opt<bool>
    Flatten("accx-grid-flatten", cl::init(true), cl::Hidden,
            cl::desc("Do several iterations of grid-stride loops with "
                     "conditions at a time"));
static cl::opt<bool> ShareAddresses("accx-grid-addresses", cl::init(true),
                                    cl::Hidden,
                                    cl::desc("Compute addresses of neighbours "
                                             "from one another"));

namespace accx::gridtune {

namespace {

/// The loops of one function, one after the other; each by its header, since
/// new blocks make what is known of loops stale.
class Tuner : FunctionLoops {
  /// Conditions are to be restored.
  bool IsFlat = false;

public:
  Tuner(Function &F, FunctionAnalysisManager &FAM) : FunctionLoops(F, FAM) {}

  /// Makes addresses simpler, if need be in copies of the loop for the usual
  /// cases. Returns the copies, which are to be tuned and unmarked, too.
  SmallVector<BasicBlock *, 2> specialize(BasicBlock &Header);
  /// \p IsRare: there are such copies, which get the registers.
  void tune(BasicBlock &Header, bool IsRare);
  /// Works on all loops: those that coarsening made are not marked.
  void shareAll();
  /// Flattened bodies get their conditions back.
  void restore() {
    if (IsFlat)
      restoreGuards(F);
  }
  /// Last of all, as copies of the loop have steps of their own.
  void delay(BasicBlock &Header);
  /// The pass may come twice; what it left of a loop is not worth more.
  void unmark(BasicBlock &Header);

private:
  BasicBlock *copyWhere(const gridloop::GridIv &Grid, bool IsNarrow,
                        Value *Condition);
  void makeLinear(BasicBlock &Header);
  BasicBlock *copyLinear(BasicBlock &Header, bool Wanted, bool &IsGuess);
  void countIndices(const gridloop::GridIv &Grid,
                    SmallVectorImpl<CountedIndex> &Counted);
  void dropMasks(const gridloop::GridIv &Grid, ArrayRef<CountedIndex> Counted);
  Refusal flatten(const gridloop::GridIv &Grid);
  void coarsenLoop(BasicBlock &Header, Refusal NotFlat);
};

} // namespace

void Tuner::countIndices(const gridloop::GridIv &Grid,
                         SmallVectorImpl<CountedIndex> &Counted) {
  const unsigned Divisions = recoverIndices(Grid, SE, Counted);
  if (isNarrow(Grid))
    narrowComparisons(Grid);
  if (!Divisions)
    return;
  NumDivisions += Divisions;
  ir::remarkPassed(DEBUG_TYPE, "IndicesCounted", *Grid.Nest,
                   ir::Counted(Divisions, "division", "Divisions"),
                   " of a grid-stride loop replaced by counting");
}

void Tuner::dropMasks(const gridloop::GridIv &Grid,
                      ArrayRef<CountedIndex> Counted) {
  const unsigned Masks = dropCounterMasks(Grid, SE, Counted);
  NumMasks += Masks;
  ir::printPlan(*Grid.Nest, [&](raw_ostream &OS) {
    OS << "numbers of iterations have " << Grid.Bits << " bits; "
       << Counted.size() << " of their digits counted, "
       << ir::Counted(Masks, "mask") << " dropped";
  });
  // Indices that nothing uses are not counted.
  for (BasicBlock *Block : Grid.Nest->blocks())
    SimplifyInstructionsInBlock(Block);
  DeleteDeadPHIs(Grid.Nest->getHeader());
}

Refusal Tuner::flatten(const gridloop::GridIv &Grid) {
  const DebugLoc Where = Grid.Nest->getStartLoc();
  BasicBlock *Header = Grid.Nest->getHeader();
  if (!Flatten || !Coarsen)
    return Refusal::SeveralBlocks;
  if (const Refusal Why = flattenBody(Grid, DT, Loops); Why != Refusal::None)
    return Why;
  ++NumFlat;
  IsFlat = true;
  forgetLoops();
  ir::remarkPassed(
      DEBUG_TYPE, "Flattened", {Where, *Header},
      "conditions of a grid-stride loop are those of its accesses");
  return Refusal::None;
}

BasicBlock *Tuner::copyWhere(const gridloop::GridIv &Grid, bool IsNarrow,
                             Value *Condition) {
  if (IsNarrow) {
    ++NumNarrow;
    ir::remarkPassed(
        DEBUG_TYPE, "Narrow", *Grid.Nest,
        "a grid-stride loop of fewer than 2^31 iterations counts in 32 bits");
  }
  formLCSSARecursively(*Grid.Nest, DT, &Loops, &SE);
  BasicBlock *Header = makeLoopWhere(Grid, IsNarrow, Condition, SE, Loops, DT);
  forgetLoops();
  return Header;
}

/// As planned for this loop, or for the one that it is a copy of.
void Tuner::makeLinear(BasicBlock &Header) {
  Loop *L = Loops.getLoopFor(&Header);
  simplify(*L);
  const auto Grid = gridloop::GridIv::find(*L);
  LinearAddresses Linear(*Grid);
  if (!Linear.plan())
    return;
  const unsigned Rewritten = Linear.rewrite();
  NumLinear += Rewritten;
  ir::remarkPassed(
      DEBUG_TYPE, "Linear", *L, ir::Counted(Rewritten, "address", "Addresses"),
      " of a grid-stride loop ", Rewritten == 1 ? "follows" : "follow",
      " from the number of the iteration");
}

/// \p Wanted: fewer iterations than 2^31 are worth a loop of their own.
BasicBlock *Tuner::copyLinear(BasicBlock &Header, bool Wanted, bool &IsGuess) {
  Loop *L = Loops.getLoopFor(&Header);
  const auto Grid = gridloop::GridIv::find(*L);
  LinearAddresses Linear(*Grid);
  if (!LinearLoops || !Linear.plan())
    return nullptr;
  ir::printPlan(*L, [&](raw_ostream &OS) {
    OS << "addresses follow from the number of the iteration"
       << (Linear.isForNarrow() ? ", if that is below 2^31" : "")
       << (Linear.hasChecks() ? ", if extents agree" : "")
       << (Linear.isGuess() ? ", which they may not" : "")
       << (Linear.leavesQuotients() ? "; other code uses quotients" : "");
  });
  const bool IsNarrow =
      Linear.isForNarrow() || (Wanted && Linear.leavesQuotients());
  const bool Compares =
      Linear.hasChecks() || (IsNarrow && !isKnownNarrow(*Grid, SE));
  if (Compares && !mayBeCopied(*Grid))
    return nullptr;
  IsGuess = Linear.isGuess();
  BasicBlock *Copy = &Header;
  if (Compares || IsNarrow) {
    IRBuilder<> B(L->getLoopPreheader()->getTerminator());
    Copy = copyWhere(*Grid, IsNarrow, Linear.emitChecks(B));
  }
  makeLinear(*Copy);
  return Copy;
}

SmallVector<BasicBlock *, 2> Tuner::specialize(BasicBlock &Header) {
  Loop *L = Loops.getLoopFor(&Header);
  simplify(*L);
  auto Grid = gridloop::GridIv::find(*L);
  if (!Grid || !RecoverIndices)
    return {};
  SmallVector<BasicBlock *, 2> Copies;
  const auto Add = [&](BasicBlock *Copy) {
    if (Copy != &Header)
      Copies.push_back(Copy);
  };
  const bool IsWorthIt = NarrowLoops && isWorthNarrowing(*Grid);
  bool IsGuess = false;
  BasicBlock *Copy = copyLinear(Header, IsWorthIt, IsGuess);
  if (Copy)
    Add(Copy);
  if (IsWorthIt && (!Copy || IsGuess)) {
    L = Loops.getLoopFor(&Header);
    simplify(*L);
    Grid = gridloop::GridIv::find(*L);
    Add(copyWhere(*Grid, true, nullptr));
  }
  return Copies;
}

/// \p NotFlat: why a body of several blocks has not become one.
void Tuner::coarsenLoop(BasicBlock &Header, Refusal NotFlat) {
  const auto Grid = gridloop::GridIv::find(*Loops.getLoopFor(&Header));
  SmallVector<Coarsening, 2> Plan;
  Refusal R = Grid ? planCoarsening(*Grid, Plan) : Refusal::ControlForm;
  if (R == Refusal::SeveralBlocks)
    R = NotFlat;
  if (R != Refusal::None) {
    ir::remarkMissed(DEBUG_TYPE, "NotCoarsened", *Loops.getLoopFor(&Header),
                     "a grid-stride loop does one iteration at a time: ",
                     ore::NV("Reason", textOf(R)));
    return;
  }
  for (const Coarsening &C : Plan) {
    Loop *L = Loops.getLoopFor(&Header);
    simplify(*L);
    const auto Now = gridloop::GridIv::find(*L);
    if (!Now)
      break;
    ir::remarkPassed(DEBUG_TYPE, "Coarsened", *L, "a grid-stride loop does ",
                     ore::NV("Iterations", C.Iterations),
                     C.IsConsecutive ? " neighbouring" : "",
                     " iterations at a time");
    formLCSSARecursively(*L, DT, &Loops, &SE);
    coarsen(*Now, C);
    forgetLoops();
  }
  ++NumCoarsened;
}

void Tuner::tune(BasicBlock &Header, bool IsRare) {
  Loop *L = Loops.getLoopFor(&Header);
  simplify(*L);
  auto Grid = gridloop::GridIv::find(*L);
  if (!Grid) {
    ir::remarkMissed(DEBUG_TYPE, "NoCounter", *L,
                     "the counter of a grid-stride loop is not found again");
    return;
  }
  Grid->dropExtensions();
  SmallVector<CountedIndex, 4> Counted;
  if (RecoverIndices)
    countIndices(*Grid, Counted);
  const Refusal NotFlat = IsRare ? Refusal::SeveralBlocks : flatten(*Grid);
  if (NotFlat == Refusal::None)
    Grid = gridloop::GridIv::find(*Loops.getLoopFor(&Header));
  if (Grid)
    dropMasks(*Grid, Counted);
  if (Coarsen)
    coarsenLoop(Header, NotFlat);
}

void Tuner::shareAll() {
  for (Loop *L : Loops) {
    simplify(*L);
    const unsigned Shared = shareAddresses(*L, DT);
    if (!Shared)
      continue;
    NumShared += Shared;
    ir::remarkPassed(DEBUG_TYPE, "AddressesShared", *L,
                     ir::Counted(Shared, "address", "Addresses"),
                     " of a grid-stride loop computed from ",
                     Shared == 1 ? "its neighbour's" : "their neighbours'");
  }
}

void Tuner::delay(BasicBlock &Header) {
  Loop *L = Loops.getLoopFor(&Header);
  simplify(*L);
  const auto Grid = gridloop::GridIv::find(*L);
  if (!Grid || !delaySteps(*Grid))
    return;
  ++NumDelayed;
  forgetLoops();
  ir::remarkPassed(DEBUG_TYPE, "StepsDelayed", *Loops.getLoopFor(&Header),
                   "threads with one iteration of a grid-stride loop do not "
                   "compute how its indices move");
}

void Tuner::unmark(BasicBlock &Header) {
  ir::renewLoop(*Loops.getLoopFor(&Header)->getLoopLatch()->getTerminator(),
                {gridloop::GridLoopMetadata, gridloop::RunLoopMetadata});
}

PreservedAnalyses GridTunePass::run(Function &F, FunctionAnalysisManager &FAM) {
  if (F.hasOptNone())
    return PreservedAnalyses::all();
  LoopInfo &Loops = FAM.getResult<LoopAnalysis>(F);
  if (Loops.empty() || !offload::isGpuCode(*F.getParent()))
    return PreservedAnalyses::all();
  SmallVector<Loop *, 4> Small;
  const bool Changed =
      markForUnrolling(Loops, FAM.getResult<ScalarEvolutionAnalysis>(F), Small);
  NumUnrolled += Small.size();
  for (const Loop *L : Small)
    ir::remarkPassed(DEBUG_TYPE, "Unrolled", *L,
                     "a small sequential loop marked for unrolling");
  SmallVector<BasicBlock *, 4> Marked;
  for (Loop *L : gridloop::gridLoopsOf(Loops))
    Marked.push_back(L->getHeader());
  // Most functions have none.
  if (Marked.empty()) {
    if (!Changed)
      return PreservedAnalyses::all();
    PreservedAnalyses Kept;
    Kept.preserveSet<CFGAnalyses>();
    return Kept;
  }

  Tuner Work(F, FAM);
  for (BasicBlock *Header : Marked) {
    const auto Copies = Work.specialize(*Header);
    for (BasicBlock *Copy : Copies) {
      Work.tune(*Copy, /*IsRare=*/false);
      Work.delay(*Copy);
      Work.unmark(*Copy);
    }
    Work.tune(*Header, !Copies.empty());
    Work.delay(*Header);
    Work.unmark(*Header);
  }
  if (ShareAddresses)
    Work.shareAll();
  Work.restore();
  return PreservedAnalyses::none();
}

} // namespace accx::gridtune
