//===- PlanPrinter.h - print<...> -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `print<NAME>`: what pass NAME finds and decides, on standard error, a line
// each: its plans and its remarks. The pass runs on a copy of the module, so
// that the module stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PIPELINE_PLANPRINTER_H
#define ACCX_PIPELINE_PLANPRINTER_H

#include "ir/Remark.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace accx::pipeline {

class PlanPrinter : public llvm::PassInfoMixin<PlanPrinter> {
  llvm::ModulePassManager Pass;

public:
  explicit PlanPrinter(llvm::ModulePassManager Pass) : Pass(std::move(Pass)) {}

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM) {
    const std::unique_ptr<llvm::Module> Copy = llvm::CloneModule(M);
    ir::plansGoTo() = &llvm::errs();
    const auto Stop = llvm::make_scope_exit([] { ir::plansGoTo() = nullptr; });
    Pass.run(*Copy, MAM);
    MAM.clear(*Copy, Copy->getName());
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace accx::pipeline

#endif // ACCX_PIPELINE_PLANPRINTER_H
