//===- Shadows.h - Attached pointers ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers whose device copies hold device addresses, by their host address.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_SHADOWS_H
#define ACCX_DIRECTORY_SHADOWS_H

#include "directory/Directory.h"
#include "directory/Index.h"
#include "directory/Pool.h"

namespace accx {

/// One attached pointer.
struct Shadow {
  HostRange Slot;    ///< The 8 bytes of the host pointer.
  HostRange Pointee; ///< What it was attached to; not empty.
  uintptr_t Base;    ///< The host pointer's value.
  uintptr_t Value;   ///< The device pointer's value.
  /// The slot is not on the device in one piece, and what is there of it may
  /// not hold Value. It must not be copied all the same.
  bool Broken = false;
};

/// No two overlap: attaching over a part of another pointer destroys that one.
class Shadows {
public:
  static constexpr size_t PointerBytes = 8;

  bool empty() const { return BySlot.empty(); }
  size_t size() const { return BySlot.size(); }

  /// Records that the device copy of the pointer at \p Slot is to hold
  /// \p Value. Returns false if it already does.
  bool set(uintptr_t Slot, HostRange Pointee, uintptr_t Base, uintptr_t Value);
  void erase(Shadow *S);
  void setBroken(Shadow *S, bool Broken) {
    NumBroken += Broken - S->Broken;
    S->Broken = Broken;
  }
  bool anyBroken() const { return NumBroken != 0; }

  /// In ascending order.
  template <typename F> void forEachIn(HostRange R, F &&Visit) const {
    if (!BySlot.empty())
      BySlot.forEachOverlap(R, Visit);
  }
  template <typename F> void forEachInto(HostRange R, F &&Visit) const {
    if (!BySlot.empty())
      ByPointee.forEachOverlap(R, Visit);
  }

private:
  // All slots have one size, hence one bin: its order is the slots' order.
  RangeIndex<Shadow, &Shadow::Slot> BySlot;
  RangeIndex<Shadow, &Shadow::Pointee> ByPointee;
  Pool<Shadow> Storage;
  size_t NumBroken = 0;
};

} // namespace accx

#endif // ACCX_DIRECTORY_SHADOWS_H
