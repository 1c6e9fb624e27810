//===- Plan.cpp - How a loop is split for masks ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis of Plan.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Plan.h"

#include "vector/Lanes.h"
#include "vector/Loops.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace accx::vector {

void RemainderPlan::setShape(unsigned ChosenLanes, unsigned ChosenInterleave) {
  Lanes = ChosenLanes;
  Interleave = ChosenInterleave;
  if (!ConstantTrip)
    return;
  if (*ConstantTrip < Lanes) {
    Lanes = unsigned(PowerOf2Ceil(*ConstantTrip));
    Interleave = 1;
    return;
  }
  // All whole vectors of a short loop in one turn; no part that is never run.
  while (Interleave > 1 && *ConstantTrip < width())
    Interleave /= 2;
}

unsigned RemainderPlan::lastLanes() const {
  bool AllAffine = all_of(
      Carried, [](const CarriedValue &Value) { return Value.Recurrence; });
  uint64_t Rest = ConstantTrip.value_or(0) % Lanes;
  return Rest == 1 || (Rest && AllAffine) ? unsigned(PowerOf2Ceil(Rest))
                                          : Lanes;
}

Value *LiveOut::value() const { return Phi->getIncomingValue(0); }

void RemainderPlan::print(raw_ostream &OS) const {
  OS << "VF " << Lanes << ", UF " << Interleave << ", trips ";
  TripCount->print(OS);
  for (const CarriedValue &Value : Carried) {
    OS << "; " << Value.Phi->getName() << " ";
    if (Value.Recurrence)
      Value.Recurrence->print(OS);
    else
      OS << "carried";
  }
  for (const LiveOut &Out : LiveOuts) {
    OS << "; out " << Out.Phi->getName() << " ";
    switch (Out.Is) {
    case LiveOut::Closed:
      Out.After->print(OS);
      break;
    case LiveOut::Invariant:
      Out.value()->printAsOperand(OS);
      break;
    case LiveOut::Carried:
      OS << "= last " << Carried[Out.Index].Phi->getName();
      break;
    case LiveOut::Last:
      OS << "= last " << Out.value()->getName();
      break;
    }
  }
}

/// Whether the user or an earlier pass decided about this loop.
static std::optional<Refusal> checkMetadata(const Loop &L) {
  if (getBooleanLoopAttribute(&L, "llvm.loop.isvectorized"))
    return Refusal{"Done", ""};
  if (hasVectorizeTransformation(&L) == TM_SuppressedByUser)
    return Refusal{"UserDisabled", "vectorization is disabled by its pragma"};
  if (std::optional<bool> Predicate = getOptionalBoolLoopAttribute(
          &L, "llvm.loop.vectorize.predicate.enable"))
    return Refusal{"UserPredicate", "its pragma decides about predication"};
  for (StringRef Name : {"llvm.loop.unroll.full", "llvm.loop.unroll.enable",
                         "llvm.loop.unroll.count"})
    if (getBooleanLoopAttribute(&L, Name) ||
        findStringMetadataForLoop(&L, Name))
      return Refusal{"UserUnroll", "its pragma asks for unrolling"};
  return std::nullopt;
}

static std::optional<Refusal> checkShape(const Loop &L) {
  if (!L.isInnermost() || !L.isLoopSimplifyForm())
    return Refusal{"NotInnermost", ""};
  if (!endsAtLatch(L))
    return Refusal{"Exits", "it has an exit other than its last branch"};
  if (!L.isSafeToClone())
    return Refusal{"Clone", "it holds an operation that must stay single"};
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (I.isVolatile())
        return Refusal{"Volatile", "it holds a volatile access"};
      if (I.isAtomic())
        return Refusal{"Atomic", "it holds an atomic operation"};
      if (I.mayThrow())
        return Refusal{"Throws", "it holds a call that may not return"};
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (Call->isConvergent())
          return Refusal{"Convergent", "it holds a convergent call"};
    }
  return std::nullopt;
}

/// Whether \p Phi takes the value that \p Value has after the last iteration.
static bool isLastOf(const CarriedValue &Value, const Loop &L, PHINode *Phi) {
  return Value.Phi->getIncomingValueForBlock(L.getLoopLatch()) ==
         Phi->getIncomingValueForBlock(L.getLoopLatch());
}

static std::optional<Refusal> planLiveOuts(Loop &L, ScalarEvolution &SE,
                                           RemainderPlan &Plan) {
  SCEVExpander Expander(SE, L.getHeader()->getDataLayout(), "simd");
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  for (PHINode &Phi : L.getExitBlock()->phis()) {
    if (Phi.getNumIncomingValues() != 1)
      return Refusal{"Exits", "its exit is shared with other code"};
    LiveOut Out{&Phi, LiveOut::Last};
    if (L.isLoopInvariant(Out.value())) {
      Out.Is = LiveOut::Invariant;
    } else if (SE.isSCEVable(Phi.getType())) {
      Out.After = SE.getSCEVAtScope(Out.value(), L.getParentLoop());
      if (SE.isLoopInvariant(Out.After, &L) &&
          Expander.isSafeToExpandAt(Out.After, Before))
        Out.Is = LiveOut::Closed;
    }
    if (Out.Is == LiveOut::Last) {
      const auto *Found = find_if(Plan.Carried, [&](const CarriedValue &Value) {
        return isLastOf(Value, L, &Phi);
      });
      if (Found != Plan.Carried.end()) {
        Out.Is = LiveOut::Carried;
        Out.Index = unsigned(Found - Plan.Carried.begin());
      }
    }
    Plan.PeelsLast |= Out.Is == LiveOut::Last;
    Plan.LiveOuts.push_back(Out);
  }
  return std::nullopt;
}

