//===- Pipeline.h - Where work-items become loops ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and place of the passes of this family, which runs at -O0, too: without
// it channel types mean nothing on processors.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_PIPELINE_H
#define ACCX_WORKITEMS_PIPELINE_H

#include "llvm/IR/PassManager.h"

namespace accx::workitems {

/// A pass of -passes=; false if \p Name is none of this family.
bool parsePass(llvm::StringRef Name, llvm::ModulePassManager &MPM);

/// Ahead of StripPass.
void addBeforeStrip(llvm::ModulePassManager &MPM);

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_PIPELINE_H
