//===- StaticShares.h - Threads compute their iterations --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A loop with a static schedule asks libomp which iterations are a thread's.
//   That is a division, but takes 0.3 us in a library that prints what it does
//   (as Debian's), which is a quarter of the start and end of a parallel loop.
//
// ALGORITHM
//   static init(lower, upper)  ->  n = upper - lower + 1; t, p = thread,
//   threads
//                                  lower += t * (n / p) + min(t, n % p)
//                                  upper = lower + n / p + (t < n % p) - 1
//   static fini                ->  nothing
//
//   The shares are libomp's own, to the iteration. So loops of one region
//   agree, whether libomp or this code computes them. Functions with other
//   schedules stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_STATICSHARES_H
#define ACCX_PROCESSOR_STATICSHARES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace accx::processor {

class StaticSharesPass : public llvm::PassInfoMixin<StaticSharesPass> {
public:
  static constexpr llvm::StringLiteral Name = "static-shares";

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// How many iterations the loop of \p Init has, 64 bits.
llvm::Value *iterationsOf(llvm::CallInst &Init);

/// The same for loops of \p Schedule that one team, or one thread, gets as a
/// whole, in \p F; false, and nothing changed, if \p F has loops of others.
bool takeWholeLoops(llvm::Function &F, int64_t Schedule);

/// \p Init gives way to the bounds of its whole loop.
void takeWholeLoop(llvm::CallInst &Init);

/// Whether \p Init begins a loop of `distribute` that the next function knows.
bool isDistributeLoop(const llvm::CallInst &Init);

/// \p Init, of a loop of `distribute`, gives way to the bounds of the share of
/// \p Number among \p Count (i32).
void takeShareOf(llvm::CallInst &Init, llvm::Value *Number, llvm::Value *Count);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_STATICSHARES_H
