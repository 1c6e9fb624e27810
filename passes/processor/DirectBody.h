//===- DirectBody.h - Bodies of forks, called directly ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that starts without a league, or a region that runs on one thread,
// is as good as another as long as its code asks for neither. Then a copy of
// the body may be called where libomp would have forked.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_DIRECTBODY_H
#define ACCX_PROCESSOR_DIRECTBODY_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallInst;
class Instruction;
class Value;
} // namespace llvm

namespace accx::processor {

/// Whether \p F, or what it calls or has called, can tell which threads and
/// teams there are. It may call its module's functions, libomp's entry points
/// for parallel regions, and what is known of the C library, and no omp_
/// routine.
bool mayObserve(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// A local copy of \p Body under its name and \p Suffix, with \p Attribute.
llvm::Function *copyBody(llvm::Function &Body, llvm::StringRef Suffix,
                         llvm::StringRef Attribute);

/// Leaves \p Call for where \p Condition is false. Returns the place of what
/// runs where it is true.
llvm::Instruction *insteadOf(llvm::CallInst &Call, llvm::Value *Condition);

/// Calls \p Direct, a copy of the body of \p Fork, before \p Where as the first
/// thread of a team. With \p DropsUnused, numbers of threads that it does not
/// read are left out.
void callDirectly(llvm::Function &Direct, const llvm::CallInst &Fork,
                  llvm::Instruction &Where, bool DropsUnused);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_DIRECTBODY_H
