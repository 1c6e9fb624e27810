//===- SharedArrays.h - Arrays that a block's threads reduce ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A thread's private copy of an array lives in its local memory where an
//   index is no constant: a histogram of 256 counts is a KiB a thread, to be
//   set, and to be combined element by element. Where a region only adds to
//   elements (ArrayUses.h), a block's threads do so together, by atomics.
//
// ALGORITHM
//
//     each thread        a[i] op= e
//        | atomics of shared memory
//     block              a few copies:   element 0: c0 c1 c2 ...
//        |                               element 1: c0 c1 c2 ...
//        | one atomic an element
//     result
//
//   1. Cleaned up, the region and the kernel show Clang's loops over the
//      elements (ElementLoop.h): what sets the private copies of threads and of
//      the team, and what combines them into the team's and into the result.
//   2. The block's copies are set where the team's was. Lanes of a warp use
//      different ones, as many as fit `-accx-reduce-copies` bytes, so that they
//      meet less often, and in other banks.
//   3. Where the reduction over teams stood all threads combine the copies of
//      an element and add them to the result. A loop over the threads of one
//      team does both around itself.
//   4. What the reduction has besides goes on as before (NarrowPlan.h).
//
// INVARIANTS
//   - Barriers stand where all threads of the block come.
//   - Numbers that round are combined in no particular order: not with
//     `-accx-deterministic-reductions`.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_SHAREDARRAYS_H
#define ACCX_REDUCE_SHAREDARRAYS_H

#include "offload/Kernel.h"
#include "reduce/ArrayUses.h"
#include "reduce/ReductionPlan.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace accx::reduce {

/// The shared arrays of a module.
class SharedArrays {
  llvm::FunctionAnalysisManager &FAM;
  const bool MayRound;
  /// Bytes of shared memory.
  const uint64_t Available;
  /// The variables that calls no longer combine.
  llvm::DenseMap<const llvm::CallInst *, llvm::BitVector> Taken;
  /// The call that ends the kernel's work on the arrays, by the reduction's
  /// call.
  llvm::DenseMap<const llvm::CallInst *, llvm::CallInst *> Ends;

public:
  /// \p MayRound: results need not be the same from run to run.
  SharedArrays(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
               bool MayRound);

  /// Looks at \p Kernel's arrays. True where code changed: what is known of
  /// the kernel is stale then.
  bool take(const offload::KernelPlan &Kernel);

  bool hasTaken(const llvm::CallInst &Reduction) const {
    return Taken.contains(&Reduction);
  }
  /// Leaves in \p Plan what its call still is to combine. False: nothing.
  bool narrow(ReductionPlan &Plan) const;

  /// The call that all threads of a block come to after their work on arrays
  /// that \p Over, a reduction over teams, no longer combines.
  llvm::CallInst *endOf(const llvm::CallInst &Over) const {
    return Ends.lookup(&Over);
  }
};

} // namespace accx::reduce

#endif // ACCX_REDUCE_SHAREDARRAYS_H
