//===- Pipeline.cpp - Every pass's place ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each pass of accx runs in Clang's pipeline, and why there. The order of
// the lines is the order of the passes.
//
//   pipeline start     front end's markers are there, calls of the device
//                      runtime are intact, nothing is inlined
//   peepholes          before loops are rotated, and again later
//   optimizer, early   device code is inlined and simplified, not yet unrolled
//   vectorizer, start  loops have the form that the vectorizer expects
//   optimizer, last    vectors are there, nothing else follows
//
// A pass that a tool names in -passes= always runs: the switches here are for
// the pipelines of compilers.
//
//===----------------------------------------------------------------------===//

#include "pipeline/Pipeline.h"

#include "blocks/Notes.h"
#include "distribute/LoopParts.h"
#include "gridloop/GridLoop.h"
#include "gridloop/SerialRegions.h"
#include "gridloop/StaticSchedule.h"
#include "gridtune/CheckedPromotion.h"
#include "gridtune/CounterSums.h"
#include "gridtune/GridOrder.h"
#include "gridtune/GridRuns.h"
#include "gridtune/GridShape.h"
#include "gridtune/GridTune.h"
#include "gridtune/LocalArrays.h"
#include "gridtune/PressureHoist.h"
#include "host/LateWaits.h"
#include "info/Info.h"
#include "lanes/Marks.h"
#include "lanes/SimtLanes.h"
#include "markers/Strip.h"
#include "markers/UnitEntries.h"
#include "offload/Annotations.h"
#include "offload/AtomicReductions.h"
#include "offload/CalledOnce.h"
#include "offload/DependentLaunch.h"
#include "offload/Kernel.h"
#include "offload/LibraryCalls.h"
#include "offload/PureCalls.h"
#include "offload/ReadOnlyArguments.h"
#include "offload/StructArguments.h"
#include "pipeline/PlanPrinter.h"
#include "processor/CheckAccess.h"
#include "processor/ChunksOfOne.h"
#include "processor/Gangs.h"
#include "processor/OneTeam.h"
#include "processor/OrphanDistribute.h"
#include "processor/SmallRegions.h"
#include "processor/StaticShares.h"
#include "processor/StreamStores.h"
#include "reduce/GridNest.h"
#include "reduce/HierReduce.h"
#include "reduce/LockReductions.h"
#include "smc/SmcTile.h"
#include "vector/functions/Function.h"
#include "vector/loops/Columns.h"
#include "vector/loops/JoinRanges.h"
#include "vector/loops/RowLoops.h"
#include "vector/matrix/Matrix.h"
#include "vector/peephole/GatherPairs.h"
#include "vector/remainder/Remainder.h"
#include "workitems/WorkItemLoops.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"

using namespace llvm;
using namespace accx;

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

