//===- ReductionNotes.h - Notes vector loops' reductions --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the notes (Marks.h) on a vector loop's reductions that Prepare.h asks
// for:
//
//     loop                     acc = acc op ...
//     exit                     acc = result(acc)
//       x = load orig          x' = original(x)
//       y = load acc
//       z = x op y             any code that branches on nothing else
//       store z, orig          store combined(z), orig
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_REDUCTIONNOTES_H
#define ACCX_LANES_REDUCTIONNOTES_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace accx::lanes {

/// Notes the accumulators of \p L. What is not found stays without notes, and
/// keeps the loop from running across lanes if it is a reduction.
void noteReductions(const llvm::Loop &L, llvm::BasicBlock &Exit,
                    const llvm::CallInst &Enter, const llvm::DominatorTree &DT);

} // namespace accx::lanes

#endif // ACCX_LANES_REDUCTIONNOTES_H
