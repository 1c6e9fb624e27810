//===- PointerList.h - Lists of pointers -------------------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang hands variables over behind a list of pointers: what a parallel region
// captures, what a reduction combines.
//
//     list: [n x ptr] -> variable 0, variable 1, ...
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_POINTERLIST_H
#define ACCX_OFFLOAD_POINTERLIST_H

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace accx::offload {

/// Which of \p List's slots \p Pointer is; none: it is no slot of it.
std::optional<uint64_t> slotOf(const llvm::Value *Pointer,
                               const llvm::Value *List,
                               const llvm::DataLayout &Layout);

/// The address of slot \p Index of \p List.
llvm::Value *slotAt(llvm::IRBuilderBase &B, llvm::Value *List, uint64_t Index);

/// What that slot holds; \p T where it is no pointer.
llvm::Value *loadSlot(llvm::IRBuilderBase &B, llvm::Value *List, uint64_t Index,
                      llvm::Type *T = nullptr);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_POINTERLIST_H
