//===- TeamRegions.h - Gangs whose threads run them together ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The general form of a nest (TeamNest.h): a gang's iteration is any code with
// parallel regions in it, such as
//
//     largest = ...                    a row's maximum
//     region: reduces into largest
//     sum = 0                          and its sum
//     region: reads largest, reduces into sum
//     region: reads both, writes the row
//
// All threads of a group, at most a block, run the gang's code together, as
// one thread would:
//
//   - what computes and loads: each; so values, branches and loops are the same
//     in all of them
//   - a variable of the gang that regions only read: each has its own
//   - other variables: one for the group, in shared memory
//   - what writes these, or other memory: the first thread alone
//   - a region: each calls it
//
// The threads meet where one may read or write what another has written, or
// write what another has read, since they met last. Memory that is no variable
// of the gang counts as one object; so do variables whose addresses get away.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_TEAMREGIONS_H
#define ACCX_OFFLOAD_TEAMREGIONS_H

#include "offload/TeamNest.h"

namespace accx::offload {

/// Fills in the rest of \p N, whose loops and regions are known.
NestRefusal matchTogether(TeamNest &N, TeamNest::TreesOf Trees);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_TEAMREGIONS_H