namespace {

/// An option of ours that is on unless somebody sets it to 0.
struct Switch : cl::opt<bool> {
  Switch(StringRef Name, StringRef What, bool Is = true)
      : cl::opt<bool>(Name, cl::init(Is), cl::Hidden, cl::desc(What)) {}
};

Switch Check("accx-check",
             "Let kernels of processors ask about what they access", false);
Switch
    StaticSchedule("accx-static-schedule",
                   "Give loops of GPUs a static schedule where any is right");
Switch ChunksOfOne("accx-chunks-of-one",
                   "Keep loops with schedule(static, 1) from losing "
                   "iterations on processors");
Switch SerialRegions("accx-serial-regions",
                     "Call nested parallel regions of GPUs as functions");
Switch GridLoop("accx-grid-loop",
                "Make one loop of distribute and for on GPUs");
Switch GridOrder("accx-grid-order",
                 "Run the collapsed loop innermost that is so in memory");
Switch GridShape("accx-grid-shape",
                 "Give nests a kernel for grids of several dimensions");
Switch GridRuns("accx-grid-runs",
                "Give blocks of GPUs neighbouring iterations of long loops");
Switch LocalArrays("accx-local-arrays",
                   "Unroll loops of GPUs whose counters are subscripts of "
                   "small arrays of a thread");
Switch CheckedPromotion("accx-checked-promotion",
                        "Keep places that loops of GPUs store to in registers "
                        "where comparisons of addresses allow that");
Switch PressureHoist("accx-pressure-hoist",
                     "Compute values on GPUs where what they are computed from "
                     "is used last");
Switch GridNest("accx-grid-nest", "Run nests of distributed and parallel loops "
                                  "on all threads of the grid");
Switch PureCalls("accx-pure-calls",
                 "Compute calls on GPUs once that only compute");
Switch StructArguments("accx-struct-arguments",
                       "Tell LLVM on GPUs how structs by value are aligned");
Switch CalledOnce("accx-called-once",
                  "Inline functions of GPUs that have one call");
Switch AtomicReductions("accx-atomic-red",
                        "Write atomics of GPUs whose results nobody reads as "
                        "reductions");
Switch SimtLanes("accx-simt-lanes",
                 "Run vector loops across lanes of warps on GPUs");
Switch HierReduce("accx-hier-reduce", "Write reductions on GPUs as shuffles");
Switch SmcTile("accx-smc-tile",
               "Keep arrays in shared memory where directives say so");
Switch WorkItemLoops("accx-workitem-loops",
                     "Run the iterations of a block together on processors; "
                     "without it programs end where they would have to");
Switch
    ReadOnlyArguments("accx-read-only-arguments",
                      "Let GPUs load what a kernel only reads when they like");
Switch DependentLaunch("accx-dependent-launch",
                       "Let kernels of GPUs start while the one before them "
                       "ends");
Switch LateWaits("accx-late-waits",
                 "Wait for regions where something may see the difference");
Switch OneTeam("accx-one-team", "Start kernels of processors without a league "
                                "where it would have one team");
Switch SmallRegions("accx-small-regions",
                    "Run parallel regions that are soon done on one thread in "
                    "kernels of processors");
Switch StaticShares("accx-static-shares",
                    "Compute a thread's share of a loop in kernels of "
                    "processors");
Switch StreamStores("accx-stream-stores",
                    "Write arrays past the cache in kernels of processors "
                    "where they do not fit it");
Switch VectorFunctions("accx-simd-function",
                       "Make and call the vector variants of declare simd");
Switch Columns("accx-simd-columns",
               "Make lanes of loops whose inner loops go down columns");
Switch JoinRanges("accx-simd-join",
                  "Run ranges that follow each other as one loop");
Switch RowLoops("accx-simd-rows",
                "Run loops over several dimensions row by row");
Switch Remainder("accx-simd-remainder",
                 "Run the remainders of vectorized loops as masked vectors");
Switch Matrix("accx-simd-matrix",
              "Keep operations on small matrices in vector registers");
Switch GatherPairs("accx-simd-gather", "Gather neighbours as one element");

bool optimizes(OptimizationLevel Level) {
  return Level != OptimizationLevel::O0;
}

/// Where code may grow: from -O2 on, but not at -Os and -Oz.
bool mayGrow(OptimizationLevel Level) {
  return Level.getSpeedupLevel() >= 2 && Level.getSizeLevel() == 0;
}

template <typename PassT> void addToFunctions(ModulePassManager &MPM, PassT P) {
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(P)));
}

