//===- CheckedPromotion.cpp - Places in memory kept in registers ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CheckedPromotion.h.
//
//===----------------------------------------------------------------------===//

#include "gridtune/CheckedPromotion.h"

#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"
#include "ir/Remark.h"
#include "offload/Kernel.h"

#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#define DEBUG_TYPE "checked-promotion"

using namespace llvm;

STATISTIC(NumChecked, "Number of loops with a version that stores once");

namespace accx::gridtune {

namespace {

/// Comparisons cost each thread some instructions and registers.
constexpr size_t MostChecks = 8;
/// Loops of fewer iterations do not pay for them.
constexpr unsigned FewestTrips = 16;
/// Of loops that were looked at: the pass may see them again.
constexpr char SeenMetadata[] = "accx.checked_promotion";

/// Accesses that move alike: the first one's address in the first and in the
/// last iteration, and the bytes around it that all of them touch.
struct Range {
  const SCEV *First, *Last;
  const SCEV *Step; ///< Null: they do not move.
  int64_t Low, High;
  SmallVector<Instruction *, 4> By;
};

/// What a loop accesses: places that it stores to in each iteration, and ranges
/// that may hold one of them.
struct Accesses {
  SmallVector<Range, 4> Places;
  SmallVector<Range, 4> Ranges;

  size_t numChecks() const {
    return Places.size() * Ranges.size() +
           Places.size() * (Places.size() - 1) / 2;
  }
};

class Promotion {
  Function &F;
  LoopInfo &Loops;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AAResults &AA;
  AssumptionCache &Assumptions;
  const DataLayout &Layout;

  bool find(const Loop &L, SmallVectorImpl<Instruction *> &All,
            Accesses &Found);
  int64_t bytesOf(Instruction &Access) const {
    return int64_t(
        Layout.getTypeStoreSize(getLoadStoreType(&Access)).getFixedValue());
  }
  bool isInEach(const Instruction &Access, const Loop &L) const {
    return DT.dominates(Access.getParent(), L.getLoopLatch());
  }
  bool add(SmallVectorImpl<Range> &To, Instruction &Access, const SCEV *First,
           const SCEV *Step, bool MayGrow);
  bool addRange(Instruction &Access, bool InEach,
                PredicatedScalarEvolution &Counts, Accesses &Found);
  bool mayTouch(const Instruction &I, const Accesses &Found) const;
  PromotionRefusal plan(Loop &L, ArrayRef<Instruction *> All,
                        PredicatedScalarEvolution &Counts, Accesses &Found);
  Value *isApart(const Accesses &Of, PredicatedScalarEvolution &Counts,
                 Instruction &Before);
  Value *isLong(PredicatedScalarEvolution &Counts, Instruction &Before);
  void version(Loop &L, PredicatedScalarEvolution &Counts, Accesses &Of);

public:
  Promotion(Function &F, FunctionAnalysisManager &FAM)
      : F(F), Loops(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)),
        Assumptions(FAM.getResult<AssumptionAnalysis>(F)),
        Layout(F.getDataLayout()) {}

  bool run();
};

} // namespace

/// Adds \p Access to those that lie a known distance from it, if \p To has
/// some; false if not, or if their range may not grow and would.
bool Promotion::add(SmallVectorImpl<Range> &To, Instruction &Access,
                    const SCEV *First, const SCEV *Step, bool MayGrow) {
  for (Range &Old : To) {
    if (Old.Step != Step || Old.First->getType() != First->getType())
      continue;
    const auto *Between =
        dyn_cast<SCEVConstant>(SE.getMinusSCEV(First, Old.First));
    if (!Between)
      continue;
    const int64_t At = Between->getAPInt().getSExtValue();
    const int64_t Low = std::min(Old.Low, At);
    const int64_t High = std::max(Old.High, At + bytesOf(Access));
    if (!MayGrow && (Low != Old.Low || High != Old.High))
      continue;
    Old.Low = Low;
    Old.High = High;
    Old.By.push_back(&Access);
    return true;
  }
  return false;
}

