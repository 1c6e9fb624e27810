//===- Shadows.cpp - Attached pointers ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording and forgetting attached pointers.
//
//===----------------------------------------------------------------------===//

#include "directory/Shadows.h"

namespace accx {

bool Shadows::set(uintptr_t Slot, HostRange Pointee, uintptr_t Base,
                  uintptr_t Value) {
  HostRange Bytes{Slot, Slot + PointerBytes};
  Shadow *Over[2 * PointerBytes];
  unsigned Num = 0;
  bool Same = false;
  forEachIn(Bytes, [&](Shadow *S) {
    Same |= S->Slot == Bytes && S->Value == Value && !S->Broken;
    Over[Num++] = S;
    return true;
  });
  if (Same && Num == 1 && Over[0]->Pointee == Pointee && Over[0]->Base == Base)
    return false;
  for (unsigned I = 0; I < Num; ++I)
    erase(Over[I]);
  Shadow *S = Storage.create();
  *S = {Bytes, Pointee, Base, Value, false};
  BySlot.insert(S);
  ByPointee.insert(S);
  return !Same;
}

void Shadows::erase(Shadow *S) {
  setBroken(S, false);
  BySlot.remove(S);
  ByPointee.remove(S);
  Storage.destroy(S);
}

} // namespace accx
