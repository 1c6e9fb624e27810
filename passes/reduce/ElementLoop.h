//===- ElementLoop.h - Clang's loops over an array --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang writes what a reduction does with an array as a loop over its elements:
// one sets a private copy, one combines two copies. After cleanup each is one
// block, whose pointers go from element to element.
//
//     before -> [ *p = 0;         p += 1; p == end? ] -> after      sets
//     before -> [ *p = *p op *q;  p += 1; q += 1; p == end? ]       combines
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_ELEMENTLOOP_H
#define ACCX_REDUCE_ELEMENTLOOP_H

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace accx::reduce {

struct ElementLoop {
  llvm::BasicBlock *Block = nullptr;
  llvm::BasicBlock *Before = nullptr;
  llvm::BasicBlock *After = nullptr;
  llvm::Type *Element = nullptr;
  uint64_t Count = 0;
  /// The first elements of the array that is stored to, and of the other one
  /// that is loaded from.
  llvm::Value *Into = nullptr;
  llvm::Value *From = nullptr;
  llvm::StoreInst *Store = nullptr;

  static std::optional<ElementLoop> match(llvm::BasicBlock &Block);

  /// What all elements are set to.
  llvm::Constant *constant() const {
    return llvm::dyn_cast<llvm::Constant>(Store->getValueOperand());
  }
  /// The operator that combines; BAD_BINOP: none that is known.
  llvm::AtomicRMWInst::BinOp combiner() const;

  /// Takes the loop out of its function.
  void remove() const;
};

/// The operator of \p I, of two operands, where atomics have it.
llvm::AtomicRMWInst::BinOp operatorOf(const llvm::Instruction &I);
/// The constant that changes no number by \p Op.
llvm::Constant *neutralOf(llvm::AtomicRMWInst::BinOp Op, llvm::Type *T);

} // namespace accx::reduce

#endif // ACCX_REDUCE_ELEMENTLOOP_H
