//===- ComplexSums.cpp - Sums of products of pairs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of ComplexSums.h.
//
//===----------------------------------------------------------------------===//

#include "vector/peephole/ComplexSums.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/TargetParser/Triple.h"

#include <optional>
#include <utility>

#define DEBUG_TYPE "simd-complex"

using namespace llvm;
using namespace llvm::PatternMatch;

STATISTIC(NumPairs, "Number of pairs of products whose elements stay together");

namespace accx::vector {

namespace {
/// The even or the odd elements of a vector.
struct Side {
  Instruction *Whole = nullptr;
  bool Odd = false;
};

/// A product that is added to a sum, or subtracted; without B it is one of the
/// sides of a vector of products, or of anything else.
struct Term {
  Instruction *Product;
  BinaryOperator *Adds;
  bool Negative;
  Side A, B;
  /// The addition that has all of its block's terms.
  Instruction *Root = nullptr;
};

/// Two products of one pair of elements each. The first is that of the even
/// lanes.
struct Pair {
  unsigned Even, Odd;
  Instruction *Straight, *Other;
  /// Whether the elements of each pair in Other are exchanged.
  bool Swaps;
};

/// All that flows into one sum of lanes.
struct LaneSum {
  IntrinsicInst *Reduce = nullptr;
  SmallSetVector<Instruction *, 16> Flow;
  SmallVector<Term, 8> Terms;
  SmallVector<Pair, 4> Pairs;
  /// Lane 0 begins with something else than zero.
  bool Starts = false;
  /// Something else is added, too.
  bool HasOthers = false;
  /// Odd lanes are subtracted from even ones, or the other way round.
  bool Mixed = false;
  bool EvenNegative = false;
};

class ComplexSums {
public:
  explicit ComplexSums(Function &F) : F(F) {}

  unsigned run();

private:
  bool collect(LaneSum &Sum);
  bool addTerm(LaneSum &Sum, BinaryOperator &Adds, unsigned Operand,
               bool Negated);
  void findPairs(LaneSum &Sum);
  bool decideSigns(LaneSum &Sum);
  void dropShared();
  void rewrite(LaneSum &Sum);
  void subtractLanes(LaneSum &Sum);
  Value *half(Instruction *Whole, bool High, bool Swaps);

  Function &F;
  SmallVector<LaneSum, 4> Sums;
  /// By vector, half and whether pairs are exchanged.
  DenseMap<std::pair<Instruction *, unsigned>, Value *> Made;
};
} // namespace

static std::optional<Side> sideOf(Value *V) {
  auto *Shuffle = dyn_cast<ShuffleVectorInst>(V);
  if (!Shuffle)
    return std::nullopt;
  auto *Whole = dyn_cast<Instruction>(Shuffle->getOperand(0));
  ArrayRef<int> Pattern = Shuffle->getShuffleMask();
  auto *Type = dyn_cast<FixedVectorType>(Shuffle->getOperand(0)->getType());
  if (!Whole || !Type || Type->getNumElements() != 2 * Pattern.size() ||
      Pattern.size() % 2 || Pattern[0] < 0 || Pattern[0] > 1 ||
      Whole->isTerminator())
    return std::nullopt;
  for (auto [Lane, Element] : enumerate(Pattern))
    if (Element != int(2 * Lane) + Pattern[0])
      return std::nullopt;
  return Side{Whole, Pattern[0] == 1};
}

static bool isSum(const BinaryOperator &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return I.hasAllowReassoc() && I.hasNoSignedZeros();
  case Instruction::Add:
  case Instruction::Sub:
    return true;
  default:
    return false;
  }
}

static bool isDifference(const BinaryOperator &I) {
  return I.getOpcode() == Instruction::FSub ||
         I.getOpcode() == Instruction::Sub;
}