/// All accesses of \p L, and the places that it stores to in each iteration.
/// False: there are none, or there are other effects.
bool Promotion::find(const Loop &L, SmallVectorImpl<Instruction *> &All,
                     Accesses &Found) {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isConvergent())
        return false;
      if (isa<AssumeInst>(I) || I.isDebugOrPseudoInst() ||
          !I.mayReadOrWriteMemory())
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!(Store && Store->isSimple()) && !(Load && Load->isSimple()))
        return false;
      All.push_back(&I);
    }
  for (Instruction *I : All) {
    auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !isInEach(*I, L))
      continue;
    const SCEV *Address = SE.getSCEV(Store->getPointerOperand());
    if (!SE.isLoopInvariant(Address, &L))
      continue;
    if (!add(Found.Places, *I, Address, nullptr, /*MayGrow=*/true))
      Found.Places.push_back({Address, Address, nullptr, 0, bytesOf(*I), {I}});
  }
  return !Found.Places.empty();
}

/// Adds what \p Access touches in all iterations. Of one that moves that is
/// known if it is done in each of them, so that the addresses from the first to
/// the last one do not wrap, or touches what such a one does. False: it is not.
bool Promotion::addRange(Instruction &Access, bool InEach,
                         PredicatedScalarEvolution &Counts, Accesses &Found) {
  Value *Pointer = getLoadStorePointerOperand(&Access);
  const Loop &L = *Loops.getLoopFor(Access.getParent());
  const SCEV *First = SE.getSCEV(Pointer), *Last = First, *Step = nullptr;
  const bool Stays = SE.isLoopInvariant(First, &L);
  if (Stays) {
    if (add(Found.Places, Access, First, Step, /*MayGrow=*/InEach))
      return true;
  } else {
    const SCEVAddRecExpr *Moves = Counts.getAsAddRec(Pointer);
    if (!Moves || Moves->getLoop() != &L || !Moves->isAffine())
      return false;
    First = Moves->getStart();
    Last = Moves->evaluateAtIteration(Counts.getBackedgeTakenCount(), SE);
    Step = Moves->getStepRecurrence(SE);
  }
  if (add(Found.Ranges, Access, First, Step, /*MayGrow=*/InEach))
    return true;
  if (!Stays && !InEach)
    return false;
  Found.Ranges.push_back({First, Last, Step, 0, bytesOf(Access), {&Access}});
  return true;
}

/// Whether LLVM cannot tell that \p I touches none of the places.
bool Promotion::mayTouch(const Instruction &I, const Accesses &Found) const {
  return any_of(Found.Places, [&](const Range &Place) {
    const Value *At = getLoadStorePointerOperand(Place.By.front());
    return isModOrRefSet(
        AA.getModRefInfo(&I, MemoryLocation::getBeforeOrAfter(At)));
  });
}

PromotionRefusal Promotion::plan(Loop &L, ArrayRef<Instruction *> All,
                                 PredicatedScalarEvolution &Counts,
                                 Accesses &Found) {
  const SCEV *Trips = Counts.getBackedgeTakenCount();
  if (!L.isRotatedForm() || !L.getExitingBlock() || !L.getUniqueExitBlock() ||
      isa<SCEVCouldNotCompute>(Trips))
    return PromotionRefusal::Control;
  if (SCEVExprContains(Trips, [](const SCEV *S) {
        const auto *Division = dyn_cast<SCEVUDivExpr>(S);
        return Division && !isa<SCEVConstant>(Division->getRHS());
      }))
    return PromotionRefusal::Division;
  const Type *Pointer = Found.Places.front().First->getType();
  const auto IsPlace = [&](Instruction *I) {
    return any_of(Found.Places,
                  [&](const Range &P) { return is_contained(P.By, I); });
  };
  // What only some iterations access may lie in what all of them do.
  for (const bool InEach : {true, false})
    for (Instruction *I : All)
      if (isInEach(*I, L) == InEach && !IsPlace(I) && mayTouch(*I, Found) &&
          (getLoadStorePointerOperand(I)->getType() != Pointer ||
           !addRange(*I, InEach, Counts, Found)))
        return PromotionRefusal::Ranges;
  // LLVM leaves it where it is for another reason.
  if (!Found.numChecks())
    return PromotionRefusal::Ranges;
  const SCEVExpander Expander(SE, Layout, "apart");
  if (!Expander.isSafeToExpand(Trips))
    return PromotionRefusal::Control;
  for (const auto *Ranges : {&Found.Places, &Found.Ranges})
    for (const Range &R : *Ranges)
      if (R.First->getType() != Pointer || !Expander.isSafeToExpand(R.First) ||
          !Expander.isSafeToExpand(R.Last))
        return PromotionRefusal::Ranges;
  return Found.numChecks() + Counts.getPredicate().getComplexity() > MostChecks
             ? PromotionRefusal::ManyRanges
             : PromotionRefusal::None;
}

