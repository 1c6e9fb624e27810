//===- ThreadPlace.h - A thread's place in block and grid -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The special registers, as IR, with what is known of their values.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GPU_THREADPLACE_H
#define ACCX_GPU_THREADPLACE_H

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace accx::gpu {

/// All of type i32.
struct ThreadPlace {
  llvm::Value *Thread = nullptr;
  llvm::Value *Threads = nullptr;
  llvm::Value *Block = nullptr;
  llvm::Value *Blocks = nullptr;

  static ThreadPlace read(llvm::IRBuilderBase &B) {
    constexpr uint64_t MaxThreads = 1024;
    constexpr uint64_t MaxBlocks = 0x7fffffff;
    const auto Read = [&](llvm::Intrinsic::ID Register, uint64_t Least,
                          uint64_t Bound, const char *Name) {
      llvm::CallInst *Value =
          B.CreateIntrinsic(Register, {}, {}, /*FMFSource=*/nullptr, Name);
      Value->addRangeRetAttr(
          llvm::ConstantRange(llvm::APInt(32, Least), llvm::APInt(32, Bound)));
      return Value;
    };
    ThreadPlace At;
    At.Thread = Read(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, MaxThreads,
                     "thread");
    At.Threads = Read(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1,
                      MaxThreads + 1, "threads");
    At.Block = Read(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, MaxBlocks,
                    "block");
    At.Blocks = Read(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x, 1,
                     MaxBlocks + 1, "blocks");
    return At;
  }
};

} // namespace accx::gpu

#endif // ACCX_GPU_THREADPLACE_H
