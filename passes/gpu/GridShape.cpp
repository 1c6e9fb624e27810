//===- GridShape.cpp - A thread's place in the grid, as IR ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the registers of a thread's place, with the ranges that CUDA
// guarantees, as numbers of 64 bits. ThreadPlace.h has the same registers as
// numbers of 32.
//
//===----------------------------------------------------------------------===//

#include "gpu/GridShape.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace accx::gpu {

/// \p Register, of a value in [Least, Bound), extended to 64 bits.
static Value *readRegister(IRBuilderBase &B, Intrinsic::ID Register,
                           uint64_t Least, uint64_t Bound) {
  CallInst *Read = B.CreateIntrinsic(Register, {}, {});
  Read->addRangeRetAttr(ConstantRange(APInt(32, Least), APInt(32, Bound)));
  return B.CreateZExt(Read, B.getInt64Ty());
}

GridShape GridShape::read(IRBuilderBase &B) {
  constexpr uint64_t MaxBlocks = 0x7fffffff;
  constexpr uint64_t MaxThreads = 1024;
  GridShape G = {};
  Value *Block =
      readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, MaxBlocks);
  Value *Blocks =
      readRegister(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x, 1, MaxBlocks + 1);
  Value *Thread =
      readRegister(B, Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, MaxThreads);
  Value *Threads =
      readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1, MaxThreads + 1);
  // 2^31 blocks of 2^10 threads at most.
  G.Position = B.CreateAdd(B.CreateMul(Block, Threads, "", true, true), Thread,
                           "position", true, true);
  G.Size = B.CreateMul(Blocks, Threads, "size", true, true);
  return G;
}

} // namespace accx::gpu