/// Whether operand \p Operand of \p Adds is a term that may be rewritten.
bool ComplexSums::addTerm(LaneSum &Sum, BinaryOperator &Adds, unsigned Operand,
                          bool Negated) {
  auto *Product = dyn_cast<Instruction>(Adds.getOperand(Operand));
  if (!Product || !Product->hasOneUse() ||
      Product->getParent() != Adds.getParent())
    return false;
  std::optional<Side> A = sideOf(Product), B = Side();
  if (!A && (Product->getOpcode() == Instruction::FMul ||
             Product->getOpcode() == Instruction::Mul)) {
    A = sideOf(Product->getOperand(0));
    B = sideOf(Product->getOperand(1));
  }
  if (!A || !B)
    return false;
  bool Subtracts = Operand == 1 && isDifference(Adds);
  Sum.Terms.push_back({Product, &Adds, Negated != Subtracts, *A, *B});
  return true;
}

/// Whether the vector holds nothing but what its sum begins with, in lane 0.
static bool isStart(Value *V) {
  Value *Rest;
  if (match(V, m_InsertElt(m_Value(Rest), m_Value(), m_ZeroInt())))
    return match(Rest, m_AnyZeroFP()) || match(Rest, m_Zero());
  auto *Numbers = dyn_cast<Constant>(V);
  auto *Type = dyn_cast<FixedVectorType>(V->getType());
  for (unsigned Lane = 1; Numbers && Lane < Type->getNumElements(); ++Lane) {
    Constant *Number = Numbers->getAggregateElement(Lane);
    if (!Number || !(match(Number, m_AnyZeroFP()) || match(Number, m_Zero())))
      return false;
  }
  return Numbers;
}

/// Follows the sum of lanes to its terms. False: it is not one of ours.
bool ComplexSums::collect(LaneSum &Sum) {
  // What is negated is a part of its block's terms, never what is carried.
  SmallPtrSet<Instruction *, 4> Negated;
  SmallVector<Value *, 16> Work{
      Sum.Reduce->getArgOperand(Sum.Reduce->arg_size() - 1)};
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (match(V, m_AnyZeroFP()) || match(V, m_Zero()))
      continue;
    if (isStart(V)) {
      Sum.Starts = true;
      continue;
    }
    auto *I = dyn_cast<Instruction>(V);
    auto *Adds = dyn_cast<BinaryOperator>(V);
    if (!I || (!isa<PHINode>(I) && !(Adds && isSum(*Adds)))) {
      Sum.HasOthers = true;
      continue;
    }
    if (!Sum.Flow.insert(I))
      continue;
    if (!Adds) {
      append_range(Work, cast<PHINode>(I)->incoming_values());
      continue;
    }
    for (unsigned Operand : {0u, 1u}) {
      bool IsNegated = Negated.contains(Adds);
      if (addTerm(Sum, *Adds, Operand, IsNegated))
        continue;
      Value *More = Adds->getOperand(Operand);
      IsNegated ^= Operand == 1 && isDifference(*Adds);
      auto *Part = dyn_cast<BinaryOperator>(More);
      if (!IsNegated) {
        Work.push_back(More);
      } else if (Part && isSum(*Part) && Part->hasOneUse() &&
                 Part->getParent() == Adds->getParent()) {
        Negated.insert(Part);
        Work.push_back(Part);
      } else {
        Sum.HasOthers = true;
      }
    }
  }
  // Terms may change lanes only if nothing else sees these.
  return all_of(Sum.Flow, [&](Instruction *I) {
    return all_of(I->users(), [&](User *U) {
      auto *Adds = dyn_cast<BinaryOperator>(U);
      bool Subtracted = Adds && isDifference(*Adds) && Adds->getOperand(1) == I;
      return U == Sum.Reduce || (Sum.Flow.contains(cast<Instruction>(U)) &&
                                 (Negated.contains(I) || !Subtracted));
    });
  });
}

