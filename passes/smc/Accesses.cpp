//===- Accesses.cpp - Reads and writes of a cached array ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the loads and stores of a region that go to an array's copy, and
// proves by scalar evolution that a read is inside of the range that its
// iteration declares. It decides single accesses; Plan.cpp decides about the
// array.
//
//===----------------------------------------------------------------------===//

#include "blocks/Notes.h"
#include "smc/Plan.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionDivision.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace accx::blocks;
using namespace llvm::PatternMatch;

static cl::opt<bool>
    TestReads("accx-smc-cache-tests", cl::init(false), cl::Hidden,
              cl::desc("Take cache directives, too, some reads of which need a "
                       "test whether they are in the copy"));

namespace accx::smc {

bool readArray(CallInst &Begin, ArrayPlan &A) {
  if (!A.read(Begin))
    return false;
  A.Unit = std::min<int64_t>(A.Align, 16);
  if (!isPowerOf2_64(A.Unit) || A.Element % A.Unit)
    A.Unit = 1;
  for (unsigned D = 0; D < A.Rank; ++D)
    A.Dims.emplace_back(A.dimension(D));
  return true;
}

bool mayBeIn(const Value *Address, const ArrayPlan &A) {
  const Value *Array = getUnderlyingObject(A.Base, /*MaxLookup=*/0);
  const auto *Pointer = dyn_cast<LoadInst>(Array);
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, nullptr, /*MaxLookup=*/0);
  return any_of(Objects, [&](const Value *Object) {
    // The same pointer variable, read again.
    const auto *Other = dyn_cast<LoadInst>(Object);
    return Object == Array ||
           (Pointer && Other &&
            Pointer->getPointerOperand() == Other->getPointerOperand());
  });
}

/// \p V, an index of an access that is executed, in 64 bits. Sums that may not
/// wrap are sums of what is extended: an index that did would be poison.
static const SCEV *exactly(Value *V, ScalarEvolution &SE, unsigned Depth = 0) {
  Type *Int = IntegerType::getInt64Ty(SE.getContext());
  Value *L, *R;
  if (Depth < 6 && match(V, m_SExt(m_Value(L))))
    return exactly(L, SE, Depth + 1);
  if (Depth < 6 && V->getType()->getScalarSizeInBits() <= 64) {
    if (match(V, m_NSWAdd(m_Value(L), m_Value(R))))
      return SE.getAddExpr(exactly(L, SE, Depth + 1),
                           exactly(R, SE, Depth + 1));
    if (match(V, m_NSWSub(m_Value(L), m_Value(R))))
      return SE.getMinusSCEV(exactly(L, SE, Depth + 1),
                             exactly(R, SE, Depth + 1));
  }
  return SE.getTruncateOrSignExtend(SE.getSCEV(V), Int);
}

/// The indices of \p Which as functions, if it is a part of one element. Sums
/// are those of \p Extend.
static bool indicesOf(const Access &Which, const ArrayPlan &A,
                      ScalarEvolution &SE,
                      SmallVectorImpl<const SCEV *> &Indices,
                      function_ref<const SCEV *(Value *)> Extend) {
  const unsigned Rank = A.Dims.size();
  Type *Int = IntegerType::getInt64Ty(SE.getContext());
  const auto Times = [&](Value *V, int64_t Factor) {
    const SCEV *S = V ? Extend(V) : SE.getOne(Int);
    return SE.getMulExpr(S, SE.getConstant(Int, Factor, true));
  };
  Indices.assign(Rank, SE.getZero(Int));
  int64_t Bytes = 0;
  for (const Term &T : Which.Terms) {
    if (T.Dim < Rank) {
      Indices[T.Dim] = SE.getAddExpr(Indices[T.Dim], Times(T.V, T.Factor));
    } else if (!T.V) {
      Bytes += T.Factor;
    } else if (Rank == 1 && T.Factor % A.Element == 0) {
      Indices[0] = SE.getAddExpr(Indices[0], Times(T.V, T.Factor / A.Element));
    } else if (const SCEV *S = SE.getTruncateOrSignExtend(SE.getSCEV(T.V), Int);
               Rank == 1 && T.Factor == 1) {
      // A number of bytes; whole elements, or nothing is known.
      const SCEV *Whole = nullptr, *Rest = nullptr;
      SCEVDivision::divide(SE, S, SE.getConstant(Int, A.Element, true), &Whole,
                           &Rest);
      if (!Rest->isZero())
        return false;
      Indices[0] = SE.getAddExpr(Indices[0], Whole);
    } else {
      return false;
    }
  }
  if (Rank == 1) {
    const int64_t Whole = Bytes >= 0 ? Bytes / A.Element
                                     : -((-Bytes + A.Element - 1) / A.Element);
    Indices[0] = SE.getAddExpr(Indices[0], Times(nullptr, Whole));
    Bytes -= Whole * A.Element;
  }
  return Bytes >= 0 && Bytes + Which.size() <= A.Element;
}

