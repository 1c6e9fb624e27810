//===- Annotations.h - What NVPTX is told of a kernel -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of a kernel's blocks stand in the module's nvvm.annotations. The back
// end remembers those of each function that it was asked about, and LLVM's
// pipeline for NVPTX asks before any pass of ours runs.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_KERNELS_ANNOTATIONS_H
#define ACCX_KERNELS_ANNOTATIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

#include <cstdint>

namespace accx::kernels {

/// The number that annotation \p Name gives \p Kernel; 0 if there is none.
uint64_t annotated(const llvm::Function &Kernel, llvm::StringRef Name);

/// Sets it. Has no effect on the back end before renew().
void annotate(llvm::Function &Kernel, llvm::StringRef Name, uint32_t Number);

/// A new function that stands for \p Kernel in everything. \p Kernel has no
/// body and no uses any more, and is the caller's to erase.
llvm::Function &renew(llvm::Function &Kernel);

} // namespace accx::kernels

#endif // ACCX_KERNELS_ANNOTATIONS_H
