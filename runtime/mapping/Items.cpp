//===- Items.cpp - Map items of a construct -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Items.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/Items.h"

#include "mapping/Constructs.h"
#include "mapping/HostBlocks.h"
#include "report/Report.h"
#include "report/Source.h"
#include "support/ReadOnlyMemory.h"

#include <cinttypes>

using namespace accx;

/// A length that a program computed wrong: nothing of that size can be mapped,
/// and what is mapped instead is another error far away.
[[gnu::cold, gnu::noinline, noreturn]] static void
refuseLength(const Ident *Loc, const void *Name, int64_t Size) {
  fatal(1,
        "%s: the length of '%s' is negative (%" PRId64 " bytes); check the "
        "expression behind ':'",
        SourceLocation::ofConstruct(Loc).text().c_str(), itemName(Name).c_str(),
        Size);
}

/// Clang takes a struct with a flexible array member for as large as its other
/// members: the elements lie behind what it says of the struct, and would be
/// nobody's. They belong to it. Clang's mappers also make what is no struct the
/// parent of an array's further elements; those have another base.
void MapItems::coverMember(const MapItem &Member) {
  if (Member.Parent < 0 || Member.has(MapPtrAndObj | MapNonContig))
    return;
  MapItem &Struct = Items[Member.Parent];
  const HostRange Whole = Struct.range(), Part = Member.range();
  if (!Part.empty() && Part.Begin >= Whole.Begin && Part.End > Whole.End &&
      Member.baseValue() == Struct.baseValue())
    Struct.Size = static_cast<int64_t>(Part.End - Whole.Begin);
}

/// What clang gives as the struct of held members, or of \p All, is no more
/// than the frame around them: they are counted, it is not. Returns whether
/// there is a frame with members behind it.
bool MapItems::separateMembers(bool All) {
  bool Plain = false;
  for (MapItem &Member : Items) {
    if (Member.Parent < 0 || !(All || Member.has(MapOmpxHold)))
      continue;
    MapItem &Struct = Items[Member.Parent];
    Struct.Frame = true;
    if (!Member.has(MapPtrAndObj)) {
      Member.Separate = Plain = true;
      Struct.IsMember |= Member.range() == Struct.range();
    } else if (All) {
      Struct.Type |= Member.Type & MapDelete;
    }
  }
  return Plain;
}

/// Puts frames behind the members that are counted and in front of the pointers
/// inside them: what the members find or make decides what a frame needs.
void MapItems::membersFirst() {
  std::vector<int32_t> Place(Items.size());
  std::vector<MapItem> Ordered;
  Ordered.reserve(Items.size());
  auto Put = [&](size_t I) {
    Place[I] = static_cast<int32_t>(Ordered.size());
    Ordered.push_back(Items[I]);
  };
  for (size_t I = 0; I < Items.size(); ++I) {
    if (Items[I].Separate)
      continue;
    for (size_t M = I + 1; Items[I].Frame && M < Items.size(); ++M)
      if (Items[M].Separate && Items[M].Parent == static_cast<int32_t>(I))
        Put(M);
    Put(I);
  }
  for (MapItem &Item : Ordered)
    if (Item.Parent >= 0)
      Item.Parent = Place[Item.Parent];
  for (int32_t &First : FirstOfArg)
    if (First >= 0)
      First = Place[First];
  Items = std::move(Ordered);
}

