//===- ThreadPlace.cpp - A thread's place in block and grid ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the registers, and computes a thread's number in the grid from them.
//
//===----------------------------------------------------------------------===//

#include "gpu/ThreadPlace.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace accx::gpu {

static constexpr uint64_t MaxThreads = 1024, MaxBlocks = 0x7fffffff,
                          MaxOuterBlocks = 0xffff;

/// \p Register, of a value in [Least, Bound).
static Value *readRegister(IRBuilderBase &B, Intrinsic::ID Register,
                           uint64_t Least, uint64_t Bound, const char *Name) {
  CallInst *Read =
      B.CreateIntrinsic(Register, {}, {}, /*FMFSource=*/nullptr, Name);
  Read->addRangeRetAttr(ConstantRange(APInt(32, Least), APInt(32, Bound)));
  return Read;
}

Value *readThread(IRBuilderBase &B) {
  return readRegister(B, Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, MaxThreads,
                      "thread");
}

Value *readThreads(IRBuilderBase &B) {
  return readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1,
                      MaxThreads + 1, "threads");
}

Value *readBlock(IRBuilderBase &B, unsigned Dimension) {
  static constexpr Intrinsic::ID Registers[] = {
      Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
      Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
  return readRegister(B, Registers[Dimension], 0,
                      Dimension ? MaxOuterBlocks : MaxBlocks, "block");
}

Value *readBlocks(IRBuilderBase &B) {
  return readRegister(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x, 1,
                      MaxBlocks + 1, "blocks");
}

GridShape GridShape::read(IRBuilderBase &B) {
  Type *Wide = B.getInt64Ty();
  Value *Block = B.CreateZExt(readBlock(B), Wide);
  Value *Blocks = B.CreateZExt(readBlocks(B), Wide);
  Value *Thread = B.CreateZExt(readThread(B), Wide);
  Value *Threads = B.CreateZExt(readThreads(B), Wide);
  // 2^31 blocks of 2^10 threads at most.
  return {B.CreateAdd(B.CreateMul(Block, Threads, "", true, true), Thread,
                      "position", true, true),
          B.CreateMul(Blocks, Threads, "size", true, true)};
}

} // namespace accx::gpu
