//===- SharedMemory.h - Variables of a block --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that the threads of a block share, as NVPTX has it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_SHAREDMEMORY_H
#define ACCX_GPU_SHAREDMEMORY_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace accx::gpu {

/// The address space.
inline constexpr unsigned SharedSpace = 3;

/// A new variable. \p Nothing: of its type, undef or poison; what is there when
/// a block begins is not known.
inline llvm::GlobalVariable *createShared(llvm::Module &M,
                                          llvm::UndefValue &Nothing,
                                          const llvm::Twine &Name,
                                          llvm::Align Alignment) {
  auto *Variable = new llvm::GlobalVariable(
      M, Nothing.getType(), /*isConstant=*/false,
      llvm::GlobalValue::InternalLinkage, &Nothing, Name, nullptr,
      llvm::GlobalValue::NotThreadLocal, SharedSpace);
  Variable->setAlignment(Alignment);
  return Variable;
}

} // namespace accx::gpu

#endif // ACCX_GPU_SHAREDMEMORY_H