/// Whether the two are what the elements of the same pairs give.
static bool arePair(const Term &X, const Term &Y) {
  if (!X.B.Whole || !Y.B.Whole)
    return !X.B.Whole && !Y.B.Whole && X.A.Odd != Y.A.Odd &&
           (X.A.Whole == Y.A.Whole || (isa<BinaryOperator>(X.A.Whole) &&
                                       X.A.Whole->isIdenticalTo(Y.A.Whole)));
  auto Opposite = [](const Side &P, const Side &Q) {
    return P.Whole == Q.Whole && P.Odd != Q.Odd;
  };
  return (Opposite(X.A, Y.A) && Opposite(X.B, Y.B)) ||
         (Opposite(X.A, Y.B) && Opposite(X.B, Y.A));
}

void ComplexSums::findPairs(LaneSum &Sum) {
  // Terms of one root are in the total equally often.
  for (Term &T : Sum.Terms) {
    T.Root = T.Adds;
    while (T.Root->hasOneUse()) {
      auto *Next = dyn_cast<BinaryOperator>(T.Root->user_back());
      if (!Next || !Sum.Flow.contains(Next) ||
          Next->getParent() != T.Root->getParent())
        break;
      T.Root = Next;
    }
  }
  SmallPtrSet<Instruction *, 4> Swapped;
  SmallVector<bool, 8> Taken(Sum.Terms.size());
  for (unsigned I = 0; I < Sum.Terms.size(); ++I)
    for (unsigned J = I + 1; !Taken[I] && J < Sum.Terms.size(); ++J) {
      const Term &X = Sum.Terms[I], &Y = Sum.Terms[J];
      if (Taken[J] || X.Root != Y.Root ||
          X.Product->getType() != Y.Product->getType() || !arePair(X, Y))
        continue;
      Pair P{I, J, X.A.Whole, X.B.Whole, X.B.Whole && X.A.Odd != X.B.Odd};
      if (P.Swaps && Swapped.contains(P.Straight) && !Swapped.contains(P.Other))
        std::swap(P.Straight, P.Other);
      if (P.Swaps)
        Swapped.insert(P.Other);
      // Even lanes get the element that is even in what is not exchanged.
      if (P.Straight == X.A.Whole ? X.A.Odd : X.B.Odd)
        std::swap(P.Even, P.Odd);
      Sum.Pairs.push_back(P);
      Taken[I] = Taken[J] = true;
    }
}

/// Whether the signs of all pairs can be had.
bool ComplexSums::decideSigns(LaneSum &Sum) {
  auto IsMixed = [&](const Pair &P) {
    return Sum.Terms[P.Even].Negative != Sum.Terms[P.Odd].Negative;
  };
  Sum.Mixed = any_of(Sum.Pairs, IsMixed);
  if (!Sum.Mixed)
    return !Sum.Pairs.empty();
  Sum.EvenNegative = Sum.Terms[Sum.Pairs[0].Even].Negative;
  return !Sum.HasOthers && 2 * Sum.Pairs.size() == Sum.Terms.size() &&
         !(Sum.Starts && Sum.EvenNegative) &&
         all_of(Sum.Pairs, [&](const Pair &P) {
           return IsMixed(P) && Sum.Terms[P.Even].Negative == Sum.EvenNegative;
         });
}

/// Drops sums with vectors that are taken apart for others, too.
void ComplexSums::dropShared() {
  for (bool Again = true; Again;) {
    SmallPtrSet<const User *, 16> Rewritten;
    for (const LaneSum &Sum : Sums)
      for (const Pair &P : Sum.Pairs)
        Rewritten.insert({Sum.Terms[P.Even].Product, Sum.Terms[P.Odd].Product});
    auto IsShared = [&](const Instruction *Whole) {
      return any_of(Whole->users(), [&](const User *U) {
        return sideOf(const_cast<User *>(U)) && !Rewritten.contains(U) &&
               any_of(U->users(), [&](const User *Product) {
                 return !Rewritten.contains(Product);
               });
      });
    };
    auto *Dropped = remove_if(Sums, [&](const LaneSum &Sum) {
      return any_of(Sum.Pairs, [&](const Pair &P) {
        return IsShared(Sum.Terms[P.Even].A.Whole) ||
               IsShared(Sum.Terms[P.Odd].A.Whole) ||
               (P.Other && (IsShared(P.Straight) || IsShared(P.Other)));
      });
    });
    Again = Dropped != Sums.end();
    Sums.erase(Dropped, Sums.end());
  }
}

