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

#include "workitems/Forms.h"
#include "workitems/Strips.h"

namespace accx::workitems {

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

/// Has accesses of \p A, all of whose spans are constant, go to copy \p Index
/// of those of \p Bytes each in \p Memory.
void placeCopy(Code &B, const LoopPlan &Plan, const ArrayPlan &A, Slot Memory,
               llvm::Value *Index, uint64_t Bytes);
/// Calls \p Each with each row of such a copy; null in one dimension.
void forRows(Code &B, const LoopPlan &Plan, const ArrayPlan &A,
             llvm::function_ref<void(llvm::Value *)> Each);
/// Fetches row \p Row of the copy at \p Copy. \p HasAll: the array has all of
/// its elements.
void fetchRow(Code &B, const LoopPlan &Plan, const ArrayPlan &A,
              llvm::Value *Row, llvm::Value *Copy, bool HasAll);

/// A whole block's copy of an array has a constant size where each work-item
/// declares the same number of elements. Where accesses follow the work-item's
/// place and nothing else, they are at constant places of the copy as soon as
/// loops are vectors. Then what one region leaves in a copy for the next stays
/// in registers.
class Fixed {
  LoopPlan &Plan;
  /// The copy of each array; null: it has no such copy.
  llvm::SmallVector<Slot, 4> Memory;

public:
  explicit Fixed(LoopPlan &Plan);

  /// Whether any array has such a copy.
  bool isUsed() const {
    return llvm::any_of(Memory, [](Slot S) { return S != nullptr; });
  }
  bool has(unsigned Array) const { return Memory[Array] != nullptr; }
  /// Whether the arrays have all that a whole block declares.
  llvm::Value *isInside(Code &B) const;
  void fetch(Code &B, unsigned Array) const;
  /// Adds the addresses in \p R for the current work-item.
  void addTo(Code &B, const Region &R, Given &Values) const;

private:
  llvm::Value *addressOf(Code &B, unsigned Array,
                         llvm::GetElementPtrInst &Old) const;
};

} // namespace accx::workitems

#endif // ACCX_WORKITEMS_COPIES_H
