//===- RegionVariables.cpp - Gang variables that a region uses ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the arguments of a region's body back to the variables of its gang.
// Both matchers of nests, TeamNest.cpp and TeamRegions.cpp, start from it.
//
//===----------------------------------------------------------------------===//

#include "offload/RegionVariables.h"

#include "offload/DeviceCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace accx::offload {

NestRefusal RegionVariables::read(NestRegion &R, const DominatorTree &Tree) {
  Body = &Tree;
  Function &Code = *R.Region->Body;
  if (R.Region->Reductions.size() > 1)
    return NestRefusal::RegionCode;
  forEachCall(Code, ParallelReduce, [&](CallInst &C) { Reduced = &C; });
  R.Reduces = Reduced;
  if (Reduced && (R.Workers->Nest->contains(Reduced) ||
                  !Tree.dominates(R.Workers->Init, Reduced)))
    return NestRefusal::RegionCode;
  for (unsigned I = 0; I < Code.arg_size() - parallel::FirstCaptured; ++I) {
    Value *V = capturedValue(*R.Region->Call, I);
    if (!V || isa<AllocaInst>(V))
      return NestRefusal::GangVariable;
    auto *From = dyn_cast<CallInst>(V);
    Captured.push_back(From && calledName(*From) == AllocShared ? From
                                                                : nullptr);
  }
  return NestRefusal::None;
}

CallInst *RegionVariables::at(Value *V) const {
  if (!V->getType()->isPointerTy())
    return nullptr;
  Value *Object = originOf(getUnderlyingObject(V, 0));
  const auto *A = dyn_cast<Argument>(getUnderlyingObject(Object, 0));
  return A && A->getArgNo() >= parallel::FirstCaptured
             ? Captured[A->getArgNo() - parallel::FirstCaptured]
             : nullptr;
}

bool RegionVariables::isControl(const Instruction &I) const {
  const StringRef Name = calledName(I);
  return &I == Reduced || Name.starts_with(ForInit) || Name == ForFini;
}

void RegionVariables::listReadOnly(
    NestRegion &R, function_ref<bool(CallInst &Variable)> IsWritten) const {
  for (const auto &[I, V] : enumerate(Captured))
    if (V && !IsWritten(*V))
      R.ReadOnly.emplace_back(
          I + parallel::FirstCaptured,
          static_cast<uint64_t>(constantArgument(*V, 0).value_or(0)));
}

} // namespace accx::offload
