//===- SerialRegions.h - Parallel regions in parallel regions ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   The device runtime has one level of parallelism: a parallel region inside
//   of another one is run by the thread that meets it, alone. Its call keeps
//   the region a function that is known by a pointer, with registers of its
//   own, and all that it captures in memory that the runtime allocates, in a
//   small heap where threads are many. Such a region is called as the function
//   it is.
//
// ALGORITHM
//   What asks the runtime in the region gets the answers for a team of one:
//
//     for_static_init(lower, upper)   lower and upper stay, stride is all of it
//     parallel_reduce                 1: this thread has the result
//     barrier                         nothing
//
//   Regions stay that may ask anything else (numbers, levels, locks), or call
//   functions that share loops.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_SERIALREGIONS_H
#define ACCX_GRIDLOOP_SERIALREGIONS_H

#include "llvm/IR/PassManager.h"

namespace accx::gridloop {

class SerialRegionsPass : public llvm::PassInfoMixin<SerialRegionsPass> {
public:
  static constexpr llvm::StringLiteral Name = "serial-regions";

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_SERIALREGIONS_H
