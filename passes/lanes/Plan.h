//===- Plan.h - How a nest will run across lanes ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   All lanes of a worker execute its code, so that control flow and values are
//   the same in each. Lanes repeat what only computes. What can be noticed
//   (stores, atomics, calls) is left to lane 0, in groups as large as blocks
//   allow. Lane 0 hands to the others what they use of it later.
//
//   INVARIANT: outside of vector loops all values in the loop over workers are
//   the same in all lanes of a group. It holds since
//     - the iteration's number is the group's;
//     - values from before the loop are those of lane 0, unless they are known
//       to be the same in all threads of a team;
//     - loads find the same: what lane 0 stores is ordered against them by
//       barriers of the group, variables of the worker are all lanes' or lane
//       0's (Variables.h), other workers that write the same memory are races;
//     - vector loops give reductions, or the value of the last iteration, to
//       all lanes.
//
//   After the loop lanes other than 0 are threads that had no iteration: values
//   and variables from before it are as they were. So a reduction across
//   threads counts each worker once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_PLAN_H
#define ACCX_LANES_PLAN_H

#include "lanes/Nest.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

namespace accx::lanes {

/// Instructions of one block from First to Last, which lane 0 executes.
struct Group {
  llvm::Instruction *First = nullptr;
  llvm::Instruction *Last = nullptr;
  /// Other lanes see what it changes, or it what they read.
  bool IsShared = false;
};

/// The instructions of \p G that lane 0 has to execute. What all lanes can
/// compute before these need not be handed out.
llvm::SmallPtrSet<const llvm::Instruction *, 16> guardedIn(const Group &G);

struct Plan {
  Nest N;
  unsigned Lanes = 32;
  llvm::SmallVector<Group, 8> Groups;
  /// The program did not ask for lanes: trip counts below this do without,
  /// where the bounds are known before the loop.
  unsigned LeastTrip = 0;
  /// Values from before the loop that lane 0 hands out.
  llvm::SmallVector<llvm::Value *, 4> FromOutside;
  /// Lanes are those of a block, or of several: how many, an i64, and whether
  /// there may be several.
  llvm::Value *Wide = nullptr;
  bool MayJoin = false;

  /// Whether, and how, \p N runs across lanes. Changes nothing.
  Refusal make(const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);
  void print(llvm::raw_ostream &OS) const;
};

} // namespace accx::lanes

#endif // ACCX_LANES_PLAN_H
