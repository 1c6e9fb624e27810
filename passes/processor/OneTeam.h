//===- OneTeam.h - Kernels of one team start without a league ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   On processors a league has one team, unless the program or its user asks
//   for more. The league then only costs time: 0.2 us for itself, as much for
//   a loop that is dealt out to one team, and the parallel region starts more
//   slowly inside.
//
// ALGORITHM
//   __kmpc_fork_teams(body)  ->  if (one team, with as many threads anyway)
//                                  body'()
//                                else
//                                  __kmpc_fork_teams(body)
//
//   body' is the body with loops of `distribute` as a whole. It runs on the
//   thread that would have been the team's first, where a kernel begins:
//   outside of every parallel region.
//
//   Functions that a kernel calls must not be able to tell. It may call this
//   module's functions, libomp's entry points for parallel regions, and what is
//   known of the C library, and no omp_ routine. libomp would have cut a number
//   of threads that the kernel asks for to the team's, so such kernels stay.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_ONETEAM_H
#define ACCX_PROCESSOR_ONETEAM_H

#include "llvm/IR/PassManager.h"

namespace accx::processor {

class OneTeamPass : public llvm::PassInfoMixin<OneTeamPass> {
public:
  static constexpr llvm::StringLiteral Name = "one-team";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_ONETEAM_H
