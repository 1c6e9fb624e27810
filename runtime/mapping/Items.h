//===- Items.h - Map items of a construct -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the argument arrays of a construct into the directory's items, with
// user-defined mappers expanded.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_ITEMS_H
#define ACCX_MAPPING_ITEMS_H

#include "directory/Directory.h"
#include "support/Abi.h"

#include <vector>

namespace accx {

struct Ident;

/// One item as the program gave it.
struct MapItem {
  void *Base;
  void *Begin;
  int64_t Size;
  uint64_t Type;
  const void *Name;
  /// Index of the argument it comes from.
  int32_t Arg;
  /// Index of the item it is a member of, or -1.
  int32_t Parent;
  /// As in EnterItem.
  bool Frame = false;
  /// A frame that is one member exactly, which counts for it.
  bool IsMember = false;
  /// A member that is counted on its own.
  bool Separate = false;
  /// As in ExitItem.
  bool NoParts = false;

  bool has(uint64_t Bits) const { return Type & Bits; }
  /// Host bytes; the dimensions of a non-contiguous item are no bytes.
  HostRange range() const {
    auto Start = reinterpret_cast<uintptr_t>(Begin);
    return {Start, Start + (Size > 0 ? static_cast<uint64_t>(Size) : 0)};
  }
  /// The host value of the base: for PTR_AND_OBJ what the pointer points to.
  uintptr_t baseValue() const {
    return has(MapPtrAndObj) ? *static_cast<uintptr_t *>(Base)
                             : reinterpret_cast<uintptr_t>(Base);
  }
};

/// All items of a construct, in order. Private and literal arguments have none.
class MapItems {
  std::vector<MapItem> Items;
  /// First item of each argument, or -1; mapped through a mapper: -2.
  std::vector<int32_t> FirstOfArg;

public:
  static constexpr int32_t None = -1;
  static constexpr int32_t Mapped = -2;

  /// Runs mapper functions, which are the program's code. \p Loc: of the
  /// construct, for messages. \p AccRules: see setAccRules(); members that are
  /// held always have counts of their own.
  void assign(const MapArrays &Arrays, const Ident *Loc, bool AccRules = false);

  size_t size() const { return Items.size(); }
  const MapItem &operator[](size_t I) const { return Items[I]; }
  int32_t ofArg(int Arg) const { return FirstOfArg[Arg]; }

private:
  void expandMapper(const MapArrays &Arrays, int Arg);
  void coverMember(const MapItem &Member);
  bool separateMembers(bool All);
  void membersFirst();
};

/// The directory's view of \p Item on entry. \p UnifiedMemory: bytes that are
/// not on the device are used where they are.
EnterItem enterItem(const MapItem &Item, bool UnifiedMemory, bool Pin);
/// The directory's view of \p Item on exit; \p Pinned as in ExitItem.
ExitItem exitItem(const MapItem &Item, Entry *Pinned);

} // namespace accx

#endif // ACCX_MAPPING_ITEMS_H
