//===- Split.h - The parts of a split loop ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Copies a loop into the parts of its plan. The original stays beside them,
//   behind a switch, until the parts are known to have become vector code:
//
//        preheader: n, starts of the parts
//              | switch
//       +------+------------------+
//       v                         v
//   original loop        n >= W? -> wide
//       |                rest >= VF? -> plain
//       |                rest & (VF-1)? -> masked
//       |                last, if it runs by itself
//       |                         |
//       +----------> exit <-------+
//
//   Every part counts from 0 to a number of iterations that scalar evolution
//   knows to be a multiple of the part's step, and is entered only where that
//   is not 0: so the vectorizer's own checks fold and no scalar rest remains.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_SPLIT_H
#define ACCX_VECTOR_REMAINDER_SPLIT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/ValueHandle.h"

#include <cstdint>

namespace llvm {
class BasicBlock;
class BranchInst;
class Loop;
class PHINode;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace accx::vector {

struct RemainderPlan;

/// One copy of the loop. Its preheader and its exit are its own.
struct LoopPart {
  llvm::StringRef Name;
  llvm::BasicBlock *Preheader = nullptr;
  llvm::BasicBlock *Header = nullptr;
  llvm::BasicBlock *Exit = nullptr;
  /// Its number of iterations: not 0 where it is entered; unless the part is
  /// masked, a multiple of its step.
  llvm::Value *Trips = nullptr;
  unsigned Lanes = 1;
  unsigned Interleave = 1;
  bool Masked = false;

  uint64_t step() const { return uint64_t(Lanes) * Interleave; }
};

/// A value that the parts hand on: what it is where parts join, in order.
struct Chain {
  llvm::Value *Start = nullptr;
  llvm::SmallVector<llvm::WeakVH, 3> Joins;
};

struct SplitLoop {
  llvm::BranchInst *Switch = nullptr;
  llvm::SmallVector<LoopPart, 3> Parts;
  llvm::SmallVector<Chain, 2> Chains;
};

/// Leaves the switch undecided.
SplitLoop splitLoop(llvm::Loop &L, llvm::ScalarEvolution &SE,
                    const RemainderPlan &Plan);

/// A copy beside the original for the vectorizer to show what it would make of
/// it. A short loop's trip count is hidden, lest the copy be judged by it: what
/// is not worth a main loop is worth a masked vector.
LoopPart copyForTrial(llvm::Loop &L, llvm::ScalarEvolution &SE,
                      const RemainderPlan &Plan, llvm::BranchInst *&Switch);

/// Decides the switch for the first way (the copies) or the second, and removes
/// what can no longer be reached.
void decideSwitch(llvm::BranchInst *Switch, bool TakeCopies);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_SPLIT_H
