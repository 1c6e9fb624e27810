//===- Forms.cpp - Sums of places and what is the same for all ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes values as sums of places with constant factors, and uses the sums for
// two questions: whether a block is away from all edges, and which work-items
// have something to do in a region. Bounds.cpp asks for the factors alone.
//
//===----------------------------------------------------------------------===//

#include "workitems/Forms.h"

#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::workitems {

/// Sums of a few such products of what 32 bits hold fit into 64.
static constexpr int64_t MaxFactor = int64_t(1) << 24;
static constexpr unsigned MaxParts = 16, MaxDepth = 24;

bool Forms::addPart(Form &F, Value *V, int64_t Scale) const {
  for (auto &[Part, Factor] : F.Parts)
    if (Part == V) {
      Factor += Scale;
      return std::abs(Factor) <= MaxFactor;
    }
  F.Parts.push_back({V, Scale});
  return F.Parts.size() <= MaxParts;
}

/// Whether \p V is a constant, or a variable that holds one.
static bool isNumber(Value *V, const Forms::Variables *Known,
                     const APInt *&Number) {
  if (const auto *Load = dyn_cast<LoadInst>(V); Load && Known)
    if (auto *S = dyn_cast<AllocaInst>(Load->getPointerOperand()))
      if (Value *Held = Known->lookup(const_cast<AllocaInst *>(S)))
        V = Held;
  return match(V, m_APInt(Number));
}

/// Whether \p V is computed of what all work-items of a block have alike.
static bool isAlike(const LoopPlan &Plan, const Value *V, unsigned Depth = 0) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.Body.contains(const_cast<BasicBlock *>(I->getParent())))
    return true;
  if (const auto *Load = dyn_cast<LoadInst>(I))
    return Plan.isOfBlock(Load->getPointerOperand());
  return Depth <= MaxDepth && isa<BinaryOperator, CastInst>(I) &&
         all_of(I->operands(), [&](const Use &U) {
           return isAlike(Plan, U.get(), Depth + 1);
         });
}

bool Forms::add(Form &F, Value *V, int64_t Scale, const Variables *Known,
                unsigned Depth) const {
  if (!Known && isAlike(Plan, V))
    return true;
  if (std::abs(Scale) > MaxFactor || Depth > MaxDepth ||
      !V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64)
    return false;
  if (const auto *C = dyn_cast<ConstantInt>(V)) {
    const int64_t Number = C->getSExtValue();
    if (std::abs(Number) > int64_t(1) << 32)
      return addPart(F, V, Scale);
    F.Constant += Number * Scale;
    return true;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Plan.Body.contains(I->getParent()))
    return addPart(F, V, Scale);
  const auto *Load = dyn_cast<LoadInst>(I);
  const auto *Cut = dyn_cast<TruncInst>(I);
  if (Cut)
    Load = dyn_cast<LoadInst>(Cut->getOperand(0));
  if (Load) {
    auto *P =
        dyn_cast<AllocaInst>(const_cast<Value *>(Load->getPointerOperand()));
    // Places fit every type; a loop's number those that it was taken for.
    if (const auto D = Plan.dimensionOf(P)) {
      F.Factor[*D] += Scale;
      return std::abs(F.Factor[*D]) <= MaxFactor;
    }
    for (unsigned D = 0; D < Plan.Block.Dims; ++D)
      if (P == Plan.FirstOf[D] || P == Plan.BlockOf[D]) {
        F.IsOfBlock = true;
        return (!Cut || Plan.IsNarrow[D]) && addPart(F, P, Scale);
      }
    return !Cut && P && Known && Known->contains(P) && addPart(F, P, Scale);
  }
  if (isa<SExtInst>(I) || match(I, m_NNegZExt(m_Value())))
    return add(F, I->getOperand(0), Scale, Known, Depth + 1);
  const auto *Sum = dyn_cast<OverflowingBinaryOperator>(I);
  if (!Sum || !Sum->hasNoSignedWrap())
    return false;
  Value *Left = I->getOperand(0), *Right = I->getOperand(1);
  const APInt *C = nullptr;
  switch (I->getOpcode()) {
  case Instruction::Add:
    return add(F, Left, Scale, Known, Depth + 1) &&
           add(F, Right, Scale, Known, Depth + 1);
  case Instruction::Sub:
    return add(F, Left, Scale, Known, Depth + 1) &&
           add(F, Right, -Scale, Known, Depth + 1);
  case Instruction::Mul:
    if (!isNumber(Right, Known, C)) {
      std::swap(Left, Right);
      if (!isNumber(Right, Known, C))
        return false;
    }
    return C->abs().ule(MaxFactor) &&
           add(F, Left, Scale * C->getSExtValue(), Known, Depth + 1);
  case Instruction::Shl:
    return match(Right, m_APInt(C)) && C->ult(24) &&
           add(F, Left, Scale << C->getZExtValue(), Known, Depth + 1);
  default:
    return false;
  }
}

