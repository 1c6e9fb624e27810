//===- Fixed.h - Copies of which all addresses are known --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole block's copy of an array has a constant size where each work-item
// declares the same number of elements. Where accesses follow the work-item's
// place and nothing else, they are at constant places of the copy as soon as
// loops are vectors. Then what one region leaves in a copy for the next stays
// in registers.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_WORKITEMS_FIXED_H
#define ACCX_WORKITEMS_FIXED_H

#include "workitems/Forms.h"
#include "workitems/Strips.h"

namespace accx::workitems {

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

#endif // ACCX_WORKITEMS_FIXED_H