/// Half of a vector of pairs, with those exchanged or not.
Value *ComplexSums::half(Instruction *Whole, bool High, bool Swaps) {
  Value *&Half = Made[{Whole, 2 * unsigned(High) + unsigned(Swaps)}];
  if (Half)
    return Half;
  unsigned Lanes =
      cast<FixedVectorType>(Whole->getType())->getNumElements() / 2;
  SmallVector<int, 16> Pattern;
  for (unsigned Lane = 0; Lane < Lanes; ++Lane)
    Pattern.push_back(int((Lane ^ unsigned(Swaps)) + (High ? Lanes : 0)));
  IRBuilder<> Builder(Whole->getParent(), *Whole->getInsertionPointAfterDef());
  return Half = Builder.CreateShuffleVector(Whole, Pattern);
}

/// Adds the even lanes and subtracts the odd ones, or the other way round.
void ComplexSums::subtractLanes(LaneSum &Sum) {
  IRBuilder<> Builder(Sum.Reduce);
  bool Floats = Sum.Reduce->getType()->isFloatingPointTy();
  if (Floats)
    Builder.setFastMathFlags(Sum.Reduce->getFastMathFlags());
  Value *Now = Sum.Reduce->getArgOperand(Sum.Reduce->arg_size() - 1);
  for (unsigned Lanes = cast<FixedVectorType>(Now->getType())->getNumElements();
       Lanes > 2; Lanes /= 2) {
    SmallVector<int, 16> Low, High;
    for (unsigned Lane = 0; Lane < Lanes / 2; ++Lane) {
      Low.push_back(int(Lane));
      High.push_back(int(Lane + Lanes / 2));
    }
    Value *A = Builder.CreateShuffleVector(Now, Low);
    Value *B = Builder.CreateShuffleVector(Now, High);
    Now = Floats ? Builder.CreateFAdd(A, B) : Builder.CreateAdd(A, B);
  }
  Value *Plus = Builder.CreateExtractElement(Now, uint64_t(Sum.EvenNegative));
  Value *Minus = Builder.CreateExtractElement(Now, uint64_t(!Sum.EvenNegative));
  Now =
      Floats ? Builder.CreateFSub(Plus, Minus) : Builder.CreateSub(Plus, Minus);
  if (Floats && !match(Sum.Reduce->getArgOperand(0), m_AnyZeroFP()))
    Now = Builder.CreateFAdd(Sum.Reduce->getArgOperand(0), Now);
  Now->takeName(Sum.Reduce);
  Sum.Reduce->replaceAllUsesWith(Now);
  Sum.Reduce->eraseFromParent();
}

