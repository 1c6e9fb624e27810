//===- ReductionPlan.cpp - What a reduction combines ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a reduction combines from Clang's helper functions, and marks the
// variables it combines. It is the room's only code that knows the helpers'
// form.
//
//===----------------------------------------------------------------------===//

#include "reduce/ReductionPlan.h"

#include "ir/Remark.h"
#include "offload/PointerList.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace accx::reduce {

namespace {

/// Arguments of the calls, where they differ.
struct Positions {
  unsigned Bytes, List, Shuffle, LastHelper;
};
constexpr Positions InTeam = {1, 2, 3, 4};
constexpr Positions OverTeams = {3, 4, 5, 10};

} // namespace

static Function *functionAt(const CallInst &Call, unsigned Index) {
  auto *F = dyn_cast<Function>(Call.getArgOperand(Index)->stripPointerCasts());
  return F && !F->isDeclaration() ? F : nullptr;
}

/// The call that combines two lists, the second of which is a variable.
static CallInst *findCombination(Function &Shuffle, AllocaInst *&Remote) {
  CallInst *Found = nullptr;
  for (Instruction &I : instructions(Shuffle)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || Call->arg_size() != 2)
      continue;
    auto *Local = dyn_cast<AllocaInst>(Call->getArgOperand(1));
    const auto *Type =
        Local ? dyn_cast<ArrayType>(Local->getAllocatedType()) : nullptr;
    if (!Type || !Type->getElementType()->isPointerTy())
      continue;
    if (Found)
      return nullptr;
    Found = Call;
    Remote = Local;
  }
  return Found;
}

/// The types of the variables that \p Remote, a list, points to.
static bool findVariables(const AllocaInst &Remote, Function &Shuffle,
                          SmallVectorImpl<Type *> &Types) {
  const uint64_t Count = Remote.getAllocatedType()->getArrayNumElements();
  bool Fits = Count > 0;
  Types.assign(Count, nullptr);
  offload::forEachSlot(Shuffle, &Remote, [&](StoreInst &Store, uint64_t Index) {
    if (!Store.getValueOperand()->getType()->isPointerTy())
      return;
    const auto *Variable = dyn_cast<AllocaInst>(Store.getValueOperand());
    Fits &= Variable && !Variable->isArrayAllocation() && Index < Count &&
            !Types[Index];
    if (Fits)
      Types[Index] = Variable->getAllocatedType();
  });
  return Fits && !is_contained(Types, nullptr);
}

Refusal ReductionPlan::match(const offload::Reduction &From,
                             ReductionPlan &Result) {
  Result = ReductionPlan();
  CallInst &Call = *From.Call;
  const Positions &At = From.AcrossTeams ? OverTeams : InTeam;
  if (Call.arg_size() != At.LastHelper + 1 || From.Bytes <= 0)
    return Refusal::UnknownHelper;
  Function *Shuffle = functionAt(Call, At.Shuffle);
  AllocaInst *Remote = nullptr;
  const CallInst *Combination =
      Shuffle ? findCombination(*Shuffle, Remote) : nullptr;
  Function *Combine = Combination ? Combination->getCalledFunction() : nullptr;
  if (!Combine || Combine->isDeclaration() ||
      !findVariables(*Remote, *Shuffle, Result.Variables))
    return Refusal::UnknownHelper;
  const auto Bytes = Call.getModule()->getDataLayout().getTypeAllocSize(
      StructType::get(Call.getContext(), Result.Variables));
  // Clang says the largest variable's size times their number.
  if (Bytes > uint64_t(From.Bytes))
    return Refusal::UnknownHelper;
  Result.Call = &Call;
  Result.AcrossTeams = From.AcrossTeams;
  Result.Bytes = Bytes;
  Result.BufferedBytes = From.Bytes;
  Result.List = Call.getArgOperand(At.List);
  Result.Combine = Combine;
  if (!From.AcrossTeams)
    return Refusal::None;
  Result.StoreRecord = functionAt(Call, 7);
  Result.CombineIntoRecord = functionAt(Call, 8);
  Result.LoadRecord = functionAt(Call, 9);
  Result.CombineFromRecord = functionAt(Call, 10);
  for (const Function *Helper : {Result.StoreRecord, Result.CombineIntoRecord,
                                 Result.LoadRecord, Result.CombineFromRecord})
    if (!Helper || Helper->arg_size() != 3)
      return Refusal::UnknownHelper;
  return Refusal::None;
}

StructType *ReductionPlan::recordType() const {
  return StructType::get(Combine->getContext(), Variables);
}

void ReductionPlan::markVariables() const {
  LLVMContext &C = Combine->getContext();
  offload::forEachSlot(
      *Call->getFunction(), List, [&](StoreInst &Store, uint64_t Index) {
        auto *Variable = dyn_cast<AllocaInst>(Store.getValueOperand());
        if (!Variable)
          return;
        MDNode *Mark = MDNode::get(C, {ConstantAsMetadata::get(Combine),
                                       ConstantAsMetadata::get(ConstantInt::get(
                                           Type::getInt32Ty(C), Index))});
        const MDNode *Known = Variable->getMetadata(offload::ReductionMark);
        Variable->setMetadata(offload::ReductionMark, !Known || Known == Mark
                                                          ? Mark
                                                          : MDNode::get(C, {}));
      });
}

void ReductionPlan::print(raw_ostream &OS) const {
  OS << (AcrossTeams ? "over teams" : "over threads") << " of "
     << ir::Counted(Bytes, "byte") << ':';
  for (Type *T : Variables)
    T->print(OS << ' ', /*IsForDebug=*/false, /*NoDetails=*/true);
}

} // namespace accx::reduce
