//===- RuntimeCall.h - Calls that other runtimes lack -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that accx compiles runs on LLVM's runtime, too, which lacks some of the
// functions that accx's has.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_HOST_RUNTIMECALL_H
#define ACCX_HOST_RUNTIMECALL_H

#include "llvm/IR/Module.h"

namespace accx::host {

/// The unit's function \p Own of the type \p Type, made if it is not there: it
/// calls the runtime's \p Name if there is one, otherwise \p Else if that is
/// not null.
llvm::Function *runtimeCall(llvm::Module &M, llvm::StringRef Own,
                            llvm::StringRef Name, llvm::FunctionType *Type,
                            llvm::Function *Else);

/// The unit's function that calls the runtime's __accx_settle().
llvm::Function *settleFunction(llvm::Module &M);

} // namespace accx::host

#endif // ACCX_HOST_RUNTIMECALL_H
