//===- Remainder.cpp - No scalar iterations in vector loops ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of Remainder.h. Every step that changes the function ends with its
// analyses thrown away: loops are found again by their headers.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Remainder.h"

#include "ir/Remark.h"
#include "vector/Loops.h"
#include "vector/Width.h"
#include "vector/remainder/Calls.h"
#include "vector/remainder/Finish.h"
#include "vector/remainder/Plan.h"
#include "vector/remainder/Select.h"
#include "vector/remainder/Split.h"
#include "vector/remainder/Vectorize.h"
#include "vector/remainder/Versions.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "simd-remainder"

using namespace llvm;

STATISTIC(NumSplit, "Number of loops with a masked remainder");
STATISTIC(NumShort, "Number of loops that became one masked vector");
STATISTIC(NumSelected, "Number of loops that remember an iteration");
STATISTIC(NumRefused, "Number of loops that the vectorizer refused");
STATISTIC(NumUndone, "Number of loops restored after a part failed");
STATISTIC(NumMerged, "Number of reductions kept in vectors across parts");

static cl::opt<unsigned> MaxLoops(
    "accx-simd-remainder-max-loops", cl::Hidden, cl::init(64),
    cl::desc("Number of loops of one function that simd-remainder handles"));
static cl::opt<unsigned> MinTrips(
    "accx-simd-remainder-min-trips", cl::Hidden, cl::init(4),
    cl::desc("Fewest iterations of a loop that is worth a masked vector"));

static constexpr StringLiteral Seen = "accx-simd-remainder-seen";

namespace accx::vector {

namespace {
class Remainders {
public:
  Remainders(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {}

  bool run();

private:
  bool runOn(BasicBlock *&Header);
  bool remember(BasicBlock *Header);
  std::optional<Refusal> plan(BasicBlock *Header, RemainderPlan &Plan,
                              bool &NeedsChecks);
  bool transform(BasicBlock *&Header, RemainderPlan &Plan, bool NeedsChecks,
                 std::string &Reason);
  void restore(const Versions &Made, BasicBlock *&Header);
  std::optional<Refusal> choose(BasicBlock *Header, RemainderPlan &Plan);
  std::optional<Refusal> checkMemory(Loop &L, bool &NeedsChecks);
  bool vectorizeParts(const SplitLoop &Split, std::string &Reason);

  Loop &loopAt(BasicBlock *Header) {
    return *FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
  }
  bool isInnermostHeader(BasicBlock *Header) {
    const Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
    return L && L->getHeader() == Header && L->isInnermost();
  }
  void forget() { FAM.invalidate(F, PreservedAnalyses::none()); }
  void canonicalize();
  void refuse(Loop &L, const Refusal &No);

  Function &F;
  FunctionAnalysisManager &FAM;
  bool Changed = false;
};
} // namespace

void Remainders::refuse(Loop &L, const Refusal &No) {
  if (No.Why.empty())
    return;
  ir::remarkMissed(DEBUG_TYPE, No.Name, L, "remainder stays scalar: ", No.Why);
}

void Remainders::canonicalize() {
  bool Any = false;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F))
    Any |= bringIntoForm(*L, F, FAM);
  if (Any)
    forget();
  Changed |= Any;
}

/// Only pointer comparisons can be shared by the parts.
std::optional<Refusal> Remainders::checkMemory(Loop &L, bool &NeedsChecks) {
  const LoopAccessInfo &Info = FAM.getResult<LoopAccessAnalysis>(F).getInfo(L);
  if (!Info.canVectorizeMemory())
    return Refusal{"Dependence", "its accesses depend on each other"};
  if (!Info.getPSE().getPredicate().isAlwaysTrue())
    return Refusal{"RuntimeChecks",
                   "it needs run-time checks other than of overlap"};
  NeedsChecks = Info.getRuntimePointerChecking()->Need;
  return std::nullopt;
}

