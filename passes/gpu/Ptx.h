//===- Ptx.h - Assembly of NVIDIA GPUs --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly for what LLVM 19 has no code for: atomics with a scope, and those
// without a result.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_PTX_H
#define ACCX_GPU_PTX_H

#include "llvm/IR/Instructions.h"

#include <string>

namespace accx::gpu {

/// The address space of the device's memory.
inline constexpr unsigned GlobalSpace = 1;

/// Assembly's letter for registers of integers of 32 and 64 bits, of float and
/// of double; 0 for all else.
char ptxRegisterOf(const llvm::Type &T);

/// PTX's name and type of \p I, such as "add.u32"; empty if there is none. A
/// difference is the sum with what is negated.
std::string ptxOperationOf(const llvm::AtomicRMWInst &I);

/// Whether \p I is a `red` in PTX, which has no result.
bool isPtxReduction(const llvm::AtomicRMWInst &I);

/// Puts PTX's `red` or `atom` in the place of \p I, which has a name there.
/// \p Where: what stands between these and that name, such as ".sys".
/// \p Pointer: the address, in the space that \p Where names.
void emitPtxAtomic(llvm::AtomicRMWInst &I, llvm::StringRef Where,
                   llvm::Value *Pointer);

} // namespace accx::gpu

#endif // ACCX_GPU_PTX_H
