//===- Apart.h - Conditions around stops, taken apart -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stop that work-items reach only where a condition holds becomes one that
// all reach:
//
//     if (c) {            if (c)
//       t = a[w + 1];       t = a[w + 1];
//       -- stop --        -- stop --
//       a[w] = t;         if (c)
//     }                     a[w] = t;
//
// No work-item need note where it waits, and `c` says which places have work.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_APART_H
#define ACCX_WORKITEMS_APART_H

#include "workitems/Plan.h"

namespace accx::workitems {

/// Does so with the stops of \p Plan, where a condition has one side.
void takeApart(LoopPlan &Plan, llvm::LoopInfo &Loops);

/// Puts the body in an order in which ways go on. Of the two sides of a
/// condition, the one that the program has first comes first.
void findBody(LoopPlan &Plan);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_APART_H
