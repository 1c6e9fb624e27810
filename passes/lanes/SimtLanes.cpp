//===- SimtLanes.cpp - Vector loops across lanes of a warp ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps on each function, divides a nest into versions, and reports.
// The requests for teams and threads are kept until all functions are done.
//
//===----------------------------------------------------------------------===//

#include "lanes/SimtLanes.h"

#include "gpu/Exchange.h"
#include "gridloop/GridLoop.h"
#include "ir/Remark.h"
#include "lanes/Calls.h"
#include "lanes/Emit.h"
#include "lanes/Marks.h"
#include "lanes/Plan.h"
#include "lanes/Prepare.h"
#include "lanes/Teams.h"
#include "lanes/Wide.h"
#include "offload/Kernel.h"
#include "offload/PointerList.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "simt-lanes"

using namespace llvm;

STATISTIC(NumNests, "Number of loops over threads dealt out to groups");
STATISTIC(NumVectors, "Number of vector loops that run across lanes");
STATISTIC(NumWide, "Number of nests with a version for groups of blocks");
STATISTIC(NumShort, "Number of nests with a version for short loops");
STATISTIC(NumRefused, "Number of vector loops that stay serial");

static cl::opt<bool>
    WideGroups("accx-simt-lanes-wide", cl::init(true), cl::Hidden,
               cl::desc("Give blocks to a worker where workers are few"));

namespace accx::lanes {

namespace {

/// A request for a nest's kernels, met once all functions are done.
struct Request {
  Function *Region;
  bool IsGrid;
  bool IsSmall;
};

class LanesRunner {
  Function &F;
  FunctionAnalysisManager &FAM;
  SmallVectorImpl<Request> &Requests;
  const bool MayInline;
  /// The remarks have been made on the function that this one is a copy of.
  bool IsCopy = false;

public:
  LanesRunner(Function &F, FunctionAnalysisManager &FAM,
              SmallVectorImpl<Request> &Requests, bool MayInline)
      : F(F), FAM(FAM), Requests(Requests), MayInline(MayInline) {}

  bool run();

private:
  void refuse(const Loop &L, Refusal R);
  void makeValues();
  /// Which version of a nest a loop is.
  struct Version {
    bool MayDivide = true;
    /// Same as Wide in Plan.h.
    Value *Wide = nullptr;
    bool Joins = false;
    /// 0: as many as the loop asks for.
    unsigned Lanes = 0;
  };
  bool runNest(BasicBlock &Header, const Version &As);
  void write(Plan &P);
  bool divide(Plan &P, BasicBlock &Header);
  bool divideShort(Plan &P, BasicBlock &Header);
  void simplifyLoops();
  void unmarkAll();
};

} // namespace

void LanesRunner::refuse(const Loop &L, Refusal R) {
  if (IsCopy)
    return;
  ++NumRefused;
  // An emitter of its own: the function may have changed since the last.
  ir::remarkRefused(DEBUG_TYPE, R, L, "vector loop stays serial");
}

void LanesRunner::makeValues() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(DCEPass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  // Combiners get the same form, so that they compare with what lanes do.
  for (const Instruction &I : instructions(F))
    if (const MDNode *Mark = I.getMetadata(offload::ReductionMark);
        Mark && Mark->getNumOperands())
      if (auto *Combine =
              mdconst::dyn_extract_or_null<Function>(Mark->getOperand(0).get());
          Combine && !Combine->isDeclaration()) {
        FPM.run(*Combine, FAM);
        FAM.invalidate(*Combine, PreservedAnalyses::none());
      }
}

/// The call that notes where \p L's variables begin.
static CallInst *enterOf(const Loop &L, const DominatorTree &DT) {
  for (const DomTreeNode *Node = DT.getNode(L.getHeader())->getIDom(); Node;
       Node = Node->getIDom())
    for (Instruction &I : reverse(*Node->getBlock()))
      if (CallInst *Enter = asNote(&I, EnterName))
        return Enter;
  return nullptr;
}

/// Whether few registers will do for \p L.
static bool isSmall(const Loop &L) {
  constexpr unsigned MaxInstructions = 120;
  unsigned Count = 0;
  for (const BasicBlock *Block : L.blocks()) {
    Count += Block->sizeWithoutDebug();
    for (const Instruction &I : *Block)
      if (isa<CallBase>(I) && !isa<IntrinsicInst>(I) &&
          !asNote(const_cast<Instruction *>(&I), "accx.lanes."))
        return false;
  }
  return Count <= MaxInstructions;
}

void LanesRunner::simplifyLoops() {
  FunctionPassManager FPM;
  FAM.invalidate(F, PreservedAnalyses::none());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

/// Runs groups of blocks on a copy of the loop, groups of warps on the other.
bool LanesRunner::divide(Plan &P, BasicBlock &Header) {
  if (!WideGroups ||
      !findStringMetadataForLoop(P.N.W.L, gridloop::NestLoopMetadata))
    return false;
  if (!mayBeWide(P))
    return divideShort(P, Header);
  Value *Width = nullptr;
  BasicBlock *Copy = addWideLoop(P, Width);
  simplifyLoops();
  if (runNest(*Copy, {false, Width, P.MayJoin, 0}))
    ++NumWide;
  else
    dropVersion(*Copy);
  Version Usual;
  Usual.Lanes = gpu::WarpLanes;
  runNest(Header, Usual);
  return true;
}

/// Runs short vector loops on another copy.
bool LanesRunner::divideShort(Plan &P, BasicBlock &Header) {
  BasicBlock *Copy = addShortLoop(P);
  if (!Copy)
    return false;
  simplifyLoops();
  if (runNest(*Copy, {false, nullptr, false, shortLanes()}))
    ++NumShort;
  else
    dropVersion(*Copy);
  runNest(Header, {false, nullptr, false, 0});
  return true;
}

void LanesRunner::write(Plan &P) {
  ir::printPlan(*P.N.W.L, [&](raw_ostream &OS) { P.print(OS); });
  emit(P);
  FAM.invalidate(F, PreservedAnalyses::none());
}

bool LanesRunner::runNest(BasicBlock &Header, const Version &As) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  Loop *Workers = Loops.getLoopFor(&Header);
  Plan P;
  Refusal R = Refusal::None;
  SmallVector<Loop *, 2> Vectors;
  for (Loop *L : Workers->getLoopsInPreorder())
    if (L != Workers && vectorLength(*L))
      Vectors.push_back(L);
  if (Vectors.empty())
    return false;
  if (const auto W = WorkerLoop::find(*Workers))
    P.N.W = *W;
  else
    R = Refusal::WorkerLoopForm;
  for (Loop *L : Vectors) {
    if (R != Refusal::None)
      break;
    VectorLoop V;
    V.Length = *vectorLength(*L);
    V.Enter = enterOf(*L, DT);
    R = V.Enter ? V.match(*L) : Refusal::LoopForm;
    P.N.Vectors.push_back(std::move(V));
  }
  if (R == Refusal::None)
    R = P.make(DT, FAM.getResult<ScalarEvolutionAnalysis>(F));
  if (R != Refusal::None) {
    for (const Loop *L : Vectors)
      refuse(*L, R);
    return false;
  }
  if (const unsigned Group = P.N.W.Group; Group && Group < P.Lanes) {
    P.Lanes = Group;
    P.LeastTrip = 0;
  }
  // A nest whose groups may be wide has been divided once before it is short.
  if (As.MayDivide && (As.Lanes ? divideShort(P, Header) : divide(P, Header)))
    return true;
  const bool IsShort = As.Lanes && !As.MayDivide;
  if (IsShort)
    P.Lanes = As.Lanes;
  if (As.Wide || IsShort) {
    if (As.Wide && (!mayBeWide(P) || P.MayJoin != As.Joins))
      return false;
    P.Wide = As.Wide;
    write(P);
    return true;
  }
  for (const Loop *L : Vectors)
    if (!IsCopy)
      ir::remarkPassed(DEBUG_TYPE, "AcrossLanes", *L,
                       "vector loop runs across ", ore::NV("Lanes", P.Lanes),
                       " lanes");
  Requests.push_back({&F, P.N.W.IsGrid, isSmall(*Workers)});
  NumVectors += IsCopy ? 0 : Vectors.size();
  NumNests += !IsCopy;
  write(P);
  return true;
}

void LanesRunner::unmarkAll() {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    if (findStringMetadataForLoop(L, WorkersMark))
      unmark(*L, {WorkersMark, gridloop::GridLoopMetadata});
    if (findStringMetadataForLoop(L, VectorMark))
      unmark(*L, {VectorMark});
  }
}