/// Tunes and cleans up. The pipeline is the same for host code, which stays as
/// it is.
struct TuneGpuCodePass : PassInfoMixin<TuneGpuCodePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (!offload::isGpuCode(M))
      return PreservedAnalyses::all();
    PreservedAnalyses Shaped = PreservedAnalyses::all();
    // Digits first get the order that they keep.
    if (GridOrder) {
      Shaped = createModuleToFunctionPassAdaptor(gridtune::GridOrderPass())
                   .run(M, MAM);
      MAM.invalidate(M, Shaped);
    }
    // Ahead of what counts digits and steps.
    if (GridShape) {
      Shaped.intersect(gridtune::GridShapePass().run(M, MAM));
      MAM.invalidate(M, Shaped);
    }
    // Right ahead of what knows its form.
    if (GridRuns) {
      Shaped.intersect(gridtune::GridRunsPass().run(M, MAM));
      MAM.invalidate(M, Shaped);
    }
    FunctionPassManager FPM;
    FPM.addPass(gridtune::GridTunePass());
    // What is tuned has left arithmetic that folds.
    FPM.addPass(InstCombinePass());
    // Counters of the grid's loop are in their last form.
    FPM.addPass(gridtune::CounterSumsPass());
    Shaped.intersect(
        createModuleToFunctionPassAdaptor(std::move(FPM)).run(M, MAM));
    return Shaped;
  }
};

struct ListenPass : PassInfoMixin<ListenPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    accx::pipeline::listenForInfo(M);
    return PreservedAnalyses::all();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Runs at -O0, too.
static void atStart(ModulePassManager &MPM, OptimizationLevel Level) {
  // Before whatever has something to say.
  if (info::isWanted())
    MPM.addPass(ListenPass());
  // Before inlining: a function with variants and loops has to stay a call.
  if (VectorFunctions && optimizes(Level))
    MPM.addPass(vector::SimdFunctionKeepPass());
  // Names are as the front end wrote them, and as the other side's are.
  MPM.addPass(markers::UnitEntriesPass());
  // Variables still have the program's names.
  if (Check)
    MPM.addPass(processor::NameAccessesPass());
  // Before any function goes: spares must not have the address of one.
  if (optimizes(Level))
    MPM.addPass(offload::SpareKernelsPass());

  // At -O0, too, where programs would not link either.
  MPM.addPass(offload::LibraryCallsPass());
  // Before whatever asks what a call does, and before calls are inlined.
  if (PureCalls && optimizes(Level))
    MPM.addPass(offload::PureCallsPass());
  if (StructArguments && optimizes(Level))
    MPM.addPass(offload::StructArgumentsPass());
  if (CalledOnce && mayGrow(Level))
    MPM.addPass(offload::CalledOncePass());

  // What reads the front end's markers, before they go.
  if (SimtLanes && optimizes(Level))
    addToFunctions(MPM, lanes::MarkPass());
  MPM.addPass(blocks::KeepPass(SmcTile && optimizes(Level)));
  if (WorkItemLoops)
    MPM.addPass(workitems::WorkItemLoopsPass());
  MPM.addPass(processor::GangsPass());
  MPM.addPass(distribute::ReadPartsPass());
  MPM.addPass(markers::StripPass());

  // What reads calls of the device runtime, which are intact until inlining.
  // The first two at -O0, too, where programs would not link or read a team
  // that is not there.
  MPM.addPass(reduce::LockReductionsPass());
  MPM.addPass(processor::OrphanDistributePass());
  // A schedule first: canonical loops are made of static ones.
  if (StaticSchedule)
    MPM.addPass(gridloop::StaticSchedulePass());
  if (ChunksOfOne)
    addToFunctions(MPM, processor::ChunksOfOnePass());
  // Before loops: what is nested in a region is a function's from then on.
  if (SerialRegions && optimizes(Level))
    MPM.addPass(gridloop::SerialRegionsPass());
  if (GridLoop && optimizes(Level))
    MPM.addPass(gridloop::GridLoopPass());
  // Nests are of loops that are canonical; vector loops are within nests.
  if (GridNest && optimizes(Level))
    MPM.addPass(reduce::GridNestPass());
  if (SimtLanes && optimizes(Level))
    MPM.addPass(lanes::SimtLanesPass(Level.getSpeedupLevel() > 1));
  // Loops have their threads and lanes: what they add up over is known.
  if (optimizes(Level))
    MPM.addPass(reduce::HierReducePass(/*OnlyInlines=*/!HierReduce));
  // Shared memory goes to arrays when reductions have what they need.
  if (SmcTile && optimizes(Level))
    MPM.addPass(smc::SmcTilePass());

  if (optimizes(Level))
    MPM.addPass(offload::DropSparesPass());
  // Behind all that makes or moves accesses at the start.
  if (Check)
    MPM.addPass(processor::CheckAccessPass());
}

