//===- Origins.h - What a kernel's values come from -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows values back to the arguments of their kernel: through local
// variables, and out of the functions that Clang outlines for teams and
// threads, whose arguments are handed over by calls of OpenMP's runtime.
//
//===----------------------------------------------------------------------===//
//
//   kernel(env, A, n)            A, n: arguments
//     store A -> variable        a local variable
//     __kmpc_fork_call(outlined, variable)
//   outlined(gtid, btid, v)      v: the caller's variable
//     load v                     A
//
// A pointer may come from several places. The result names all of them, or says
// that there are others. Functions that are never defined are not followed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_ORIGINS_H
#define ACCX_OFFLOAD_ORIGINS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace accx::offload {

/// Whether \p F is the entry of a kernel in device code.
bool isKernelEntry(const llvm::Function &F);

/// \p Kernel and what runs for it: functions that it calls, or has called.
llvm::SmallVector<llvm::Function *, 8> functionsOf(llvm::Function &Kernel);

/// What memory a pointer may point to.
struct PointerOrigins {
  /// Arguments of the kernel.
  llvm::SmallPtrSet<llvm::Argument *, 4> Args;
  /// It may come out of memory that an argument points to.
  bool Loaded = false;
  /// It may point to anything.
  bool Unknown = false;
};

/// \p Pointer of a function of a kernel. Memory of the kernel's own, of teams
/// and threads, is not told.
PointerOrigins originsOf(llvm::Value *Pointer);

/// The argument of the kernel whose value is \p V, an integer or pointer, as
/// far as the code shows; null if it is none. \p Bits and \p IsUnsigned: how
/// much of it is taken, and how it is extended.
llvm::Argument *argumentOf(llvm::Value *V, unsigned &Bits, bool &IsUnsigned);

/// The values that are stored at the beginning of the local variable that
/// \p Pointer points to; empty where it points to none.
llvm::SmallVector<llvm::Value *, 2> storedIn(llvm::Value *Pointer);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_ORIGINS_H
