//===- BlockCopies.h - An array of a block in shared memory -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block's threads add to several copies of an array. Copy c of element e is
// word e * copies + c. So lanes, each of which uses one copy, are in different
// banks, and the copies of an element lie together.
//
//     clear     thread t sets words t, t + threads, ...     barrier
//     add       lane l: word e * copies + l mod copies      atomic
//     flush     barrier     thread t combines the copies of elements t,
//               t + threads, ..., and adds what came of it to the result
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_BLOCKCOPIES_H
#define ACCX_REDUCE_BLOCKCOPIES_H

#include "ir/CodeWriter.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace accx::reduce {

class BlockCopies {
  const llvm::Function &Like;
  llvm::Type *Element;
  const uint64_t Count;
  const unsigned Copies;
  const llvm::AtomicRMWInst::BinOp Op;
  llvm::GlobalVariable *Words = nullptr;

public:
  /// A copy for each lane of a warp.
  static constexpr unsigned Most = 32;

  /// \p Like: of the module, for the same target. \p Copies: a power of two.
  BlockCopies(const llvm::Function &Like, llvm::Type *Element, uint64_t Count,
              unsigned Copies, llvm::AtomicRMWInst::BinOp Op);

  void emitClear(llvm::Instruction &Before) const;
  /// Adds to \p Result. \p IsUsedAgain: cleared once more after that.
  llvm::CallInst *emitFlush(llvm::Instruction &Before, llvm::Value *Result,
                            bool IsUsedAgain) const;

  /// The copy that the thread uses, known from the start of \p F on.
  llvm::Value *emitLane(llvm::Function &F) const;
  /// The address of element \p Index, an i64, for the lane \p Lane.
  llvm::Value *address(llvm::IRBuilderBase &B, llvm::Value *Index,
                       llvm::Value *Lane) const;

private:
  llvm::Value *word(ir::CodeWriter &B, llvm::Value *Index) const;
};

} // namespace accx::reduce

#endif // ACCX_REDUCE_BLOCKCOPIES_H
