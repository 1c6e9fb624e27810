//===- Accesses.cpp - Reads of a cached array -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Accesses.h.
//
//===----------------------------------------------------------------------===//

#include "smc/Accesses.h"

#include "smc/Notes.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static cl::opt<bool>
    TestReads("accx-smc-cache-tests", cl::init(false), cl::Hidden,
              cl::desc("Take cache directives, too, some reads of which need a "
                       "test whether they are in the copy"));

namespace accx::smc {

Region::Region(CallInst &Begin, const LoopInfo &Loops,
               const DominatorTree &DT) {
  const Loop *Around = Loops.getLoopFor(Begin.getParent());
  SmallPtrSet<BasicBlock *, 16> Seen;
  SmallVector<BasicBlock *, 16> Work;
  // Whether the end was met.
  const auto Scan = [&](BasicBlock::iterator From, BasicBlock &Block) {
    for (Instruction &I : make_range(From, Block.end())) {
      if (noteOf(I) == NoteKind::End)
        return true;
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple())
        Loads.push_back(Load);
      if (I.mayWriteToMemory() && !noteOf(I)) {
        const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
        const auto *Store = dyn_cast<StoreInst>(&I);
        if (!(Intrinsic && Intrinsic->isAssumeLikeIntrinsic()) &&
            !(Store &&
              isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()))))
          Writes.push_back(&I);
      }
    }
    return false;
  };
  if (Scan(std::next(Begin.getIterator()), *Begin.getParent()))
    return;
  append_range(Work, successors(Begin.getParent()));
  while (!Work.empty()) {
    BasicBlock *Block = Work.pop_back_val();
    if (!Around || !Around->contains(Block) || Block == Begin.getParent() ||
        !DT.dominates(Begin.getParent(), Block) ||
        Block == Around->getHeader()) {
      IsClosed &= isa<UnreachableInst>(Block->getTerminator());
      continue;
    }
    if (Seen.insert(Block).second && !Scan(Block->begin(), *Block))
      append_range(Work, successors(Block));
  }
}

namespace {

/// Takes addresses apart.
class Splitter {
  const ArrayPlan &A;
  const DataLayout &Layout;
  SmallVector<Term, 4> Terms;

public:
  Splitter(const ArrayPlan &A, const DataLayout &Layout)
      : A(A), Layout(Layout) {}

  bool split(Value *Address) {
    while (Address != A.Base) {
      if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Address)) {
        Address = Cast->getPointerOperand();
        continue;
      }
      auto *Step = dyn_cast<GEPOperator>(Address);
      if (!Step || Step->getType()->isVectorTy() || !splitStep(*Step))
        return false;
      Address = Step->getPointerOperand();
    }
    return true;
  }
  SmallVector<Term, 4> take() { return std::move(Terms); }

private:
  unsigned rank() const { return A.Dims.size(); }

  bool splitStep(GEPOperator &Step) {
    for (auto I = gep_type_begin(Step), E = gep_type_end(Step); I != E; ++I) {
      if (StructType *Struct = I.getStructTypeOrNull()) {
        const uint64_t Field =
            cast<ConstantInt>(I.getOperand())->getZExtValue();
        Terms.push_back(
            {rank(), nullptr,
             int64_t(Layout.getStructLayout(Struct)->getElementOffset(Field))});
        continue;
      }
      const TypeSize Stride = I.getSequentialElementStride(Layout);
      if (Stride.isScalable() || !addIndex(I.getOperand(), Stride))
        return false;
    }
    return true;
  }

  bool addIndex(Value *Index, int64_t Stride) {
    const auto *C = dyn_cast<ConstantInt>(Index);
    if (C && C->isZero())
      return true;
    if (rank() == 1) {
      if (C)
        Terms.push_back({1, nullptr, C->getSExtValue() * Stride});
      else
        Terms.push_back({1, Index, Stride});
      return true;
    }
    for (unsigned D = 0; D < rank(); ++D) {
      const auto *Pitch = dyn_cast<ConstantInt>(A.Dims[D].Pitch);
      Value *Times = nullptr;
      if (Pitch ? Pitch->getSExtValue() == Stride
                : isTimesPitch(Index, Stride, *A.Dims[D].Pitch, Times)) {
        if (C && Pitch)
          Terms.push_back({D, nullptr, C->getSExtValue()});
        else
          Terms.push_back({D, Pitch ? Index : Times, 1});
        return true;
      }
    }
    // Bytes of one element.
    if (C && Stride <= A.Element) {
      Terms.push_back({rank(), nullptr, C->getSExtValue() * Stride});
      return true;
    }
    return false;
  }

  /// Whether \p Index * \p Stride is \p Times * \p Pitch: rows of an array
  /// whose length is a variable.
  static bool isTimesPitch(Value *Index, int64_t Stride, Value &Pitch,
                           Value *&Times) {
    Value *L, *R;
    if (!match(Index, m_Mul(m_Value(L), m_Value(R))))
      return false;
    for (unsigned Side = 0; Side < 2; ++Side, std::swap(L, R)) {
      const APInt *Factor = nullptr;
      if ((match(&Pitch, m_c_Mul(m_Specific(R), m_APInt(Factor))) &&
           *Factor == Stride) ||
          (match(&Pitch, m_Shl(m_Specific(R), m_APInt(Factor))) &&
           Factor->ult(32) &&
           (int64_t(1) << Factor->getZExtValue()) == Stride)) {
        Times = L;
        return true;
      }
    }
    return false;
  }
};

} // namespace

