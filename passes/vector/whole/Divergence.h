//===- Divergence.h - Where lanes part --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control divergence of a function whose lanes execute in lockstep. It grows
// from the shapes of values, and makes values varying in turn:
//
//  - A branch on a condition that is not uniform is divergent. Phis where
//    disjoint ways from it meet are varying (sync dependence); nodes between it
//    and its post-dominator are partial: not all lanes that entered the
//    region's header are there.
//  - A loop is divergent if lanes may leave it in different iterations: an
//    exit's branch is divergent or partial. What a divergent loop's exits hand
//    out is varying (temporal divergence), and if there are several exits they
//    part like a branch.
//
// The function must be reducible, its loops simplified and in LCSSA form.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WHOLE_DIVERGENCE_H
#define ACCX_VECTOR_WHOLE_DIVERGENCE_H

#include "vector/whole/Regions.h"
#include "vector/whole/Shapes.h"

namespace accx::vector {

class Divergence {
public:
  Divergence(const Regions &All, LaneShapes &Shapes);

  /// Whether the lanes in the block may part at its end.
  bool isDivergentBranch(const llvm::BasicBlock *B) const;
  bool isDivergent(const llvm::Loop *Cycle) const {
    return Loops.contains(Cycle);
  }
  /// Not all lanes that entered the header of the region around it get there.
  bool isPartial(const RegionNode &N) const { return Partial.contains(&N); }

private:
  LaneShapes &Shapes;
  llvm::DenseSet<const llvm::Loop *> Loops;
  /// Not by blocks: a header is its loop's node and one inside the loop.
  llvm::DenseSet<const RegionNode *> Partial;
  llvm::DenseSet<const RegionNode *> Done;

  bool parts(const RegionNode &N) const;
  bool spread(const Region &R, unsigned Index);
  bool leavesDivergently(const Region &R) const;
  bool forceVarying(llvm::BasicBlock *B);
};

} // namespace accx::vector

#endif // ACCX_VECTOR_WHOLE_DIVERGENCE_H
