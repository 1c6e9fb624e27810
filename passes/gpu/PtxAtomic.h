//===- PtxAtomic.h - Atomics as PTX ------------------------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations as assembly, for what LLVM 19 has no code for: scopes, and
// operations without a result.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_PTXATOMIC_H
#define ACCX_GPU_PTXATOMIC_H

#include "llvm/IR/Instructions.h"

#include <string>

namespace accx::gpu {

/// The address space of the device's memory.
inline constexpr unsigned GlobalSpace = 1;

/// PTX's name and type of \p I, such as "add.u32"; empty if there is none. A
/// difference is the sum with what is negated.
std::string ptxOperationOf(const llvm::AtomicRMWInst &I);

/// The letter of assembly for registers of integers of 32 and 64 bits, of
/// float and of double.
char ptxConstraintOf(const llvm::Type *T);

/// Puts a `red` in the place of \p I, whose result nobody uses and which has a
/// name in PTX. \p Where: what stands between "red" and that name, such as
/// ".sys". \p Pointer: the address, in the space that \p Where names.
void emitPtxReduction(llvm::AtomicRMWInst &I, llvm::StringRef Where,
                      llvm::Value *Pointer);

} // namespace accx::gpu

#endif // ACCX_GPU_PTXATOMIC_H