/// Whether each place lies apart from all ranges and from all other places.
Value *Promotion::isApart(const Accesses &Of, PredicatedScalarEvolution &Counts,
                          Instruction &Before) {
  SCEVExpander Expander(SE, Layout, "apart");
  IRBuilder<> B(&Before);
  Type *Pointer = Of.Places.front().First->getType();
  Type *Number = Layout.getIntPtrType(Pointer);
  const auto Address = [&](const SCEV *S) {
    return B.CreatePtrToInt(Expander.expandCodeFor(S, Pointer, &Before),
                            Number);
  };
  const auto Moved = [&](Value *At, int64_t By) {
    return By ? B.CreateAdd(At, ConstantInt::getSigned(Number, By)) : At;
  };
  // The first byte, and the one behind the last.
  const auto Ends = [&](const Range &R) {
    Value *Low = Address(R.First), *High;
    if (!R.Step) {
      // Of an access that no iteration may do.
      High = Low = B.CreateFreeze(Low);
    } else {
      Value *Last = Address(R.Last);
      const bool Rises = SE.isKnownNonNegative(R.Step);
      High = Rises ? Last : B.CreateBinaryIntrinsic(Intrinsic::umax, Low, Last);
      if (!Rises)
        Low = B.CreateBinaryIntrinsic(Intrinsic::umin, Low, Last);
    }
    return std::pair(Moved(Low, R.Low), Moved(High, R.High));
  };
  SmallVector<std::pair<Value *, Value *>, 8> All;
  for (const auto *Ranges : {&Of.Places, &Of.Ranges})
    for (const Range &R : *Ranges)
      All.push_back(Ends(R));
  Value *Apart = B.getTrue();
  if (const SCEVPredicate &Needed = Counts.getPredicate();
      !Needed.isAlwaysTrue())
    Apart = B.CreateNot(Expander.expandCodeForPredicate(&Needed, &Before));
  for (size_t Place = 0; Place < Of.Places.size(); ++Place)
    for (size_t Other = Place + 1; Other < All.size(); ++Other)
      Apart = B.CreateAnd(
          Apart,
          B.CreateOr(B.CreateICmpULE(All[Place].second, All[Other].first),
                     B.CreateICmpULE(All[Other].second, All[Place].first)));
  return Apart;
}

/// Tells LLVM which accesses of a loop touch which place.
static void mark(const Accesses &Of, LLVMContext &C) {
  MDBuilder MDB(C);
  MDNode *Domain = MDB.createAnonymousAliasScopeDomain(DEBUG_TYPE);
  const auto Scope = [&](StringRef Name) -> Metadata * {
    return MDB.createAnonymousAliasScope(Domain, Name);
  };
  const auto Add = [&](Instruction &I, unsigned Kind,
                       ArrayRef<Metadata *> Scopes) {
    I.setMetadata(
        Kind, MDNode::concatenate(I.getMetadata(Kind), MDNode::get(C, Scopes)));
  };
  Metadata *Rest = Scope("rest");
  SmallVector<Metadata *, 2> Places;
  for (size_t I = 0; I < Of.Places.size(); ++I)
    Places.push_back(Scope("place"));
  for (const auto &[Place, Own] : zip(Of.Places, Places)) {
    SmallVector<Metadata *, 4> Others = {Rest};
    copy_if(Places, std::back_inserter(Others),
            [Own = Own](Metadata *S) { return S != Own; });
    for (Instruction *I : Place.By) {
      Add(*I, LLVMContext::MD_alias_scope, Own);
      Add(*I, LLVMContext::MD_noalias, Others);
    }
  }
  for (const Range &R : Of.Ranges)
    for (Instruction *I : R.By) {
      Add(*I, LLVMContext::MD_alias_scope, Rest);
      Add(*I, LLVMContext::MD_noalias, Places);
    }
}