void ComplexSums::rewrite(LaneSum &Sum) {
  for (const Pair &P : Sum.Pairs) {
    Term &Even = Sum.Terms[P.Even], &Odd = Sum.Terms[P.Odd];
    for (bool High : {false, true}) {
      Term &T = High ? Odd : Even;
      if (!P.Other) {
        T.Product->replaceAllUsesWith(half(T.A.Whole, High, false));
        continue;
      }
      auto *Product = BinaryOperator::Create(
          Instruction::BinaryOps(T.Product->getOpcode()),
          half(P.Straight, High, false), half(P.Other, High, P.Swaps), "",
          T.Product->getIterator());
      if (isa<FPMathOperator>(Product)) {
        Product->copyIRFlags(Even.Product);
        Product->andIRFlags(Odd.Product);
      }
      Product->setDebugLoc(T.Product->getDebugLoc());
      Product->takeName(T.Product);
      T.Product->replaceAllUsesWith(Product);
    }
  }
  // Partial sums are others now, and wrap elsewhere.
  auto Flow = Sum.Flow.takeVector();
  for (Instruction *I : Flow) {
    auto *Adds = dyn_cast<BinaryOperator>(I);
    if (!Adds)
      continue;
    if (!isa<FPMathOperator>(Adds)) {
      Adds->setHasNoSignedWrap(false);
      Adds->setHasNoUnsignedWrap(false);
    }
    if (!Sum.Mixed || !isDifference(*Adds))
      continue;
    bool Floats = isa<FPMathOperator>(Adds);
    auto *Plus = BinaryOperator::Create(
        Floats ? Instruction::FAdd : Instruction::Add, Adds->getOperand(0),
        Adds->getOperand(1), "", Adds->getIterator());
    if (Floats)
      Plus->copyFastMathFlags(Adds);
    Plus->setDebugLoc(Adds->getDebugLoc());
    Plus->takeName(Adds);
    Adds->replaceAllUsesWith(Plus);
    Adds->eraseFromParent();
  }
  if (Sum.Mixed)
    subtractLanes(Sum);
  NumPairs += Sum.Pairs.size();
}

unsigned ComplexSums::run() {
  for (BasicBlock &Block : F)
    for (Instruction &I : Block) {
      auto *Reduce = dyn_cast<IntrinsicInst>(&I);
      if (!Reduce ||
          (Reduce->getIntrinsicID() != Intrinsic::vector_reduce_fadd &&
           Reduce->getIntrinsicID() != Intrinsic::vector_reduce_add) ||
          (isa<FPMathOperator>(Reduce) &&
           !(Reduce->hasAllowReassoc() && Reduce->hasNoSignedZeros())))
        continue;
      auto *Type = dyn_cast<FixedVectorType>(
          Reduce->getArgOperand(Reduce->arg_size() - 1)->getType());
      LaneSum Sum;
      Sum.Reduce = Reduce;
      if (!Type || !isPowerOf2_32(Type->getNumElements()) ||
          Type->getNumElements() < 2 || !collect(Sum))
        continue;
      findPairs(Sum);
      if (decideSigns(Sum))
        Sums.push_back(std::move(Sum));
    }
  dropShared();
  unsigned Pairs = 0;
  SmallPtrSet<Instruction *, 16> Wholes;
  SmallVector<Instruction *, 16> Dead;
  for (LaneSum &Sum : Sums) {
    Pairs += Sum.Pairs.size();
    for (const Pair &P : Sum.Pairs) {
      if (P.Other)
        Wholes.insert({P.Straight, P.Other});
      Dead.append({Sum.Terms[P.Even].Product, Sum.Terms[P.Odd].Product});
    }
    rewrite(Sum);
  }
  for (Instruction *Product : Dead)
    Product->eraseFromParent();
  for (Instruction *Whole : Wholes) {
    SmallSetVector<User *, 8> Users(Whole->user_begin(), Whole->user_end());
    for (User *U : Users)
      if (U->use_empty() && sideOf(U))
        cast<Instruction>(U)->eraseFromParent();
  }
  return Pairs;
}

PreservedAnalyses ComplexSumsPass::run(Function &F, FunctionAnalysisManager &) {
  if (!Triple(F.getParent()->getTargetTriple()).isX86() || F.hasOptNone())
    return PreservedAnalyses::all();
  unsigned Pairs = ComplexSums(F).run();
  if (!Pairs)
    return PreservedAnalyses::all();
  OptimizationRemarkEmitter ORE(&F);
  ORE.emit([&] {
    return OptimizationRemark(DEBUG_TYPE, "Joined",
                              F.getEntryBlock().front().getDebugLoc(),
                              &F.getEntryBlock())
           << "elements of pairs stay together in products: "
           << ore::NV("Pairs", Pairs);
  });
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace accx::vector
