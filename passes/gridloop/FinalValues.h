//===- FinalValues.h - Counters' last values that nobody reads --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind a loop with `simd`, the thread that ran the last iteration gives the
// counter its last value. Mostly the counter is a variable of the loop, and the
// value is lost:
//
//   static init(&last, ...)
//   loop
//   if (last) counter = n;        counter is not read any more
//
// No other code has to know which thread runs the last iteration.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_FINALVALUES_H
#define ACCX_GRIDLOOP_FINALVALUES_H

#include "llvm/IR/Function.h"

namespace accx::gridloop {

/// Makes conditions behind work-sharing loops false where what they guard does
/// nothing that is noticed. Control flow stays. Returns how many.
unsigned dropFinalValues(llvm::Function &F);

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_FINALVALUES_H