/// Adds what \p L loads and stores. False: it touches memory in other ways,
/// too.
static bool findAccesses(Loop &L, SmallVectorImpl<LoadInst *> &Loads,
                         SmallVectorImpl<StoreInst *> &Stores) {
  bool All = true;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (auto *Store = dyn_cast<StoreInst>(&I))
        Stores.push_back(Store);
      else if (auto *Load = dyn_cast<LoadInst>(&I))
        Loads.push_back(Load);
      else
        All &= !I.mayHaveSideEffects() && !I.mayReadFromMemory();
    }
  return All;
}

/// Whether the last iteration gives the same again behind the loop: its own
/// stores are all that comes in between.
static bool isRepeatable(Loop &L, AAResults &AA, const RemainderPlan &Plan) {
  if (any_of(Plan.Carried,
             [](const CarriedValue &Value) { return !Value.Recurrence; }))
    return false;
  SmallVector<StoreInst *, 4> Stores;
  SmallVector<LoadInst *, 4> Loads;
  if (!findAccesses(L, Loads, Stores))
    return false;
  // Run-time checks tell the distances of whole elements only.
  const DataLayout &DL = L.getHeader()->getDataLayout();
  auto IsWhole = [&](Instruction *I) {
    return getLoadStoreAlignment(I) >=
           DL.getTypeStoreSize(getLoadStoreType(I)).getFixedValue();
  };
  return all_of(Stores, IsWhole) && all_of(Loads, [&](LoadInst *Load) {
           return IsWhole(Load) && all_of(Stores, [&](StoreInst *Store) {
                    return AA.isNoAlias(MemoryLocation::get(Load),
                                        MemoryLocation::get(Store));
                  });
         });
}

std::optional<Refusal> planLoop(Loop &L, ScalarEvolution &SE, AAResults &AA,
                                RemainderPlan &Plan) {
  if (std::optional<Refusal> No = checkMetadata(L))
    return No;
  if (std::optional<Refusal> No = checkShape(L))
    return No;

  SCEVExpander Expander(SE, L.getHeader()->getDataLayout(), "simd");
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken))
    return Refusal{"TripCount", "its trip count is not known before it runs"};
  auto *Wide = Type::getInt64Ty(SE.getContext());
  if (SE.getTypeSizeInBits(Taken->getType()) > 64)
    return Refusal{"TripCount", "its trip count has more than 64 bits"};
  // At 64 bits only 2^64 iterations wrap, which no loop lives to finish.
  Plan.TripCount = SE.getTripCountFromExitCount(Taken, Wide, &L);
  if (!Expander.isSafeToExpandAt(Plan.TripCount, Before))
    return Refusal{"TripCount", "its trip count cannot be computed ahead"};
  if (const auto *Constant = dyn_cast<SCEVConstant>(Plan.TripCount))
    Plan.ConstantTrip = Constant->getAPInt().getZExtValue();

  for (PHINode &Phi : L.getHeader()->phis()) {
    CarriedValue Value{&Phi, nullptr};
    if (SE.isSCEVable(Phi.getType()))
      if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)))
        if (Rec->getLoop() == &L && Rec->isAffine() &&
            Expander.isSafeToExpandAt(Rec->getStart(), Before) &&
            Expander.isSafeToExpandAt(Rec->getStepRecurrence(SE), Before))
          Value.Recurrence = Rec;
    Plan.Carried.push_back(Value);
  }
  if (std::optional<Refusal> No = planLiveOuts(L, SE, Plan))
    return No;
  if (Plan.PeelsLast && isRepeatable(L, AA, Plan)) {
    Plan.PeelsLast = false;
    Plan.RepeatsLast = true;
  }
  if (Plan.PeelsLast) {
    Plan.TripCount = SE.getMinusSCEV(Plan.TripCount, SE.getOne(Wide));
    if (Plan.ConstantTrip)
      --*Plan.ConstantTrip;
  }
  return std::nullopt;
}

/// Whether masked stores without mask registers are worth it: other processors
/// than these take them apart.
static bool storesMasked(const Function &F) {
  Attribute CPU = F.getFnAttribute("target-cpu");
  return CPU.isStringAttribute() &&
         StringSwitch<bool>(CPU.getValueAsString())
             .Cases("haswell", "broadwell", "skylake", "alderlake", true)
             .Cases("core-avx2", "raptorlake", "meteorlake", true)
             .Default(false);
}

