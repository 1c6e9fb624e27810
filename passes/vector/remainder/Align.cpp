//===- Align.cpp - Peeling to a cache line's begin ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model of Align.h.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Align.h"

#include "vector/remainder/Masks.h"
#include "vector/remainder/Plan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <algorithm>
#include <iterator>

using namespace llvm;

static cl::opt<unsigned> MinVectors(
    "accx-simd-remainder-min-peel", cl::Hidden, cl::init(0),
    cl::desc(
        "Fewest vectors of a loop that is aligned to cache lines; 0 aligns "
        "none"));

namespace accx::vector {

static constexpr unsigned Line = 64;
static constexpr unsigned MostSets = 4;

/// Whether both begin at the same place of a line, as far as is known.
static bool areCoAligned(const SCEV *X, const SCEV *Y, ScalarEvolution &SE) {
  const auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(
      SE.getPtrToIntExpr(X, Type::getInt64Ty(SE.getContext())),
      SE.getPtrToIntExpr(Y, Type::getInt64Ty(SE.getContext()))));
  return Distance && Distance->getAPInt().urem(Line) == 0;
}

/// What an access that takes two lines costs, in parts. Zen takes a load twice,
/// and hides most of a store; elsewhere a store costs more than some loads.
static unsigned twoLinesCost(const Instruction &I, const Function &F) {
  Attribute CPU = F.getFnAttribute("target-cpu");
  bool IsZen =
      CPU.isStringAttribute() && CPU.getValueAsString().starts_with("znver");
  return isa<StoreInst>(I) == IsZen ? 1 : 3;
}

AlignmentPlan planAlignment(Loop &L, ScalarEvolution &SE,
                            const TargetTransformInfo &TTI,
                            const RemainderPlan &Plan) {
  AlignmentPlan None, Made;
  if (MinVectors == 0 || Plan.ConstantTrip || Plan.PeelsLast ||
      !hasMaskRegisters(TTI, SE.getContext()) ||
      any_of(Plan.Carried,
             [](const CarriedValue &Value) { return !Value.Recurrence; }))
    return None;
  const Function &F = *L.getHeader()->getParent();
  const DataLayout &DL = F.getDataLayout();
  SCEVExpander Expander(SE, DL, "peel");
  bool Aligned = false;
  struct Set {
    const SCEV *Begin;
    unsigned Size;
    unsigned Cost;
  };
  SmallVector<Set, MostSets> Sets;
  auto Add = [&](Instruction &I) {
    const auto *Rec =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(getLoadStorePointerOperand(&I)));
    if (!Rec && isa<LoadInst>(I))
      return SE.isLoopInvariant(SE.getSCEV(getLoadStorePointerOperand(&I)), &L);
    auto Size = unsigned(DL.getTypeStoreSize(getLoadStoreType(&I)));
    if (!Rec || Rec->getLoop() != &L || !Rec->isAffine() ||
        !SE.isLoopInvariant(Rec->getStart(), &L) ||
        Rec->getStepRecurrence(SE) !=
            SE.getConstant(Rec->getStepRecurrence(SE)->getType(), Size) ||
        !Expander.isSafeToExpandAt(Rec->getStart(),
                                   L.getLoopPreheader()->getTerminator()))
      return false;
    // Shorter vectors cross a line only now and then.
    if (Plan.Lanes * Size < Line)
      return true;
    auto *Found = find_if(Sets, [&](const Set &Other) {
      return areCoAligned(Other.Begin, Rec->getStart(), SE);
    });
    if (Found == Sets.end()) {
      Sets.push_back({Rec->getStart(), Size, 0});
      Found = std::prev(Sets.end());
    }
    Found->Cost += twoLinesCost(I, F);
    Aligned |= SE.getMinTrailingZeros(Rec->getStart()) >= 6;
    return Sets.size() <= MostSets;
  };
  for (bool Stores : {true, false})
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block)
        if ((Stores ? isa<StoreInst>(I) : isa<LoadInst>(I)) && !Add(I))
          return None;
  if (Aligned || Sets.empty())
    return None;
  std::iter_swap(Sets.begin(),
                 max_element(Sets, [](const Set &X, const Set &Y) {
                   return X.Cost < Y.Cost;
                 }));
  // Iterations are peeled whole: a line must be one vector of the first set.
  Made.Size = Sets.front().Size;
  for (const Set &Each : Sets)
    Made.Sets.push_back(Each.Begin);
  return Plan.Lanes * Made.Size == Line ? Made : None;
}

Value *expandPeeled(const AlignmentPlan &Alignment, const RemainderPlan &Plan,
                    Loop &L, ScalarEvolution &SE, DominatorTree &DT,
                    LoopInfo &LI) {
  DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
  BasicBlock *Before = L.getLoopPreheader();
  Instruction *At = Before->getTerminator();
  SCEVExpander Expander(SE, Before->getDataLayout(), "peel");
  IRBuilder<> Builder(At);
  auto *Wide = Builder.getInt64Ty();
  Value *Trips = Expander.expandCodeFor(Plan.TripCount, Wide, At);
  SmallVector<Value *, 4> Begins;
  for (const SCEV *Set : Alignment.Sets)
    Begins.push_back(Expander.expandCodeFor(Set, Set->getType(), At));
  Value *Pays = Builder.CreateICmpUGE(
      Trips, Builder.getInt64(uint64_t(MinVectors) * Plan.Lanes));
  Instruction *Check =
      SplitBlockAndInsertIfThen(Pays, At, false, nullptr, &Updater, &LI);
  Builder.SetInsertPoint(Check);
  Value *Peels = nullptr, *Peeled = nullptr;
  for (Value *Begin : Begins) {
    Value *Missing = Builder.CreateAnd(
        Builder.CreateNeg(Builder.CreatePtrToInt(Begin, Wide)),
        Builder.getInt64(Line - 1));
    Value *Misses = Builder.CreateICmpNE(Missing, Builder.getInt64(0));
    Peels = Peels ? Builder.CreateAnd(Peels, Misses) : Misses;
    if (!Peeled)
      Peeled = Builder.CreateUDiv(Missing, Builder.getInt64(Alignment.Size));
  }
  BasicBlock *Checked = Check->getParent();
  // As a branch that is predicted, not as a selection to wait for.
  Instruction *Yes = SplitBlockAndInsertIfThen(
      Peels, Check, false,
      MDBuilder(SE.getContext()).createUnlikelyBranchWeights(), &Updater, &LI);
  BasicBlock *Preheader = L.getLoopPreheader();
  auto *None = Builder.getInt64(0);
  // Where the checks end, whatever came of them, and where they do not begin.
  BasicBlock *End = Check->getParent();
  auto *Found = PHINode::Create(Wide, 2, "peel.found", End->begin());
  Found->addIncoming(None, Checked);
  Found->addIncoming(Peeled, Yes->getParent());
  auto *Count = PHINode::Create(Wide, 2, "peel.trips", Preheader->begin());
  Count->addIncoming(None, Before);
  Count->addIncoming(Found, End);
  return Count;
}

} // namespace accx::vector
