//===- ArrayUses.h - What a region does with a private array ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Finds whether a region uses the private copy of an array that it reduces
//   only as `a[i] op= e`, for any i and e. Then threads may do that on one copy
//   by atomics.
//
// LEGALITY
//   - No other code gets the array's address.
//   - What is loaded from an element goes through the operator, as one of its
//     operands, into what is stored to the element, and nowhere else. So each
//     update only combines e with what was there, and updates may come in any
//     order.
//   - Between load and store nothing else is stored to the array.
//   - A comparison may decide whether a maximum or minimum is stored at all:
//     what is in the element only gets closer to the result.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_ARRAYUSES_H
#define ACCX_REDUCE_ARRAYUSES_H

#include "reduce/ElementLoop.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"

#define ACCX_ROOM reduce
#define ACCX_REFUSAL ArrayRefusal
#define ACCX_REFUSALS "reduce/ArrayRefusals.def"
#include "ir/Refusals.inc"

namespace accx::reduce {

class ArrayUses {
  llvm::AllocaInst *Array = nullptr;
  llvm::Type *Element = nullptr;
  llvm::AtomicRMWInst::BinOp Op = llvm::AtomicRMWInst::BAD_BINOP;
  llvm::SmallVector<llvm::LoadInst *, 4> Loads;
  llvm::SmallVector<llvm::StoreInst *, 4> Stores;
  /// The values computed from loads, and their uses for the element.
  llvm::SmallPtrSet<llvm::Instruction *, 8> Computed;
  llvm::SmallPtrSet<const llvm::Use *, 8> Through;
  /// Loads that only decide whether their element is stored to.
  llvm::SmallPtrSet<llvm::LoadInst *, 2> Deciding;

public:
  /// \p Elsewhere: blocks of Clang's own loops. \p List: stores to the
  /// reduction's list.
  ArrayRefusal match(llvm::AllocaInst &A, llvm::Type *ElementType,
                     llvm::AtomicRMWInst::BinOp Operator,
                     llvm::ArrayRef<llvm::BasicBlock *> Elsewhere,
                     const llvm::StoreInst &List);

  /// Whether, with loops of few iterations unrolled, all subscripts are
  /// constants: then the array becomes registers.
  bool areKnown(llvm::ScalarEvolution &SE) const;

  using AddressOf = llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &B,
                                                     llvm::Value *Index)>;
  /// Stores become atomics on what \p Address says for an element's number, an
  /// i64.
  void rewrite(AddressOf Address);

private:
  llvm::Value *indexOf(llvm::IRBuilderBase &B, llvm::Value *Pointer) const;
  bool hasIndex(llvm::Value *Pointer) const;
  bool isElement(const llvm::Value *V, const llvm::StoreInst &Store) const;
  bool goesThrough(const llvm::Use &U, const llvm::StoreInst &Store);
  bool decides(const llvm::StoreInst &Store);
  llvm::Value *contribution(llvm::Value *V, const llvm::StoreInst &Store,
                            llvm::IRBuilderBase &B) const;
};

/// Visits all that uses \p Array or an address in it, except computations of
/// addresses.
void forEachAccess(llvm::Value &Array,
                   llvm::function_ref<void(llvm::Instruction &)> Visit);

} // namespace accx::reduce

#endif // ACCX_REDUCE_ARRAYUSES_H
