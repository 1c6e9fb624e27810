//===- Work.h - How much a function does ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Starting threads takes a microsecond. Whether a loop's work is worth it
//   follows from its bounds, which are known where the threads would start.
//
// ALGORITHM
//   Instructions cost what the target says. What is read and written costs a
//   part of its bytes, too. A block counts as often as it is run for each round
//   of its loop, as LLVM expects. A loop's rounds are a number, or follow from
//   the function's arguments, or are at most a number; those of outer loops are
//   at most the iterations that the function was given. Else, and for calls
//   that may take any time, the work is large: it is small only where LLVM
//   expects that they are not reached.
//
//   It is an estimate: a wrong one costs time and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_WORK_H
#define ACCX_PROCESSOR_WORK_H

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/PassManager.h"

namespace accx::processor {

class Work {
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::LoopInfo &Loops;
  llvm::ScalarEvolution &SE;
  llvm::TargetTransformInfo &TTI;
  llvm::BlockFrequencyInfo &Frequencies;
  /// Null: unknown.
  llvm::Value *Iterations;
  unsigned Depth;

  const llvm::SCEV *number(uint64_t N) const;
  const llvm::SCEV *atMost(const llvm::SCEV *Amount) const;
  uint64_t ofCall(llvm::CallBase &Call);
  uint64_t ofBytes(llvm::Value *Length);
  uint64_t of(llvm::Instruction &I);
  const llvm::SCEV *someRounds(const llvm::SCEV *Count, uint64_t Limit) const;
  const llvm::SCEV *rounds(const llvm::Loop &L);
  const llvm::SCEV *fromArguments(const llvm::SCEV *Amount, unsigned Choices);
  const llvm::SCEV *part(const llvm::SCEV *Amount, llvm::BasicBlock *Block,
                         llvm::BasicBlock *Whole);
  /// The work of the blocks of \p L, or of the function, once.
  const llvm::SCEV *ofRound(llvm::Loop *L);

public:
  /// \p Iterations: of worksharing loops, 64 bits, or null. \p Depth: of calls
  /// around.
  Work(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
       llvm::Value *Iterations, unsigned Depth = 0);
  /// An expression of \p F's arguments alone with 64 bits, about cycles. It is
  /// far below what would overflow.
  const llvm::SCEV *estimate();
  llvm::ScalarEvolution &evolution() { return SE; }
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_WORK_H
