//===- Reductions.cpp - One horizontal reduction --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mergeReductions of Finish.h.
//
// Each part ends in `reduce(vector)`, and the next one starts from that scalar
// in lane 0 of a vector of identities (or in all lanes, for minimum and
// maximum). The reduction is associative, or it would not have been vectorized:
// the vector itself can go on, and be reduced at the end. What it all begins
// with is then put to the reduced value: whoever waits for that value, as the
// next iteration of a loop around this one does, waits for one operation.
//
//===----------------------------------------------------------------------===//

#include "vector/remainder/Finish.h"
#include "vector/remainder/Split.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <utility>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace accx::vector {

namespace {
/// What a part contributes to the chain.
struct Link {
  PHINode *Join = nullptr;
  IntrinsicInst *Reduce = nullptr;
  /// Where the next part puts Join into its first vector.
  Instruction *NextStart = nullptr;
};
} // namespace

/// The vector that is reduced; null for intrinsics of no interest.
static Value *reducedVector(IntrinsicInst *Reduce) {
  switch (Reduce->getIntrinsicID()) {
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
    return Reduce->getArgOperand(1);
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
    return Reduce->getArgOperand(0);
  default:
    return nullptr;
  }
}

/// The value that leaves lanes as they are; null if all lanes start alike.
static Constant *identityOf(IntrinsicInst *Reduce) {
  const unsigned Opcode =
      getArithmeticReductionInstruction(Reduce->getIntrinsicID());
  if (!Instruction::isBinaryOp(Opcode))
    return nullptr;
  return ConstantExpr::getBinOpIdentity(
      Opcode, Reduce->getType(), /*AllowRHSConstant=*/false,
      isa<FPMathOperator>(Reduce) && Reduce->hasNoSignedZeros());
}

/// Whether \p V leaves what is reduced as it is: -0 always does for a sum.
static bool isIdentity(Value *V, IntrinsicInst *Reduce) {
  return V == identityOf(Reduce) ||
         (Reduce->getIntrinsicID() == Intrinsic::vector_reduce_fadd &&
          match(V, m_NegZeroFP()));
}

/// Whether the floating-point reduction may be put in any order, and begins
/// with nothing.
static bool isFree(IntrinsicInst *Reduce) {
  Intrinsic::ID ID = Reduce->getIntrinsicID();
  if (ID != Intrinsic::vector_reduce_fadd &&
      ID != Intrinsic::vector_reduce_fmul)
    return true;
  return Reduce->hasAllowReassoc() &&
         isIdentity(Reduce->getArgOperand(0), Reduce);
}

/// The phis on the way go to \p Passed.
static Value *throughSingleEntries(Value *V,
                                   SmallVectorImpl<Value *> *Passed = nullptr) {
  while (auto *Phi = dyn_cast<PHINode>(V)) {
    if (Phi->getNumIncomingValues() != 1)
      break;
    if (Passed)
      Passed->push_back(Phi);
    V = Phi->getIncomingValue(0);
  }
  return V;
}

/// Where \p U makes the next part's first vector of \p Scalar; else null.
static Instruction *startOf(User *U, Value *Scalar, IntrinsicInst *Reduce) {
  Constant *Identity = identityOf(Reduce);
  Value *Base;
  if (!match(U, m_InsertElt(m_Value(Base), m_Specific(Scalar), m_ZeroInt())))
    return nullptr;
  if (Identity) {
    auto *Rest = dyn_cast<Constant>(Base);
    Constant *Each = Rest ? Rest->getSplatValue() : nullptr;
    return Each && isIdentity(Each, Reduce) ? cast<Instruction>(U) : nullptr;
  }
  if (!isa<PoisonValue>(Base) || !U->hasOneUse())
    return nullptr;
  auto *Splat = dyn_cast<ShuffleVectorInst>(U->user_back());
  return Splat && getSplatValue(Splat) == Scalar ? Splat : nullptr;
}

/// Checks the whole chain before any of it changes.
static bool collect(const Chain &Values, SmallVectorImpl<Link> &Links) {
  for (const WeakVH &Handle : Values.Joins) {
    Link Next;
    Next.Join = dyn_cast_or_null<PHINode>(Handle);
    if (!Next.Join)
      return false;
    unsigned Last = Next.Join->getNumIncomingValues() - 1;
    SmallVector<Value *, 2> Way;
    Next.Reduce = dyn_cast<IntrinsicInst>(
        throughSingleEntries(Next.Join->getIncomingValue(Last), &Way));
    if (!Next.Reduce || !reducedVector(Next.Reduce) || !isFree(Next.Reduce))
      return false;
    // A part that also stores its sum needs all of it.
    Way.push_back(Next.Reduce);
    if (!all_of(Way, [](const Value *V) { return V->hasOneUse(); }))
      return false;
    if (!Links.empty()) {
      IntrinsicInst *First = Links.front().Reduce;
      if (First->getIntrinsicID() != Next.Reduce->getIntrinsicID() ||
          reducedVector(First)->getType() !=
              reducedVector(Next.Reduce)->getType())
        return false;
      Link &Before = Links.back();
      for (User *U : Before.Join->users()) {
        if (U == Next.Join)
          continue;
        Instruction *Start = startOf(U, Before.Join, Next.Reduce);
        if (!Start || Before.NextStart)
          return false;
        Before.NextStart = Start;
      }
      if (!Before.NextStart)
        return false;
    }
    Links.push_back(Next);
  }
  return !Links.empty();
}