/// Whether \p Limit, of an index of that type, is at most \p Bound.
static bool isAtMost(const SCEV *Limit, const SCEV *Bound, const Access &Which,
                     ScalarEvolution &SE) {
  // A bound that does not fit is more than any limit.
  if (Limit->getType() != Bound->getType())
    Bound = SE.getTruncateExpr(Bound, Limit->getType());
  if (const auto *Min = dyn_cast<SCEVSMinExpr>(Limit))
    return any_of(Min->operands(), [&](const SCEV *Each) {
      return isAtMost(Each, Bound, Which, SE);
    });
  // Analysis makes "at most" a comparison with one more, which loses what
  // branches say of the bound itself.
  return Limit == Bound ||
         SE.isKnownPredicateAt(ICmpInst::ICMP_SLT, Limit, Bound, Which.At) ||
         SE.isKnownPredicateAt(ICmpInst::ICMP_SLE, Limit, Bound, Which.At);
}

/// Whether a branch on the way to \p Which says that \p Index is below \p First
/// + \p Extent.
static bool isBranchedBelow(const SCEV *Index, const SCEV *First,
                            int64_t Extent, const Access &Which,
                            ScalarEvolution &SE, const DominatorTree &DT) {
  const ConstantRange Firsts = SE.getSignedRange(First);
  const auto *Node = DT.getNode(Which.At->getParent());
  for (unsigned Steps = 0; Node && Node->getIDom() && Steps < 64; ++Steps) {
    Node = Node->getIDom();
    const auto *Branch =
        dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    auto *Test = Branch && Branch->isConditional()
                     ? dyn_cast<ICmpInst>(Branch->getCondition())
                     : nullptr;
    if (!Test || !Test->getOperand(0)->getType()->isIntegerTy())
      continue;
    for (const unsigned Side : {0, 1}) {
      if (!DT.dominates(
              BasicBlockEdge(Node->getBlock(), Branch->getSuccessor(Side)),
              Which.At->getParent()))
        continue;
      for (const bool IsSwapped : {false, true}) {
        ICmpInst::Predicate Says =
            Side == 0 ? Test->getPredicate() : Test->getInversePredicate();
        if (IsSwapped)
          Says = ICmpInst::getSwappedPredicate(Says);
        if (Says != ICmpInst::ICMP_SLT && Says != ICmpInst::ICMP_SLE)
          continue;
        Value *Lesser = Test->getOperand(IsSwapped ? 1 : 0);
        const SCEV *Limit = SE.getSCEV(Test->getOperand(IsSwapped ? 0 : 1));
        const unsigned Bits = Limit->getType()->getIntegerBitWidth();
        // The low bits of a value that does not fit say nothing.
        if (Bits > 64 ||
            (Bits < 64 && !Firsts.getSignedMin().isSignedIntN(Bits)) ||
            (Bits < 64 && !Firsts.getSignedMax().isSignedIntN(Bits)))
          continue;
        const int64_t Last = Extent - (Says == ICmpInst::ICMP_SLE);
        if (exactly(Lesser, SE) == Index &&
            isAtMost(Limit,
                     SE.getAddExpr(First, SE.getConstant(First->getType(), Last,
                                                         /*isSigned=*/true)),
                     Which, SE))
          return true;
      }
    }
  }
  return false;
}

