//===- ArrayUses.cpp - What a region does with a private array ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows every use of a private array, and turns its stores into atomics. It
// knows nothing of blocks or copies: the caller says where an element is.
//
//===----------------------------------------------------------------------===//

#include "reduce/ArrayUses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace accx::reduce {

/// Offsets that \p Pointer adds to an array, as numbers of elements.
static bool collectIndex(Value *Pointer, const Value *Array, uint64_t Size,
                         const DataLayout &Layout,
                         MapVector<Value *, APInt> &Terms, APInt &Constant) {
  while (Pointer != Array) {
    auto *Address = dyn_cast<GEPOperator>(Pointer);
    if (!Address || !Address->collectOffset(Layout, 64, Terms, Constant))
      return false;
    Pointer = Address->getPointerOperand();
  }
  return Constant.srem(Size) == 0 &&
         all_of(Terms, [&](const auto &T) { return T.second.srem(Size) == 0; });
}

bool ArrayUses::hasIndex(Value *Pointer) const {
  const DataLayout &Layout = Array->getModule()->getDataLayout();
  MapVector<Value *, APInt> Terms;
  APInt Constant(64, 0);
  return collectIndex(Pointer, Array, Layout.getTypeStoreSize(Element), Layout,
                      Terms, Constant);
}

Value *ArrayUses::indexOf(IRBuilderBase &B, Value *Pointer) const {
  const DataLayout &Layout = Array->getModule()->getDataLayout();
  const uint64_t Size = Layout.getTypeStoreSize(Element);
  MapVector<Value *, APInt> Terms;
  APInt Constant(64, 0);
  collectIndex(Pointer, Array, Size, Layout, Terms, Constant);
  Value *Index = nullptr;
  for (const auto &[V, Scale] : Terms) {
    Value *Term = B.CreateSExtOrTrunc(V, B.getInt64Ty());
    if (const int64_t Factor = Scale.getSExtValue() / int64_t(Size);
        Factor != 1)
      Term = B.CreateMul(Term, B.getInt64(Factor));
    Index = Index ? B.CreateAdd(Index, Term) : Term;
  }
  Value *Rest = B.getInt64(Constant.getSExtValue() / int64_t(Size));
  return Index ? B.CreateAdd(Index, Rest) : Rest;
}

void forEachAccess(Value &Array, function_ref<void(Instruction &)> Visit) {
  SmallVector<Value *, 8> Pointers{&Array};
  SmallPtrSet<Value *, 8> Seen;
  while (!Pointers.empty()) {
    Value *Pointer = Pointers.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (User *U : make_early_inc_range(Pointer->users())) {
      auto *I = cast<Instruction>(U);
      if (isa<GetElementPtrInst, PHINode, SelectInst>(I))
        Pointers.push_back(I);
      else
        Visit(*I);
    }
  }
}

/// Whether \p V is what \p Store's element held just before it.
bool ArrayUses::isElement(const Value *V, const StoreInst &Store) const {
  const Value *Address = Store.getPointerOperand();
  const Instruction *From = nullptr;
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    if (Load->getPointerOperand() == Address && is_contained(Loads, Load))
      From = Load;
  }
  for (const StoreInst *Earlier : Stores)
    // The value that was stored there last need not be loaded again.
    if (!From && Earlier != &Store && Earlier->getValueOperand() == V &&
        Earlier->getPointerOperand() == Address &&
        Earlier->getParent() == Store.getParent() &&
        Earlier->comesBefore(&Store))
      From = Earlier;
  if (!From || From->getParent() != Store.getParent() ||
      !From->comesBefore(&Store))
    return false;
  for (const Instruction *I = From->getNextNode(); I != &Store;
       I = I->getNextNode())
    if (const auto *Between = dyn_cast<StoreInst>(I);
        Between && is_contained(Stores, Between))
      return false;
  return true;
}

