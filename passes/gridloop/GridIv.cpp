//===- GridIv.cpp - Finds grid-stride loops again -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the counter of a marked loop, its bound and its step. All later passes
// recognize grid-stride loops by this file alone.
//
//===----------------------------------------------------------------------===//

#include "gridloop/GridIv.h"

#include "gridloop/GridLoop.h"
#include "ir/LoopCopy.h"
#include "offload/DeviceCalls.h"

#include "llvm/Analysis/ScalarEvolutionDivision.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::gridloop {

static MDNode *findMark(const MDNode &LoopId) {
  return findOptionMDForLoopID(const_cast<MDNode *>(&LoopId), GridLoopMetadata);
}

MDNode *gridLoopMark(LLVMContext &C, unsigned Bits, bool MayInterleave) {
  return ir::loopOption(C, GridLoopMetadata,
                        {ConstantInt::get(Type::getInt32Ty(C), Bits),
                         ConstantInt::getBool(C, MayInterleave)});
}

bool isGridLoop(const MDNode &LoopId) { return findMark(LoopId); }

SmallVector<Loop *, 2> gridLoopsOf(LoopInfo &Loops) {
  SmallVector<Loop *, 2> Found;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (MDNode *Id = L->getLoopID(); Id && isGridLoop(*Id))
      Found.push_back(L);
  return Found;
}

bool divides(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, [&](const Instruction &I) {
      return I.isIntDivRem() && L.isLoopInvariant(I.getOperand(1));
    });
  });
}

unsigned groupOf(const Loop &L) {
  const MDNode *Mark = findOptionMDForLoop(&L, GroupLoopMetadata);
  return Mark ? static_cast<unsigned>(
                    mdconst::extract<ConstantInt>(Mark->getOperand(1))
                        ->getZExtValue())
              : 0;
}

void GridIv::dropExtensions() const {
  // Clang's conversions of a narrow counter have become masks and shifts.
  for (User *U : make_early_inc_range(Iv->users())) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || !Nest->contains(I))
      continue;
    if (Bits <= 32 &&
        match(I, m_And(m_Specific(Iv), m_SpecificInt(0xffffffffu)))) {
      I->replaceAllUsesWith(Iv);
    } else if (Bits < 32 &&
               match(I, m_Shl(m_Specific(Iv), m_SpecificInt(32)))) {
      for (User *Back : make_early_inc_range(I->users()))
        if (match(Back, m_AShr(m_Specific(I), m_SpecificInt(32)))) {
          Back->replaceAllUsesWith(Iv);
        }
    }
  }
}

std::optional<BoundTest> BoundTest::find(const Loop &L, const BasicBlock &Block,
                                         const Value &Counter, bool IsSigned) {
  const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || !Branch->isConditional() ||
      L.contains(Branch->getSuccessor(0)) ==
          L.contains(Branch->getSuccessor(1)))
    return std::nullopt;
  BoundTest T;
  T.Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  ICmpInst::Predicate Goes;
  if (match(Branch->getCondition(),
            m_ICmp(Goes, m_Value(T.Bound), m_Specific(&Counter))))
    Goes = ICmpInst::getSwappedPredicate(Goes);
  else if (!match(Branch->getCondition(),
                  m_ICmp(Goes, m_Specific(&Counter), m_Value(T.Bound))))
    return std::nullopt;
  if (!L.contains(Branch->getSuccessor(0)))
    Goes = ICmpInst::getInversePredicate(Goes);
  T.IsInclusive = ICmpInst::isLE(Goes);
  if (!(ICmpInst::isLT(Goes) || T.IsInclusive) ||
      ICmpInst::isSigned(Goes) != IsSigned || !L.isLoopInvariant(T.Bound))
    return std::nullopt;
  return T;
}

std::optional<SmallVector<ICmpInst *, 1>> GridIv::guards() const {
  SmallVector<ICmpInst *, 1> Found;
  for (User *U : Start->users()) {
    if (U == Iv)
      continue;
    auto *Guard = dyn_cast<ICmpInst>(U);
    if (!Guard || !Guard->isUnsigned())
      return std::nullopt;
    Found.push_back(Guard);
  }
  return Found;
}

/// Whether \p S depends on which thread or block it is computed in, or on how
/// many there are.
static bool tellsThreads(const SCEV *S) {
  return SCEVExprContains(S, [](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    if (!Unknown)
      return false;
    const Value *V = Unknown->getValue();
    return !isa<Constant, Argument>(V) &&
           !(isa<LoadInst>(V) && isa<Argument>(getUnderlyingObject(
                                     cast<LoadInst>(V)->getPointerOperand())));
  });
}

/// The value of \p Counter, an integer, where \p Grid's counter has its own:
/// a multiple of that and a sum; null if it is none.
static Value *inTermsOf(const GridIv &Grid, const SCEVAddRecExpr &Counter,
                        ScalarEvolution &SE) {
  Type *Ty = Counter.getType();
  if (!Ty->isIntegerTy() || !Counter.isAffine() ||
      Ty->getIntegerBitWidth() > 64)
    return nullptr;
  const SCEV *Start = SE.getTruncateOrNoop(SE.getSCEV(Grid.Start), Ty);
  const SCEV *Step = SE.getTruncateOrNoop(SE.getSCEV(Grid.Step), Ty);
  const SCEV *Factor = nullptr, *Rest = nullptr;
  SCEVDivision::divide(SE, Counter.getStepRecurrence(SE), Step, &Factor, &Rest);
  if (!Rest->isZero() || tellsThreads(Factor))
    return nullptr;
  const SCEV *Sum =
      SE.getMinusSCEV(Counter.getStart(), SE.getMulExpr(Start, Factor));
  if (tellsThreads(Sum))
    return nullptr;
  Instruction *Before = Grid.Nest->getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, Grid.Iv->getDataLayout(), "follows");
  if (!Expander.isSafeToExpandAt(Factor, Before) ||
      !Expander.isSafeToExpandAt(Sum, Before))
    return nullptr;
  Value *Times = Expander.expandCodeFor(Factor, Ty, Before);
  Value *Plus = Expander.expandCodeFor(Sum, Ty, Before);
  IRBuilder<> B(&*Grid.Nest->getHeader()->getFirstInsertionPt());
  return B.CreateAdd(B.CreateMul(B.CreateTrunc(Grid.Iv, Ty), Times), Plus);
}

