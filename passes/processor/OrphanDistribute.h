//===- OrphanDistribute.h - distribute outside of teams ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A gang routine of OpenACC has loops of `distribute` with no `teams` around
//   them in the function. It may be called where there is no league: from a
//   serial construct, and from host code. libomp then reads the team around
//   the thread's, which does not exist.
//
// ALGORITHM
//   static init(distribute)  ->  if (omp_get_num_teams() == 1)
//                                  the whole loop
//                                else
//                                  static init(distribute)
//
//   One team gets the whole loop, and without a league there is one. Loops of
//   a league's own body stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_ORPHANDISTRIBUTE_H
#define ACCX_PROCESSOR_ORPHANDISTRIBUTE_H

#include "llvm/IR/PassManager.h"

namespace accx::processor {

/// For all code of processors, at every level of optimization.
class OrphanDistributePass : public llvm::PassInfoMixin<OrphanDistributePass> {
public:
  static constexpr llvm::StringLiteral Name = "orphan-distribute";

  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_ORPHANDISTRIBUTE_H