/// Whether one of the loads begins less than a vector behind the last store.
static bool loadsBehind(ArrayRef<LoadInst *> Loads, ScalarEvolution &SE,
                        StoreInst &Store, uint64_t Trips) {
  uint64_t Length = Trips * Store.getDataLayout().getTypeStoreSize(
                                Store.getValueOperand()->getType());
  return any_of(Loads, [&](LoadInst *Load) {
    const auto *Distance = dyn_cast<SCEVConstant>(
        SE.getMinusSCEV(SE.getSCEV(Load->getPointerOperand()),
                        SE.getSCEV(Store.getPointerOperand())));
    return Distance && (Distance->getAPInt() - Length).abs().ult(64);
  });
}

/// Whether \p Store, one element after the other, comes to what \p Load loads
/// in every iteration.
static bool meets(StoreInst &Store, LoadInst &Load, Loop &L,
                  ScalarEvolution &SE) {
  const SCEV *Place = SE.getSCEV(Load.getPointerOperand());
  const auto *Rec =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Store.getPointerOperand()));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine() ||
      !SE.isLoopInvariant(Place, &L))
    return false;
  const SCEV *Step = Rec->getStepRecurrence(SE);
  uint64_t Size = L.getHeader()->getDataLayout().getTypeStoreSize(
      Store.getValueOperand()->getType());
  const SCEV *Distance = SE.getMinusSCEV(Place, Rec->getStart());
  if (isa<SCEVCouldNotCompute>(Distance) ||
      Step != SE.getConstant(Step->getType(), Size))
    return false;
  const SCEV *Taken =
      SE.getTruncateOrZeroExtend(SE.getBackedgeTakenCount(&L), Step->getType());
  return SE.isKnownNonNegative(Distance) &&
         SE.isKnownPredicate(ICmpInst::ICMP_SLE, Distance,
                             SE.getMulExpr(Taken, Step));
}

std::optional<Refusal> checkOverlap(Loop &L, ScalarEvolution &SE) {
  SmallVector<StoreInst *, 4> Stores;
  SmallVector<LoadInst *, 4> Loads;
  findAccesses(L, Loads, Stores);
  for (StoreInst *Store : Stores)
    for (LoadInst *Load : Loads)
      if (meets(*Store, *Load, L, SE))
        return Refusal{"Overlap", "one of its stores always changes what all "
                                  "its iterations load"};
  return std::nullopt;
}

std::optional<Refusal> checkStrides(Loop &L, ScalarEvolution &SE,
                                    const RemainderPlan &Plan) {
  SmallVector<StoreInst *, 4> Stores;
  SmallVector<LoadInst *, 4> Loads;
  findAccesses(L, Loads, Stores);
  SmallPtrSet<const Value *, 4> Loaded;
  for (LoadInst *Load : Loads)
    Loaded.insert(getUnderlyingObject(Load->getPointerOperand()));
  for (StoreInst *Store : Stores) {
    if (!Loaded.contains(getUnderlyingObject(Store->getPointerOperand())))
      continue;
    const auto *Rec =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Store->getPointerOperand()));
    const auto *Step = Rec && Rec->isAffine()
                           ? dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE))
                           : nullptr;
    uint64_t Size = Store->getDataLayout().getTypeStoreSize(
        Store->getValueOperand()->getType());
    if (Step && Step->getAPInt().abs().ugt(Size))
      return Refusal{"StridedUpdate",
                     "it stores to some elements of an array that it loads"};
    if (Plan.ConstantTrip && loadsBehind(Loads, SE, *Store, *Plan.ConstantTrip))
      return Refusal{"LoadsBehind",
                     "it loads what lies right behind what it stores"};
  }
  return std::nullopt;
}

std::optional<Refusal> checkMasks(Loop &L, const TargetTransformInfo &TTI) {
  const Function &F = *L.getHeader()->getParent();
  bool Stores = hasMaskRegisters(TTI, F.getContext()) || storesMasked(F);
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!isa<LoadInst, StoreInst>(I))
        continue;
      Type *Element = getLoadStoreType(&I);
      Align Alignment = getLoadStoreAlignment(&I);
      if (!VectorType::isValidElementType(Element))
        return Refusal{"Type", "it accesses values that fit no vector"};
      // Of any width: 128 bits are fewest.
      unsigned Bits = std::max(L.getHeader()
                                   ->getDataLayout()
                                   .getTypeSizeInBits(Element)
                                   .getFixedValue(),
                               uint64_t(8));
      auto *Vector =
          FixedVectorType::get(Element, std::max(2u, unsigned(128 / Bits)));
      if (isa<LoadInst>(I) ? !TTI.isLegalMaskedLoad(Vector, Alignment)
                           : !TTI.isLegalMaskedStore(Vector, Alignment))
        return Refusal{"NoMasks", "the target has no masked accesses of its "
                                  "types"};
      if (isa<StoreInst>(I) && !Stores)
        return Refusal{"SlowStores", "masked stores are slow on the target"};
    }
  return std::nullopt;
}

} // namespace accx::vector
