//===- JoinRangesPlan.cpp - Which ranges follow each other ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyzes a loop with one loop inside and fills the plan of JoinRangesPlan.h.
//
//===----------------------------------------------------------------------===//

#include "vector/loops/JoinRangesPlan.h"

#include "vector/Loops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::vector {

/// A range that is known to be this long gains nothing.
static constexpr unsigned LongRange = 256;

/// Whether sums and products of such numbers fit 128 bits.
static bool isNarrow(ScalarEvolution &SE, const SCEV *S) {
  return SE.getTypeSizeInBits(S->getType()) <= 64;
}

namespace {

/// Moves extensions into the outer loop's counters: extend({a,+,b}) becomes
/// {extend(a),+,sign-extend(b)}. That holds while the counters do not wrap.
class Extender : public SCEVRewriteVisitor<Extender> {
public:
  Extender(ScalarEvolution &SE, const Loop &L,
           SmallVectorImpl<JoinedRanges::Counter> &Seen)
      : SCEVRewriteVisitor(SE), L(L), Seen(Seen) {}

  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    return extended(E, true);
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    return extended(E, false);
  }

private:
  const SCEV *extended(const SCEVCastExpr *E, bool IsSigned) {
    const SCEV *Operand = visit(E->getOperand());
    auto Extend = [&](const SCEV *S, bool Sign) {
      return Sign ? SE.getSignExtendExpr(S, E->getType())
                  : SE.getZeroExtendExpr(S, E->getType());
    };
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(Operand);
    if (!Rec || Rec->getLoop() != &L || !Rec->isAffine() || !isNarrow(SE, Rec))
      return Extend(Operand, IsSigned);
    if (const JoinedRanges::Counter C{Rec, IsSigned}; !is_contained(Seen, C))
      Seen.push_back(C);
    return SE.getAddRecExpr(Extend(Rec->getStart(), IsSigned),
                            Extend(Rec->getStepRecurrence(SE), true), &L,
                            SCEV::FlagAnyWrap);
  }

  const Loop &L;
  SmallVectorImpl<JoinedRanges::Counter> &Seen;
};

class Planner {
public:
  Planner(Loop &L, const LoopInfo &LI, const DominatorTree &DT,
          ScalarEvolution &SE, JoinedRanges &Plan)
      : L(L), K(*L.getSubLoops().front()), LI(LI), DT(DT), SE(SE), Plan(Plan) {}

  StringRef run();

private:
  bool isOnlyAround() const;
  bool isCounted();
  bool isFromTo();
  std::pair<BranchInst *, bool> findGuard() const;
  bool isGuardOf(const SCEV *First, const SCEV *End);
  const SCEV *wide(const SCEV *S, Type *Ty, bool IsSigned) {
    return IsSigned ? SE.getNoopOrSignExtend(S, Ty)
                    : SE.getNoopOrZeroExtend(S, Ty);
  }
  const SCEV *extended(const SCEV *S) {
    return Extender(SE, L, Plan.Narrow).visit(S);
  }
  bool goesOn(Value *V);
  StringRef planBody();

  Loop &L, &K;
  const LoopInfo &LI;
  const DominatorTree &DT;
  ScalarEvolution &SE;
  JoinedRanges &Plan;
};

} // namespace

/// Whether the outer loop does nothing but run the inner one.
bool Planner::isOnlyAround() const {
  for (BasicBlock *Block : L.blocks()) {
    if (K.contains(Block))
      continue;
    if (!isa<BranchInst>(Block->getTerminator()))
      return false;
    for (const Instruction &I : *Block)
      if (!I.isDebugOrPseudoInst() &&
          (I.mayReadOrWriteMemory() || I.mayThrow() || !I.willReturn() ||
           isa<AllocaInst>(I)))
        return false;
  }
  for (const PHINode &Phi : L.getExitBlock()->phis())
    if (!L.isLoopInvariant(Phi.getIncomingValueForBlock(L.getLoopLatch())))
      return false;
  // No value leaves the inner loop.
  return all_of(K.blocks(), [&](const BasicBlock *Block) {
    return all_of(*Block, [&](const Instruction &I) {
      return !isa<AllocaInst>(I) && all_of(I.users(), [&](const User *U) {
        return K.contains(cast<Instruction>(U));
      });
    });
  });
}