bool LanesRunner::run() {
  const bool IsRegion =
      F.hasLocalLinkage() && F.getName().contains("omp_outlined");
  const bool IsNew = offload::hasIndependentThreads(F);
  const auto Refuse = [&](const Loop &L, Refusal R) { refuse(L, R); };
  IsCopy = any_of(FAM.getResult<LoopAnalysis>(F),
                  [](const Loop *L) { return gridloop::groupOf(*L) != 0; });
  if (!IsRegion || !IsNew || F.hasOptNone()) {
    for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (vectorLength(*L))
        refuse(*L, !IsNew      ? Refusal::OldDevice
                   : !IsRegion ? Refusal::Orphaned
                               : Refusal::NoOptimization);
    return false;
  }
  const Prepared How = prepare(F, FAM, Refuse);
  if (How == Prepared::Nothing)
    return false;
  FAM.invalidate(F, PreservedAnalyses::none());
  if (How == Prepared::InVain) {
    unmarkAll();
    return true;
  }
  if (MayInline)
    inlineBodies(F, FAM);
  makeValues();
  // By headers: what is known of loops goes stale with each nest.
  SmallVector<BasicBlock *, 2> Headers;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (const MDNode *Id = L->getLoopID(); Id && gridloop::isGridLoop(*Id))
      Headers.push_back(L->getHeader());
  for (BasicBlock *Header : Headers)
    runNest(*Header, {});
  unmarkAll();
  return true;
}

PreservedAnalyses SimtLanesPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!offload::isGpuCode(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  SmallVector<Request, 4> Requests;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    // Marks are looked for first: most functions have no loops of theirs.
    const auto &Loops = FAM.getResult<LoopAnalysis>(F);
    if (any_of(Loops.getLoopsInPreorder(),
               [](const Loop *L) { return isSimdLoop(*L); }))
      Changed |= LanesRunner(F, FAM, Requests, MayInline).run();
  }
  if (Changed)
    removeNotes(M);
  FAM.clear();
  for (const Request &R : Requests) {
    if (R.IsGrid)
      askForTeams(*R.Region, R.IsSmall && MayInline);
    else
      askForThreads(*R.Region);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace accx::lanes
