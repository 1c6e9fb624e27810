//===- SmallRegions.h - What is soon done takes one thread ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Two threads need a microsecond to begin and to end a parallel region. A sum
//   of the last hundred partial sums takes a tenth of that.
//
// ALGORITHM
//   __kmpc_fork_call(body)  ->  if (work of body for these arguments is small)
//                                 body'()
//                               else
//                                 __kmpc_fork_call(body)
//
//   body' is the body with worksharing loops as a whole. This is done only for
//   regions that have none around them. There the calling thread is a team of
//   its own, so barriers, critical sections and reductions mean the same in
//   both. A region stays if the program asks for a number of threads, or if
//   code can tell how many there are, or has regions of its own. How much a
//   body does: see Work.h.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_SMALLREGIONS_H
#define ACCX_PROCESSOR_SMALLREGIONS_H

#include "llvm/IR/PassManager.h"

namespace accx::processor {

class SmallRegionsPass : public llvm::PassInfoMixin<SmallRegionsPass> {
public:
  static constexpr llvm::StringLiteral Name = "small-regions";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_SMALLREGIONS_H
