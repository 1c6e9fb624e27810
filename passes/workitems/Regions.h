//===- Regions.h - Code between stops, and what crosses them ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that work-items run from one stop to the next ones is a *region*:
// one way in, several out, each to a stop or to the end of the body. Blocks may
// belong to several. Values that blocks hand on to others become variables
// first; which of them a stop finds alive follows from accesses:
//
//   * cheap expressions of places and loop invariants are computed again;
//   * uniform values are one variable a block of work-items;
//   * others are an array with an element a work-item.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_REGIONS_H
#define ACCX_WORKITEMS_REGIONS_H

#include "workitems/Plan.h"

namespace accx::workitems {

struct Region {
  llvm::SmallVector<llvm::BasicBlock *, 16> Blocks;
  /// Stops; the loop's header stands for the end of the body.
  BlockSet Exits;
};

struct Variable {
  bool IsUniform = false;
  llvm::DenseSet<llvm::BasicBlock *> StoredIn;
};

/// The variables that blocks find alive.
using Life = llvm::DenseMap<llvm::BasicBlock *, llvm::SmallSetVector<Slot, 8>>;

struct Regions {
  /// Regions by the stop they start at; the body's first block is one.
  llvm::MapVector<llvm::BasicBlock *, Region> At;
  llvm::MapVector<Slot, Variable> Variables;
  Life LiveIn;
  /// In memory, used by the body alone: an element a work-item, too.
  llvm::SmallVector<llvm::AllocaInst *, 4> Locals;
  /// In memory, shared by the iterations that a thread runs.
  llvm::DenseSet<const llvm::Value *> Shared;

  bool isStored(Slot S, const Region &R) const {
    return llvm::any_of(R.Blocks, [&](llvm::BasicBlock *B) {
      return Variables.find(S)->second.StoredIn.contains(B);
    });
  }
};

/// What blocks of \p Body find alive of \p Variables. \p Used: what they use
/// beside what they load.
Life liveIn(const BlockSet &Body,
            const llvm::MapVector<Slot, Variable> &Variables,
            Life Used = Life());

/// Computes cheap values where they are used.
void rematerialize(LoopPlan &Plan);

/// Joins those of \p Variables that work-items find different; others cost
/// nothing, and what some work-items set while others wait must stay apart.
void coalesce(const BlockSet &Body, llvm::MapVector<Slot, Variable> &Variables);

/// Turns what blocks of \p Plan's body hand on into variables.
Refusal findRegions(LoopPlan &Plan, Regions &Result);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_REGIONS_H
