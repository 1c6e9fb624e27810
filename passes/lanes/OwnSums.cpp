//===- OwnSums.cpp - Sums that lanes keep to themselves -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows a reduction's variable to see whether the outer reduction alone ends
// it, and compares the operators of both. It changes no code: what it finds is
// part of the plan.
//
//===----------------------------------------------------------------------===//

#include "lanes/OwnSums.h"

#include "offload/DeviceCalls.h"
#include "offload/PointerList.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::lanes {

namespace {

/// A function that combines two lists, for the variable at one place of them.
class Combination {
  const Function &F;
  const uint64_t Place;

public:
  Combination(const Function &F, uint64_t Place) : F(F), Place(Place) {}

  /// Whether it does what \p R does.
  bool isLike(const VectorReduction &R) const {
    const Value *Result = nullptr;
    for (const Instruction &I : instructions(F)) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store || !isElement(Store->getPointerOperand(), 0))
        continue;
      if (Result || !Store->isSimple())
        return false;
      Result = Store->getValueOperand();
    }
    return Result && isSame(Result, R.Combined->getArgOperand(0), R, 0);
  }

private:
  /// Whether \p Pointer is that of the variable in list \p List.
  bool isElement(const Value *Pointer, unsigned List) const {
    const auto *Load = dyn_cast<LoadInst>(Pointer);
    return Load && Load->isSimple() &&
           offload::slotOf(Load->getPointerOperand(), F.getArg(List),
                           F.getParent()->getDataLayout()) == Place;
  }
  bool isLoadOf(const Value *V, unsigned List, const Type *T) const {
    const auto *Load = dyn_cast<LoadInst>(V);
    return Load && Load->isSimple() && Load->getType() == T &&
           isElement(Load->getPointerOperand(), List);
  }
  bool isSame(const Value *Own, const Value *Step, const VectorReduction &R,
              unsigned Depth) const {
    if (Step == R.Original)
      return isLoadOf(Own, 0, Step->getType());
    if (Step == R.Result)
      return isLoadOf(Own, 1, Step->getType());
    if (isa<Constant>(Step))
      return Own == Step;
    const auto *A = dyn_cast<Instruction>(Own);
    const auto *B = dyn_cast<Instruction>(Step);
    constexpr unsigned MaxDepth = 8;
    if (!A || !B || Depth > MaxDepth || isa<LoadInst, PHINode>(A) ||
        !A->isSameOperationAs(B))
      return false;
    const auto Operands = [&](bool Swapped) {
      for (unsigned I = 0; I < A->getNumOperands(); ++I) {
        const unsigned Other = Swapped && I < 2 ? 1 - I : I;
        if (!isSame(A->getOperand(Other), B->getOperand(I), R, Depth + 1))
          return false;
      }
      return true;
    };
    return Operands(false) || (A->isCommutative() && Operands(true));
  }
};

} // namespace

static bool usersAre(const Value &V, function_ref<bool(const User *)> Test) {
  return all_of(V.users(), Test);
}

static bool isCode(const Instruction &I, const Nest &N) {
  return N.W.L->contains(&I) && !N.vectorOf(I);
}

/// The variable that \p R adds to and nothing else, where that is marked.
static AllocaInst *variableOf(const VectorReduction &R, const Nest &N) {
  auto *Load = dyn_cast<LoadInst>(R.Original->getArgOperand(0));
  auto *Variable =
      Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  const MDNode *Mark =
      Variable ? Variable->getMetadata(offload::ReductionMark) : nullptr;
  if (!Mark || Mark->getNumOperands() != 2 || !Load->isSimple() ||
      !Load->hasOneUse() || !isCode(*Load, N) || !R.Combined->hasOneUse())
    return nullptr;
  const auto *Store = dyn_cast<StoreInst>(R.Combined->user_back());
  if (!Store || !Store->isSimple() || Store->getPointerOperand() != Variable ||
      Store->getValueOperand() != R.Combined || !isCode(*Store, N))
    return nullptr;
  const auto IsStep = [&](const User *U) {
    return U == R.Combined || is_contained(R.Steps, U);
  };
  if (!usersAre(*R.Original, IsStep) || !usersAre(*R.Result, IsStep) ||
      !all_of(R.Steps,
              [&](const Instruction *I) { return usersAre(*I, IsStep); }))
    return nullptr;
  auto *Combine =
      mdconst::dyn_extract_or_null<Function>(Mark->getOperand(0).get());
  const auto *Place =
      mdconst::dyn_extract_or_null<ConstantInt>(Mark->getOperand(1).get());
  if (!Combine || Combine->isDeclaration() || Combine->arg_size() != 2 ||
      !Place || !Combination(*Combine, Place->getZExtValue()).isLike(R))
    return nullptr;
  return Variable;
}