/// Whether \p U is the element of \p Store with something added by the
/// operator; notes what is between. Also false if \p U has nothing of the
/// element.
bool ArrayUses::goesThrough(const Use &U, const StoreInst &Store) {
  if (isElement(U, Store)) {
    Through.insert(&U);
    return true;
  }
  auto *I = dyn_cast<Instruction>(U);
  if (!I)
    return false;
  const auto Follow = [&](unsigned Operand) {
    if (!goesThrough(I->getOperandUse(Operand), Store))
      return false;
    Computed.insert(I);
    Through.insert(&U);
    return true;
  };
  if (isa<SelectInst>(I)) {
    const bool True = Follow(1);
    const bool False = Follow(2);
    return True && False;
  }
  if (operatorOf(*I) == Op) {
    const bool First = Follow(0);
    const bool Second = Follow(1);
    return First != Second;
  }
  if ((I->getOpcode() == Instruction::Sub && Op == AtomicRMWInst::Add) ||
      (I->getOpcode() == Instruction::FSub && Op == AtomicRMWInst::FAdd))
    return Follow(0);
  const auto *Call = dyn_cast<IntrinsicInst>(I);
  if (Call && Op == AtomicRMWInst::FAdd &&
      (Call->getIntrinsicID() == Intrinsic::fmuladd ||
       Call->getIntrinsicID() == Intrinsic::fma))
    return Follow(2);
  return false;
}

/// Whether \p Store is done where its value is larger, or smaller, than the
/// element, as the operator would keep it.
bool ArrayUses::decides(const StoreInst &Store) {
  const BasicBlock *Block = Store.getParent();
  const BasicBlock *Before = Block->getSinglePredecessor();
  auto *Branch =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  auto *Compare = Branch && Branch->isConditional()
                      ? dyn_cast<ICmpInst>(Branch->getCondition())
                      : nullptr;
  if (!Compare || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return false;
  CmpInst::Predicate Stores = Branch->getSuccessor(0) == Block
                                  ? Compare->getPredicate()
                                  : Compare->getInversePredicate();
  const Value *Element = Compare->getOperand(1);
  if (Compare->getOperand(0) != Store.getValueOperand()) {
    Stores = CmpInst::getSwappedPredicate(Stores);
    Element = Compare->getOperand(0);
    if (Compare->getOperand(1) != Store.getValueOperand())
      return false;
  }
  Stores = ICmpInst::getStrictPredicate(Stores);
  const bool Keeps =
      (Op == AtomicRMWInst::Max && Stores == CmpInst::ICMP_SGT) ||
      (Op == AtomicRMWInst::Min && Stores == CmpInst::ICMP_SLT) ||
      (Op == AtomicRMWInst::UMax && Stores == CmpInst::ICMP_UGT) ||
      (Op == AtomicRMWInst::UMin && Stores == CmpInst::ICMP_ULT);
  auto *Load = dyn_cast<LoadInst>(const_cast<Value *>(Element));
  if (!Keeps || !Load || !is_contained(Loads, Load) ||
      Load->getPointerOperand() != Store.getPointerOperand() ||
      !Load->hasOneUse() || !Compare->hasOneUse())
    return false;
  Deciding.insert(Load);
  return true;
}

ArrayRefusal ArrayUses::match(AllocaInst &A, Type *ElementType,
                              AtomicRMWInst::BinOp Operator,
                              ArrayRef<BasicBlock *> Elsewhere,
                              const StoreInst &List) {
  Array = &A;
  Element = ElementType;
  Op = Operator;
  SmallVector<Value *, 8> Pointers{&A};
  while (!Pointers.empty()) {
    Value *Pointer = Pointers.pop_back_val();
    for (User *U : Pointer->users()) {
      auto *I = cast<Instruction>(U);
      if (is_contained(Elsewhere, I->getParent()) || I == &List ||
          I->isLifetimeStartOrEnd() || I->isDebugOrPseudoInst())
        continue;
      if (isa<GetElementPtrInst>(I) && I->getOperand(0) == Pointer) {
        Pointers.push_back(I);
        continue;
      }
      const bool IsAccess = getLoadStorePointerOperand(I) == Pointer &&
                            getLoadStoreType(I) == Element && hasIndex(Pointer);
      auto *Store = dyn_cast<StoreInst>(I);
      if (!IsAccess || (Store && Store->getValueOperand() == Pointer) ||
          I->isAtomic())
        return ArrayRefusal::Escapes;
      if (Store)
        Stores.push_back(Store);
      else
        Loads.push_back(cast<LoadInst>(I));
    }
  }
  for (StoreInst *Store : Stores)
    if (!goesThrough(Store->getOperandUse(0), *Store) && !decides(*Store))
      return ArrayRefusal::OtherWrite;
  const auto IsOwn = [&](const Instruction &I) {
    return all_of(I.uses(), [&](const Use &U) { return Through.contains(&U); });
  };
  for (const LoadInst *Load : Loads)
    if (Load->isVolatile() || (!Deciding.contains(Load) && !IsOwn(*Load)))
      return ArrayRefusal::OtherRead;
  for (const Instruction *I : Computed)
    if (!IsOwn(*I))
      return ArrayRefusal::OtherRead;
  return ArrayRefusal::None;
}

bool ArrayUses::areKnown(ScalarEvolution &SE) const {
  constexpr unsigned FewIterations = 32;
  const SCEV *Start = SE.getSCEV(Array);
  const auto IsKnown = [&](const Instruction *Access) {
    const SCEV *Index = SE.getMinusSCEV(
        SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(Access))),
        Start);
    while (const auto *Moving = dyn_cast<SCEVAddRecExpr>(Index)) {
      const unsigned Trip = SE.getSmallConstantMaxTripCount(Moving->getLoop());
      if (!Trip || Trip > FewIterations ||
          !isa<SCEVConstant>(Moving->getStepRecurrence(SE)))
        return false;
      Index = Moving->getStart();
    }
    return isa<SCEVConstant>(Index);
  };
  return all_of(Stores, IsKnown) && all_of(Loads, IsKnown);
}