/// Whether the loop has iterations enough to pay for comparisons.
Value *Promotion::isLong(PredicatedScalarEvolution &Counts,
                         Instruction &Before) {
  const SCEV *Trips = Counts.getBackedgeTakenCount();
  return IRBuilder<>(&Before).CreateICmpUGE(
      SCEVExpander(SE, Layout, "trips")
          .expandCodeFor(Trips, Trips->getType(), &Before),
      ConstantInt::get(Trips->getType(), FewestTrips - 1));
}

/// Makes \p L the version for places apart; a copy stays as it is.
void Promotion::version(Loop &L, PredicatedScalarEvolution &Counts,
                        Accesses &Of) {
  formLCSSA(L, DT, &Loops, &SE);
  BasicBlock *Asks = L.getLoopPreheader();
  const auto Behind = [&](BasicBlock *Block, const char *Name) {
    return SplitBlock(Block, Block->getTerminator(), &DT, &Loops, nullptr,
                      Name);
  };
  BasicBlock *Compares = Behind(Asks, "compares");
  BasicBlock *Enters = Behind(Compares, "apart");
  Loop *Copy = ir::copyBeside(L, *Asks, ".touching", Loops, DT);
  for (const Loop *Seen : {&L, Copy})
    ir::renewLoop(*Seen->getLoopLatch()->getTerminator(), {},
                  ir::loopOption(F.getContext(), SeenMetadata));
  const auto Go = [&](BasicBlock *From, Value *Where, BasicBlock *On) {
    From->getTerminator()->eraseFromParent();
    BranchInst::Create(On, Copy->getLoopPreheader(), Where, From);
  };
  Value *Apart = isApart(Of, Counts, *Compares->getTerminator());
  Go(Compares, Apart, Enters);
  Value *Pays = isLong(Counts, *Asks->getTerminator());
  Go(Asks, Pays, Compares);
  mark(Of, F.getContext());
  SE.forgetLoop(&L);
}

bool Promotion::run() {
  bool Changed = false;
  for (Loop *L : Loops.getLoopsInPreorder()) {
    SmallVector<Instruction *, 16> All;
    Accesses Found;
    if (!L->isInnermost() || !L->getLoopLatch() ||
        findOptionMDForLoop(L, gridloop::GridLoopMetadata) ||
        findOptionMDForLoop(L, SeenMetadata) || !find(*L, All, Found))
      continue;
    if (const unsigned Most = SE.getSmallConstantMaxTripCount(L);
        Most && Most < FewestTrips)
      continue;
    if (!L->isLoopSimplifyForm())
      Changed |= simplifyLoop(L, &DT, &Loops, &SE, &Assumptions, nullptr,
                              /*PreserveLCSSA=*/false);
    PredicatedScalarEvolution Counts(SE, *L);
    if (const PromotionRefusal Why = plan(*L, All, Counts, Found);
        Why != PromotionRefusal::None) {
      ir::remarkRefused(DEBUG_TYPE, Why, *L,
                        "a loop stores to one place in each iteration");
      continue;
    }
    ir::remarkPassed(DEBUG_TYPE, "Checked", *L, "a loop keeps ",
                     ir::Counted{Found.Places.size(), "place"},
                     " that it stores to in registers where ",
                     ir::Counted{Found.numChecks(), "comparison", "Checks"},
                     " of addresses allow it");
    version(*L, Counts, Found);
    ++NumChecked;
    Changed = true;
  }
  return Changed;
}

PreservedAnalyses CheckedPromotionPass::run(Function &F,
                                            FunctionAnalysisManager &FAM) {
  if (F.hasOptNone() || !offload::isGpuCode(*F.getParent()) ||
      !Promotion(F, FAM).run())
    return PreservedAnalyses::all();
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager Cleanup;
  Cleanup.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                  /*UseMemorySSA=*/true));
  Cleanup.run(F, FAM);
  return PreservedAnalyses::none();
}

} // namespace accx::gridtune
