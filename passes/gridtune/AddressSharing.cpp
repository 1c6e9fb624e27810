//===- AddressSharing.cpp - Neighbours' addresses from one another --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AddressSharing.h. An address is a base and a polynomial in bytes. The
// part of it that changes in the loop is the group's; the first address of a
// group on the way to an access is its leader. Indices of 32 bits that may wrap
// are computed from one another as such, before they are extended.
//
//   p = base + 4 * ((z * n + y) * n + x)        leader
//   q = base + 4 * (((z - 1) * n + y) * n + x)  = p + -4 * n * n
//
//===----------------------------------------------------------------------===//

#include "gridtune/AddressSharing.h"

#include "affine/Polynomial.h"
#include "gridtune/Flatten.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>

using namespace llvm;

namespace accx::gridtune {

namespace {

/// A value computed in the loop: what changes there, and what does not.
struct Split {
  affine::Polynomial Varying;
  affine::Polynomial Invariant;
};

/// Values of one width; \p Base tells apart what must not be computed from one
/// another.
class Groups {
  struct Leader {
    Instruction *V;
    /// The instruction from which on the value is there and has its meaning.
    Instruction *Witness;
    affine::Polynomial Invariant;
  };
  Loop &L;
  DominatorTree &DT;
  std::map<std::pair<Value *, affine::Polynomial>, SmallVector<Leader, 1>>
      Leaders;
  std::map<affine::Polynomial, Value *> Deltas;

public:
  affine::Atoms Values;

  Groups(Loop &L, DominatorTree &DT, IntegerType *Int)
      : L(L), DT(DT), Values(Int) {}

  Split split(affine::Polynomial P) const;
  /// The value from which \p V, used at \p User, is the invariant difference
  /// \p Delta away. Null if \p V is the first of its group on the way there, or
  /// that value itself. From \p Witness on others may be computed from \p V.
  Value *leaderOf(Instruction &V, Instruction &Witness, Value *Base, Split S,
                  Instruction &User, Value *&Delta);
};

class Sharer {
  Loop &L;
  Groups Addresses, Indices;
  SmallVector<WeakTrackingVH> Old;

public:
  Sharer(Loop &L, DominatorTree &DT)
      : L(L), Addresses(L, DT, Type::getInt64Ty(L.getHeader()->getContext())),
        Indices(L, DT, Type::getInt32Ty(L.getHeader()->getContext())) {}
  bool shareAddress(Instruction &Access);
  /// The index that \p Extension widens.
  bool shareIndex(CastInst &Extension);
  void removeDead() {
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  }
};

} // namespace

Split Groups::split(affine::Polynomial P) const {
  affine::Polynomial Invariant =
      Values.take(P, [&](const Value &V) { return L.isLoopInvariant(&V); });
  return {std::move(P), std::move(Invariant)};
}

/// Whether \p First is done where \p Then, which it dominates, is.
static bool isDone(const Instruction &First, const Instruction &Then) {
  const Value *Guard = guardOf(First);
  return !Guard || Guard == guardOf(Then);
}

Value *Groups::leaderOf(Instruction &V, Instruction &Witness, Value *Base,
                        Split S, Instruction &User, Value *&Delta) {
  auto &Known = Leaders[{Base, std::move(S.Varying)}];
  auto At = find_if(Known, [&](const Leader &First) {
    return First.V == &V ||
           (DT.dominates(First.Witness, &User) && isDone(*First.Witness, User));
  });
  if (At == Known.end()) {
    Known.push_back({&V, &Witness, std::move(S.Invariant)});
    return nullptr;
  }
  if (At->V == &V)
    return nullptr;
  Values.add(S.Invariant, At->Invariant, ~uint64_t(0));
  Value *&Emitted = Deltas[S.Invariant];
  if (!Emitted) {
    IRBuilder<> B(L.getLoopPreheader()->getTerminator());
    Emitted = Values.emit(B, S.Invariant);
  }
  Delta = Emitted;
  return At->V;
}

bool Sharer::shareAddress(Instruction &Access) {
  Use &PointerUse = *addressOf(Access);
  auto *Pointer = dyn_cast<GetElementPtrInst>(PointerUse.get());
  Value *Delta = nullptr;
  affine::Polynomial Bytes;
  if (!Pointer || !L.contains(Pointer))
    return false;
  Value *Base = Addresses.Values.ofAddress(Pointer, Bytes);
  if (!Base)
    return false;
  Split S = Addresses.split(Bytes);
  if (S.Varying.empty())
    return false;
  // Only an access says that its address did not overflow.
  Value *Leader =
      Addresses.leaderOf(*Pointer, Access, Base, std::move(S), Access, Delta);
  if (!Leader)
    return false;
  IRBuilder<> B(cast<Instruction>(PointerUse.getUser()));
  PointerUse.set(B.CreatePtrAdd(Leader, Delta));
  Old.push_back(Pointer);
  return true;
}

/// The operations that \p V is made of; false if what some of them say of their
/// operands is needed.
static bool findOperations(Value *V, SmallPtrSetImpl<Instruction *> &Found) {
  if (const auto *Extension = dyn_cast<CastInst>(V))
    return !isa<BinaryOperator>(Extension->getOperand(0));
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op)
    return true;
  if (const auto *Or = dyn_cast<PossiblyDisjointInst>(Op))
    return !Or->isDisjoint();
  return !Found.insert(Op).second ||
         (findOperations(Op->getOperand(0), Found) &&
          findOperations(Op->getOperand(1), Found));
}

