//===- SerialRegions.h - Parallel regions in parallel regions ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   The device runtime has one level of parallelism: the thread that meets a
//   parallel region inside of another one runs it alone. The runtime's call
//   keeps the region a function behind a pointer, with registers of its own. It
//   keeps all that the region captures in memory that the runtime allocates, in
//   a heap that is small for many threads. Here such a region is called as the
//   function it is.
//
// ALGORITHM
//   Questions to the runtime in the region get the answers for a team of one:
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
