//===- LoopPlan.cpp - Whether and how a loop is split ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies each map item of the region, then splits by the first affine
// access to a spread array.
//
//===----------------------------------------------------------------------===//

#include "distribute/LoopPlan.h"

#include "device/Device.h"
#include "distribute/Spread.h"
#include "image/KernelParts.h"
#include "image/Registry.h"
#include "mapping/ByValue.h"
#include "mapping/Regions.h"
#include "report/Report.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>

using namespace accx;

namespace {

/// More launches than that of one loop on a device cost more than what they
/// read from the others.
constexpr size_t MaxRangesOfDevice = 16;
/// What a multiprocessor's first cache holds is not read twice over a link.
constexpr size_t MinWalk = size_t(64) << 10;
/// Each block of threads reads through an array once: so many for a copy.
constexpr uint64_t MinWalkers = 4096;

class Planner {
  const Construct C;
  const KernelArgs &Args;
  const LoopRequest &Request;
  LoopPlan &P;
  /// By device.
  std::vector<const KernelParts *> Tables;
  /// By the number of the kernel's argument: the map item, -1: none.
  std::vector<int> ItemOfParam;
  /// By map item; null: not spread.
  std::vector<SpreadRef> ArrayOf;
  bool AllShareMemory = true;

  bool refuse(std::string Why) {
    P.Why = std::move(Why);
    return false;
  }
  uint64_t type(int I) const { return static_cast<uint64_t>(Args.Types[I]); }
  HostRange rangeOf(int I) const {
    const auto Begin = reinterpret_cast<uintptr_t>(Args.Ptrs[I]);
    return {Begin,
            Begin + static_cast<uint64_t>(std::max<int64_t>(Args.Sizes[I], 0))};
  }
  std::string nameOf(int I) const {
    return "'" + itemName(Args.Names ? Args.Names[I] : nullptr) + "'";
  }
  bool hasMapper(int I) const { return Args.Mappers && Args.Mappers[I]; }
  bool isMemory(int I) const {
    return !(type(I) & MapPrivate) &&
           (!(type(I) & MapLiteral) || type(I) & MapPtrAndObj);
  }

  bool readTables(const void *HostPtr) {
    for (Device *D : Request.Devices) {
      Kernel *K = Registry::findKernel(*D, HostPtr);
      auto Table = K ? K->parts() : Expected<const KernelParts *>(nullptr);
      if (!Table.ok()) {
        Status S = Table.takeStatus();
        if (S.code() == ErrorCode::DeviceLost)
          P.Lost = Status(S.code(), "device " + std::to_string(D->id()) + ": " +
                                        S.text());
        return refuse(S.text());
      }
      if (!*Table || !(*Table)->hasLoop())
        return refuse("its kernel does not say how it can be split; compile "
                      "with accxcc or accxc++ and -O1 or higher");
      Tables.push_back(*Table);
      AllShareMemory &= Registry::get().sharesMemory(*D);
    }
    return true;
  }

  bool listParams() {
    if (Args.Version >= KernelArgs::VersionWithEnvironment)
      ItemOfParam.push_back(-1);
    for (int I = 0; I < static_cast<int>(Args.NumArgs); ++I)
      if (type(I) & MapTargetParam)
        ItemOfParam.push_back(I);
    for (const KernelParts *Table : Tables) {
      LoopPlan::Numbers N = {itemOf(Table->firstArg()),
                             itemOf(Table->lastArg())};
      for (int I : {N.First, N.Last})
        if (I < 0 || (type(I) & (MapLiteral | MapPtrAndObj)) != MapLiteral)
          return refuse("its kernel's arguments are not those of the program");
      P.NumbersOf.push_back(N);
    }
    return true;
  }
  int itemOf(unsigned Param) const {
    return Param < ItemOfParam.size() ? ItemOfParam[Param] : -1;
  }