static bool isReduction(const CallInst &Call) {
  const StringRef Name = offload::calledName(Call);
  return Name.starts_with(offload::ReductionHelper) ||
         Name.starts_with(offload::ParallelReduce);
}

/// Whether only the \p Known instructions use \p Variable until a reduction has
/// been done.
static bool isEnded(const AllocaInst &Variable,
                    const SmallPtrSetImpl<const Instruction *> &Known,
                    const Nest &N, const DominatorTree &DT) {
  SmallVector<const CallInst *, 2> Ends;
  SmallVector<const Instruction *, 4> Later;
  const BasicBlock *Header = N.W.L->getHeader();
  for (const User *U : Variable.users()) {
    const auto *I = cast<Instruction>(U);
    if (Known.contains(I))
      continue;
    if (N.W.L->contains(I))
      return false;
    if (offload::isMarker(*I))
      continue;
    // Another version of the loop runs instead of this one.
    if (!isPotentiallyReachable(Header, I->getParent(), nullptr, &DT) &&
        !isPotentiallyReachable(I->getParent(), Header, nullptr, &DT))
      continue;
    if (isa<LoadInst>(I)) {
      Later.push_back(I);
      continue;
    }
    const auto *Store = dyn_cast<StoreInst>(I);
    if (!Store || !Store->isSimple())
      return false;
    if (Store->getPointerOperand() == &Variable) {
      if (Store->getValueOperand() == &Variable ||
          !DT.dominates(Store->getParent(), Header))
        return false;
      continue;
    }
    // Its address, in the reduction's list.
    const auto *List = dyn_cast<AllocaInst>(
        getUnderlyingObject(Store->getPointerOperand(), 0));
    if (!List)
      return false;
    SmallVector<const Value *, 4> Pointers{List};
    while (!Pointers.empty())
      for (const User *Of : Pointers.pop_back_val()->users()) {
        if (isa<GetElementPtrInst>(Of)) {
          Pointers.push_back(Of);
          continue;
        }
        if (isa<StoreInst>(Of) || cast<Instruction>(Of)->isLifetimeStartOrEnd())
          continue;
        const auto *Call = dyn_cast<CallInst>(Of);
        if (!Call || !isReduction(*Call) || N.W.L->contains(Call))
          return false;
        Ends.push_back(Call);
      }
  }
  return !Ends.empty() && all_of(Later, [&](const Instruction *Load) {
    return any_of(Ends, [&](const CallInst *End) {
      return DT.dominates(End, Load) &&
             !isPotentiallyReachable(End->getParent(), Header, nullptr, &DT);
    });
  });
}

void findOwnSums(Nest &N, const DominatorTree &DT,
                 SmallPtrSetImpl<const Instruction *> &Steps) {
  DenseMap<const AllocaInst *, SmallPtrSet<const Instruction *, 4>> Accesses;
  SmallVector<std::pair<VectorReduction *, const AllocaInst *>, 2> Found;
  for (VectorLoop &V : N.Vectors)
    for (VectorReduction &R : V.Reductions)
      if (const AllocaInst *Variable = variableOf(R, N)) {
        Found.emplace_back(&R, Variable);
        Accesses[Variable].insert(
            cast<Instruction>(R.Original->getArgOperand(0)));
        Accesses[Variable].insert(cast<Instruction>(R.Combined->user_back()));
      }
  for (const auto &[R, Variable] : Found) {
    if (!isEnded(*Variable, Accesses[Variable], N, DT))
      continue;
    R->IsOwn = true;
    Steps.insert(R->Steps.begin(), R->Steps.end());
    Steps.insert({R->Original, R->Result, R->Combined});
    Steps.insert(Accesses[Variable].begin(), Accesses[Variable].end());
  }
}

} // namespace accx::lanes