/// What \p Store adds: \p V without the element.
Value *ArrayUses::contribution(Value *V, const StoreInst &Store,
                               IRBuilderBase &B) const {
  if (isElement(V, Store))
    return neutralOf(Op, Element);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Computed.contains(I))
    return V;
  Instruction *Copy = I->clone();
  Copy->dropPoisonGeneratingFlags();
  for (Use &Operand : Copy->operands())
    Operand = contribution(Operand, Store, B);
  return B.Insert(Copy);
}

void ArrayUses::rewrite(AddressOf Address) {
  const Align Alignment =
      Array->getModule()->getDataLayout().getABITypeAlign(Element);
  for (StoreInst *Store : Stores) {
    IRBuilder<> B(Store);
    Value *Change = contribution(Store->getValueOperand(), *Store, B);
    Value *Where = Address(B, indexOf(B, Store->getPointerOperand()));
    B.CreateAtomicRMW(Op, Where, Change, Alignment, AtomicOrdering::Monotonic);
  }
  for (LoadInst *Load : Deciding) {
    IRBuilder<> B(Load);
    LoadInst *Now = B.CreateAlignedLoad(
        Element, Address(B, indexOf(B, Load->getPointerOperand())), Alignment);
    Now->setAtomic(AtomicOrdering::Monotonic);
    Load->replaceAllUsesWith(Now);
  }
  // The rest of the old computation hangs on the stores.
  for (StoreInst *Store : Stores) {
    Value *V = Store->getValueOperand();
    Store->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(V);
  }
  for (LoadInst *Load : Loads)
    if (Deciding.contains(Load))
      Load->eraseFromParent();
}

} // namespace accx::reduce
