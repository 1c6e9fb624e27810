//===- Align.h - Peeling to a cache line's begin ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Vectors that are as wide as a cache line and do not begin with one take two
//   lines each. A masked part in front of all others takes the iterations up to
//   the next line, if
//
//     - the trip count is worth it,
//     - no set of co-aligned arrays that is aligned now would no longer be.
//
//   The set whose accesses cost most across lines decides how many iterations
//   that are; what the other sets' addresses are is looked at when the program
//   runs. For a second set, that is aligned otherwise, there are no versions
//   with aligned loads and shifts between them: a shift costs as much as the
//   second line, and loads are delayed by it where they miss the first cache.
//   Instructions need not know: with these registers an access that turns out
//   to be aligned is as fast as one that must be.
//
//   Off unless asked for: loops over aligned arrays pay for the question, and a
//   compiler cannot know which is more common in a program.
//
// REFUSALS, silently
//   Known trip counts, values carried from one iteration to the next, targets
//   without mask registers, vectors shorter than a line, accesses that are not
//   consecutive, more than four sets, arrays that are known to be aligned.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_ALIGN_H
#define ACCX_VECTOR_REMAINDER_ALIGN_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class TargetTransformInfo;
class Value;
} // namespace llvm

namespace accx::vector {

struct RemainderPlan;

struct AlignmentPlan {
  /// Where one array of each set begins. The first set is to be aligned; none
  /// if nothing is to be peeled.
  llvm::SmallVector<const llvm::SCEV *, 4> Sets;
  /// Of an element of the first set.
  unsigned Size = 0;
};

AlignmentPlan planAlignment(llvm::Loop &L, llvm::ScalarEvolution &SE,
                            const llvm::TargetTransformInfo &TTI,
                            const RemainderPlan &Plan);

/// How many iterations are peeled, zero included. The loop gets a new
/// preheader: addresses behind a predicted branch are ready at once, those that
/// come out of a computation are not.
llvm::Value *expandPeeled(const AlignmentPlan &Alignment,
                          const RemainderPlan &Plan, llvm::Loop &L,
                          llvm::ScalarEvolution &SE, llvm::DominatorTree &DT,
                          llvm::LoopInfo &LI);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_ALIGN_H
