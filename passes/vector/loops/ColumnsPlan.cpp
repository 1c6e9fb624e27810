//===- ColumnsPlan.cpp - Which outer loops become lanes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyzes an outer loop and fills the plan of ColumnsPlan.h.
//
//===----------------------------------------------------------------------===//

#include "vector/loops/ColumnsPlan.h"

#include "vector/Loops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::vector {

/// A loop that is known to have fewer iterations stays.
static constexpr unsigned LeastKnown = 8;

/// The most pairs of ranges that the code compares.
static constexpr size_t MostChecks = 8;

static uint64_t sizeOf(Instruction &I) {
  return I.getDataLayout()
      .getTypeStoreSize(getLoadStoreType(&I))
      .getFixedValue();
}

static bool isSteppedBy(const SCEV *Step, uint64_t Size) {
  const auto *Known = dyn_cast<SCEVConstant>(Step);
  return Known && Known->getAPInt().abs() == Size;
}

/// Whether the address moves by other than an element in the access's loop.
static bool jumps(Instruction &I, const Loop &Inner, ScalarEvolution &SE) {
  const auto *Rec =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(getLoadStorePointerOperand(&I)));
  return Rec && Rec->getLoop() == &Inner && Rec->isAffine() &&
         !isSteppedBy(Rec->getStepRecurrence(SE), sizeOf(I));
}

bool hasJumps(const Loop &L, ScalarEvolution &SE) {
  return any_of(L.getLoopsInPreorder(), [&](const Loop *Inner) {
    return Inner != &L && Inner->isInnermost() &&
           any_of(Inner->blocks(), [&](BasicBlock *Block) {
             return any_of(*Block, [&](Instruction &I) {
               return isa<LoadInst>(I) && jumps(I, *Inner, SE);
             });
           });
  });
}

namespace {

class Planner {
public:
  Planner(Loop &L, const LoopInfo &LI, ScalarEvolution &SE, AAResults &AA,
          const TargetTransformInfo &TTI, Columns &Plan)
      : L(L), LI(LI), SE(SE), AA(AA), TTI(TTI), Plan(Plan) {}

  StringRef run();

private:
  bool isCountable(ColumnAccess::Walk &Walk) const;
  bool isUniform(const SCEV *S) const;
  bool isInOnePiece(Instruction &I);
  bool isPlain(Instruction &I) const;
  bool goesOneWay(const BasicBlock &Block) const;
  bool isIsolated(const ColumnAccess &A) const;
  bool areApart(const ColumnAccess &A, const ColumnAccess &B) const;
  unsigned rangeOf(unsigned Access);
  StringRef planIndependence();

  Loop &L;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  AAResults &AA;
  const TargetTransformInfo &TTI;
  Columns &Plan;
};

} // namespace

/// Whether the longest walk is known ahead of the outer loop.
bool Planner::isCountable(ColumnAccess::Walk &Walk) const {
  if (SE.isLoopInvariant(Walk.Last, &L))
    return true;
  // A loop around it changes the length by a constant.
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(Walk.Last);
  if (!Rec || !Rec->isAffine() || Rec->getLoop() == &L ||
      !L.contains(Rec->getLoop()))
    return false;
  Walk.Last = Rec->getStart();
  Walk.More = Rec->getStepRecurrence(SE);
  Walk.Again = SE.getBackedgeTakenCount(Rec->getLoop());
  return !isa<SCEVCouldNotCompute>(Walk.Again) &&
         SE.getTypeSizeInBits(Walk.Again->getType()) <= 64 &&
         all_of(ArrayRef<const SCEV *>{Walk.Last, Walk.More, Walk.Again},
                [&](const SCEV *S) { return SE.isLoopInvariant(S, &L); });
}

/// Whether \p S is the same in all lanes.
bool Planner::isUniform(const SCEV *S) const {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Part))
      return Rec->getLoop() == &L;
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    return isa<SCEVCouldNotCompute>(Part) ||
           (Unknown && !L.isLoopInvariant(Unknown->getValue()));
  });
}

