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
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::offload {

NestRefusal RegionVariables::read(NestRegion &R, const DominatorTree &Tree,
                                  bool IsSpmd) {
  Function &Code = *R.Region->Body;
  if (R.Region->Reductions.size() > 1 && !R.isAnyCode())
    return NestRefusal::RegionCode;
  Instruction *Reduced = nullptr;
  forEachCall(Code, ParallelReduce, [&](CallInst &C) { Reduced = &C; });
  R.Reduces = Reduced;
  if (Reduced && !R.isAnyCode() &&
      (R.Workers->Nest->contains(Reduced) ||
       !Tree.dominates(R.Workers->Init, Reduced)))
    return NestRefusal::RegionCode;
  // The variable of each captured argument; null where it is no such variable.
  SmallVector<Instruction *, 8> Captured;
  for (unsigned I = 0; I < Code.arg_size() - parallel::FirstCaptured; ++I) {
    Value *V = capturedValue(*R.Region->Call, I);
    if (!V || (isa<AllocaInst>(V) && !IsSpmd))
      return NestRefusal::GangVariable;
    auto *From = dyn_cast<Instruction>(V);
    if (From && !isa<AllocaInst>(From) && calledName(*From) != AllocShared)
      From = nullptr;
    Captured.push_back(From);
    if (Captured.back())
      Uses.try_emplace(From);
  }
  // The variable that V points into; null if it is none.
  const auto At = [&](Value *V) -> Instruction * {
    if (!V->getType()->isPointerTy())
      return nullptr;
    const auto *A = dyn_cast<Argument>(objectOf(V));
    return A && A->getArgNo() >= parallel::FirstCaptured
               ? Captured[A->getArgNo() - parallel::FirstCaptured]
               : nullptr;
  };
  for (Instruction &I : instructions(Code)) {
    const StringRef Name = calledName(I);
    if (Name == ParallelReduce || Name.starts_with(ForInit) || Name == ForFini)
      continue;
    const bool Ends = Reduced && !R.isAnyCode() && Tree.dominates(Reduced, &I);
    const bool IsWork = R.isAnyCode() || R.Workers->Nest->contains(&I);
    const auto Write = [&](Instruction *V) {
      (Ends ? Uses[V].IsReduced : Uses[V].IsWritten) = true;
    };
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      // Clang's variables for arguments may hold its address.
      Instruction *Address = At(Store->getValueOperand());
      auto *Into = dyn_cast<AllocaInst>(Store->getPointerOperand());
      if (Address && (!Into || !onlyStored(*Into)))
        Uses[Address].Escapes = true;
      if (Instruction *V = At(Store->getPointerOperand())) {
        Write(V);
        if (IsWork || Ends)
          continue;
      }
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      if (Instruction *V = At(Copy->getRawDest()))
        Write(V);
    } else if (!isa<LoadInst, GetElementPtrInst>(I)) {
      // The instruction may end a reduction of a structure.
      for (Value *Operand : I.operands())
        if (Instruction *V = At(Operand))
          (Ends ? Uses[V].EscapesAtEnd : Uses[V].Escapes) = true;
    }
    if (effectOf(I) != Effect::Other)
      continue;
    if (!Ends && !IsWork)
      return NestRefusal::RegionCode;
    (Ends ? EndWritesOther : WritesOther) = true;
  }
  for (const auto &[I, V] : enumerate(Captured))
    if (const auto *Allocation = dyn_cast_or_null<CallInst>(V);
        Allocation && !Uses[V].any())
      R.ReadOnly.emplace_back(
          I + parallel::FirstCaptured,
          static_cast<uint64_t>(constantArgument(*Allocation, 0).value_or(0)));
  return NestRefusal::None;
}

} // namespace accx::offload