/// Loops are not rotated at the first of these places; later ones find what
/// other passes made of the rest.
static void atPeepholes(FunctionPassManager &FPM, OptimizationLevel Level) {
  if (Matrix && mayGrow(Level))
    FPM.addPass(vector::MatrixPass());
  // Variables are values, and LLVM has not unrolled anything.
  if (LocalArrays && mayGrow(Level))
    FPM.addPass(gridtune::LocalArraysPass());
}

static void atOptimizer(ModulePassManager &MPM, OptimizationLevel Level) {
  // Before variants are made, of which columns are a kind.
  if (VectorFunctions && Columns && mayGrow(Level))
    addToFunctions(MPM, vector::ColumnsPass());
  // At -O0, too: other translation units count on the variants.
  if (VectorFunctions)
    MPM.addPass(vector::SimdFunctionPass());
  // Behind vectors of outer loops, whose ranges are no longer loops.
  if (JoinRanges && mayGrow(Level))
    addToFunctions(MPM, vector::JoinRangesPass());
  // Device code is inlined: a kernel's loop is in the kernel.
  if (optimizes(Level))
    MPM.addPass(distribute::LoopPartsPass());
  if (GridLoop && optimizes(Level))
    MPM.addPass(TuneGpuCodePass());
}

static void atVectorizer(FunctionPassManager &FPM, OptimizationLevel Level) {
  if (!mayGrow(Level))
    return;
  // Rows first: each is a loop that may have a remainder.
  if (RowLoops)
    FPM.addPass(vector::RowLoopsPass());
  if (Remainder)
    FPM.addPass(vector::RemainderPass());
  // LLVM has moved what it can, and unrolls behind this place.
  if (CheckedPromotion)
    FPM.addPass(gridtune::CheckedPromotionPass());
}