bool GridIv::dropFollowers(ScalarEvolution &SE) const {
  for (PHINode &Phi : make_early_inc_range(Nest->getHeader()->phis())) {
    if (&Phi == Iv || !SE.isSCEVable(Phi.getType()))
      continue;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Counter || Counter->getLoop() != Nest ||
        !tellsThreads(Counter->getStepRecurrence(SE)))
      continue;
    Value *Same = inTermsOf(*this, *Counter, SE);
    if (!Same)
      return false;
    Phi.replaceAllUsesWith(Same);
    RecursivelyDeleteTriviallyDeadInstructions(&Phi);
    SE.forgetLoop(Nest);
  }
  return true;
}

Value *GridIv::bound() const {
  const auto Test = BoundTest::find(*Nest, *Nest->getLoopLatch(), *Next);
  if (!Test || Test->IsInclusive)
    return nullptr;
  // A run's end, if that comes first.
  Value *Trip = nullptr;
  return match(Test->Bound,
               m_Select(m_Value(), m_UMin(m_Value(Trip), m_Value()),
                        m_Deferred(Trip)))
             ? Trip
             : Test->Bound;
}

std::optional<GridIv> GridIv::find(Loop &L) {
  MDNode *Id = L.getLoopID();
  MDNode *Mark = Id ? findMark(*Id) : nullptr;
  if (!Mark || Mark->getNumOperands() != 3 || !L.isLoopSimplifyForm())
    return std::nullopt;
  GridIv G;
  G.Nest = &L;
  G.Bits = static_cast<unsigned>(
      mdconst::extract<ConstantInt>(Mark->getOperand(1))->getZExtValue());
  G.MayInterleave = mdconst::extract<ConstantInt>(Mark->getOperand(2))->isOne();
  if (const MDNode *Rows = findOptionMDForLoopID(Id, RowLoopMetadata))
    G.MostTurns = static_cast<unsigned>(
        mdconst::extract<ConstantInt>(Rows->getOperand(1))->getZExtValue());
  const unsigned Group = groupOf(L);
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *Next = dyn_cast<BinaryOperator>(
        Phi.getIncomingValueForBlock(L.getLoopLatch()));
    if (!Phi.getType()->isIntegerTy(64) || !Next ||
        Next->getOpcode() != Instruction::Add)
      continue;
    const unsigned Other = Next->getOperand(0) == &Phi ? 1 : 0;
    Value *Step = Next->getOperand(Other);
    // Unlike other counters of the loop it moves by what is no constant, or by
    // one that is known. That it does not wrap follows from the mark: flags get
    // lost.
    const auto *Fixed = dyn_cast<ConstantInt>(Step);
    if (Next->getOperand(1 - Other) != &Phi || !L.isLoopInvariant(Step) ||
        (isa<Constant>(Step) && !(Fixed && Group && Fixed->equalsInt(Group))))
      continue;
    if (G.Iv)
      return std::nullopt;
    G.Iv = &Phi;
    G.Next = Next;
    G.Step = Step;
    G.Start = Phi.getIncomingValueForBlock(L.getLoopPreheader());
  }
  if (!G.Iv)
    return std::nullopt;
  G.LostRuns =
      G.MostTurns ||
      (findStringMetadataForLoop(&L, RunLoopMetadata) &&
       !match(G.Start,
              m_Select(m_Value(G.InRuns),
                       m_Add(m_Value(G.FirstOfRun), m_Value()), m_Value())));
  return G;
}

bool ownsGrid(const Function &Kernel, ArrayRef<const Value *> Ends,
              function_ref<bool(const Instruction &)> IsNothing) {
  static constexpr StringLiteral Harmless[] = {
      offload::TargetInit,
      offload::TargetDeinit,
      offload::DistributeFini,
      offload::ForFini,
      offload::BlockThreads,
      offload::BlockThread,
      offload::AllocShared,
      offload::FreeShared,
      offload::GlobalThread,
      "llvm.nvvm.read.ptx.sreg.tid.x",
      "llvm.nvvm.read.ptx.sreg.ntid.x"};
  constexpr StringLiteral Registers = "llvm.nvvm.read.ptx.sreg.";
  for (const Instruction &I : instructions(Kernel)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const StringRef Name = offload::calledName(I);
    if (!Call || IsNothing(I) || offload::isMath(*Call) ||
        is_contained(Harmless, Name))
      continue;
    if (Name != "llvm.nvvm.read.ptx.sreg.ctaid.x" &&
        Name != "llvm.nvvm.read.ptx.sreg.nctaid.x") {
      if (!isa<IntrinsicInst>(Call) || Name.starts_with(Registers))
        return false;
      continue;
    }
    SmallVector<const User *, 8> Work(I.users());
    while (!Work.empty()) {
      const User *U = Work.pop_back_val();
      if (is_contained(Ends, U))
        continue;
      if (!isa<BinaryOperator, CastInst>(U))
        return false;
      append_range(Work, U->users());
    }
  }
  return true;
}

} // namespace accx::gridloop
