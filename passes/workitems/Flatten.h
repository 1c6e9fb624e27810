//===- Flatten.h - Code that loops over work-items vectorize well -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three rewritings of a body, ahead of cutting it at its stops:
//
//   * `e = x == n - 1 ? x : x + 1` is Clang's branch and a phi, which a stop
//     would find alive. As a select it is computed again where it is used.
//   * `long(x + 1)` of 32 bits is `long(x) + 1` where x + 1 does not overflow:
//     what is next to each other for a vector must be so in 64 bits.
//   * `a[c ? x : x + 1]` would be a gather; `c ? a[x] : a[x + 1]` is two masked
//     loads.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_FLATTEN_H
#define ACCX_WORKITEMS_FLATTEN_H

#include "workitems/Plan.h"

namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm

namespace accx::workitems {

/// Branches of \p Nest that choose between cheap values become selects.
void flattenChoices(const llvm::Loop &Nest);

/// Widens sums of work-items' places.
void widenIndices(const LoopPlan &Plan);

/// Splits loads whose address is a choice of two that follow the place.
void splitChoices(LoopPlan &Plan, llvm::LoopInfo &Loops);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_FLATTEN_H
