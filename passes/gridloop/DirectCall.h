//===- DirectCall.h - Parallel regions without a runtime --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In an SPMD kernel all threads reach a parallel region. The runtime's call
// puts barriers around it and sets the parallel state, both for the whole team.
// Where no code can tell the difference, the region's body is called as the
// function it is:
//
//   - the body does not ask for the state (level, numbers, nested regions,
//     reductions, critical sections, unknown functions);
//   - all threads of the block take part: no if, no smaller num_threads;
//   - the code around the region touches only variables of its own thread, so
//     that no barrier orders it with what other threads do in the region. Where
//     it loads others before, such as bounds that are members of an object, a
//     barrier stays.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_DIRECTCALL_H
#define ACCX_GRIDLOOP_DIRECTCALL_H

#include "offload/Kernel.h"

#define ACCX_ROOM gridloop
#define ACCX_REFUSAL DirectCallRefusal
#define ACCX_REFUSALS "gridloop/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::gridloop {

/// Replaces \p Region's call in \p Around. The region is one of a LoopPair of
/// \p Kernel.
DirectCallRefusal replaceByDirectCall(const offload::ParallelRegion &Region,
                                      llvm::Function &Around,
                                      llvm::Function &Kernel);

/// Replaces \p Call of the runtime in \p Around by a call of \p Body, the
/// region's. The caller knows that this is allowed. \p Thread is the thread's
/// number that the body gets; null: the number in the block. False: its
/// arguments are not recognized.
bool emitDirectCall(llvm::CallInst &Call, llvm::Function &Body,
                    llvm::Function &Around, llvm::Value *Thread = nullptr);

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_DIRECTCALL_H
