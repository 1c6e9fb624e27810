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
#include "offload/TeamEffects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::offload {

NestRefusal RegionVariables::read(NestRegion &R, const DominatorTree &Tree) {
  Function &Code = *R.Region->Body;
  if (R.Region->Reductions.size() > 1)
    return NestRefusal::RegionCode;
  Instruction *Reduced = nullptr;
  forEachCall(Code, ParallelReduce, [&](CallInst &C) { Reduced = &C; });
  R.Reduces = Reduced;
  if (Reduced && (R.Workers->Nest->contains(Reduced) ||
                  !Tree.dominates(R.Workers->Init, Reduced)))
    return NestRefusal::RegionCode;
  // The variable of each captured argument; null where it is no such variable.
  SmallVector<CallInst *, 8> Captured;
  for (unsigned I = 0; I < Code.arg_size() - parallel::FirstCaptured; ++I) {
    Value *V = capturedValue(*R.Region->Call, I);
    if (!V || isa<AllocaInst>(V))
      return NestRefusal::GangVariable;
    auto *From = dyn_cast<CallInst>(V);
    Captured.push_back(From && calledName(*From) == AllocShared ? From
                                                                : nullptr);
    if (Captured.back())
      Uses.try_emplace(From);
  }
  // The variable that V points into; null if it is none.
  const auto At = [&](Value *V) -> CallInst * {
    if (!V->getType()->isPointerTy())
      return nullptr;
    Value *Object = originOf(getUnderlyingObject(V, 0));
    const auto *A = dyn_cast<Argument>(getUnderlyingObject(Object, 0));
    return A && A->getArgNo() >= parallel::FirstCaptured
               ? Captured[A->getArgNo() - parallel::FirstCaptured]
               : nullptr;
  };
  for (Instruction &I : instructions(Code)) {
    const StringRef Name = calledName(I);
    if (&I == Reduced || Name.starts_with(ForInit) || Name == ForFini)
      continue;
    const bool Ends = Reduced && Tree.dominates(Reduced, &I);
    const bool IsWork = R.Workers->Nest->contains(&I);
    const auto Write = [&](CallInst *V) {
      (Ends ? Uses[V].IsReduced : Uses[V].IsWritten) = true;
    };
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      // Clang's variables for arguments may hold its address.
      CallInst *Address = At(Store->getValueOperand());
      if (Address && !isa<AllocaInst>(Store->getPointerOperand()))
        Uses[Address].Escapes = true;
      if (CallInst *V = At(Store->getPointerOperand())) {
        Write(V);
        if (IsWork || Ends)
          continue;
      }
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      if (CallInst *V = At(Copy->getRawDest()))
        Write(V);
    } else if (!isa<LoadInst, GetElementPtrInst>(I)) {
      // The instruction may end a reduction of a structure.
      for (Value *Operand : I.operands())
        if (CallInst *V = At(Operand))
          (Ends ? Uses[V].EscapesAtEnd : Uses[V].Escapes) = true;
    }
    if (effectOf(I) != Effect::Other)
      continue;
    if (!Ends && !IsWork)
      return NestRefusal::RegionCode;
    (Ends ? EndWritesOther : WritesOther) = true;
  }
  for (const auto &[I, V] : enumerate(Captured))
    if (V && !Uses[V].any())
      R.ReadOnly.emplace_back(
          I + parallel::FirstCaptured,
          static_cast<uint64_t>(constantArgument(*V, 0).value_or(0)));
  return NestRefusal::None;
}

} // namespace accx::offload