  /// The number of the argument that item \p I is; how many there are if none.
  unsigned paramOf(int I) const {
    return static_cast<unsigned>(
        std::find(ItemOfParam.begin(), ItemOfParam.end(), I) -
        ItemOfParam.begin());
  }
  bool writesLoaded() const {
    return std::any_of(Tables.begin(), Tables.end(), [](const KernelParts *T) {
      return T->writesThroughLoadedPointers();
    });
  }

  /// Whether the kernel may write what item \p I names.
  bool isWritten(int I) const {
    if (type(I) & MapPtrAndObj && writesLoaded())
      return true;
    const unsigned Param = paramOf(I);
    return Param < ItemOfParam.size() && std::any_of(
                                             Tables.begin(), Tables.end(),
                                             [Param](const KernelParts *Table) {
                                               return Table->writes(Param);
                                             });
  }

  bool isReduced(int I) const {
    const unsigned Param = paramOf(I);
    return std::all_of(Tables.begin(), Tables.end(),
                       [&](const KernelParts *Table) {
                         return Table->touchesOnce(Param);
                       }) &&
           std::all_of(Request.Devices.begin(), Request.Devices.end(),
                       [&](const Device *D) {
                         return canBeReduced(*D, arraysOf(Args), I);
                       });
  }

  void see(const std::vector<Device *> &Devices) {
    for (Device *D : Devices)
      if (std::find(P.Seen.begin(), P.Seen.end(), D) == P.Seen.end())
        P.Seen.push_back(D);
  }

  bool checkSpread(int I, SpreadRef A) {
    for (Device *D : Request.Devices)
      if (A->indexOf(*D) < 0)
        return refuse(nameOf(I) + " is spread over other devices, not over " +
                      std::to_string(D->id()) +
                      ": name the same ones for both");
    if (A->Replicated && isWritten(I))
      return refuse("it writes " + nameOf(I) +
                    ", of which each device has its own: spread it, do not "
                    "replicate it");
    see(A->Devices);
    ArrayOf[I] = std::move(A);
    return true;
  }

  size_t countPresent(HostRange R) const {
    size_t Count = 0;
    for (Device *D : Request.Devices) {
      std::lock_guard Lock(D->MapMutex);
      Count += D->Maps.find(R) || D->Maps.find({R.Begin, R.Begin});
    }
    return Count;
  }

  /// A value that the program passes as it is: a number, or an address that
  /// only its own device need know.
  bool checkLiteral(int I) {
    if (!(type(I) & MapLiteral) || AllShareMemory || !isWritten(I))
      return true;
    const auto A =
        findSpreadOnDevice(reinterpret_cast<uintptr_t>(Args.BasePtrs[I]));
    if (!A || A->Replicated ||
        std::any_of(Request.Devices.begin(), Request.Devices.end(),
                    [&](Device *D) { return A->indexOf(*D) < 0; }))
      return refuse("it writes through the device address " + nameOf(I) +
                    ", which is not one of an array that is spread over "
                    "the loop's devices");
    see(A->Devices);
    return true;
  }

