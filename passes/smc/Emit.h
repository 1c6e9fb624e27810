//===- Emit.h - Copies of arrays in shared memory ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies a plan: the loop over blocks, a variable in shared memory for each
// array, its fetch by all threads of the block, and the reads that go there.
//
//     barrier          all have read what the copy held before
//     element t, t + threads, ... of the copy = the array's, within its extent
//     barrier          all of it is there
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_EMIT_H
#define ACCX_SMC_EMIT_H

#include "smc/Plan.h"

namespace accx::smc {

/// Rewrites what \p P describes. With \p Check, reads outside of their declared
/// range are reported when they happen; with \p Stays there are fewer blocks of
/// threads than of iterations.
void emitNest(NestPlan &P, bool Check, bool Stays);

} // namespace accx::smc

#endif // ACCX_SMC_EMIT_H