/// Adds the access to the plan if the next iteration of the outer loop accesses
/// the same place or the next element.
bool Planner::isInOnePiece(Instruction &I) {
  ColumnAccess A;
  A.I = &I;
  A.Size = sizeOf(I);
  A.Address = A.Start = SE.getSCEV(getLoadStorePointerOperand(&I));
  while (const auto *Rec = dyn_cast<SCEVAddRecExpr>(A.Start)) {
    if (!L.contains(Rec->getLoop()))
      break;
    const SCEV *Step = Rec->getStepRecurrence(SE);
    const SCEV *Last = SE.getBackedgeTakenCount(Rec->getLoop());
    if (!Rec->isAffine() || isa<SCEVCouldNotCompute>(Last) ||
        SE.getTypeSizeInBits(Last->getType()) > 64)
      return false;
    if (Rec->getLoop() == &L) {
      const auto *Known = dyn_cast<SCEVConstant>(Step);
      if (!Known || Known->getAPInt() != A.Size)
        return false;
      A.Stride = A.Size;
    } else if (!SE.isLoopInvariant(Step, &L)) {
      return false;
    }
    ColumnAccess::Walk Walk{Step, Last};
    if (Rec->getLoop() != &L && !isCountable(Walk))
      return false;
    A.Walks.push_back(Walk);
    A.Start = Rec->getStart();
  }
  if (!SE.isLoopInvariant(A.Start, &L))
    return false;
  Plan.Accesses.push_back(std::move(A));
  return true;
}

/// Whether one vector instruction does for all lanes.
bool Planner::isPlain(Instruction &I) const {
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    switch (Call->getIntrinsicID()) {
    case Intrinsic::fabs:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::sqrt:
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::abs:
      return true;
    default:
      return I.isDebugOrPseudoInst();
    }
  }
  if (I.isIntDivRem())
    return all_of(I.operands(), [&](Value *V) { return L.isLoopInvariant(V); });
  if (isa<LoadInst, StoreInst>(I)) {
    Type *Ty = getLoadStoreType(&I);
    const Align Alignment = getLoadStoreAlignment(&I);
    // The code compares ranges of one address space only.
    if ((!Ty->isIntegerTy() && !Ty->isFloatTy() && !Ty->isDoubleTy()) ||
        getLoadStoreAddressSpace(&I) != 0)
      return false;
    return isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple() &&
                                  TTI.isLegalMaskedLoad(Ty, Alignment)
                            : cast<StoreInst>(I).isSimple() &&
                                  TTI.isLegalMaskedStore(Ty, Alignment);
  }
  return !isa<AllocaInst>(I) && !I.mayReadOrWriteMemory() && !I.mayThrow() &&
         !I.getType()->isVectorTy();
}

/// Whether all lanes go on to the same block.
bool Planner::goesOneWay(const BasicBlock &Block) const {
  const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch)
    return false;
  if (Branch->isUnconditional() || L.isLoopInvariant(Branch->getCondition()))
    return true;
  const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (Compare && all_of(Compare->operands(), [&](Value *V) {
        return SE.isSCEVable(V->getType()) && isUniform(SE.getSCEV(V));
      }))
    return true;
  // An inner loop repeats equally often in all lanes.
  const Loop *Own = LI.getLoopFor(&Block);
  if (Own->getLoopLatch() != &Block || Own->getExitingBlock() != &Block)
    return false;
  return Own == &L || isUniform(SE.getBackedgeTakenCount(Own));
}

/// Whether each iteration accesses an element of its own.
bool Planner::isIsolated(const ColumnAccess &A) const {
  return A.Stride == A.Size && A.Walks.size() == 1;
}

/// Whether the two arrays are known to be disjoint.
bool Planner::areApart(const ColumnAccess &A, const ColumnAccess &B) const {
  // Scopes of aliasing may hold for one iteration only.
  auto Of = [&](const ColumnAccess &Access) {
    AAMDNodes Types;
    Types.TBAA = Access.I->getAAMetadata().TBAA;
    const auto *Base = cast<SCEVUnknown>(SE.getPointerBase(Access.Start));
    return MemoryLocation::getBeforeOrAfter(Base->getValue(), Types);
  };
  return AA.isNoAlias(Of(A), Of(B));
}

