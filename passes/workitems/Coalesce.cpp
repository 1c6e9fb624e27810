//===- Coalesce.cpp - One variable for values that follow each other ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One variable of the program becomes several values: a phi wherever ways meet,
// and a value for each assignment. Each one that a stop finds alive is an
// array, so handing a value on from one to the next is a loop over work-items.
//
//     if (...) { b[w] = f(w) } else { b[w] = a[w] }     a and b are one array:
//     a[w] = b[w]                                       the copies are no code
//
// Two are joined where one is copied to the other, and neither is set while the
// other still has a value of its own to keep.
//
// It works on the variables that Regions.cpp has made, and on what is alive at
// each of their accesses.
//
//===----------------------------------------------------------------------===//

#include "workitems/Regions.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"

#include <optional>

using namespace llvm;

namespace accx::workitems {

namespace {

class Coalescer {
  const BlockSet &Body;
  MapVector<Slot, Variable> &Variables;
  std::vector<Slot> Slots;
  DenseMap<const Value *, unsigned> Numbers;
  /// By a variable's number: those that it must not be joined with, and those
  /// that it is joined with.
  std::vector<BitVector> Apart;
  std::vector<BitVector> Members;
  std::vector<unsigned> Leader;
  std::vector<std::pair<unsigned, unsigned>> Copies;

public:
  Coalescer(const BlockSet &Body, MapVector<Slot, Variable> &Variables)
      : Body(Body), Variables(Variables) {}

  void run() {
    for (const auto &[S, V] : Variables)
      if (!V.IsUniform && isSimple(*S)) {
        Numbers[S] = Slots.size();
        Slots.push_back(S);
      }
    const unsigned N = Slots.size();
    Apart.assign(N, BitVector(N));
    Members.assign(N, BitVector(N));
    for (unsigned I = 0; I < N; ++I) {
      Members[I].set(I);
      Leader.push_back(I);
    }
    findOverlaps();
    for (const auto &[To, From] : Copies)
      join(Leader[To], Leader[From]);
    replace();
  }

private:
  bool isSimple(const AllocaInst &S) const {
    return all_of(S.users(), [&](const User *U) {
      const auto *I = cast<Instruction>(U);
      return getLoadStorePointerOperand(I) == &S &&
             getLoadStoreType(const_cast<Instruction *>(I)) ==
                 S.getAllocatedType() &&
             Body.contains(const_cast<BasicBlock *>(I->getParent()));
    });
  }

  /// Number of the variable that \p I accesses.
  std::optional<unsigned> numberOf(const Instruction &I) const {
    const Value *P = getLoadStorePointerOperand(&I);
    const auto Found = P ? Numbers.find(P) : Numbers.end();
    if (Found == Numbers.end())
      return std::nullopt;
    return Found->second;
  }

  /// The load whose value \p Store copies: its variable still has that.
  static const LoadInst *copied(const StoreInst &Store) {
    const auto *Load = dyn_cast<LoadInst>(Store.getValueOperand());
    if (!Load || Load->getParent() != Store.getParent())
      return nullptr;
    for (const Instruction *I = Load; I != &Store; I = I->getNextNode())
      if (const auto *Other = dyn_cast<StoreInst>(I);
          Other && Other->getPointerOperand() == Load->getPointerOperand())
        return nullptr;
    return Load;
  }

  void findOverlaps() {
    const unsigned N = Slots.size();
    Life In = liveIn(Body, Variables);
    for (BasicBlock *Block : Body) {
      BitVector Live(N);
      for (BasicBlock *Next : successors(Block))
        for (Slot S : In[Next])
          if (const auto Found = Numbers.find(S); Found != Numbers.end())
            Live.set(Found->second);
      for (const Instruction &I : reverse(*Block)) {
        const auto Number = numberOf(I);
        if (!Number)
          continue;
        if (const auto *Store = dyn_cast<StoreInst>(&I))
          set(*Store, *Number, Live);
        else
          Live.set(*Number);
      }
    }
  }

  void set(const StoreInst &Store, unsigned Number, BitVector &Live) {
    Live.reset(Number);
    // Any value will do; the store goes where the variable is joined.
    if (isa<UndefValue>(Store.getValueOperand()))
      return;
    const LoadInst *Load = copied(Store);
    const auto From = Load ? numberOf(*Load) : std::nullopt;
    for (const unsigned Other : Live.set_bits())
      if (From != Other) {
        Apart[Number].set(Other);
        Apart[Other].set(Number);
      }
    if (From && *From != Number)
      Copies.push_back({Number, *From});
  }

  void join(unsigned A, unsigned B) {
    if (A == B ||
        Slots[A]->getAllocatedType() != Slots[B]->getAllocatedType() ||
        Apart[A].anyCommon(Members[B]) || Apart[B].anyCommon(Members[A]))
      return;
    for (const unsigned Member : Members[B].set_bits())
      Leader[Member] = A;
    Members[A] |= Members[B];
    Apart[A] |= Apart[B];
  }

  void replace() {
    DenseSet<Slot> Gone;
    for (unsigned I = 0; I < Slots.size(); ++I) {
      if (Leader[I] == I)
        continue;
      Slots[I]->replaceAllUsesWith(Slots[Leader[I]]);
      Gone.insert(Slots[I]);
    }
    Variables.remove_if(
        [&](const auto &Entry) { return Gone.contains(Entry.first); });
    for (Slot S : Gone)
      S->eraseFromParent();
    for (unsigned I = 0; I < Slots.size(); ++I)
      if (Leader[I] == I && Members[I].count() > 1)
        removeCopies(*Slots[I]);
  }

  static void removeCopies(AllocaInst &S) {
    SmallVector<StoreInst *, 8> Needless;
    for (User *U : S.users())
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        const LoadInst *Load = copied(*Store);
        if (isa<UndefValue>(Store->getValueOperand()) ||
            (Load && Load->getPointerOperand() == &S))
          Needless.push_back(Store);
      }
    // All found before any goes: each is the same with and without the others.
    for (StoreInst *Store : Needless) {
      auto *Load = dyn_cast<LoadInst>(Store->getValueOperand());
      Store->eraseFromParent();
      if (Load && Load->use_empty())
        Load->eraseFromParent();
    }
  }
};

} // namespace

void coalesce(const BlockSet &Body, MapVector<Slot, Variable> &Variables) {
  Coalescer(Body, Variables).run();
}

} // namespace accx::workitems
