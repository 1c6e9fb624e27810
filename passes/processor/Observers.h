//===- Observers.h - Code that can tell who runs it -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that starts without a league, or a region that runs on one thread,
// is as good as another as long as its code asks for neither.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_OBSERVERS_H
#define ACCX_PROCESSOR_OBSERVERS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace accx::processor {

/// Whether code can tell which threads and teams there are. It may call its
/// module's functions, libomp's entry points for parallel regions, and what is
/// known of the C library, and no omp_ routine.
class Observers {
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallPtrSet<const llvm::Function *, 16> Seen;

  bool isKnown(const llvm::Function &Declared);

public:
  explicit Observers(llvm::FunctionAnalysisManager &FAM) : FAM(FAM) {}
  /// \p F, and all that it calls or has called.
  bool in(llvm::Function &F);
};

} // namespace accx::processor

#endif // ACCX_PROCESSOR_OBSERVERS_H
