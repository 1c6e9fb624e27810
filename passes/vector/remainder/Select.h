//===- Select.h - Loops that remember an iteration --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   LLVM's vectorizer refuses loops whose values are those of one iteration
//   that a condition chooses: the index of a minimum, or a conditional last
//   value, in a variable or stored to one place.
//
//     if (a[i] < least) { least = a[i]; at = i; }      best: the condition
//                                                      compares with a value
//                                                      that it replaces
//     if (a[i] > b[i]) { last = c[i]; *p = d[i]; }     last: it does not
//
//   Vectors hold, for each lane, the number of the iteration it chose last, and
//   what it compares with. Behind the loop the lanes agree on one iteration,
//   and all else is computed from its number, once.
//
//     guard: 16 <= n < 2^31 ? main : the loop as it was
//     main:  UF vectors a turn, each with lanes of its own, if n is large
//     plain: one vector a turn
//     tail:  one masked vector
//     found: what the chosen iteration gives, its stores
//
// INVARIANTS
//   The chosen iteration is that of the scalar loop: the first of equal ones if
//   the comparison is strict, else the last. Nothing is reassociated, and what
//   compares as unordered chooses nothing.
//
// REFUSALS
//   Conditions over accesses that are not consecutive, over integer divisions
//   or calls; other values carried from one iteration to the next; several
//   conditions; stores, but under the condition, to a place that does not
//   change and that nothing in the loop loads from.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_SELECT_H
#define ACCX_VECTOR_REMAINDER_SELECT_H

#include "vector/remainder/Plan.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AAResults;
class BasicBlock;
class StoreInst;
} // namespace llvm

namespace accx::vector {

struct SelectPlan {
  struct Update {
    llvm::PHINode *Phi;
    llvm::Value *Chosen;
  };

  llvm::SmallVector<Update, 2> Updates;
  llvm::SmallVector<llvm::StoreInst *, 1> Stores;
  llvm::Value *Condition = nullptr;
  /// Whether the iterations are meant for which it does not hold.
  bool Inverted = false;
  /// Of the kind "best": what is compared, and how that compares with the best
  /// so far if it is better. Ordered; null of the kind "last".
  llvm::PHINode *Best = nullptr;
  llvm::Value *Compared = nullptr;
  llvm::CmpInst::Predicate Better = llvm::CmpInst::BAD_ICMP_PREDICATE;

  unsigned Lanes = 0;
  unsigned Interleave = 2;
  /// Of the widest elements.
  unsigned Bits = 0;
  bool MaskRegisters = false;

  /// Iterations below which the scalar loop is faster.
  unsigned fewest() const { return Best ? 14 : 10; }
};

/// Whether the loop is one of these, and nothing else stands against vectors.
/// \p Plan is that of planLoop.
bool planSelect(llvm::Loop &L, llvm::ScalarEvolution &SE, llvm::AAResults &AA,
                const llvm::TargetTransformInfo &TTI, const RemainderPlan &Plan,
                SelectPlan &Select);

/// Puts the vector loops in front of \p L, which stays for trip counts that
/// they are not for.
void emitSelect(llvm::Loop &L, llvm::ScalarEvolution &SE,
                const RemainderPlan &Plan, const SelectPlan &Select);

/// Where an access is in iteration zero, if it moves by its size in each.
const llvm::SCEV *consecutiveStart(llvm::Loop &L, llvm::ScalarEvolution &SE,
                                   llvm::Instruction &Access);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_SELECT_H
