//===- StreamStores.cpp - Large arrays are written past the cache ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the loops that may bypass the cache, and writes the tests at run time
// for size, alignment and overlap. LoopStreams.cpp finds the accesses,
// StreamLoop.cpp writes the loop.
//
//===----------------------------------------------------------------------===//

#include "processor/StreamStores.h"

#include "accx/kernel_desc.h"
#include "ir/Remark.h"
#include "offload/DeviceCalls.h"
#include "processor/LoopStreams.h"
#include "processor/Runtime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "stream-stores"

using namespace llvm;
using namespace accx;
using namespace accx::processor;

STATISTIC(NumLoops, "Number of loops that may write past the cache");

/// Bytes of an array that a loop writes at least: it waits at its end for its
/// stores.
static constexpr uint64_t Fewest = 8192;
/// Code that is not worth a second and a third time.
static constexpr unsigned MostCode = 300;
/// Pairs of streams that may have to be compared.
static constexpr unsigned MostPairs = 16;

/// On branches of loops that were looked at: pipelines may have the pass twice.
static constexpr char Mark[] = "accx.stream";

namespace {

class Candidate {
  Loop &L;
  FunctionAnalysisManager &FAM;
  Function &F;
  ScalarEvolution &SE;
  DominatorTree &DT;
  LoopInfo &LI;
  LoopStreams Streams;
  SmallVector<std::pair<const Stream *, Rotation>, 4> Outputs;
  SmallVector<std::pair<const Stream *, const Stream *>, 8> Pairs;
  /// After the first: 64 bits.
  const SCEV *Rounds = nullptr;
  const SCEV *Footprint = nullptr;

  const char *findOutputs();
  const char *findPairs();
  const char *findSize();
  Value *threads(IRBuilder<> &B) const;
  Value *isLarge(SCEVExpander &Expander, Instruction *Where) const;
  Value *mayStream(SCEVExpander &Expander, Instruction *Where) const;

public:
  Candidate(Loop &L, FunctionAnalysisManager &FAM)
      : L(L), FAM(FAM), F(*L.getHeader()->getParent()),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        LI(FAM.getResult<LoopAnalysis>(F)), Streams(L, SE) {}
  /// Null, or why the loop stays as it is.
  const char *plan();
  bool isShort() const;
  unsigned numOutputs() const { return unsigned(Outputs.size()); }
  void transform();
};

} // namespace

const char *Candidate::findOutputs() {
  const auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  for (const Stream &S : Streams.streams()) {
    if (S.Output.empty())
      continue;
    const auto Width = unsigned(S.Extent / S.Output.size());
    const std::optional<Rotation> How = Rotation::of(F, TTI, Width);
    if (!How)
      return "the target has no registers of its vectors";
    Outputs.push_back({&S, *How});
  }
  return nullptr;
}

const char *Candidate::findPairs() {
  auto &AA = FAM.getResult<AAManager>(F);
  const auto Base = [&](const Stream *S) {
    const auto *V = dyn_cast<SCEVUnknown>(SE.getPointerBase(S->Start));
    return V ? V->getValue() : nullptr;
  };
  const ArrayRef<Stream> All = Streams.streams();
  for (const auto &[Output, How] : Outputs)
    for (const Stream &Other : All) {
      // Each pair of outputs is asked about once.
      if (&Other == Output || (!Other.Output.empty() && &Other < Output))
        continue;
      Value *A = Base(Output), *B = Base(&Other);
      if (A && B &&
          AA.isNoAlias(MemoryLocation::getBeforeOrAfter(A),
                       MemoryLocation::getBeforeOrAfter(B)))
        continue;
      Pairs.push_back({Output, &Other});
    }
  return Pairs.size() > MostPairs ? "too many of its arrays may overlap"
                                  : nullptr;
}

