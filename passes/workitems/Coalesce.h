//===- Coalesce.h - One variable for values that follow each other -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One variable of the program becomes several values: a phi wherever ways meet,
// and a value for each assignment. Each one that a stop finds alive is an
// array, so handing a value on from one to the next is a loop over work-items.
//
//     if (...) { b[w] = f(w) } else { b[w] = a[w] }     a and b are one array:
//     a[w] = b[w]                                       the copies are no code
//
// Two are joined where one is copied to the other, and neither is set while the
// other still has a value of its own to keep.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_COALESCE_H
#define ACCX_WORKITEMS_COALESCE_H

#include "workitems/Regions.h"

namespace accx::workitems {

/// Joins those of \p Variables that work-items find different; others cost
/// nothing, and what some work-items set while others wait must stay apart.
void coalesce(const BlockSet &Body, llvm::MapVector<Slot, Variable> &Variables);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_COALESCE_H