static void atEnd(ModulePassManager &MPM, OptimizationLevel Level) {
  if (VectorFunctions)
    MPM.addPass(vector::SimdFunctionFinishPass());
  // Vectors are there, and nobody takes them apart any more.
  if (GatherPairs && Level.getSpeedupLevel() >= 2)
    addToFunctions(MPM, vector::GatherPairsPass());
  // Marks of loops that were looked at have no reader from here on.
  if (Remainder && mayGrow(Level))
    addToFunctions(MPM, vector::RemainderForgetPass());
  if (!optimizes(Level))
    return;
  // Host code is inlined, and nothing moves any more.
  if (LateWaits)
    MPM.addPass(host::LateWaitsPass());
  // A league goes before regions are looked at, and these before shares.
  if (OneTeam)
    MPM.addPass(processor::OneTeamPass());
  if (SmallRegions)
    MPM.addPass(processor::SmallRegionsPass());
  if (StaticShares)
    MPM.addPass(processor::StaticSharesPass());
  // Vectors are there from -O2 on; shares tell of threads.
  if (StreamStores && Level.getSpeedupLevel() >= 2)
    MPM.addPass(processor::StreamStoresPass());
  if (ReadOnlyArguments)
    MPM.addPass(offload::ReadOnlyArgumentsPass());
  // The kernel's first and last accesses are where they stay.
  if (DependentLaunch)
    MPM.addPass(offload::DependentLaunchPass());
  // What LLVM has sunk stays where it is put now.
  if (PressureHoist && Level.getSpeedupLevel() >= 2)
    addToFunctions(MPM, gridtune::PressureHoistPass());
  // Nobody asks any more what an atomic does.
  if (AtomicReductions)
    addToFunctions(MPM, offload::AtomicReductionsPass());
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {

/// Passes that tools call by their names.
template <typename... PassTs> struct Named {
  static bool have(StringRef Name) { return ((Name == PassTs::Name) || ...); }

  /// Adds the one that has this name, if one has.
  template <typename ManagerT>
  static bool add(StringRef Name, ManagerT &Manager) {
    return (
        (Name == PassTs::Name ? (Manager.addPass(PassTs()), true) : false) ||
        ...);
  }

  /// The same for passes on functions that are named among those on modules.
  static bool addToEach(StringRef Name, ModulePassManager &MPM) {
    return ((Name == PassTs::Name ? (addToFunctions(MPM, PassTs()), true)
                                  : false) ||
            ...);
  }
};

using Elements = ArrayRef<PassBuilder::PipelineElement>;

using EachFunctionsPasses =
    Named<gridtune::GridOrderPass, gridtune::GridTunePass,
          gridtune::CounterSumsPass, gridtune::LocalArraysPass,
          gridtune::CheckedPromotionPass, gridtune::PressureHoistPass,
          offload::AtomicReductionsPass, processor::ChunksOfOnePass,
          lanes::MarkPass>;
using ModulePasses = Named<
    markers::StripPass, markers::UnitEntriesPass, offload::SpareKernelsPass,
    offload::DropSparesPass, offload::KernelPrinterPass,
    offload::LibraryCallsPass, offload::PureCallsPass,
    offload::ReadOnlyArgumentsPass, offload::StructArgumentsPass,
    offload::CalledOncePass, gridloop::GridLoopPass, gridtune::GridShapePass,
    gridtune::GridRunsPass, gridloop::StaticSchedulePass,
    gridloop::SerialRegionsPass, offload::DependentLaunchPass,
    distribute::ReadPartsPass, distribute::LoopPartsPass, host::LateWaitsPass,
    processor::CheckAccessPass, processor::NameAccessesPass,
    processor::GangsPass, processor::OneTeamPass,
    processor::OrphanDistributePass, processor::SmallRegionsPass,
    processor::StaticSharesPass, processor::StreamStoresPass,
    lanes::SimtLanesPass, blocks::KeepPass, smc::SmcTilePass,
    workitems::WorkItemLoopsPass, reduce::GridNestPass, reduce::HierReducePass,
    reduce::LockReductionsPass, vector::SimdFunctionKeepPass,
    vector::SimdFunctionPass, vector::SimdFunctionFinishPass>;
using FunctionPasses =
    Named<vector::ColumnsPass, vector::JoinRangesPass, vector::RowLoopsPass,
          vector::RemainderPass, vector::MatrixPass, vector::GatherPairsPass>;

bool parseModulePass(StringRef Name, ModulePassManager &MPM, Elements) {
  if (EachFunctionsPasses::addToEach(Name, MPM) || ModulePasses::add(Name, MPM))
    return true;
  ModulePassManager Printed;
  if (!Name.consume_front("print<") || !Name.consume_back(">") ||
      !(FunctionPasses::addToEach(Name, Printed) ||
        parseModulePass(Name, Printed, {})))
    return false;
  MPM.addPass(pipeline::PlanPrinter(std::move(Printed)));
  return true;
}

bool parseFunctionPass(StringRef Name, FunctionPassManager &FPM, Elements) {
  return FunctionPasses::add(Name, FPM);
}

} // namespace

bool pipeline::isOwnPass(StringRef Name) {
  return Name.starts_with("accx") || EachFunctionsPasses::have(Name) ||
         ModulePasses::have(Name) || FunctionPasses::have(Name);
}

void pipeline::registerPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(parseModulePass);
  PB.registerPipelineParsingCallback(parseFunctionPass);
  PB.registerPipelineStartEPCallback(atStart);
  PB.registerPeepholeEPCallback(atPeepholes);
  PB.registerOptimizerEarlyEPCallback(atOptimizer);
  PB.registerVectorizerStartEPCallback(atVectorizer);
  PB.registerOptimizerLastEPCallback(atEnd);
}
