//===- SumOrder.h - Sums read memory from its beginning on ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A block's sum that halves its elements again and again reads them from both
//   ends of each half. Processors foresee memory that is read upwards, and wait
//   for the rest: 64 MB took 1.2 times as long, though each line was asked for
//   in order ahead of the sum.
//
// ALGORITHM
//   (a[15] + a[7]) + (a[11] + a[3]) + ...  ->  a[0] + a[1] + a[2] + ...
//
//   for trees of one associative operation (integers, or floating point that
//   the program lets reassociate) over at least four loads that lie at constant
//   distances of each other, in one basic block, with no write between. What
//   asked for those lines ahead goes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_SUMORDER_H
#define ACCX_PROCESSOR_SUMORDER_H

#include "llvm/IR/PassManager.h"

namespace accx::processor {

class SumOrderPass : public llvm::PassInfoMixin<SumOrderPass> {
public:
  static constexpr llvm::StringLiteral Name = "sum-order";

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_SUMORDER_H
