//===- Linearize.h - Divergent control flow into masks ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Rewrites a scalar function so that all lanes can take the same way through
//   it: divergent branches become data, in scalar IR. The result still speaks
//   of one lane; `accx.lanes.any(i1)` asks about all. Widening it afterwards is
//   a matter of instructions, not of control flow.
//
// ALGORITHM
//   1. Every block has a mask: is this lane here? Blocks that all lanes of an
//      earlier block reach share its mask; others collect theirs from their
//      incoming edges in a slot, which is false when their region begins.
//   2. Phis become slots as well, written on the incoming edges: under the
//      edge's mask if the phi is varying.
//   3. Blocks are connected in the regions' order. What a divergent branch does
//      not continue with is pending, and comes later; a uniform branch remains
//      one, and what is pending stays so on both of its ways:
//
//            A              A              A
//           / \             |             / \ any lane for B?
//          B   C    ->      B      or    B   |
//           \ /             |             \ /
//            D              C              C
//                           |              |
//                           D              D
//
//      The guarded form on the right is for blocks that must not be executed
//      without lanes (uniform loads, loops, calls, uniform branches) or that
//      cost more than the question.
//   4. A divergent loop gets one tail behind its latch, where lanes that left
//      wait for the others:  tail: br any(lanes that go on), header, exits.
//   5. Slots become SSA values again.
//
// INVARIANTS
//   The order respects dominance, so that only phis and masks need slots. A
//   block that is executed without any lane has only instructions that are
//   safe then. Masks are never poison: conditions of lanes that are not there
//   are frozen.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WHOLE_LINEARIZE_H
#define ACCX_VECTOR_WHOLE_LINEARIZE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace accx::vector {

class Divergence;
class LaneShapes;
class Regions;

/// The masks of those blocks that have instructions of the program.
using BlockMasks = llvm::DenseMap<llvm::BasicBlock *, llvm::WeakTrackingVH>;

/// `Mask` (i1) tells of the lanes that enter the function; there is at least
/// one. Returns why it is impossible, and leaves the function broken then.
llvm::StringRef linearize(llvm::Function &F, llvm::Value *Mask,
                          const Regions &All, const Divergence &Ways,
                          const LaneShapes &Shapes, BlockMasks &Masks);

} // namespace accx::vector

#endif // ACCX_VECTOR_WHOLE_LINEARIZE_H
