//===- Distribute.h - Loops that several devices share ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_ABI_DISTRIBUTE_H
#define ACCX_ABI_DISTRIBUTE_H

#include "distribute/Loop.h"

namespace accx {

/// The distributed loop that the calling thread's next target region is; null
/// if it is none.
DistributedLoop *currentLoop();

} // namespace accx

#endif // ACCX_ABI_DISTRIBUTE_H
