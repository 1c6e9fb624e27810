//===- Gangs.h - As many gangs as the program asks for ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   `parallel num_gangs(n)` runs code outside of its loops once in every gang,
//   which a program can count. libomp forms leagues of at most as many teams as
//   there are cores. So a team of such a region runs several gangs, one after
//   the other: gangs cannot wait for one another.
//
// ALGORITHM
//   push_num_teams(n)           push_num_teams(min(n, cores))
//   fork_teams(body, args)  ->  fork_teams(gangs, args, n)
//
//   gangs(args, n):  for (g = omp_get_team_num(); g < n;
//                         g += omp_get_num_teams())
//                      gang = {g, n}; body(args)
//                    gang = {0, 0}
//
//   `gang` is thread-local and one for all modules of an image. Loops of
//   `distribute`, in the body and in gang routines, take their share of n by
//   it; sums are added under their lock, since a team adds several. A body with
//   code that is not understood keeps its league, with libomp's limit.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_GANGS_H
#define ACCX_PROCESSOR_GANGS_H

#include "llvm/IR/PassManager.h"
#include "llvm/IR/Value.h"

namespace llvm {
class IRBuilderBase;
} // namespace llvm

namespace accx::processor {

class GangsPass : public llvm::PassInfoMixin<GangsPass> {
public:
  static constexpr llvm::StringLiteral Name = "gangs";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// The gang that the thread runs, and how many there are; 0: they are not
/// counted.
struct CurrentGang {
  llvm::Value *Number, *Count;
};
CurrentGang readGang(llvm::IRBuilderBase &B, llvm::Module &M);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_GANGS_H
