//===- Variables.cpp - Whose a local variable is --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts local variables by their uses into those of a lane, of all lanes, and
// of lane 0. The plan asks it for every access.
//
//===----------------------------------------------------------------------===//

#include "lanes/Variables.h"

#include "offload/DeviceCalls.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace accx::lanes {

namespace {

/// How a function uses one of its variables.
struct Uses {
  SmallVector<Instruction *, 4> Reads;
  SmallVector<Instruction *, 4> Writes;
  SmallVector<Instruction *, 4> Escapes;
  SmallVector<Instruction *, 4> Begins;

  explicit Uses(AllocaInst &Local) { visit(Local); }

  bool noneOf(function_ref<bool(const Instruction &)> Test) const {
    for (const auto *List : {&Reads, &Writes, &Escapes})
      if (any_of(*List, [&](const Instruction *I) { return Test(*I); }))
        return false;
    return true;
  }

private:
  void visit(Value &Pointer) {
    for (Use &U : Pointer.uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (auto *Store = dyn_cast<StoreInst>(I)) {
        const bool Into = U.getOperandNo() == Store->getPointerOperandIndex();
        (Into && Store->isSimple() ? Writes : Escapes).push_back(I);
      } else if (auto *Load = dyn_cast<LoadInst>(I)) {
        (Load->isSimple() ? Reads : Escapes).push_back(I);
      } else if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(I)) {
        visit(*I);
      } else if (auto *Copy = dyn_cast<MemIntrinsic>(I)) {
        if (Copy->isVolatile())
          Escapes.push_back(I);
        else
          (U.getOperandNo() == 0 ? Writes : Reads).push_back(I);
      } else if (auto *Known = dyn_cast<IntrinsicInst>(I);
                 Known && Known->isLifetimeStartOrEnd()) {
        if (Known->getIntrinsicID() == Intrinsic::lifetime_start)
          Begins.push_back(I);
      } else {
        Escapes.push_back(I);
      }
    }
  }
};

} // namespace

/// The vector loop whose own variable it is.
static bool isLanes(const Uses &Of, const Nest &N, const DominatorTree &DT) {
  return any_of(N.Vectors, [&](const VectorLoop &V) {
    const auto Elsewhere = [&](const Instruction &I) {
      return !V.L->contains(&I);
    };
    return Of.noneOf(Elsewhere) && !Of.Begins.empty() &&
           all_of(Of.Begins, [&](const Instruction *Begin) {
             return V.L->contains(Begin) || DT.dominates(V.Enter, Begin);
           });
  });
}

Refusal Variables::classify(const Nest &N, const DominatorTree &DT) {
  const Loop &Workers = *N.W.L;
  BasicBlock *Header = Workers.getHeader();
  for (Instruction &I : instructions(*Header->getParent())) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (!Local)
      continue;
    const Uses Of(*Local);
    const auto Within = [&](const Instruction &At) {
      return Workers.contains(&At);
    };
    const bool IsUsed = !Of.noneOf(Within);
    if (IsUsed && isLanes(Of, N, DT)) {
      Owners[Local] = Owner::Lane;
      continue;
    }
    const bool IsWorkers =
        Of.noneOf([&](const Instruction &At) { return !Within(At); });
    const bool InVectors =
        !Of.noneOf([&](const Instruction &At) { return N.vectorOf(At); });
    if (InVectors) {
      const auto Written = [&](const Instruction *At) {
        return N.vectorOf(*At);
      };
      if (!IsWorkers || !Of.Escapes.empty() || any_of(Of.Writes, Written))
        return Refusal::PrivateArray;
    }
    const bool Replicated = IsUsed && IsWorkers && Of.Escapes.empty();
    Owners[Local] = Replicated ? Owner::Everyone : Owner::First;
    // A pointer that escapes after the loop does not matter to the loop. The
    // function that deals out iterations keeps no pointers.
    AnyEscaped |= any_of(Of.Escapes, [&](const Instruction *At) {
      return !offload::calledName(*At).starts_with(offload::ForInit) &&
             isPotentiallyReachable(At->getParent(), Header, nullptr, &DT);
    });
  }
  return Refusal::None;
}

bool Variables::mayBeFirsts(const Value *Pointer) const {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  return any_of(Objects, [&](const Value *Object) {
    if (const auto *Local = dyn_cast<AllocaInst>(Object)) {
      const auto Found = Owners.find(Local);
      return Found == Owners.end() || Found->second == Owner::First;
    }
    return AnyEscaped && !isa<Argument, GlobalVariable>(Object);
  });
}

bool Variables::isOwnedBy(const Value *Pointer, Owner O) const {
  const auto *Local = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, 0));
  const auto Found = Local ? Owners.find(Local) : Owners.end();
  return Found != Owners.end() && Found->second == O;
}

} // namespace accx::lanes