  bool checkItem(int I) {
    if (!isMemory(I))
      return checkLiteral(I);
    const HostRange R = rangeOf(I);
    if (hasMapper(I))
      return refuse(nameOf(I) + " has a mapper");
    for (const HostRange &Slot : Request.Slots)
      if (Slot.contains(R) && !R.empty()) {
        if (isReduced(I))
          P.Reduced.push_back(I);
        return countPresent(R) == 0 ||
               refuse(nameOf(I) + " is present on a device, where its result "
                                  "belongs");
      }
    if (auto A = findSpread(R.Begin); A && A->Host.contains(R))
      return checkSpread(I, std::move(A));
    const size_t Present = countPresent(R);
    if (Present && Present < Request.Devices.size())
      return refuse(nameOf(I) +
                    " is present on some of the devices only: spread it, or "
                    "replicate it on all of them");
    if (writesLoaded() && Present && !(type(I) & MapPtrAndObj))
      return refuse("it may write through pointers in " + nameOf(I) +
                    ", which was mapped earlier: map it on the loop");
    if (!isWritten(I)) {
      if (type(I) & MapFrom)
        P.OnlyRead.push_back(I);
      P.MustWait |= !R.empty() && (!Present || type(I) & MapAlways);
      return true;
    }
    P.MustWait = true;
    // Each device writes a copy that nobody sees, or all write the same memory.
    if (!Present && !R.empty() && (AllShareMemory || !(type(I) & MapFrom)))
      return true;
    constexpr size_t Scalar = 16;
    if (R.size() <= Scalar && !R.empty())
      return refuse("it writes " + nameOf(I) +
                    ", of which each device would have its own: name it in a "
                    "reduction");
    return refuse("it writes " + nameOf(I) +
                  ", which is not spread: put '#pragma accx spread(" +
                  nameOf(I).substr(1, nameOf(I).size() - 2) +
                  ")' around it, or 'enter spread' ahead of it");
  }

  bool check() {
    for (const KernelParts *Table : Tables)
      if (Table->writesUnknown())
        return refuse("it may write what the compiler does not see: global "
                      "variables, or memory that functions elsewhere write");
    see({Request.Devices.begin(), Request.Devices.end()});
    ArrayOf.resize(Args.NumArgs);
    for (int I = 0; I < static_cast<int>(Args.NumArgs); ++I)
      if (!checkItem(I))
        return false;
    for (Device *D : Request.Devices)
      P.MustWait |= (D->info().features & ACCX_FEATURE_SYNCHRONOUS) != 0;
    return true;
  }

  bool writesArray(const SpreadArray &A) const {
    for (int I = 0; I < static_cast<int>(Args.NumArgs); ++I)
      if (isWritten(I) &&
          (ArrayOf[I].get() == &A ||
           (!isMemory(I) &&
            findSpreadOnDevice(reinterpret_cast<uintptr_t>(Args.BasePtrs[I]))
                    .get() == &A)))
        return true;
    return false;
  }

  void findWalks() {
    const uint64_t Trips = std::max<uint64_t>(
        Args.TripCount, static_cast<uint64_t>(Request.Iterations));
    if (Trips / Request.Devices.size() < MinWalkers || writesLoaded())
      return;
    for (size_t Param = 0; Param < ItemOfParam.size(); ++Param) {
      const int I = ItemOfParam[Param];
      if (I < 0 || !ArrayOf[I] || ArrayOf[I]->Replicated ||
          ArrayOf[I]->OnHost || type(I) & MapPtrAndObj)
        continue;
      const HostRange R = rangeOf(I).empty() ? ArrayOf[I]->Host : rangeOf(I);
      if (R.size() < MinWalk)
        continue;
      if (std::all_of(Tables.begin(), Tables.end(),
                      [&](const KernelParts *T) {
                        return T->walksThrough(static_cast<unsigned>(Param));
                      }) &&
          !writesArray(*ArrayOf[I]))
        P.Walks.push_back({I, ArrayOf[I], R});
    }
  }

