//===- Calls.h - What lanes may call ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code has no inferred attributes yet, so functions are looked into.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_CALLS_H
#define ACCX_LANES_CALLS_H

#include "llvm/IR/InstrTypes.h"

namespace accx::lanes {

/// Whether one lane alone may make \p Call: it waits for no other thread and
/// asks nothing of the runtime that concerns more than its caller.
bool mayRunAlone(const llvm::CallBase &Call);

/// Whether all lanes that make \p Call get the same result, and no code notices
/// how often it is made. It may read memory.
bool isRepeatable(const llvm::CallBase &Call);

} // namespace accx::lanes

#endif // ACCX_LANES_CALLS_H
