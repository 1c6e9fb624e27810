//===- Copies.h - A block's copies of arrays --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what is done once a block of work-items where a region begins and
// ends. The beginning finds the union of the declared ranges, takes memory for
// it, and copies in the part that the array has. The end copies out the
// elements that were written.
//
// A copy lives on the stack of the thread that runs the block, or, where it
// does not fit there, in memory that the thread keeps until its last block.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_COPIES_H
#define ACCX_WORKITEMS_COPIES_H

#include "workitems/Code.h"
#include "workitems/Plan.h"

namespace accx::workitems {

/// Calls a function for each work-item of a block, with its number.
using ForItems =
    llvm::function_ref<void(llvm::function_ref<void(llvm::Value *)>)>;

class Copies {
  struct Memory {
    Slot Buffer = nullptr;
    Slot Room = nullptr;
    Slot Own = nullptr;
    /// The part of the copy that the array has.
    Slot From[MaxDims] = {};
    Slot To[MaxDims] = {};
  };
  LoopPlan &Plan;
  std::vector<Memory> Memories;

public:
  explicit Copies(LoopPlan &Plan);

  /// Ahead of a thread's first block, and behind its last.
  void start(Code &B);
  void finish(Code &B);

  /// \p Low and \p Past of a dimension, over all work-items.
  void begin(Code &B, unsigned Array, llvm::ArrayRef<llvm::Value *> Low,
             llvm::ArrayRef<llvm::Value *> Past);
  void end(Code &B, unsigned Array);

  /// Variables that are to become values.
  void collect(llvm::SmallVectorImpl<llvm::AllocaInst *> &Slots) const;

private:
  void take(Code &B, unsigned Array, llvm::Value *Bytes);
  void
  rows(Code &B, unsigned Array, unsigned D, llvm::Value *Outer,
       llvm::Value *Elements,
       llvm::function_ref<void(llvm::Value *, llvm::Value *, llvm::Value *)>
           Row);
  llvm::Function *growFunction();
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_COPIES_H
