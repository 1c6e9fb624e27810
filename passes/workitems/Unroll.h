//===- Unroll.h - Steps of a block as straight code -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of a region takes a few steps, a constant number of them, and writes
// in each. In straight code, it is constant which work-items have something to
// do in a step, and what they access.
//
//     for (h = 8; h > 0; h /= 2)         if (w < 8) a[w] += a[w + 8];
//       if (w < h) a[w] += a[w + h];     if (w < 4) a[w] += a[w + 4]; ...
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_UNROLL_H
#define ACCX_WORKITEMS_UNROLL_H

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/PassManager.h"

namespace accx::workitems {

/// Unrolls such loops inside of those with \p Headers.
void unrollSteps(llvm::Function &F, llvm::ArrayRef<llvm::BasicBlock *> Headers,
                 llvm::FunctionAnalysisManager &FAM);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_UNROLL_H
