//===- PlanPrinter.h - print<...> -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pass would do with a module, as text, for tools and tests: a pass of
// its own that changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PIPELINE_PLANPRINTER_H
#define ACCX_PIPELINE_PLANPRINTER_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace accx::pipeline {

/// \p Print writes the plans of a module to standard error.
template <const char *OfPass,
          void (*Print)(llvm::Module &, llvm::FunctionAnalysisManager &,
                        llvm::raw_ostream &)>
struct PlanPrinter : llvm::PassInfoMixin<PlanPrinter<OfPass, Print>> {
  static constexpr const char *Name = OfPass;

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM) {
    using Proxy = llvm::FunctionAnalysisManagerModuleProxy;
    Print(M, MAM.getResult<Proxy>(M).getManager(), llvm::errs());
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace accx::pipeline

#endif // ACCX_PIPELINE_PLANPRINTER_H