/// Whether 32 bits, or the number of iterations, bound it.
static bool isShort(const LoopPlan &Plan, const Value *Part) {
  if (Plan.isOfBlock(Part))
    return true;
  const auto *S = dyn_cast<AllocaInst>(Part);
  return (S ? S->getAllocatedType() : Part->getType())->getIntegerBitWidth() <=
         32;
}

std::optional<Form> Forms::difference(Value *Left, Value *Right,
                                      const Variables &Known) const {
  Form F;
  if (!add(F, Left, 1, &Known, 0) || !add(F, Right, -1, &Known, 0))
    return std::nullopt;
  llvm::erase_if(F.Parts, [](const auto &Part) { return Part.second == 0; });
  unsigned Long = 0;
  for (const auto &[Part, Factor] : F.Parts)
    if (!isShort(Plan, Part)) {
      if (Factor != 1 && Factor != -1)
        return std::nullopt;
      ++Long;
    }
  if (Long > 1)
    return std::nullopt;
  return F;
}

std::optional<affine::Slope> Forms::slopeOf(Value *V) const {
  Form F;
  return add(F, V, 1, nullptr, 0) ? std::optional(F.Factor) : std::nullopt;
}

Value *Forms::rest(Code &B, const Form &F, const Variables &Known) const {
  Type *I64 = B.getInt64Ty();
  Value *Sum = B.getInt64(F.Constant), *Long = nullptr;
  bool IsMinus = false;
  for (const auto &[Part, Factor] : F.Parts) {
    Value *V = Part;
    if (auto *S = dyn_cast<AllocaInst>(Part)) {
      V = Known.lookup(S);
      if (!V)
        V = B.get(S);
    }
    V = B.CreateSExt(V, I64);
    if (!isShort(Plan, Part)) {
      Long = V;
      IsMinus = Factor < 0;
      continue;
    }
    Sum = B.CreateAdd(Sum, B.CreateMul(V, B.getInt64(Factor)));
  }
  if (!Long)
    return Sum;
  return B.CreateBinaryIntrinsic(
      IsMinus ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, Sum, Long);
}

static bool isLess(ICmpInst::Predicate P) {
  return ICmpInst::isLT(P) || ICmpInst::isLE(P);
}

SmallVector<Edge, 8> findEdges(const LoopPlan &Plan) {
  constexpr unsigned MaxEdges = 24;
  SmallVector<Edge, 8> Edges;
  const Forms Find(Plan);
  for (BasicBlock *Block : Plan.Body)
    for (Instruction &I : *Block) {
      auto *Test = dyn_cast<ICmpInst>(&I);
      if (!Test || Test->isUnsigned())
        continue;
      auto F = Find.difference(Test->getOperand(0), Test->getOperand(1));
      if (!F || !F->isPlaced() || !F->IsOfBlock)
        continue;
      const auto Known = find_if(Edges, [&](const Edge &E) {
        return E.Predicate == Test->getPredicate() && E.Difference == *F;
      });
      if (Known != Edges.end()) {
        Known->Tests.push_back(Test);
        continue;
      }
      if (Edges.size() >= MaxEdges)
        continue;
      Edge E;
      E.Tests.push_back(Test);
      E.Predicate = Test->getPredicate();
      // Indices are far above what is constant, and below what is not.
      const int64_t Sign = F->Factor[0] + F->Factor[1] < 0 ? -1 : 1;
      const bool IsBelow = any_of(F->Parts, [&](const auto &Part) {
        return !isa<AllocaInst>(Part.first) && Part.second * Sign < 0;
      });
      const bool IsLess = IsBelow == (Sign > 0);
      if (Test->isEquality())
        E.Inside = E.Predicate == ICmpInst::ICMP_NE;
      else
        E.Inside = isLess(E.Predicate) == IsLess;
      E.Difference = std::move(*F);
      Edges.push_back(std::move(E));
    }
  return Edges;
}

Value *isInside(Code &B, const LoopPlan &Plan, ArrayRef<Edge> Edges) {
  const Forms Find(Plan);
  Value *All = B.getTrue();
  for (const Edge &E : Edges) {
    Value *Rest = Find.rest(B, E.Difference);
    const std::pair<int64_t, int64_t> Reach =
        E.Difference.Factor.reach(Plan.Block.sizes());
    const auto Compare = [&](ICmpInst::Predicate P, int64_t Offset) {
      return B.CreateICmp(P, Rest, B.getInt64(-Offset));
    };
    ICmpInst::Predicate P = E.Predicate;
    Value *Is = nullptr;
    if (ICmpInst::isEquality(P)) {
      Is = B.CreateOr(Compare(ICmpInst::ICMP_SGT, Reach.first),
                      Compare(ICmpInst::ICMP_SLT, Reach.second));
    } else {
      if (!E.Inside)
        P = ICmpInst::getInversePredicate(P);
      Is = Compare(P, isLess(P) ? Reach.second : Reach.first);
    }
    All = B.CreateAnd(All, Is);
  }
  return All;
}