/// Lets \p Reduce, of lanes that begin with nothing, begin with \p Start.
static void startLast(IntrinsicInst *Reduce, Value *Start) {
  if (isa<FPMathOperator>(Reduce)) {
    Reduce->setArgOperand(0, Start);
    return;
  }
  IRBuilder<> Builder(Reduce->getNextNode());
  auto *Whole = cast<Instruction>(Builder.CreateBinOp(
      Instruction::BinaryOps(
          getArithmeticReductionInstruction(Reduce->getIntrinsicID())),
      Reduce, Start));
  Reduce->replaceUsesWithIf(Whole,
                            [&](Use &U) { return U.getUser() != Whole; });
}

/// Takes what the chain begins with out of its first vector; false if it has to
/// stay there.
static bool emptyFirst(const Chain &Values, IntrinsicInst *Reduce) {
  if (!identityOf(Reduce) || isa<Constant>(Values.Start))
    return false;
  // Another reduction that begins alike has a first vector of its own.
  Instruction *First = nullptr;
  for (User *U : Values.Start->users())
    if (Instruction *Start = startOf(U, Values.Start, Reduce))
      if (std::exchange(First, Start))
        return false;
  if (!First || First->getType() != reducedVector(Reduce)->getType())
    return false;
  First->replaceAllUsesWith(First->getOperand(0));
  First->eraseFromParent();
  return true;
}

void reorderReductions(const Chain &Values) {
  for (const WeakVH &Handle : Values.Joins) {
    auto *Join = dyn_cast_or_null<PHINode>(Handle);
    if (!Join)
      continue;
    auto *Reduce = dyn_cast<IntrinsicInst>(throughSingleEntries(
        Join->getIncomingValue(Join->getNumIncomingValues() - 1)));
    if (Reduce && isa<FPMathOperator>(Reduce) && reducedVector(Reduce))
      Reduce->setHasAllowReassoc(true);
  }
}

bool mergeReductions(const Chain &Values, Instruction *Before) {
  SmallVector<Link, 3> Links;
  if (!collect(Values, Links))
    return false;

  IntrinsicInst *Reduce = Links.back().Reduce;
  const bool StartsLast = emptyFirst(Values, Reduce);
  if (Links.size() == 1) {
    if (StartsLast)
      startLast(Reduce, Values.Start);
    return false;
  }
  auto *Vector = cast<VectorType>(reducedVector(Reduce)->getType());
  IRBuilder<> Builder(Before);
  Value *Now;
  if (Constant *Identity = identityOf(Reduce)) {
    Now = ConstantVector::getSplat(Vector->getElementCount(), Identity);
    if (!StartsLast)
      Now = Builder.CreateInsertElement(Now, Values.Start, uint64_t(0));
  } else {
    Now = Builder.CreateVectorSplat(Vector->getElementCount(), Values.Start);
  }
  for (Link &L : Links) {
    PHINode *Wide = PHINode::Create(Vector, 2, L.Join->getName() + ".lanes",
                                    L.Join->getIterator());
    unsigned Last = L.Join->getNumIncomingValues() - 1;
    if (Last > 0)
      Wide->addIncoming(Now, L.Join->getIncomingBlock(0));
    Wide->addIncoming(reducedVector(L.Reduce), L.Join->getIncomingBlock(Last));
    if (L.NextStart)
      L.NextStart->replaceAllUsesWith(Wide);
    Now = Wide;
  }

  PHINode *Final = Links.back().Join;
  auto *Whole = cast<IntrinsicInst>(Reduce->clone());
  Whole->insertInto(Final->getParent(), Final->getParent()->getFirstNonPHIIt());
  Whole->replaceUsesOfWith(reducedVector(Whole), Now);
  Final->replaceAllUsesWith(Whole);
  if (StartsLast)
    startLast(Whole, Values.Start);
  for (Link &L : reverse(Links)) {
    Value *Last = L.Join->getIncomingValue(L.Join->getNumIncomingValues() - 1);
    L.Join->replaceAllUsesWith(PoisonValue::get(L.Join->getType()));
    L.Join->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Last);
    if (L.NextStart)
      RecursivelyDeleteTriviallyDeadInstructions(L.NextStart);
  }
  return true;
}

} // namespace accx::vector
