//===- NarrowPlan.h - A reduction without some of its variables -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of a reduction are behind a list of pointers, and Clang wrote
// functions for that list. Where some variables are combined in another way,
// the rest gets a list, a function and records of its own:
//
//     list  [a] [s] [t]     combine(list, list)      a: an array, taken out
//            x   |   |            |
//     list'     [s] [t]     combine'(list', list')   the loop over a left out
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_NARROWPLAN_H
#define ACCX_REDUCE_NARROWPLAN_H

#include "reduce/ElementLoop.h"
#include "reduce/ReductionPlan.h"

#include "llvm/ADT/BitVector.h"

namespace accx::reduce {

/// The loop that combines the elements of variable \p Index in \p Combine,
/// which is cleaned up.
std::optional<ElementLoop> loopOf(llvm::Function &Combine, unsigned Index);

/// Takes the variables \p Out, whose loops \p Plan's function has, out of
/// \p Plan. Others must remain.
void narrow(ReductionPlan &Plan, const llvm::BitVector &Out);

} // namespace accx::reduce

#endif // ACCX_REDUCE_NARROWPLAN_H