const char *Candidate::findSize() {
  static constexpr char Unknown[] = "its rounds are not known ahead of it";
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count) ||
      SE.getTypeSizeInBits(Count->getType()) > 64)
    return Unknown;
  Rounds = SE.getNoopOrZeroExtend(Count, Type::getInt64Ty(F.getContext()));
  Footprint = Streams.footprint(Rounds);
  SCEVExpander Expander(SE, F.getDataLayout(), "stream");
  Instruction *Where = L.getLoopPreheader()->getTerminator();
  const auto CanAsk = [&](const SCEV *S) {
    return Expander.isSafeToExpandAt(S, Where);
  };
  if (!CanAsk(Rounds) || !CanAsk(Footprint))
    return Unknown;
  for (const auto &[A, B] : Pairs)
    if (!CanAsk(A->Start) || !CanAsk(B->Start))
      return "its addresses are not known ahead of it";
  return nullptr;
}

/// Whether it never writes enough.
bool Candidate::isShort() const {
  if (!Rounds)
    return false;
  APInt Most = SE.getUnsignedRangeMax(Rounds);
  // The dividend may be below zero where the loop is not entered.
  if (const auto *Parts = dyn_cast<SCEVUDivExpr>(Rounds))
    Most = APIntOps::umin(
        Most, SE.getSignedRangeMax(Parts->getLHS())
                  .udiv(APIntOps::umax(SE.getUnsignedRangeMin(Parts->getRHS()),
                                       APInt(64, 1))));
  return all_of(Outputs, [&](const auto &Output) {
    return Most.ult(Fewest / uint64_t(Output.first->Step));
  });
}

const char *Candidate::plan() {
  BasicBlock *Body = L.getHeader();
  if (Body->size() > MostCode)
    return "it has too much code";
  if (const char *Why = Streams.find())
    return Why;
  if (const char *Why = findOutputs())
    return Why;
  if (const char *Why = findPairs())
    return Why;
  return findSize();
}

/// The number of the team's threads where it is known, else 1.
Value *Candidate::threads(IRBuilder<> &B) const {
  for (Instruction &I : instructions(F))
    if (offload::calledName(I) == "__kmpc_bound_num_threads" &&
        DT.dominates(&I, &*B.GetInsertPoint()))
      return B.CreateZExt(&I, B.getInt64Ty());
  return B.getInt64(1);
}

/// Whether the team's arrays are large, and this loop writes enough
/// of them.
Value *Candidate::isLarge(SCEVExpander &Expander, Instruction *Where) const {
  IRBuilder<> B(Where);
  Module &M = *F.getParent();
  Type *I64 = B.getInt64Ty();
  GlobalVariable *Limit = M.getNamedGlobal(ACCX_STREAM_BYTES);
  if (!Limit) {
    Limit = new GlobalVariable(M, I64, false, GlobalValue::WeakODRLinkage,
                               ConstantInt::getAllOnesValue(I64),
                               ACCX_STREAM_BYTES);
    Limit->setVisibility(GlobalValue::ProtectedVisibility);
    appendToCompilerUsed(M, {Limit});
  }
  uint64_t Step = UINT64_MAX;
  for (const auto &[S, How] : Outputs)
    Step = std::min(Step, uint64_t(S->Step));
  Value *Count = Expander.expandCodeFor(Rounds, I64, Where);
  Value *Bytes = Expander.expandCodeFor(Footprint, I64, Where);
  B.SetInsertPoint(Where);
  return B.CreateAnd(B.CreateICmpUGT(Count, B.getInt64((Fewest - 1) / Step)),
                     B.CreateICmpUGT(B.CreateMul(Bytes, threads(B)),
                                     B.CreateLoad(I64, Limit)));
}

