//===- Short.cpp - Keeps short loops from the unroller --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marks of Short.h: "llvm.loop.unroll.disable" for the unroller,
// and one of our own that tells it from the user's.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Short.h"

#include "vector/remainder/Masks.h"
#include "vector/remainder/Plan.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

static cl::opt<unsigned> MaxShort(
    "accx-simd-remainder-max-short", cl::Hidden, cl::init(64),
    cl::desc("Most iterations of a loop that simd-remainder keeps from being "
             "unrolled"));
static cl::opt<unsigned> MinShort(
    "accx-simd-remainder-min-short", cl::Hidden, cl::init(6),
    cl::desc("Fewest iterations of a loop that simd-remainder keeps from "
             "being unrolled"));
static cl::opt<unsigned> MinChecked(
    "accx-simd-remainder-min-checked", cl::Hidden, cl::init(16),
    cl::desc("Fewest iterations of such a loop if pointers must be compared"));
static cl::opt<unsigned> MinStrided(
    "accx-simd-remainder-min-strided", cl::Hidden, cl::init(16),
    cl::desc("Fewest iterations of such a loop if it loads with a stride"));

/// More elements would be loaded for each that is used.
constexpr uint64_t MaxStride = 4;

static cl::opt<unsigned> MaxNest(
    "accx-simd-remainder-max-nest", cl::Hidden, cl::init(16),
    cl::desc("Most iterations of a loop around it for which a short loop is "
             "left to the unroller"));

static constexpr const char Mark[] = "accx.simd.short";
static constexpr const char NoUnroll[] = "llvm.loop.unroll.disable";

namespace accx::vector {

namespace {
/// Judges the accesses of one short loop.
class Accesses {
public:
  Accesses(Loop &L, ScalarEvolution &SE, uint64_t Trips)
      : L(L), SE(SE), Trips(Trips) {}

  bool suit();

private:
  bool suits(Instruction &I);
  bool isOutermost() const { return L.isOutermost(); }

  Loop &L;
  ScalarEvolution &SE;
  uint64_t Trips;
  bool ParentMoves = false;
};
} // namespace

/// Consecutive, loads of one of a few elements, or the same in all iterations;
/// loops around it jump over what this one accesses.
bool Accesses::suits(Instruction &I) {
  Value *Pointer = getLoadStorePointerOperand(&I);
  if (isa<AllocaInst>(getUnderlyingObject(Pointer)))
    return false;
  const SCEV *Address = SE.getSCEV(Pointer);
  if (SE.isLoopInvariant(Address, &L))
    return isa<LoadInst>(I);
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(Address);
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
  uint64_t Size =
      L.getHeader()->getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
  if (!Step)
    return false;
  const uint64_t Stride = Step->getAPInt().getLimitedValue();
  if (Stride != Size && (isa<StoreInst>(I) || Stride % Size ||
                         Stride / Size > MaxStride || Trips < MinStrided))
    return false;
  // Around it, every loop that moves along this array has to jump that far.
  const SCEV *Start = Rec->getStart();
  while (const auto *Outer = dyn_cast<SCEVAddRecExpr>(Start)) {
    const auto *Jump = dyn_cast<SCEVConstant>(Outer->getStepRecurrence(SE));
    if (!Outer->isAffine() ||
        (Jump && Jump->getAPInt().abs().ult(Stride * Trips)))
      return false;
    ParentMoves |= Outer->getLoop() == L.getParentLoop();
    Start = Outer->getStart();
  }
  ParentMoves |=
      !isOutermost() && !SE.isLoopInvariant(Start, L.getParentLoop());
  return true;
}

bool Accesses::suit() {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (isa<LoadInst, StoreInst>(I)) {
        if (!suits(I))
          return false;
      } else if (I.mayReadOrWriteMemory() ||
                 (isa<CallInst>(I) && !isa<IntrinsicInst>(I))) {
        return false;
      }
    }
  if (isOutermost())
    return true;
  // A short parent is one of a small nest, which is unrolled as a whole.
  unsigned ParentTrips = SE.getSmallConstantTripCount(L.getParentLoop());
  return ParentMoves && (ParentTrips == 0 || ParentTrips > MaxNest);
}

/// Whether the vectorizer may reorder what is carried around the loop.
static bool areReductions(Loop &L, const RemainderPlan &Plan) {
  return all_of(Plan.Carried, [&](const CarriedValue &Value) {
    RecurrenceDescriptor Reduction;
    return Value.Recurrence ||
           (RecurrenceDescriptor::isReductionPHI(Value.Phi, &L, Reduction) &&
            !Reduction.hasExactFPMath());
  });
}

static bool isCandidate(const Function &F) {
  const Module &M = *F.getParent();
  // Before linking, nobody would come back for the marks.
  return Triple(M.getTargetTriple()).isX86() && !F.hasOptNone() &&
         !F.hasOptSize() && !M.getModuleFlag("EnableSplitLTOUnit");
}

PreservedAnalyses RemainderShortPass::run(Loop &L, LoopAnalysisManager &,
                                          LoopStandardAnalysisResults &AR,
                                          LPMUpdater &) {
  PreservedAnalyses Same = PreservedAnalyses::all();
  if (!isCandidate(*L.getHeader()->getParent()) || !L.isInnermost() ||
      getBooleanLoopAttribute(&L, NoUnroll))
    return Same;
  unsigned Trips = AR.SE.getSmallConstantTripCount(&L);
  // Vectors as masks cost a load of theirs.
  unsigned Fewest =
      hasMaskRegisters(AR.TTI, L.getHeader()->getContext()) ? MinShort : 16u;
  if (Trips < Fewest || Trips > MaxShort)
    return Same;
  RemainderPlan Plan;
  if (planLoop(L, AR.SE, AR.AA, Plan) || checkMasks(L, AR.TTI) ||
      checkOverlap(L, AR.SE) || !areReductions(L, Plan) ||
      !Accesses(L, AR.SE, Trips).suit())
    return Same;
  LoopAccessInfoManager Infos(AR.SE, AR.AA, AR.DT, AR.LI, &AR.TTI, &AR.TLI);
  const LoopAccessInfo &Info = Infos.getInfo(L);
  if (!Info.canVectorizeMemory() ||
      !Info.getPSE().getPredicate().isAlwaysTrue() ||
      (Info.getRuntimePointerChecking()->Need && Trips < MinChecked))
    return Same;
  addStringMetadataToLoop(&L, NoUnroll, 1);
  addStringMetadataToLoop(&L, Mark, 1);
  return Same;
}

bool isMarkedShort(const Loop &L) { return getBooleanLoopAttribute(&L, Mark); }

void unrollShort(BasicBlock *Header, Function &F,
                 FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Loop *L = LI.getLoopFor(Header);
  L->setLoopID(makePostTransformationMetadata(F.getContext(), L->getLoopID(),
                                              {NoUnroll, Mark}, {}));
  UnrollLoopOptions Options = {};
  Options.Count = SE.getSmallConstantTripCount(L);
  if (Options.Count == 0)
    return;
  OptimizationRemarkEmitter ORE(&F);
  UnrollLoop(L, Options, &LI, &SE, &FAM.getResult<DominatorTreeAnalysis>(F),
             &FAM.getResult<AssumptionAnalysis>(F),
             &FAM.getResult<TargetIRAnalysis>(F), &ORE,
             /*PreserveLCSSA=*/true);
}

} // namespace accx::vector
