//===- Pipeline.h - Every pass's place --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PIPELINE_PIPELINE_H
#define ACCX_PIPELINE_PIPELINE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace accx::pipeline {

/// Gives \p PB the names of all passes, for -passes=, and has it add them where
/// they belong whenever it builds the pipeline of a compiler.
void registerPasses(llvm::PassBuilder &PB);

/// Whether remarks under \p Name are of one of these passes.
bool isOwnPass(llvm::StringRef Name);

/// Hears the remarks on \p M, for --accx-info (info/Info.h).
void listenForInfo(llvm::Module &M);

} // namespace accx::pipeline

#endif // ACCX_PIPELINE_PIPELINE_H