/// The range that holds the access. Accesses may share one.
unsigned Planner::rangeOf(unsigned Access) {
  const ColumnAccess &A = Plan.Accesses[Access];
  for (unsigned R = 0; R != Plan.Ranges.size(); ++R) {
    ColumnRange &Range = Plan.Ranges[R];
    const ColumnAccess &Known = Plan.Accesses[Range.Access];
    const auto *Off =
        Known.Walks == A.Walks
            ? dyn_cast<SCEVConstant>(SE.getMinusSCEV(A.Start, Known.Start))
            : nullptr;
    if (!Off || Off->getAPInt().getSignificantBits() > 32)
      continue;
    const int64_t By = Off->getAPInt().getSExtValue();
    Range.Low = std::min(Range.Low, By);
    Range.High = std::max(Range.High, By + int64_t(A.Size));
    return R;
  }
  Plan.Ranges.push_back({Access, 0, int64_t(A.Size)});
  return unsigned(Plan.Ranges.size() - 1);
}

StringRef Planner::planIndependence() {
  auto ObjectOf = [&](const ColumnAccess &A) -> const Value * {
    const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(A.Start));
    return Base ? getUnderlyingObject(Base->getValue()) : nullptr;
  };
  if (any_of(Plan.Accesses,
             [&](const ColumnAccess &A) { return !ObjectOf(A); }))
    return "an address is computed of no pointer";
  for (unsigned I = 0; I != Plan.Accesses.size(); ++I) {
    const ColumnAccess &Stored = Plan.Accesses[I];
    if (!isa<StoreInst>(Stored.I))
      continue;
    if (!isIsolated(Stored))
      return "iterations may store to the same element";
    for (unsigned K = 0; K != Plan.Accesses.size(); ++K) {
      const ColumnAccess &Other = Plan.Accesses[K];
      if ((isa<StoreInst>(Other.I) && K <= I) ||
          (Other.Address == Stored.Address && Other.Size == Stored.Size) ||
          areApart(Stored, Other))
        continue;
      if (ObjectOf(Stored) == ObjectOf(Other))
        return "an array that it stores to is also accessed elsewhere";
      const std::pair<unsigned, unsigned> Check{rangeOf(I), rangeOf(K)};
      if (!is_contained(Plan.Checks, Check))
        Plan.Checks.push_back(Check);
    }
  }
  return Plan.Checks.size() > MostChecks
             ? "too many pairs of its arrays may overlap"
             : StringRef();
}

StringRef Planner::run() {
  Plan.Outer = &L;
  Plan.LastIteration = SE.getBackedgeTakenCount(&L);
  const unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  if (!endsAtLatch(L) || isa<SCEVCouldNotCompute>(Plan.LastIteration) ||
      SE.getTypeSizeInBits(Plan.LastIteration->getType()) > 64 ||
      (Most && Most < LeastKnown))
    return {};
  bool Gains = false;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!isa<LoadInst, StoreInst>(I))
        continue;
      if (!isInOnePiece(I))
        return {};
      const Loop *Own = LI.getLoopFor(Block);
      const ColumnAccess &A = Plan.Accesses.back();
      if (isa<StoreInst>(I) && A.Stride == 0)
        return {};
      Gains |=
          Own != &L && isa<LoadInst>(I) && A.Stride != 0 && jumps(I, *Own, SE);
    }
  if (!Gains)
    return {};
  Plan.IsNone = false;
  for (BasicBlock *Block : L.blocks()) {
    if (!goesOneWay(*Block))
      return "lanes may take different ways";
    for (Instruction &I : *Block)
      if (!isPlain(I))
        return "it does what vectors cannot";
  }
  for (PHINode &Phi : L.getHeader()->phis()) {
    const auto *Rec = SE.isSCEVable(Phi.getType())
                          ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                          : nullptr;
    if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
      return "a value is carried from one iteration to the next";
  }
  for (const PHINode &Phi : L.getExitBlock()->phis())
    if (!L.isLoopInvariant(Phi.getIncomingValueForBlock(L.getLoopLatch())))
      return "a value of its last iteration is used behind it";
  return planIndependence();
}

StringRef planColumns(Loop &L, const LoopInfo &LI, ScalarEvolution &SE,
                      AAResults &AA, const TargetTransformInfo &TTI,
                      Columns &Plan) {
  return Planner(L, LI, SE, AA, TTI, Plan).run();
}

} // namespace accx::vector
