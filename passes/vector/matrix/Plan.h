//===- Plan.h - Which vectors a small matrix becomes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Says whether a traced nest (Trace.h) is an operation on small
//   matrices, and cuts what it stores into vectors: a part of a row, a row, or
//   several rows.
//
//     product    what is stored adds up products of elements, and the elements
//                of either side are used several times. With a transposed
//                operand it is one, too.
//     transpose  what is stored are elements, not in the order of their places
//
//   A nest may store several matrices, each of one of these kinds: pairs of
//   products are one nest.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_MATRIX_PLAN_H
#define ACCX_VECTOR_MATRIX_PLAN_H

#include "vector/matrix/Trace.h"

namespace accx::vector {

struct MatrixKinds {
  unsigned Products = 0;
  unsigned Transposes = 0;
};

/// No matrices at all if one of the stored arrays is of neither kind.
MatrixKinds findKinds(const MatrixTrace &Trace);

/// How a row of so many elements becomes vectors.
struct MatrixShape {
  unsigned Columns = 0;
  /// Of one vector.
  unsigned Rows = 1;
};

/// Consecutive elements that are stored by one vector.
struct MatrixChunk {
  unsigned Array;
  int64_t Offset;
  unsigned Count;
};

/// The shapes that fit what is stored, for rows as long as one of
/// \p TripCounts, in registers of \p RegisterBits.
llvm::SmallVector<MatrixShape, 8>
findShapes(const MatrixTrace &Trace, llvm::ArrayRef<unsigned> TripCounts,
           unsigned RegisterBits);

std::vector<MatrixChunk> cutStores(const MatrixTrace &Trace, MatrixShape Shape,
                                   unsigned RegisterBits);

/// Consecutive elements, [first, last).
struct ElementRun {
  int64_t First;
  int64_t Last;
};

/// The consecutive parts of what is stored, or of all that is accessed.
std::vector<ElementRun> findRuns(const MatrixTrace &Trace, unsigned Array,
                                 bool StoredOnly);

/// What the program's own operations cost if nothing is widened.
unsigned countScalar(const MatrixTrace &Trace);

/// Whether a vector may be stored before the next one is computed: no element
/// is used by another vector than the one that replaces it.
bool mayStoreEarly(const MatrixTrace &Trace,
                   const std::vector<MatrixChunk> &Chunks);

} // namespace accx::vector

#endif // ACCX_VECTOR_MATRIX_PLAN_H