/// The branch that decides whether the inner loop runs, and for which value of
/// its condition it does.
std::pair<BranchInst *, bool> Planner::findGuard() const {
  BasicBlock *Guard = K.getLoopPreheader(), *Into = K.getHeader();
  while (cast<BranchInst>(Guard->getTerminator())->isUnconditional()) {
    Into = Guard;
    Guard = Guard->getSinglePredecessor();
    if (!Guard || !L.contains(Guard))
      return {nullptr, false};
  }
  auto *Branch = cast<BranchInst>(Guard->getTerminator());
  if (!DT.dominates(Guard, L.getLoopLatch()) ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return {nullptr, false};
  return {Branch, Branch->getSuccessor(0) == Into};
}

/// Plans ranges that all have the same number of iterations, at least one.
bool Planner::isCounted() {
  const SCEV *Count = SE.getBackedgeTakenCount(&K);
  if (isa<SCEVCouldNotCompute>(Count) || !SE.isLoopInvariant(Count, &L))
    return false;
  if (!DT.dominates(K.getLoopPreheader(), L.getLoopLatch())) {
    const auto [Branch, Runs] = findGuard();
    if (!Branch || !L.isLoopInvariant(Branch->getCondition()))
      return false;
    Plan.Condition = Branch->getCondition();
    Plan.RunsIf = Runs;
  }
  Type *Wide = Type::getInt64Ty(L.getHeader()->getContext());
  if (!isNarrow(SE, Count))
    return false;
  Plan.Each =
      SE.getAddExpr(SE.getNoopOrZeroExtend(Count, Wide), SE.getOne(Wide));
  return true;
}

/// Whether the inner loop runs if and only if its range is not empty.
bool Planner::isGuardOf(const SCEV *First, const SCEV *End) {
  const auto [Branch, Runs] = findGuard();
  if (!Branch)
    return false;
  CmpInst::Predicate Relation;
  Value *Left, *Right;
  if (!match(Branch->getCondition(),
             m_ICmp(Relation, m_Value(Left), m_Value(Right))))
    return false;
  if (!Runs)
    Relation = CmpInst::getInversePredicate(Relation);
  if (Relation == CmpInst::ICMP_SGT || Relation == CmpInst::ICMP_UGT) {
    std::swap(Left, Right);
    Relation = CmpInst::getSwappedPredicate(Relation);
  }
  if (Relation != CmpInst::ICMP_SLT && Relation != CmpInst::ICMP_ULT)
    return false;
  Plan.IsSigned = Relation == CmpInst::ICMP_SLT;
  Type *Ty = First->getType();
  if (SE.getTypeSizeInBits(Left->getType()) > SE.getTypeSizeInBits(Ty))
    return false;
  return wide(SE.getSCEV(Left), Ty, Plan.IsSigned) == First &&
         wide(SE.getSCEV(Right), Ty, Plan.IsSigned) == End;
}

/// Plans ranges that begin at a value which grows in the outer loop, and end
/// where the next one begins or at a limit.
bool Planner::isFromTo() {
  auto *Exit = cast<BranchInst>(K.getLoopLatch()->getTerminator());
  CmpInst::Predicate Relation;
  Value *Left, *Right;
  if (!match(Exit->getCondition(),
             m_ICmp(Relation, m_Value(Left), m_Value(Right))))
    return false;
  if (Exit->getSuccessor(0) != K.getHeader())
    Relation = CmpInst::getInversePredicate(Relation);
  if (!K.isLoopInvariant(Right)) {
    std::swap(Left, Right);
    Relation = CmpInst::getSwappedPredicate(Relation);
  }
  // The loop goes on while the next value is below the end, or not the end.
  if (Relation != CmpInst::ICMP_SLT && Relation != CmpInst::ICMP_ULT &&
      Relation != CmpInst::ICMP_NE)
    return false;
  Value *Next = nullptr;
  if (Relation != CmpInst::ICMP_NE || !match(Left, m_Trunc(m_Value(Next))))
    Next = Left;
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Next));
  if (!Rec || Rec->getLoop() != &K || !Rec->isAffine() ||
      !Rec->getType()->isIntegerTy() || !isNarrow(SE, Rec) ||
      !Rec->getStepRecurrence(SE)->isOne())
    return false;
  Type *Ty = Rec->getType();
  const SCEV *First = SE.getMinusSCEV(Rec->getStart(), SE.getOne(Ty));
  const SCEV *End = SE.getSCEV(Right);
  for (const bool IsSigned : {true, false}) {
    if ((Relation == CmpInst::ICMP_SLT && !IsSigned) ||
        (Relation == CmpInst::ICMP_ULT && IsSigned))
      continue;
    const SCEV *To = wide(End, Ty, IsSigned);
    if (!isGuardOf(First, To) || Plan.IsSigned != IsSigned)
      continue;
    // Of a minimum one operand grows with the ranges; the others are the limit.
    const SCEV *Grows = To;
    if (const auto *Least = dyn_cast<SCEVMinMaxExpr>(To)) {
      if (Least->getSCEVType() != (IsSigned ? scSMinExpr : scUMinExpr))
        return false;
      SmallVector<const SCEV *, 2> Fixed;
      Grows = nullptr;
      for (const SCEV *Operand : Least->operands())
        if (SE.isLoopInvariant(Operand, &L))
          Fixed.push_back(Operand);
        else if (Grows)
          return false;
        else
          Grows = Operand;
      if (!Grows || Fixed.empty())
        return false;
      Plan.Limit = IsSigned ? SE.getSMinExpr(Fixed) : SE.getUMinExpr(Fixed);
    }
    const auto *From = dyn_cast<SCEVAddRecExpr>(extended(First));
    const auto *Until = dyn_cast<SCEVAddRecExpr>(extended(Grows));
    if (!From || !Until || From->getLoop() != &L || Until->getLoop() != &L ||
        !From->isAffine() || !Until->isAffine() ||
        From->getStepRecurrence(SE) != Until->getStepRecurrence(SE))
      return false;
    // A range that is known to end elsewhere than the next one begins.
    if (const auto *Off = dyn_cast<SCEVConstant>(SE.getMinusSCEV(
            SE.getMinusSCEV(Until->getStart(), From->getStart()),
            From->getStepRecurrence(SE)));
        Off && !Off->isZero())
      return false;
    Plan.Begin = From->getStart();
    Plan.End = Until->getStart();
    Plan.Each = From->getStepRecurrence(SE);
    Plan.IsGuarded = true;
    return true;
  }
  return false;
}