bool Range::isMasked(unsigned Dimension, unsigned Size) const {
  constexpr unsigned MaxLength = 64, Lanes = 16;
  const auto *First = dyn_cast<ConstantInt>(From[Dimension]),
             *Past = dyn_cast<ConstantInt>(To[Dimension]);
  if (!First || !Past)
    return Size <= MaxLength;
  const int64_t Length = Past->getSExtValue() - First->getSExtValue();
  return Length > 0 && Length <= MaxLength && Length % Lanes != 0 &&
         !isPowerOf2_64(Length);
}

bool Range::isWhole(unsigned Dimension, uint64_t Length) const {
  const auto *First = dyn_cast<ConstantInt>(From[Dimension]),
             *Past = dyn_cast<ConstantInt>(To[Dimension]);
  return First && First->isZero() && Past && Past->getZExtValue() % Length == 0;
}

namespace {

/// Finds what of a region's beginning decides whether a work-item does
/// anything.
class RangeFinder {
  Code &B;
  const LoopPlan &Plan;
  const Regions &All;
  const Region &R;
  const Forms::Variables &Known;
  const DenseMap<Value *, bool> &Assumed;
  const bool Many;
  Range Result;
  Forms Find;
  /// What variables hold on the way so far.
  DenseMap<const Value *, Value *> Held;

public:
  RangeFinder(Code &B, const LoopPlan &Plan, const Regions &All,
              const Region &R, Range Places, const Forms::Variables &Known,
              const DenseMap<Value *, bool> &Assumed, bool Many)
      : B(B), Plan(Plan), All(All), R(R), Known(Known), Assumed(Assumed),
        Many(Many), Result(std::move(Places)), Find(Plan) {}

  Range run(BasicBlock *Start) {
    DenseSet<BasicBlock *> Seen;
    for (BasicBlock *Block = Start; Block; Block = next(*Block))
      if (!Seen.insert(Block).second || !isNothing(*Block))
        break;
    return std::move(Result);
  }

private:
  static const Value *setBy(const Instruction &I) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    return Store ? Store->getPointerOperand() : nullptr;
  }

  /// The condition of \p Branch. What an earlier block found is in a variable.
  Value *conditionOf(const BranchInst &Branch) const {
    const auto *Load = dyn_cast<LoadInst>(Branch.getCondition());
    if (!Load || Load->getParent() != Branch.getParent() ||
        any_of(*Load->getParent(), [&](const Instruction &I) {
          return setBy(I) == Load->getPointerOperand();
        }))
      return Branch.getCondition();
    Value *Is = Held.lookup(Load->getPointerOperand());
    return Is ? Is : Branch.getCondition();
  }

  void pass(BasicBlock &Block) {
    for (Instruction &I : Block)
      if (const Value *S = setBy(I))
        Held[S] = cast<StoreInst>(I).getValueOperand();
  }

  void forget(const BasicBlock &Block) {
    for (const Instruction &I : Block)
      if (const Value *S = setBy(I))
        Held.erase(S);
  }

  /// Whether a stop at the region's end finds the variable alive.
  bool outlives(Slot S) const {
    return any_of(R.Exits, [&](BasicBlock *Exit) {
      const auto Live = All.LiveIn.find(Exit);
      return Live != All.LiveIn.end() && Live->second.contains(S);
    });
  }