/// Whether \p Which of \p A is inside what its own iteration declares.
static bool isInside(const Access &Which, const ArrayPlan &A,
                     ScalarEvolution &SE, const DominatorTree &DT) {
  SmallVector<const SCEV *, 3> Indices;
  if (!indicesOf(Which, A, SE, Indices,
                 [&](Value *V) { return exactly(V, SE); }))
    return false;
  const auto IsBelow = [&](const SCEV *S, int64_t Bound) {
    return SE.isKnownPredicateAt(ICmpInst::ICMP_SLT, S,
                                 SE.getConstant(S->getType(), Bound, true),
                                 Which.At);
  };
  for (unsigned D = 0; D < A.Dims.size(); ++D) {
    const SCEV *First = exactly(A.Dims[D].First, SE);
    const SCEV *Distance = SE.getMinusSCEV(Indices[D], First);
    const int64_t Extent = A.Dims[D].Own;
    if (!SE.isKnownNonNegative(Distance))
      return false;
    // Loops may count in 32 bits.
    if (IsBelow(Distance, Extent) ||
        (SE.getSignedRangeMax(Distance).isSignedIntN(32) &&
         IsBelow(SE.getTruncateExpr(Distance,
                                    IntegerType::getInt32Ty(SE.getContext())),
                 Extent)) ||
        isBranchedBelow(Indices[D], First, Extent, Which, SE, DT))
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

/// The terms of the write that \p Store and the note before it make.
static SmallVector<Term, 4> termsOf(const StoreInst &Store, unsigned Rank) {
  const auto *Note = cast<CallInst>(Store.getPrevNode());
  SmallVector<Term, 4> Terms;
  for (unsigned D = 0; D <= markers::smc::MaxDims; ++D) {
    Value *V = argumentOf(*Note, D);
    const auto *C = dyn_cast<ConstantInt>(V);
    if (C && C->isZero())
      continue;
    const unsigned Dim = D == markers::smc::MaxDims ? Rank : D;
    if (C)
      Terms.push_back({Dim, nullptr, C->getSExtValue()});
    else
      Terms.push_back({Dim, V, 1});
  }
  return Terms;
}

/// Collects all that a region of a channel type does with its array.
static Refusal findChannelAccesses(const Region &R, ArrayPlan &A) {
  const auto IsOther = [&](const Instruction *I) {
    const Value *To = getLoadStorePointerOperand(I);
    if (const auto *Move = dyn_cast<MemTransferInst>(I))
      return mayBeIn(Move->getRawDest(), A) || mayBeIn(Move->getRawSource(), A);
    if (const auto *Fill = dyn_cast<MemIntrinsic>(I))
      To = Fill->getRawDest();
    else if (const auto *Atomic = dyn_cast<AtomicRMWInst>(I))
      To = Atomic->getPointerOperand();
    return To && mayBeIn(To, A);
  };
  for (LoadInst *Load : R.Loads) {
    if (!mayBeIn(Load->getPointerOperand(), A))
      continue;
    auto Terms =
        splitAddress(Load->getPointerOperand(), A, Load->getDataLayout());
    if (!Terms || Load->getType()->isAggregateType())
      return Refusal::ChannelAccess;
    A.Accesses.push_back({Load, std::move(*Terms)});
  }
  for (Instruction *I : R.OtherReads)
    if (IsOther(I))
      return Refusal::ChannelAccess;
  for (Instruction *I : R.Writes) {
    auto *Store = dyn_cast<StoreInst>(I);
    const Instruction *Before = I->getPrevNode();
    if (Store && Before && noteOf(*Before) == NoteKind::Write) {
      if (Store->getPointerOperand() == A.Base)
        A.Accesses.push_back({Store, termsOf(*Store, A.Dims.size())});
    } else if (IsOther(I)) {
      return Refusal::ChannelAccess;
    }
  }
  return Refusal::None;
}

Refusal findAccesses(const Region &R, ArrayPlan &A, ScalarEvolution &SE,
                     const LoopInfo &Loops, const DominatorTree &DT) {
  // Rows of one element: subscripts cannot be told apart.
  for (unsigned D = 1; D < A.Dims.size(); ++D)
    if (A.Dims[D].Pitch == A.Dims[D - 1].Pitch)
      return Refusal::NoAccess;
  if (A.isChannel()) {
    const Refusal Why = findChannelAccesses(R, A);
    for (Access &Each : A.Accesses) {
      SmallVector<const SCEV *, 3> Indices;
      Each.IsOwn = indicesOf(Each, A, SE, Indices, [&](Value *V) {
        return SE.getTruncateOrSignExtend(
            SE.getSCEV(V), IntegerType::getInt64Ty(SE.getContext()));
      });
      for (unsigned D = 0; Each.IsOwn && D < A.Dims.size(); ++D)
        Each.IsOwn = Indices[D] == SE.getSCEV(A.Dims[D].First);
    }
    return Why;
  }
  bool WasWritten = false;
  for (LoadInst *Load : R.Loads) {
    auto Terms =
        splitAddress(Load->getPointerOperand(), A, Load->getDataLayout());
    if (!Terms || Load->getType()->isPointerTy() ||
        Load->getType()->isAggregateType())
      continue;
    if (!A.isTransparent()) {
      A.Accesses.push_back({Load, std::move(*Terms)});
      continue;
    }
    const bool Stale = any_of(R.Writes, [&](Instruction *Write) {
      return mayFollow(*Load, *Write, *A.Begin);
    });
    if (Stale) {
      WasWritten = true;
      continue;
    }
    A.Accesses.push_back({Load, std::move(*Terms), true});
    A.Accesses.back().NeedsTest = !isInside(A.Accesses.back(), A, SE, DT);
  }
  if (A.Accesses.empty())
    return WasWritten ? Refusal::Written : Refusal::NoAccess;
  if (!A.isTransparent() || TestReads)
    return Refusal::None;
  // The array has what the copy has, so other reads stay in the array. A loop
  // that has such reads gains little by the rest.
  SmallPtrSet<const Loop *, 4> Outside;
  for (const Access &Each : A.Accesses)
    if (Each.NeedsTest)
      Outside.insert(Loops.getLoopFor(Each.At->getParent()));
  erase_if(A.Accesses, [](const Access &Each) { return Each.NeedsTest; });
  return all_of(A.Accesses,
                [&](const Access &Each) {
                  return Outside.contains(
                      Loops.getLoopFor(Each.At->getParent()));
                })
             ? Refusal::Unproven
             : Refusal::None;
}

} // namespace accx::smc
