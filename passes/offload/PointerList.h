//===- PointerList.h - Lists of pointers ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang hands variables over behind a list of pointers: what a parallel region
// captures, what a reduction combines. Marks on variables say how that is done.
//
//     list: [n x ptr] -> variable 0, variable 1, ...
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_OFFLOAD_POINTERLIST_H
#define ACCX_OFFLOAD_POINTERLIST_H

#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace accx::offload {

/// On a thread's variable that its loop's reduction combines: {function (ptr
/// Into, ptr From) that combines two lists, i32 the variable's place in them};
/// nothing where there are several. The pass that reads calls of the device
/// runtime's reductions makes the mark. The pass that finds loops inside that
/// one adding to the variable reads it.
inline constexpr char ReductionMark[] = "accx.reduced";

/// Functions that reductions are written as have names with this in front.
inline constexpr char ReductionHelper[] = "accx.reduce.";

/// Which of \p List's slots \p Pointer is; none: it is no slot of it.
std::optional<uint64_t> slotOf(const llvm::Value *Pointer,
                               const llvm::Value *List,
                               const llvm::DataLayout &Layout);

/// Hands each store into a slot of \p List, of code of \p F, to \p Visit.
void forEachSlot(
    llvm::Function &F, const llvm::Value *List,
    llvm::function_ref<void(llvm::StoreInst &Store, uint64_t Index)> Visit);

/// The address of slot \p Index of \p List.
llvm::Value *slotAt(llvm::IRBuilderBase &B, llvm::Value *List, uint64_t Index);

/// What that slot holds; \p T where it is no pointer.
llvm::Value *loadSlot(llvm::IRBuilderBase &B, llvm::Value *List, uint64_t Index,
                      llvm::Type *T = nullptr);

} // namespace accx::offload

#endif // ACCX_OFFLOAD_POINTERLIST_H