  /// Whether the block changes nothing that later code reads.
  bool isNothing(const BasicBlock &Block) const {
    return all_of(Block, [&](const Instruction &I) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store)
        return !I.mayHaveSideEffects() && !isa<UnreachableInst>(I);
      const auto *Load = dyn_cast<LoadInst>(Store->getValueOperand());
      auto *S =
          dyn_cast<AllocaInst>(const_cast<Value *>(Store->getPointerOperand()));
      return S && All.Variables.contains(S) &&
             (isa<UndefValue>(Store->getValueOperand()) ||
              (Load && Load->getPointerOperand() == S) || !outlives(S));
    });
  }

  /// Whether nothing is left to do from there, if \p Condition is \p Is.
  bool leadsOut(BasicBlock *Block, const Value *Condition, bool Is) const {
    constexpr unsigned MaxLength = 16;
    for (unsigned Length = 0; Length < MaxLength; ++Length) {
      if (R.Exits.contains(Block))
        return true;
      if (!is_contained(R.Blocks, Block) || !isNothing(*Block) ||
          changes(*Block, Condition))
        return false;
      const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
      Block =
          Branch && Branch->isConditional() && conditionOf(*Branch) == Condition
              ? Branch->getSuccessor(Is ? 0 : 1)
              : Block->getSingleSuccessor();
      if (!Block)
        return false;
    }
    return false;
  }

  /// Whether it sets a variable that holds \p Condition.
  bool changes(const BasicBlock &Block, const Value *Condition) const {
    return any_of(Block, [&](const Instruction &I) {
      const Value *S = setBy(I);
      return S && Held.lookup(S) == Condition;
    });
  }

  BasicBlock *inside(BasicBlock *Block) const {
    return is_contained(R.Blocks, Block) && !R.Exits.contains(Block) ? Block
                                                                     : nullptr;
  }

  BasicBlock *next(BasicBlock &Block) {
    auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
    if (!Branch)
      return nullptr;
    Value *Condition = Branch->isConditional() ? conditionOf(*Branch) : nullptr;
    pass(Block);
    if (!Condition)
      return inside(Branch->getSuccessor(0));
    if (const auto Is = Assumed.find(Condition); Is != Assumed.end())
      return inside(Branch->getSuccessor(Is->second ? 0 : 1));
    for (const bool Works : {true, false})
      if (leadsOut(Branch->getSuccessor(Works ? 1 : 0), Condition, !Works)) {
        require(Condition, Works);
        return inside(Branch->getSuccessor(Works ? 0 : 1));
      }
    return behindNothing(*Branch);
  }

  /// Where the two sides of a condition meet, if both do nothing.
  BasicBlock *behindNothing(BranchInst &Branch) {
    constexpr unsigned MaxLength = 8;
    SmallPtrSet<BasicBlock *, MaxLength> Passed;
    for (BasicBlock *Side : Branch.successors())
      for (unsigned Length = 0; Side && Length < MaxLength; ++Length) {
        if (!Passed.insert(Side).second)
          return inside(Side);
        if (!inside(Side) || !isNothing(*Side))
          break;
        forget(*Side);
        Side = Side->getSingleSuccessor();
      }
    return nullptr;
  }

  /// Only work-items for which \p Condition is \p Is have work.
  void require(Value *Condition, bool Is) {
    Value *Left = nullptr, *Right = nullptr;
    if (match(Condition, m_Not(m_Value(Left)))) {
      require(Left, !Is);
      return;
    }
    if (Is ? match(Condition, m_LogicalAnd(m_Value(Left), m_Value(Right)))
           : match(Condition, m_LogicalOr(m_Value(Left), m_Value(Right)))) {
      require(Left, Is);
      require(Right, Is);
      return;
    }
    auto *Test = dyn_cast<ICmpInst>(Condition);
    if (!Test || Test->isUnsigned() || Assumed.contains(Test))
      return;
    const auto F =
        Find.difference(Test->getOperand(0), Test->getOperand(1), Known);
    const ICmpInst::Predicate P =
        Is ? Test->getPredicate() : Test->getInversePredicate();
    if (!F || P == ICmpInst::ICMP_NE || (Many && F->IsOfBlock))
      return;
    for (unsigned D = 0; D < Plan.Block.Dims; ++D)
      if (std::abs(F->Factor[D]) == 1 && F->Factor[1 - D] == 0) {
        limit(*F, D, P);
        Result.Holds[Test] = Is;
      }
  }

  /// place + rest P 0, or -place + rest P 0.
  void limit(const Form &F, unsigned D, ICmpInst::Predicate P) {
    Value *Rest = Find.rest(B, F, Known);
    Value *Bound = nullptr;
    if (F.Factor[D] > 0) {
      Bound = B.fold(Intrinsic::ssub_sat, B.getInt64(0), Rest);
    } else {
      Bound = Rest;
      P = ICmpInst::getSwappedPredicate(P);
    }
    // place P bound
    const auto Above = [&] {
      return B.fold(Intrinsic::sadd_sat, Bound, B.getInt64(1));
    };
    if (P == ICmpInst::ICMP_EQ || P == ICmpInst::ICMP_SGE)
      Result.From[D] = B.smax(Result.From[D], Bound);
    if (P == ICmpInst::ICMP_SGT)
      Result.From[D] = B.smax(Result.From[D], Above());
    if (P == ICmpInst::ICMP_SLT)
      Result.To[D] = B.smin(Result.To[D], Bound);
    if (P == ICmpInst::ICMP_EQ || P == ICmpInst::ICMP_SLE)
      Result.To[D] = B.smin(Result.To[D], Above());
  }
};

} // namespace

Range findRange(Code &B, const LoopPlan &Plan, const Regions &All,
                BasicBlock *Start, const Region &R, Range Places,
                const Forms::Variables &Known,
                const DenseMap<Value *, bool> &Assumed, bool Many) {
  return RangeFinder(B, Plan, All, R, std::move(Places), Known, Assumed, Many)
      .run(Start);
}

} // namespace accx::workitems