void MapItems::assign(const MapArrays &Arrays, const Ident *Loc,
                      bool AccRules) {
  Items.clear();
  FirstOfArg.assign(Arrays.Num, None);
  bool Members = false, Mappers = false;
  for (int I = 0; I < Arrays.Num; ++I) {
    uint64_t Type = Arrays.type(I);
    if (Type & (MapLiteral | MapPrivate))
      continue;
    if (Arrays.mapper(I)) {
      FirstOfArg[I] = Mapped;
      Mappers = true;
      expandMapper(Arrays, I);
      continue;
    }
    if (Arrays.Sizes[I] < 0) [[unlikely]]
      refuseLength(Loc, Arrays.name(I), Arrays.Sizes[I]);
    // Nothing lacks: in OpenACC `copyin(a[0:0])` makes `present(a[0:0])` right.
    if (!Arrays.Sizes[I] && (Type & MapPresent) && openAccProgram())
      Type &= ~uint64_t(MapPresent);
    int32_t Parent = memberOf(Type);
    FirstOfArg[I] = static_cast<int32_t>(Items.size());
    Items.push_back({Arrays.BasePtrs[I], Arrays.Ptrs[I], Arrays.Sizes[I], Type,
                     Arrays.name(I), I,
                     Parent >= 0 && Parent < I && FirstOfArg[Parent] >= 0
                         ? FirstOfArg[Parent]
                         : -1});
    Members |= Items.back().Parent >= 0;
    Items.back().NoParts = AccRules;
    coverMember(Items.back());
    if (blocks::any()) [[unlikely]]
      blocks::check(Loc, Items.back().Name, Items.back().range());
  }
  if (Members && !Mappers && separateMembers(AccRules))
    membersFirst();
}

void MapItems::expandMapper(const MapArrays &Arrays, int Arg) {
  using MapperFn = void (*)(void *, void *, void *, int64_t, int64_t, void *);
  MapperComponents Found;
  reinterpret_cast<MapperFn>(Arrays.mapper(Arg))(
      &Found, Arrays.BasePtrs[Arg], Arrays.Ptrs[Arg], Arrays.Sizes[Arg],
      Arrays.Types[Arg], const_cast<void *>(Arrays.name(Arg)));

  // Members count from the mapper's own first component.
  const int32_t First = static_cast<int32_t>(Items.size());
  for (const auto &C : Found.Components) {
    const auto Type = static_cast<uint64_t>(C.Type);
    const int32_t Parent = memberOf(Type);
    const int32_t Own = static_cast<int32_t>(Items.size()) - First;
    Items.push_back({C.Base, C.Begin, C.Size, Type, C.Name, Arg,
                     Parent >= 0 && Parent < Own ? First + Parent : -1});
    coverMember(Items.back());
  }
}

EnterItem accx::enterItem(const MapItem &Item, bool UnifiedMemory, bool Pin) {
  EnterItem E;
  const bool Member = Item.has(MapMemberOf);
  const bool Object = Item.has(MapPtrAndObj);
  E.Host = Item.range();
  E.Base = Item.baseValue();
  E.Name = Item.Name;
  E.Slot = Object ? reinterpret_cast<uintptr_t>(Item.Base) : 0;
  E.Parent = Item.Parent;
  E.CopyIn = Item.has(MapTo);
  E.Always = Item.has(MapAlways);
  E.Implicit = Item.has(MapImplicit);
  E.Present = Item.has(MapPresent) && !Item.Frame;
  E.Hold = Item.has(MapOmpxHold);
  E.Frame = Item.Frame;
  // `map(ompx_hold, always, alloc:)`, which copies nothing ever, is how the
  // front end writes no_create.
  E.NoCreate =
      E.Hold && E.Always && !E.Present && !Object && !Item.has(MapTo | MapFrom);
  // A pointer's object is an item of its own; other members are counted with
  // the struct they belong to.
  E.Count = (!Member && !Item.IsMember) || Object || Item.Separate;
  E.CountSlot = !Member;
  E.MayShare = UnifiedMemory && !Item.has(MapClose);
  E.Pin = Pin;
  return E;
}

ExitItem accx::exitItem(const MapItem &Item, Entry *Pinned) {
  ExitItem E;
  E.Host = Item.range();
  E.Pinned = Pinned;
  E.Parent = Item.Parent;
  E.Name = Item.Name;
  E.CopyOut = Item.has(MapFrom) && !isReadOnly(E.Host.Begin, E.Host.End);
  E.Always = Item.has(MapAlways);
  E.Delete = Item.has(MapDelete);
  E.Present = Item.has(MapPresent) && !Item.Frame;
  E.Hold = Item.has(MapOmpxHold);
  E.Frame = Item.Frame;
  E.NoParts = Item.NoParts && !Item.Frame;
  E.Implicit = Item.has(MapImplicit);
  E.Count = (!Item.has(MapMemberOf) && !Item.IsMember) ||
            Item.has(MapPtrAndObj) || Item.Separate;
  return E;
}