/// Whether \p Which of \p A is inside what its own iteration declares.
static bool isInside(const Access &Which, const ArrayPlan &A,
                     ScalarEvolution &SE) {
  const unsigned Rank = A.Dims.size();
  Type *Int = IntegerType::getInt64Ty(SE.getContext());
  const auto Times = [&](Value *V, int64_t Factor) {
    const SCEV *S =
        V ? SE.getTruncateOrSignExtend(SE.getSCEV(V), Int) : SE.getOne(Int);
    return SE.getMulExpr(S, SE.getConstant(Int, Factor, true));
  };
  SmallVector<const SCEV *, 3> Indices(Rank, SE.getZero(Int));
  int64_t Bytes = 0;
  for (const Term &T : Which.Terms) {
    if (T.Dim < Rank)
      Indices[T.Dim] = SE.getAddExpr(Indices[T.Dim], Times(T.V, T.Factor));
    else if (!T.V)
      Bytes += T.Factor;
    else if (Rank == 1 && T.Factor % A.Element == 0)
      Indices[0] = SE.getAddExpr(Indices[0], Times(T.V, T.Factor / A.Element));
    else
      return false;
  }
  if (Rank == 1) {
    const int64_t Whole = Bytes >= 0 ? Bytes / A.Element
                                     : -((-Bytes + A.Element - 1) / A.Element);
    Indices[0] = SE.getAddExpr(Indices[0], Times(nullptr, Whole));
    Bytes -= Whole * A.Element;
  }
  const int64_t Size =
      Which.Load->getDataLayout().getTypeStoreSize(Which.Load->getType());
  if (Bytes < 0 || Bytes + Size > A.Element)
    return false;
  const auto IsBelow = [&](const SCEV *S, int64_t Bound) {
    return SE.isKnownPredicateAt(ICmpInst::ICMP_SLT, S,
                                 SE.getConstant(S->getType(), Bound, true),
                                 Which.Load);
  };
  for (unsigned D = 0; D < Rank; ++D) {
    const SCEV *Distance =
        SE.getMinusSCEV(Indices[D], SE.getSCEV(A.Dims[D].First));
    const int64_t Extent = A.Dims[D].Extent;
    if (!SE.isKnownNonNegative(Distance))
      return false;
    // Loops may count in 32 bits.
    if (IsBelow(Distance, Extent) ||
        (SE.getSignedRangeMax(Distance).isSignedIntN(32) &&
         IsBelow(SE.getTruncateExpr(Distance,
                                    IntegerType::getInt32Ty(SE.getContext())),
                 Extent)))
      continue;
    return false;
  }
  return true;
}

/// Whether \p Load may come after \p Write in one execution of the region that
/// \p Begin opens: not by way of \p Begin.
static bool mayFollow(const LoadInst &Load, const Instruction &Write,
                      const CallInst &Begin) {
  if (Write.getParent() == Load.getParent() && Write.comesBefore(&Load))
    return true;
  SmallPtrSet<const BasicBlock *, 16> Seen = {Begin.getParent()};
  SmallVector<const BasicBlock *, 16> Work(successors(Write.getParent()));
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (!Seen.insert(Block).second)
      continue;
    if (Block == Load.getParent())
      return true;
    append_range(Work, successors(Block));
  }
  return false;
}

Refusal findAccesses(const Region &R, ArrayPlan &A, ScalarEvolution &SE) {
  if (A.Dims.size() > 1)
    for (unsigned D = 1; D < A.Dims.size(); ++D)
      if (A.Dims[D].Pitch == A.Dims[D - 1].Pitch)
        return Refusal::NoAccess; // rows of one element
  bool WasWritten = false;
  for (LoadInst *Load : R.Loads) {
    Splitter S(A, Load->getDataLayout());
    if (!S.split(Load->getPointerOperand()) || Load->getType()->isPointerTy() ||
        Load->getType()->isAggregateType())
      continue;
    if (!A.IsTransparent) {
      A.Accesses.push_back({Load, S.take(), false});
      continue;
    }
    const bool Stale = any_of(R.Writes, [&](Instruction *Write) {
      return mayFollow(*Load, *Write, *A.Begin);
    });
    if (Stale) {
      WasWritten = true;
      continue;
    }
    A.Accesses.push_back({Load, S.take(), true});
    A.Accesses.back().NeedsTest = !isInside(A.Accesses.back(), A, SE);
  }
  if (A.Accesses.empty())
    return WasWritten ? Refusal::Written : Refusal::NoAccess;
  if (!TestReads &&
      any_of(A.Accesses, [](const Access &Each) { return Each.NeedsTest; }))
    return Refusal::Unproven;
  return Refusal::None;
}

} // namespace accx::smc
