//===- ReductionPlan.h - What a reduction combines --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a call of the device runtime's reductions by the helper functions that
// Clang passes to it. A thread holds its variables behind a list of pointers:
//
//     list: [n x ptr] -> variable 0, variable 1, ...
//
// The shuffle helper makes such a list of variables of its own, fills them from
// another lane, and calls one function that combines two lists, whatever the
// operators are. That function and the variables' types are all that is needed
// to write the exchange anew. The helpers of a reduction over teams move lists
// to and from records of a buffer; they are used as they are.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REDUCE_REDUCTIONPLAN_H
#define ACCX_REDUCE_REDUCTIONPLAN_H

#include "offload/Kernel.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>

#define ACCX_ROOM reduce
#define ACCX_REFUSALS "reduce/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::reduce {

struct ReductionPlan {
  llvm::CallInst *Call = nullptr;
  bool AcrossTeams = false;
  /// Bytes of a record of all variables.
  uint64_t Bytes = 0;
  /// Bytes that the launch's buffer has for a record.
  uint64_t BufferedBytes = 0;
  /// Each thread's list of pointers to its variables.
  llvm::Value *List = nullptr;
  llvm::SmallVector<llvm::Type *, 4> Variables;
  /// (ptr Into, ptr From): combines two lists.
  llvm::Function *Combine = nullptr;

  /// (ptr Buffer, i32 Record, ptr List), across teams only.
  llvm::Function *StoreRecord = nullptr;
  llvm::Function *CombineIntoRecord = nullptr;
  llvm::Function *LoadRecord = nullptr;
  llvm::Function *CombineFromRecord = nullptr;

  static Refusal match(const offload::Reduction &From, ReductionPlan &Result);
  void print(llvm::raw_ostream &OS) const;
  /// A record of all variables.
  llvm::StructType *recordType() const;

  /// Notes on the thread's variables what they are combined by
  /// (offload/PointerList.h).
  void markVariables() const;
};

} // namespace accx::reduce

#endif // ACCX_REDUCE_REDUCTIONPLAN_H
