//===- SystemAtomics.h - Atomics that all devices see -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 19 writes atomics of GPUs without a scope, which means one GPU. What
// several of them do to one address has to have the scope of the system.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DISTRIBUTE_SYSTEMATOMICS_H
#define ACCX_DISTRIBUTE_SYSTEMATOMICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

namespace accx::distribute {

/// An atomic operation of \p Functions that may touch memory of other devices
/// and has no form with the scope of the system, or null. Always null on
/// processors.
llvm::Instruction *
findAtomicOfOneDevice(llvm::ArrayRef<llvm::Function *> Functions);

/// Gives the others that scope: they become assembly.
void makeAtomicsSystemWide(llvm::ArrayRef<llvm::Function *> Functions);

} // namespace accx::distribute

#endif // ACCX_DISTRIBUTE_SYSTEMATOMICS_H