/// Lets the vectorizer show its choice on a copy, which goes again.
std::optional<Refusal> Remainders::choose(BasicBlock *Header,
                                          RemainderPlan &Plan) {
  BranchInst *Switch = nullptr;
  LoopPart Copy = copyForTrial(
      loopAt(Header), FAM.getResult<ScalarEvolutionAnalysis>(F), Plan, Switch);
  forget();
  VectorizerVerdict Verdict =
      vectorizeLoop(Copy.Header, F, FAM, /*IsPart=*/false);
  decideSwitch(Switch, /*TakeCopies=*/false);
  forget();
  if (!Verdict.Vectorized)
    return Refusal{"NotVectorized", Verdict.Reason.empty()
                                        ? "it is not vectorized"
                                        : Verdict.Reason};
  Plan.setShape(Verdict.Lanes, Verdict.Interleave);
  return std::nullopt;
}

/// All that is decided before the loop changes.
std::optional<Refusal> Remainders::plan(BasicBlock *Header, RemainderPlan &Plan,
                                        bool &NeedsChecks) {
  Loop &L = loopAt(Header);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  if (std::optional<Refusal> No = planLoop(L, SE, AA, Plan))
    return No;
  if (Plan.ConstantTrip && *Plan.ConstantTrip < MinTrips)
    return Refusal{"Short", ""};
  if (std::optional<Refusal> No = checkMasks(L, TTI))
    return No;
  if (std::optional<Refusal> No = checkStrides(L, SE, Plan))
    return No;
  if (std::optional<Refusal> No = checkOverlap(L, SE))
    return No;
  Changed = true;
  if (std::optional<Refusal> No = choose(Header, Plan)) {
    canonicalize();
    ++NumRefused;
    return No;
  }
  canonicalize();
  return checkMemory(loopAt(Header), NeedsChecks);
}

bool Remainders::vectorizeParts(const SplitLoop &Split, std::string &Reason) {
  for (const LoopPart &Part : Split.Parts) {
    if (Part.Lanes == 1)
      continue;
    VectorizerVerdict Verdict =
        vectorizeLoop(Part.Header, F, FAM, /*IsPart=*/true);
    forget();
    if (!Verdict.Vectorized || Verdict.Lanes != Part.Lanes ||
        Verdict.Interleave != Part.Interleave) {
      Reason = ("its " + Part.Name + " part: " + Verdict.Reason).str();
      return false;
    }
  }
  Reason = removeScalarCopies(Split.Parts, F, FAM);
  if (!Reason.empty())
    return false;
  forget();
  return true;
}

/// Takes back the versions: the scalar one is the loop as it was.
void Remainders::restore(const Versions &Made, BasicBlock *&Header) {
  if (!Made.Check)
    return;
  decideSwitch(Made.Check, true);
  Header = Made.Scalar;
  forget();
}

/// Splits and vectorizes by the plan's shape; restores the loop if that fails.
bool Remainders::transform(BasicBlock *&Header, RemainderPlan &Plan,
                           bool NeedsChecks, std::string &Reason) {
  Versions Made;
  if (NeedsChecks)
    Made = versionLoop(Header, F, FAM, Plan.Lanes, Plan.Interleave);
  forget();
  canonicalize();
  // The plan's expressions went with the analyses that held them.
  RemainderPlan Fresh;
  Loop &L = loopAt(Header);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  if (std::optional<Refusal> No =
          planLoop(L, SE, FAM.getResult<AAManager>(F), Fresh)) {
    Reason = No->Why;
    restore(Made, Header);
    return false;
  }
  Fresh.Lanes = Plan.Lanes;
  Fresh.Interleave = Plan.Interleave;
  ir::printPlan(L, [&](raw_ostream &OS) { Fresh.print(OS); });
  bool Reorders = hasVectorizeTransformation(&L) == TM_ForcedByUser;
  SplitLoop Split = splitLoop(L, SE, Fresh);
  forget();
  bool Done = vectorizeParts(Split, Reason);
  if (Done) {
    for (const LoopPart &Part : Split.Parts)
      if (Part.Masked)
        simplifyMasked(Part, F, FAM);
      else if (Part.Lanes > 1)
        countOn(Part);
    if (Reorders)
      for_each(Split.Chains, reorderReductions);
    for (const Chain &Values : Split.Chains)
      NumMerged += mergeReductions(Values, Split.Switch);
  }
  decideSwitch(Split.Switch, Done);
  dropScopes(F, Made.Domain);
  forget();
  if (!Done)
    restore(Made, Header);
  if (Done && Made.Scalar) {
    Loop &Scalar = loopAt(Made.Scalar);
    addStringMetadataToLoop(&Scalar, "llvm.loop.isvectorized", 1);
    addStringMetadataToLoop(&Scalar, "llvm.loop.unroll.runtime.disable", 1);
  }
  return Done;
}