  /// Ranges by the owners of what the first affine access to a spread array
  /// touches, writes first; empty: there is no such access.
  std::vector<IterationRange> splitByOwners() const {
    const KernelParts &Table = *Tables.front();
    std::vector<void *> Values(ItemOfParam.size());
    for (size_t K = 0; K < Values.size(); ++K)
      if (int I = ItemOfParam[K]; I >= 0 && type(I) & MapLiteral)
        Values[K] = Args.BasePtrs[I];
    const size_t NumDevices = Request.Devices.size();
    for (const KernelParts::Access &A : Table.accesses()) {
      const int I = itemOf(A.Arg);
      if (I < 0 || !ArrayOf[I] || ArrayOf[I]->Replicated)
        continue;
      const KernelParts::Place Place = KernelParts::evaluate(A, Values);
      const SpreadArray &S = *ArrayOf[I];
      std::vector<OwnerBorder> Borders;
      Borders.reserve(S.Parts.size());
      for (const auto &Part : S.Parts)
        Borders.push_back({Part.End, ownerOf(*S.Devices[Part.Owner])});
      const uintptr_t Base =
          type(I) & MapPtrAndObj
              ? *static_cast<uintptr_t *>(Args.BasePtrs[I])
              : reinterpret_cast<uintptr_t>(Args.BasePtrs[I]);
      const auto First =
          static_cast<int64_t>(Base - S.Host.Begin) + Place.Start;
      auto Ranges = splitByOwner(Request.Iterations, First, Place.Step, Borders,
                                 MaxRangesOfDevice * NumDevices);
      if (!Ranges.empty())
        return Ranges;
    }
    return {};
  }
  /// What belongs to devices that the loop does not run on goes to one of its.
  unsigned ownerOf(const Device &D) const {
    const auto At =
        std::find(Request.Devices.begin(), Request.Devices.end(), &D);
    if (At != Request.Devices.end())
      return static_cast<unsigned>(At - Request.Devices.begin());
    return static_cast<unsigned>(D.id()) %
           static_cast<unsigned>(Request.Devices.size());
  }

public:
  Planner(Construct C, const KernelArgs &Args, const LoopRequest &Request,
          LoopPlan &P)
      : C(C), Args(Args), Request(Request), P(P) {}

  /// One of the devices, on which all that is spread can be seen.
  void chooseWhole() {
    const auto &Devices = Request.Devices;
    if (Devices.empty())
      return;
    P.Whole = std::find(Devices.begin(), Devices.end(), &C.D) != Devices.end()
                  ? &C.D
                  : Devices.front();
    for (int I = 0; I < static_cast<int>(Args.NumArgs); ++I)
      if (isMemory(I))
        if (auto A = findSpread(rangeOf(I).Begin);
            A && std::find(A->Devices.begin(), A->Devices.end(), P.Whole) ==
                     A->Devices.end())
          P.Whole = A->Devices.front();
  }

  void plan(const void *HostPtr) {
    const auto NumDevices = static_cast<unsigned>(Request.Devices.size());
    // On one device there is nothing to split; what is known of the loop tells
    // whether the caller has to wait for it.
    const bool Alone = NumDevices == 1;
    const bool Helps = !Alone || (Request.Slots.empty() && !Request.Queued);
    if (NumDevices > 0 && Helps && Request.Iterations > 0 &&
        readTables(HostPtr) && listParams() && check() &&
        !(Alone && P.MustWait)) {
      if (Request.Schedule == LoopSchedule::Owner && !Alone)
        P.Ranges = splitByOwners();
      if (P.Ranges.empty())
        P.Ranges = splitEvenly(Request.Iterations, NumDevices);
      findWalks();
    }
    if (Alone)
      P.Why.clear();
    if (P.Ranges.empty())
      chooseWhole();
  }
};

} // namespace

LoopPlan accx::planLoop(Construct C, const void *HostPtr,
                        const KernelArgs &Args, const LoopRequest &Request) {
  LoopPlan P;
  Planner(C, Args, Request, P).plan(HostPtr);
  return P;
}

void accx::tellWhole(Construct C, const LoopPlan &P) {
  static std::mutex Mutex;
  static auto *Told = new std::set<const void *>;
  {
    std::lock_guard Lock(Mutex);
    if (!Told->insert(C.Loc ? C.Loc->Source : nullptr).second)
      return;
  }
  message("%s: the loop is not distributed and runs on device %d alone: %s",
          SourceLocation::ofConstruct(C.Loc).text().c_str(),
          (P.Whole ? P.Whole : &C.D)->id(), P.Why.c_str());
}