/// Whether the value changes from range to range as it does within one. Adds it
/// to the plan.
bool Planner::goesOn(Value *V) {
  if (!SE.isSCEVable(V->getType()))
    return false;
  const auto *Rec = dyn_cast<SCEVAddRecExpr>(extended(SE.getSCEV(V)));
  if (!Rec || Rec->getLoop() != &K || !Rec->isAffine() || !isNarrow(SE, Rec))
    return false;
  const SCEV *Step = Rec->getStepRecurrence(SE);
  const auto *First = dyn_cast<SCEVAddRecExpr>(Rec->getStart());
  if (!First || First->getLoop() != &L || !First->isAffine() ||
      !SE.isLoopInvariant(Step, &L) ||
      !SE.isLoopInvariant(First->getStart(), &L))
    return false;
  const SCEV *Each = SE.getTruncateOrSignExtend(Plan.Each, Step->getType());
  if (First->getStepRecurrence(SE) != SE.getMulExpr(Step, Each))
    return false;
  Plan.Values[V] = {First->getStart(), Step};
  return true;
}

/// Finds the instructions that the joined loop has to run, from those with
/// effects back to what they use.
StringRef Planner::planBody() {
  SmallVector<const Instruction *, 32> Work;
  for (BasicBlock *Block : K.blocks()) {
    if (LI.getLoopFor(Block) != &K)
      return "it has loops inside";
    for (const Instruction &I : *Block)
      if (I.isTerminator() ? Block != K.getLoopLatch() : I.mayHaveSideEffects())
        Work.push_back(&I);
  }
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (!Plan.Needed.insert(I).second)
      continue;
    for (Value *V : I->operands()) {
      if (isa<BasicBlock>(V) || L.isLoopInvariant(V) || Plan.Values.count(V))
        continue;
      if (goesOn(V))
        continue;
      const auto *Def = dyn_cast<Instruction>(V);
      if (!Def || !K.contains(Def) ||
          (isa<PHINode>(Def) && Def->getParent() == K.getHeader()))
        return "its body depends on more than where it is in all ranges";
      Work.push_back(Def);
    }
  }
  return {};
}

/// Whether the loop calls functions: it would not become vectors.
static bool calls(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      return isa<CallBase>(I) && !isa<IntrinsicInst>(I) &&
             I.mayHaveSideEffects();
    });
  });
}

/// Whether no pragma says how to run the loop.
static bool isPlainLoop(const Loop &L) {
  const MDNode *Id = L.getLoopID();
  if (!Id)
    return true;
  return all_of(drop_begin(Id->operands()), [](const MDOperand &Operand) {
    const auto *Node = dyn_cast<MDNode>(Operand);
    if (!Node || Node->getNumOperands() == 0)
      return Node == nullptr || isa<DILocation>(Node);
    const auto *Name = dyn_cast<MDString>(Node->getOperand(0));
    return !Name || Name->getString() == "llvm.loop.mustprogress";
  });
}

StringRef Planner::run() {
  Plan.Outer = &L;
  Plan.Inner = &K;
  auto HasForm = [](const Loop &Of) {
    return endsAtLatch(Of) &&
           isa<BranchInst>(Of.getLoopLatch()->getTerminator());
  };
  const unsigned Known = SE.getSmallConstantTripCount(&K);
  Plan.Last = SE.getBackedgeTakenCount(&L);
  if (!K.isInnermost() || !HasForm(L) || !HasForm(K) || Known >= LongRange ||
      !isPlainLoop(L) || !isPlainLoop(K) || calls(K) ||
      isa<SCEVCouldNotCompute>(Plan.Last) || !isNarrow(SE, Plan.Last) ||
      !isOnlyAround() || (!isCounted() && !isFromTo()))
    return {};
  StringRef Reason = planBody();
  // Most nests are no ranges: say nothing about them.
  Plan.IsNone = !Plan.IsGuarded && !Reason.empty();
  return Reason;
}

StringRef planJoin(Loop &L, const LoopInfo &LI, const DominatorTree &DT,
                   ScalarEvolution &SE, JoinedRanges &Plan) {
  return Planner(L, LI, DT, SE, Plan).run();
}

} // namespace accx::vector
