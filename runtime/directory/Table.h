//===- Table.h - Hash table of pointers -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An open-addressing hash table of objects that know their own key.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_TABLE_H
#define ACCX_DIRECTORY_TABLE_H

#include "directory/Slab.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace accx {

/// Spreads two words over 64 bits.
inline uint64_t hashOf(uint64_t A, uint64_t B) {
  unsigned __int128 M =
      static_cast<unsigned __int128>(A ^ 0x9e3779b97f4a7c15ull) *
      (B ^ 0xd1b54a32d192ed03ull);
  return static_cast<uint64_t>(M) ^ static_cast<uint64_t>(M >> 64);
}

/// Linear probing; removal shifts back, so probes stay short for ever.
template <typename T> class Table {
  struct Slot {
    uint64_t Hash;
    T *Item;
  };
  static constexpr size_t FirstSlots = 16;
  SlabPtr Memory = makeSlab(FirstSlots * sizeof(Slot));
  Slot *Slots = static_cast<Slot *>(Memory.get());
  size_t Mask = FirstSlots - 1;
  size_t Count = 0;

  void place(uint64_t Hash, T *Item) {
    size_t I = Hash & Mask;
    while (Slots[I].Item)
      I = (I + 1) & Mask;
    Slots[I] = {Hash, Item};
  }

public:
  size_t size() const { return Count; }

  /// The item with this hash for which \p Equal(item) holds, or null.
  template <typename F> T *find(uint64_t Hash, F &&Equal) const {
    for (size_t I = Hash & Mask;; I = (I + 1) & Mask) {
      const Slot &S = Slots[I];
      if (!S.Item)
        return nullptr;
      if (S.Hash == Hash && Equal(S.Item))
        return S.Item;
    }
  }

  void insert(uint64_t Hash, T *Item) {
    if (2 * ++Count > Mask + 1) {
      SlabPtr OldMemory = std::move(Memory);
      const Slot *Old = Slots;
      size_t Num = Mask + 1;
      Memory = makeSlab(2 * Num * sizeof(Slot));
      Slots = static_cast<Slot *>(Memory.get());
      Mask = 2 * Num - 1;
      for (size_t I = 0; I < Num; ++I)
        if (Old[I].Item)
          place(Old[I].Hash, Old[I].Item);
    }
    place(Hash, Item);
  }

  /// \p Item must be there.
  void erase(uint64_t Hash, T *Item) {
    size_t Hole = Hash & Mask;
    while (Slots[Hole].Item != Item)
      Hole = (Hole + 1) & Mask;
    for (size_t I = (Hole + 1) & Mask; Slots[I].Item; I = (I + 1) & Mask) {
      // An item may move back to the hole unless its home lies after it.
      size_t Home = Slots[I].Hash & Mask;
      if (((I - Home) & Mask) >= ((I - Hole) & Mask)) {
        Slots[Hole] = Slots[I];
        Hole = I;
      }
    }
    Slots[Hole].Item = nullptr;
    --Count;
  }
};

} // namespace accx

#endif // ACCX_DIRECTORY_TABLE_H