/// Whether outputs can be written in whole vectors, and are accessed nowhere
/// else.
Value *Candidate::mayStream(SCEVExpander &Expander, Instruction *Where) const {
  IRBuilder<> B(Where);
  Type *I64 = B.getInt64Ty();
  Value *All = B.getTrue();
  const auto Address = [&](const Stream &S) {
    Value *Start = Expander.expandCodeFor(S.Start, S.Start->getType(), Where);
    B.SetInsertPoint(Where);
    return Start->getType()->isPointerTy() ? B.CreatePtrToInt(Start, I64)
                                           : Start;
  };
  const auto Require = [&](Value *Condition) {
    All = isa<Constant>(All) ? Condition : B.CreateAnd(All, Condition);
  };
  for (const auto &[S, How] : Outputs)
    if (S->Output.front()->getAlign().value() < How.Granule)
      Require(B.CreateICmpEQ(B.CreateAnd(Address(*S), How.Granule - 1),
                             B.getInt64(0)));
  Value *Count = Expander.expandCodeFor(Rounds, I64, Where);
  B.SetInsertPoint(Where);
  const auto Range = [&](const Stream &S) {
    Value *Low = Address(S);
    Value *High = B.CreateAdd(Low, B.getInt64(S.Extent));
    Value *Moved = B.CreateMul(Count, B.getInt64(uint64_t(S.Step)));
    return S.Step < 0 ? std::pair(B.CreateAdd(Low, Moved), High)
                      : std::pair(Low, B.CreateAdd(High, Moved));
  };
  for (const auto &[S, Other] : Pairs) {
    const auto [Low, High] = Range(*S);
    const auto [OtherLow, OtherHigh] = Range(*Other);
    Require(B.CreateOr(B.CreateICmpULE(High, OtherLow),
                       B.CreateICmpULE(OtherHigh, Low)));
  }
  return All;
}

void Candidate::transform() {
  SCEVExpander Expander(SE, F.getDataLayout(), "stream");
  Instruction *End = L.getLoopPreheader()->getTerminator();
  Value *Large = isLarge(Expander, End);
  MDNode *Rarely = MDBuilder(F.getContext()).createBranchWeights(1, 15);
  DomTreeUpdater DTU(DT, DomTreeUpdater::UpdateStrategy::Eager);
  Instruction *Then = SplitBlockAndInsertIfThen(
      Large, End, /*Unreachable=*/false, Rarely, &DTU, &LI);
  Value *May = mayStream(Expander, Then);
  Expander.clear();
  writeStreamLoop(L, Then->getParent(), May, Outputs);
  ++NumLoops;
}

/// The next loop that has not been looked at, in canonical form; null if there
/// is none.
static Loop *nextLoop(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    BasicBlock *Body = L->getHeader();
    if (L->getNumBlocks() != 1 || Body->getTerminator()->hasMetadata(Mark) ||
        none_of(*Body, isVectorStore))
      continue;
    if (L->isLoopSimplifyForm() && L->getExitBlock() &&
        isa<BranchInst>(Body->getTerminator()))
      return L;
  }
  return nullptr;
}

static bool hasVectorLoop(const Function &F) {
  return any_of(F, [](const BasicBlock &Block) {
    return is_contained(successors(&Block), &Block) &&
           !Block.getTerminator()->hasMetadata(Mark) &&
           any_of(Block, isVectorStore);
  });
}

static void report(const Loop &L, const char *Why, unsigned Outputs) {
  if (Why)
    ir::remarkMissed(DEBUG_TYPE, "Kept", L,
                     "large arrays are written through the cache: ", Why);
  else
    ir::remarkPassed(DEBUG_TYPE, "Streamed", L, ore::NV("Arrays", Outputs),
                     " of the loop's arrays written past the cache where they "
                     "do not fit it");
}

static void runOn(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager Canonical;
  Canonical.addPass(LoopSimplifyPass());
  Canonical.addPass(LCSSAPass());
  FAM.invalidate(F, Canonical.run(F, FAM));
  while (Loop *L = nextLoop(F, FAM)) {
    L->getHeader()->getTerminator()->setMetadata(
        Mark, MDNode::get(F.getContext(), {}));
    Candidate C(*L, FAM);
    const char *Why = C.plan();
    if (C.isShort())
      continue;
    report(*L, Why, C.numOutputs());
    if (Why)
      continue;
    C.transform();
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}

PreservedAnalyses StreamStoresPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isHostDevice(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasOptNone() || F.hasOptSize() ||
        F.hasFnAttribute(SmallWork) || !hasVectorLoop(F))
      continue;
    runOn(F, FAM);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