bool Sharer::shareIndex(CastInst &Extension) {
  auto *Index = dyn_cast<BinaryOperator>(Extension.getOperand(0));
  if (!Index || !Index->getType()->isIntegerTy(32) || !L.contains(Index))
    return false;
  Split S = Indices.split(Indices.Values.of(Index));
  // One operation stays one.
  if (S.Varying.size() < 2 && S.Varying.begin() != S.Varying.end() &&
      S.Varying.begin()->first.size() < 2)
    return false;
  Value *Delta = nullptr;
  Value *Leader = S.Varying.empty()
                      ? nullptr
                      : Indices.leaderOf(*Index, *Index, nullptr, std::move(S),
                                         Extension, Delta);
  // It may overflow where it is not used itself.
  SmallPtrSet<Instruction *, 8> Operations;
  if (!Leader || !findOperations(Leader, Operations))
    return false;
  for (Instruction *Op : Operations)
    Op->dropPoisonGeneratingFlags();
  IRBuilder<> B(&Extension);
  Extension.setOperand(0, B.CreateAdd(Leader, Delta));
  Old.push_back(Index);
  return true;
}

unsigned shareAddresses(Loop &L, DominatorTree &DT) {
  BasicBlock *Preheader = L.getLoopPreheader();
  if (!Preheader)
    return 0;
  Sharer Work(L, DT);
  unsigned Shared = 0;
  SmallVector<CastInst *> Extensions;
  ReversePostOrderTraversal<Function *> Order(Preheader->getParent());
  for (BasicBlock *Block : Order) {
    // Loops inside have counters of their own, which LLVM moves addresses with.
    if (!L.contains(Block) || any_of(L.getSubLoops(), [&](const Loop *Inner) {
          return Inner->contains(Block);
        }))
      continue;
    for (Instruction &I : *Block) {
      if (addressOf(I))
        Shared += Work.shareAddress(I);
      else if (isa<SExtInst, ZExtInst>(I) && I.getType()->isIntegerTy(64))
        Extensions.push_back(cast<CastInst>(&I));
    }
  }
  for (CastInst *Extension : Extensions)
    if (any_of(Extension->users(),
               [](const User *U) { return isa<GetElementPtrInst>(U); }))
      Shared += Work.shareIndex(*Extension);
  Work.removeDead();
  return Shared;
}

} // namespace accx::gridtune