/// Loops that none of the vectorizer's forms fits.
bool Remainders::remember(BasicBlock *Header) {
  Loop &L = loopAt(Header);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  RemainderPlan Plan;
  SelectPlan Select;
  if (planLoop(L, SE, AA, Plan) ||
      !planSelect(L, SE, AA, FAM.getResult<TargetIRAnalysis>(F), Plan, Select))
    return false;
  DebugLoc Where = L.getStartLoc();
  emitSelect(L, SE, Plan, Select);
  ++NumSelected;
  Changed = true;
  forget();
  canonicalize();
  ir::remarkPassed(
      DEBUG_TYPE, "Selected", {Where, F.getEntryBlock()},
      "the iteration that a condition chooses is found by vectors of ",
      ore::NV("Lanes", Select.Lanes), " lanes");
  return true;
}

/// \p Header is that of the loop as it was, where it is refused.
bool Remainders::runOn(BasicBlock *&Header) {
  RemainderPlan Plan;
  bool NeedsChecks = false;
  DebugLoc Where = loopAt(Header).getStartLoc();
  std::optional<Refusal> No = plan(Header, Plan, NeedsChecks);
  if (No) {
    refuse(loopAt(Header), *No);
    return false;
  }
  std::string Reason;
  if (!transform(Header, Plan, NeedsChecks, Reason)) {
    ++NumUndone;
    canonicalize();
    ir::remarkMissed(DEBUG_TYPE, "Undone", {Where, F.getEntryBlock()},
                     "remainder stays scalar: ", Reason);
    return false;
  }
  bool Short = Plan.ConstantTrip && *Plan.ConstantTrip <= Plan.Lanes;
  ++(Short ? NumShort : NumSplit);
  const ir::RemarkPlace At(Where, F.getEntryBlock());
  const ore::NV Lanes("Lanes", Plan.Lanes);
  if (Short)
    ir::remarkPassed(DEBUG_TYPE, "Masked", At, "loop is one masked vector of ",
                     Lanes, " lanes");
  else
    ir::remarkPassed(
        DEBUG_TYPE, "Masked", At, "remainder is one masked vector of ", Lanes,
        " lanes, main loop ",
        ir::Counted(Plan.Interleave, "vector", "Interleave"), " a turn");
  return true;
}

bool Remainders::run() {
  canonicalize();
  SmallVector<WeakVH, 16> Headers;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (L->isInnermost() &&
        !getBooleanLoopAttribute(L, "llvm.loop.isvectorized") &&
        Headers.size() < MaxLoops)
      Headers.emplace_back(L->getHeader());
  if (Headers.empty())
    return Changed;
  FullVectors Wide(F, FAM);
  attachVectorVariants(F, FAM);
  for (WeakVH &Known : Headers) {
    auto *Header = cast_or_null<BasicBlock>(Known);
    // Code that nothing leads to goes while others are changed.
    if (!Header || !isInnermostHeader(Header))
      continue;
    if (remember(Header) || runOn(Header))
      Wide.keep();
  }
  return Changed;
}

PreservedAnalyses RemainderPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  // The plugin may be loaded twice into one pipeline. Once is enough, and a
  // second refusal would be a second remark.
  if (!mayBeVectors(F) || F.hasFnAttribute(Seen))
    return PreservedAnalyses::all();
  F.addFnAttr(Seen);
  return Remainders(F, FAM).run() ? PreservedAnalyses::none()
                                  : PreservedAnalyses::all();
}

PreservedAnalyses RemainderForgetPass::run(Function &F,
                                           FunctionAnalysisManager &) {
  F.removeFnAttr(Seen);
  return PreservedAnalyses::all();
}

} // namespace accx::vector
