//===- Strips.h - Places of which bits are the same -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `place ^ 32` and `place & 32` are the same for 32 places in a row, but for
// what follows the place itself. A loop over work-items becomes one over strips
// of so many, with consecutive accesses inside:
//
//     for (w = 0; w < 256; ++w)      for (s = 0; s < 256; s += 32)
//       a[w ^ 32]                      for (k = 0; k < 32; ++k)
//                                        a[(s ^ 32) + k]
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_STRIPS_H
#define ACCX_WORKITEMS_STRIPS_H

#include "workitems/Code.h"
#include "workitems/Regions.h"

namespace accx::workitems {

/// The values that a region's code has in place of others.
using Given = llvm::DenseMap<llvm::Value *, llvm::Value *>;

class Strips {
  llvm::SmallVector<llvm::BinaryOperator *, 4> Parts;
  llvm::SmallVector<llvm::Value *, 4> Bases;
  uint64_t Length = 0;

public:
  /// Finds the strips of the region \p R, along \p Dimension.
  Strips(const LoopPlan &Plan, const Region &R, unsigned Dimension);

  /// 0: there are none, or they are too short for vectors.
  uint64_t length() const { return Length; }
  /// Ahead of the strip that begins at \p Place.
  void begin(Code &B, llvm::Value *Place);
  /// Adds what there is at \p Place of the strip.
  void at(Code &B, llvm::Value *Place, Given &Values) const;
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_STRIPS_H
