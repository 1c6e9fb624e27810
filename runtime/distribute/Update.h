//===- Update.h - Updates of replicated arrays ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_UPDATE_H
#define ACCX_DISTRIBUTE_UPDATE_H

#include "mapping/Constructs.h"

namespace accx {

/// target update: dataUpdate(), and what it brings to one copy of a replicated
/// array reaches the others.
Status updateEverywhere(Construct C, const MapArrays &Arrays);

} // namespace accx

#endif // ACCX_DISTRIBUTE_UPDATE_H
