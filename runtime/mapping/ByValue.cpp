//===- ByValue.cpp - Small values that a kernel only reads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ByValue.h.
//
//===----------------------------------------------------------------------===//

#include "mapping/ByValue.h"

#include "image/Registry.h"
#include "mapping/Announce.h"
#include "mapping/Privates.h"
#include "mapping/Regions.h"
#include "report/Prof.h"

#include <algorithm>

using namespace accx;

namespace {

/// Larger ones are worth an entry.
constexpr uint64_t Limit = 4096;
static_assert(Limit <= PrivateArguments::PackLimit);

HostRange rangeOf(const MapArrays &Arrays, int Arg) {
  const auto Begin = reinterpret_cast<uintptr_t>(Arrays.Ptrs[Arg]);
  return {Begin, Begin + std::max<int64_t>(Arrays.Sizes[Arg], 0)};
}

/// Whether the program asks for nothing but that the value be there.
bool mayBeValue(const MapArrays &Arrays, int Arg) {
  constexpr uint64_t Needed = MapTo | MapTargetParam;
  constexpr uint64_t Allowed = Needed | MapFrom | MapImplicit | MapClose;
  const uint64_t Type = Arrays.type(Arg);
  return (Type & Needed) == Needed && !(Type & ~Allowed) &&
         Arrays.Sizes[Arg] > 0 &&
         static_cast<uint64_t>(Arrays.Sizes[Arg]) <= Limit &&
         !Arrays.mapper(Arg);
}

/// Whether it asks for the value, and gets it back, and that is all.
bool mayBeReduced(const MapArrays &Arrays, int Arg) {
  return mayBeValue(Arrays, Arg) && Arrays.type(Arg) & MapFrom &&
         Arrays.BasePtrs[Arg] == Arrays.Ptrs[Arg] &&
         static_cast<uint64_t>(Arrays.Sizes[Arg]) <= ReducedVariables::Limit;
}

/// Gives the variables that are reduced to their places. Those that get none
/// are mapped.
void placeReduced(Construct C, ConstructScratch &S, MapArrays &Arrays,
                  const int64_t *Mapped) {
  if (std::find(S.Types.begin(), S.Types.end(), PassedAsIs) == S.Types.end())
    return;
  S.BasePtrs.assign(Arrays.BasePtrs, Arrays.BasePtrs + Arrays.Num);
  for (int I = 0; I < Arrays.Num; ++I) {
    if (S.Types[I] != PassedAsIs || Mapped[I] == PassedAsIs)
      continue;
    if (void *Place = S.Reduced.add(C.D, Arrays.Ptrs[I],
                                    static_cast<size_t>(Arrays.Sizes[I])))
      S.BasePtrs[I] = Place;
    else
      S.Types[I] = Mapped[I];
  }
  Arrays.BasePtrs = S.BasePtrs.data();
}

/// Whether other arguments are parts of argument \p Arg, or lie in it.
bool isUsedByOthers(const MapArrays &Arrays, int Arg) {
  const HostRange R = rangeOf(Arrays, Arg);
  for (int I = 0; I < Arrays.Num; ++I) {
    if (I == Arg)
      continue;
    const uint64_t Type = Arrays.type(I);
    if (memberOf(Type) == Arg || Arrays.mapper(I))
      return true;
    if (Type & MapPrivate || (Type & (MapLiteral | MapPtrAndObj)) == MapLiteral)
      continue;
    // What has no bytes is found by its address, and a pointer is attached
    // where it lies.
    const HostRange Other = rangeOf(Arrays, I);
    const auto Base = reinterpret_cast<uintptr_t>(Arrays.BasePtrs[I]);
    if (Other.overlaps(R) ||
        (Other.empty() && R.Begin <= Other.Begin && Other.Begin <= R.End) ||
        (Type & MapPtrAndObj && R.Begin <= Base && Base < R.End))
      return true;
  }
  return false;
}

} // namespace

bool accx::canBeReduced(const Device &D, const MapArrays &Arrays, int Arg) {
  return !announcing() && !prof::enabled() &&
         !(D.info().features & ACCX_FEATURE_SYNCHRONOUS) &&
         mayBeReduced(Arrays, Arg) && !isUsedByOthers(Arrays, Arg);
}

MapArrays accx::passByValue(Construct C, ConstructScratch &S, Kernel &K,
                            MapArrays Arrays, bool HasEnvironment,
                            bool WaitsAtOnce) {
  // Whoever is told of items is told of all.
  if (announcing() || prof::enabled() || Registry::get().sharesMemory(C.D))
    return Arrays;
  // Most regions have none, and no table is looked for.
  bool Any = false;
  for (int I = 0; I < Arrays.Num && !Any; ++I)
    Any = mayBeValue(Arrays, I);
  const KernelParts *Table = Any ? K.knownWrites() : nullptr;
  if (!Table)
    return Arrays;
  // Devices of processors have the variable itself near.
  const bool TakesReduced =
      WaitsAtOnce && !(C.D.info().features & ACCX_FEATURE_SYNCHRONOUS);
  S.Types.assign(Arrays.Types, Arrays.Types + Arrays.Num);
  Any = false;
  forEachParameter(Arrays, HasEnvironment, [&](int Arg, unsigned Param) {
    const bool IsReduced =
        TakesReduced && Table->touchesOnce(Param) && mayBeReduced(Arrays, Arg);
    if ((!IsReduced && (!mayBeValue(Arrays, Arg) || Table->writes(Param))) ||
        isUsedByOthers(Arrays, Arg))
      return;
    S.Types[Arg] = IsReduced ? PassedAsIs : MapTo | MapTargetParam | MapPrivate;
    Any = true;
  });
  if (!Any)
    return Arrays;
  {
    // What is there is used as it is there.
    std::lock_guard Lock(C.D.MapMutex);
    for (int I = 0; I < Arrays.Num; ++I)
      if (S.Types[I] != Arrays.Types[I] && C.D.Maps.touches(rangeOf(Arrays, I)))
        S.Types[I] = Arrays.Types[I];
  }
  placeReduced(C, S, Arrays, Arrays.Types);
  Arrays.Types = S.Types.data();
  return Arrays;
}

bool accx::onlyReadsPrivates(Kernel &K, const MapArrays &Arrays,
                             bool HasEnvironment) {
  const auto IsInMemory = [&](int Arg) {
    const uint64_t Type = Arrays.type(Arg);
    return Type & MapPrivate && Type & MapTargetParam && !(Type & MapLiteral);
  };
  bool Any = false;
  for (int I = 0; I < Arrays.Num && !Any; ++I)
    Any = IsInMemory(I);
  const KernelParts *Table = Any ? K.knownWrites() : nullptr;
  bool Reads = Table;
  if (Table)
    forEachParameter(Arrays, HasEnvironment, [&](int Arg, unsigned Param) {
      Reads &= !IsInMemory(Arg) || !Table->writes(Param);
    });
  return Reads;
}
