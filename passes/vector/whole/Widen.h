//===- Widen.h - Whole-function vectorization -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Makes, of a scalar function, the body of a function that does the same for
//   several lanes at once, whatever its control flow: branches, early returns
//   and loops whose trip counts differ between the lanes.
//
// ALGORITHM
//   1. Copy the function; lower switches, unify returns, simplify loops.
//   2. Analyze which values differ between lanes (Shapes.h) and where
//      control flow parts (Divergence.h), on nested regions
//      (Regions.h).
//   3. Turn divergent control flow into masks, in scalar IR
//      (Linearize.h).
//   4. Analyze shapes again, now of data flow only, and emit vector code
//      (Emit.h).
//   The copy is thrown away.
//
// REFUSALS
//   Irreducible control flow, loops without an end, indirect branches,
//   exceptions, inline assembly, calls of functions that return twice or must
//   be tail calls, fences, arrays of variable length, and varying values that
//   are aggregates, vectors, or of types wider than 64 bits. Atomic and
//   volatile accesses and calls without a vector form go lane by lane, in the
//   order of lanes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_WHOLE_WIDEN_H
#define ACCX_VECTOR_WHOLE_WIDEN_H

#include "vector/whole/Emit.h"

#include "llvm/IR/PassManager.h"

namespace accx::vector {

struct WidenRequest {
  llvm::Function *Scalar = nullptr;
  unsigned Lanes = 0;
  /// Of the scalar function's parameters.
  llvm::SmallVector<LaneShape, 8> Shapes;
  /// Where lanes have which arguments: a block without terminator, in the
  /// vector function, and the values: scalars for strided ones, else vectors.
  llvm::BasicBlock *Entry = nullptr;
  llvm::SmallVector<llvm::Value *, 8> Arguments;
  /// `<Lanes x i1>`, or null if all lanes are always there. Without any lane
  /// the function returns zeros at once.
  llvm::Value *Mask = nullptr;
  VariantCaller *Variants = nullptr;
};

/// Completes the vector function, or returns why that is impossible and leaves
/// its blocks to be erased.
llvm::StringRef widen(const WidenRequest &Request,
                      llvm::FunctionAnalysisManager &FAM);

} // namespace accx::vector

#endif // ACCX_VECTOR_WHOLE_WIDEN_H
