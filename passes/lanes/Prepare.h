//===- Prepare.h - Notes on Clang's own code --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   While each variable still is a local one: finds vector loops below loops
//   over threads, and notes what values alone would no longer tell (Marks.h).
//
//     lanes' variables       The counter's first store is where the vector
//                            loop's own variables begin; their lifetimes start
//                            after it.
//     reductions             An accumulator is a local variable of the vector
//                            loop that is read after it, on the way to the one
//                            store of what it and the reduction's variable
//                            make. Clang writes these three down together.
//     loops over threads     What grid-loop has left as a worksharing loop
//                            gets the same form, iterations i, i + threads,
//                            ...; number and count of threads are asked of the
//                            runtime's own function, as bounds of a loop that
//                            never ends.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_PREPARE_H
#define ACCX_LANES_PREPARE_H

#include "lanes/Nest.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"

namespace accx::lanes {

using RefuseAt = llvm::function_ref<void(const llvm::Loop &, Refusal)>;

enum class Prepared : uint8_t {
  Nothing,
  /// Noted down, but of no use: one of a function's vector loops is not known.
  InVain,
  Notes
};

/// Notes what \p F has that may run across lanes. Only marked loops are
/// reported to \p Refuse.
Prepared prepare(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                 RefuseAt Refuse);

} // namespace accx::lanes

#endif // ACCX_LANES_PREPARE_H
