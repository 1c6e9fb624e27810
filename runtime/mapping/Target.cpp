//===- Target.cpp - Target regions ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target region from its arguments to its end: enter, place private
// arguments, launch, leave. Also recorded launches.
//
//===----------------------------------------------------------------------===//

#include "device/HeldLaunches.h"
#include "image/Registry.h"
#include "mapping/Absent.h"
#include "mapping/Announce.h"
#include "mapping/ByValue.h"
#include "mapping/Regions.h"
#include "report/KernelName.h"
#include "report/Prof.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

using namespace accx;

namespace {

constexpr uint64_t LambdaBits = MapPtrAndObj | MapLiteral | MapImplicit;

bool isLambdaCapture(uint64_t Type) {
  return (Type & LambdaBits) == LambdaBits && !(Type & MapTargetParam);
}

/// One target region while its arguments are put together.
class Region {
  Construct C;
  ConstructQueue &Q;
  ConstructScratch &S;
  const MapArrays &Arrays;
  PrivateArguments &Privates;

  /// Device address of the host bytes at \p Host; \p Host if they are not on
  /// the device.
  uintptr_t translate(uintptr_t Host, uint64_t Size) {
    std::lock_guard Lock(C.D.MapMutex);
    Entry *E = C.D.Maps.find({Host, Host + Size});
    // A mapper may have mapped only some members of the object.
    if (!E && Size)
      E = C.D.Maps.find({Host, Host});
    return E ? Host + E->Delta : Host;
  }

  /// Device address that stands for the start of mapped argument \p I.
  uintptr_t mappedAddress(int I) {
    const int32_t Item = S.Items.ofArg(I);
    if (Item >= 0)
      return S.Enter[Item].Device;
    return translate(reinterpret_cast<uintptr_t>(Arrays.Ptrs[I]),
                     std::max<int64_t>(Arrays.Sizes[I], 0));
  }

  void *argumentValue(int I) {
    const uint64_t Type = Arrays.type(I);
    void **Base = static_cast<void **>(Arrays.BasePtrs[I]);
    if (Type & MapLiteral)
      return Base; // As CallRecord::passLiterals() has it.
    const auto Offset =
        reinterpret_cast<uintptr_t>(Type & MapPtrAndObj ? *Base : Base) -
        reinterpret_cast<uintptr_t>(Arrays.Ptrs[I]);
    const uintptr_t Start =
        Type & MapPrivate ? Privates.address(I) : mappedAddress(I);
    return reinterpret_cast<void *>(Start + Offset);
  }

  /// Stores the device address of what a lambda captured into the lambda
  /// object's device copy. \p I is the capture: BasePtrs[I] is the capture's
  /// place in the host object, Ptrs[I] what it refers to.
  Status bindCapture(int I) {
    const int Parent = memberOf(Arrays.type(I));
    if (Parent < 0 || Parent >= I)
      return Status();
    auto Captured = reinterpret_cast<uintptr_t>(Arrays.Ptrs[I]);
    // For a captured `this` clang gives its place twice.
    if (Arrays.Ptrs[I] == Arrays.BasePtrs[I])
      std::memcpy(&Captured, Arrays.Ptrs[I], sizeof(Captured));
    const uintptr_t Device =
        translate(Captured, std::max<int64_t>(Arrays.Sizes[I], 0));
    // What is not mapped keeps its host address, as in a plain capture.
    if (Device == Captured)
      return Status();
    const uint64_t Place = reinterpret_cast<uintptr_t>(Arrays.BasePtrs[I]) -
                           reinterpret_cast<uintptr_t>(Arrays.Ptrs[Parent]);
    if (Arrays.type(Parent) & MapPrivate) {
      if (Privates.patch(Parent, Place, Device))
        return Status();
      return Status(ErrorCode::Invalid, "capture outside of its lambda");
    }
    char *Value = Q.stage(sizeof(Device));
    std::memcpy(Value, &Device, sizeof(Device));
    return C.D.toDevice(Q.handle(), mappedAddress(Parent) + Place, Value,
                        sizeof(Device), Arrays.name(I));
  }

public:
  Region(Construct C, ConstructQueue &Q, ConstructScratch &S,
         const MapArrays &Arrays, PrivateArguments &Privates)
      : C(C), Q(Q), S(S), Arrays(Arrays), Privates(Privates) {}

  /// Fills S.KernelArgs after the items were entered.
  Status arguments(bool HasEnvironment) {
    S.KernelArgs.clear();
    if (HasEnvironment)
      S.KernelArgs.push_back(reinterpret_cast<void *>(~uintptr_t(0)));
    if (Status St = Privates.place(Q, Arrays); St.failed())
      return St;
    for (int I = 0; I < Arrays.Num; ++I) {
      const uint64_t Type = Arrays.type(I);
      if (Type & MapTargetParam) {
        S.KernelArgs.push_back(argumentValue(I));
      } else if (isLambdaCapture(Type)) [[unlikely]] {
        if (Status St = bindCapture(I); St.failed())
          return St;
      }
    }
    return Privates.transfer(Q, Arrays);
  }
};

/// LLVM's runtime looks each argument up once more before the launch; tools
/// that read LIBOMPTARGET_INFO expect the lines.
void announceArgumentLookups(Construct C, const ConstructScratch &S) {
  if (!infoEnabled(InfoMappingExists))
    return;
  std::lock_guard Lock(C.D.MapMutex);
  for (size_t I = 0; I < S.Items.size(); ++I)
    if (S.Items[I].has(MapTargetParam) && S.Enter[I].Target)
      announceLookup(C.D.id(), *S.Enter[I].Target, S.Enter[I].Host.Begin,
                     S.Items[I].Size);
}

/// Whether the construct gives \p Item's bytes back to the host as nobody but
/// its kernel can have left them.
bool returnsOwn(const ConstructScratch &S, size_t Item) {
  const MapItem &It = S.Items[Item];
  return It.has(MapFrom) && It.has(MapTargetParam) &&
         !It.has(MapAlways | MapMemberOf | MapPtrAndObj) && It.Parent < 0 &&
         S.Enter[Item].Result == Resolution::Created;
}

/// Notes which items of the construct the kernel does not write.
void noteUnwritten(ConstructScratch &S, Kernel &K, const MapArrays &Arrays,
                   bool HasEnvironment) {
  bool Any = false;
  for (size_t I = 0; I < S.Items.size() && !Any; ++I)
    Any = returnsOwn(S, I);
  if (!Any)
    return;
  const KernelParts *Table = K.knownWrites();
  if (!Table)
    return;
  S.Unwritten.resize(S.Items.size());
  forEachParameter(Arrays, HasEnvironment, [&](int Arg, unsigned Param) {
    const int32_t Item = S.Items.ofArg(Arg);
    if (!Table->writes(Param) && Item >= 0)
      S.Unwritten[Item] = returnsOwn(S, Item);
  });
  // Members have places of their own in what they are members of.
  for (size_t I = 0; I < S.Items.size(); ++I)
    if (S.Items[I].Parent >= 0)
      S.Unwritten[S.Items[I].Parent] = false;
}

} // namespace

LaunchRequest accx::requestOf(Construct C, const KernelArgs &Args) {
  LaunchRequest Request;
  Request.Loc = C.Loc;
  Request.NumTeams = Args.NumTeams[0];
  Request.ThreadLimit = Args.ThreadLimit[0];
  Request.TripCount = Args.TripCount;
  Request.DynamicSharedBytes = Args.DynamicSharedBytes;
  Request.HasEnvironment = hasEnvironment(Args);
  return Request;
}

Status accx::launchRegion(Construct C, ConstructQueue &Q, ConstructScratch &S,
                          RegionResources &Resources, Kernel &K,
                          const MapArrays &Arrays, const KernelArgs &Args,
                          bool MayWait) {
  noteUnwritten(S, K, Arrays, hasEnvironment(Args));
  LaunchRequest Request = requestOf(C, Args);
  Request.MayWait = MayWait;
  Status Result = Region(C, Q, S, Arrays, Resources.Privates)
                      .arguments(Request.HasEnvironment);
  if (Result.failed())
    return Result;
  ompt::SubmitScope Tool(Request.NumTeams);
  return Resources.Launch.launch(Q, K, S.KernelArgs, Request);
}

/// Queues copies of the small results that the kernel leaves in what only the
/// construct has.
static Status fetchResults(ConstructQueue &Q, ConstructScratch &S,
                           const Kernel &K) {
  // Queues of threads run at once, and tools are told of copies in order.
  if (Q.tail() || Q.device().info().features & ACCX_FEATURE_SYNCHRONOUS ||
      announcing() || prof::enabled())
    return Status();
  for (size_t I = 0; I < S.Items.size(); ++I)
    if (returnsOwn(S, I) && S.Items[I].range().size() <= SmallResults::Limit &&
        (S.Unwritten.empty() || !S.Unwritten[I]))
      S.Results.add(*S.Enter[I].Target, S.Items[I].Name);
  if (Status Result = S.Results.fetch(Q); Result.failed())
    return std::move(Result).within(kernelPhrase(K.name()) + ", or copying " +
                                    S.Results.names() + " back after it");
  return Status();
}

Status accx::endRegion(Construct C, ConstructQueue &Q, ConstructScratch &S,
                       const Kernel &K, Status Result) {
  Result = finishEntered(Q, S, std::move(Result), K.name());
  if (Result.ok())
    S.Reduced.deliver();
  return leaveRegion(C, Q, S, std::move(Result));
}

Status accx::leaveRegion(Construct C, ConstructQueue &Q, ConstructScratch &S,
                         Status Result) {
  if (Result.failed()) {
    error("%s", Result.text().c_str());
    if (inWordsOfLlvm(C.Loc))
      error("Executing target region abort target.");
    unpinItems(C, S);
    return Result;
  }
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    Prof.step(acc_ev_exit_data_start, C.D.id(), /*Implicit=*/true);
  Status St = leaveItems(C, Q, S, /*Pinned=*/true);
  if (St.failed()) {
    if (inWordsOfLlvm(C.Loc)) {
      error("Call to targetDataEnd failed, abort target.");
      error("Failed to process data after launching the kernel.");
    }
  }
  return St;
}

namespace {

Kernel *findKernel(Construct C, const void *HostPtr) {
  Kernel *K = Registry::findKernel(C.D, HostPtr);
  if (!K)
    error("Host ptr 0x%016" PRIxPTR " does not have a matching target pointer. "
          "The program or library that holds the construct was linked without "
          "its device code: link it with accxcc or accxc++.",
          reinterpret_cast<uintptr_t>(HostPtr));
  return K;
}

} // namespace

Status accx::targetRegion(Construct C, const void *HostPtr,
                          const KernelArgs &Args) {
  Kernel *K = findKernel(C, HostPtr);
  if (!K)
    return Status(ErrorCode::Image, "no kernel for the region");

  MapArrays Arrays = arraysOf(Args);
  ScratchLease S;
  ConstructQueue Q(C.D);
  if (Status St = Q.openFor(C.Loc); St.failed())
    return St;

  // A queue's copies come when it gets there.
  if (!Q.tail())
    Arrays = passByValue(C, *S, *K, Arrays, hasEnvironment(Args),
                         /*WaitsAtOnce=*/true);
  S->Items.assign(Arrays, C.Loc);
  Status Entered;
  {
    prof::EventScope Prof;
    if (prof::enabled()) [[unlikely]]
      Prof.step(acc_ev_enter_data_start, C.D.id(), /*Implicit=*/true);
    Entered = enterForLaunch(C, Q, *S);
  }
  if (Entered.failed()) {
    if (inWordsOfLlvm(C.Loc)) {
      error("Call to targetDataBegin failed, abort target.");
      error("Failed to process data before launching the kernel.");
    }
    return Entered;
  }
  announceArgumentLookups(C, *S);

  std::optional<RegionResources> OwnResources;
  RegionResources &Resources =
      (Q.tail() ? Q.tail()->Resources : OwnResources).emplace(C.D);
  // On a queue it may start together with what comes next.
  const bool MayWait =
      Q.async() && Args.Flags & KernelArgs::Late && Q.async()->mayHold();
  Status Result = launchRegion(C, Q, *S, Resources, *K, Arrays, Args, MayWait);
  if (MayWait)
    held::add(*Q.async());
  if (Result.ok())
    Result = fetchResults(Q, *S, *K);
  return endRegion(C, Q, *S, *K, std::move(Result));
}

//===----------------------------------------------------------------------===//
// Started regions
//===----------------------------------------------------------------------===//

namespace {

/// So many may be under way on a device; each has a queue.
constexpr unsigned MaxStarted = 32;

class QueuedRegion final : public StartedRegion {
  const Construct C;
  Kernel *K = nullptr;
  ConstructScratch S;
  RegionResources Resources;
  ConstructQueue Q;

public:
  explicit QueuedRegion(Construct C) : C(C), Resources(C.D), Q(C.D) {
    C.D.NumStarted.fetch_add(1, std::memory_order_relaxed);
  }
  ~QueuedRegion() override {
    C.D.NumStarted.fetch_sub(1, std::memory_order_relaxed);
  }

  bool start(const void *HostPtr, const KernelArgs &Args, Status &Result) {
    MapArrays Arrays = arraysOf(Args);
    // Whoever runs the region then says what is missing.
    K = Registry::findKernel(C.D, HostPtr);
    if (!K || Q.open().failed())
      return false;
    Arrays = passByValue(C, S, *K, Arrays, hasEnvironment(Args));
    S.Items.assign(Arrays, C.Loc);
    if (!enterPresent(C, S))
      return false;
    Result = launchRegion(C, Q, S, Resources, *K, Arrays, Args);
    if (Result.ok())
      return true;
    Result = endRegion(C, Q, S, *K, std::move(Result));
    return false;
  }

  bool done() override { return Q.passed(); }
  Status finish() override { return endRegion(C, Q, S, *K, Status()); }
};

} // namespace

std::unique_ptr<StartedRegion> accx::startRegion(Construct C,
                                                 const void *HostPtr,
                                                 const KernelArgs &Args,
                                                 Status &Result) {
  if (C.D.info().features & ACCX_FEATURE_SYNCHRONOUS ||
      C.D.NumStarted.load(std::memory_order_relaxed) >= MaxStarted)
    return nullptr;
  auto R = std::make_unique<QueuedRegion>(C);
  if (!R->start(HostPtr, Args, Result))
    return nullptr;
  return R;
}

//===----------------------------------------------------------------------===//
// Recorded launches
//===----------------------------------------------------------------------===//

Status accx::replayRegion(Construct C, const void *HostPtr, void *Memory,
                          int64_t MemorySize, void **DeviceArgs,
                          const ptrdiff_t *Offsets, int32_t NumArgs,
                          const KernelArgs &Args) {
  Kernel *K = Registry::findKernel(C.D, HostPtr);
  if (!K)
    return Status(ErrorCode::Image, "no kernel for the recorded region");
  ConstructQueue Q(C.D);
  if (Status St = Q.open(); St.failed())
    return St;

  auto Place = withMemory(C.D, Holding::Nothing, [&] {
    return C.D.allocate(std::max<int64_t>(MemorySize, 1), ACCX_MEMORY_DEVICE);
  });
  if (!Place.ok())
    return Place.takeStatus().within("memory of the recorded region");
  Status Result;
  if (MemorySize > 0)
    Result = C.D.toDevice(Q.handle(), reinterpret_cast<uintptr_t>(*Place),
                          Memory, MemorySize);

  // A recorded launch brings its environment along with its arguments.
  std::vector<void *> KernelArgs;
  KernelArgs.reserve(NumArgs + 2); // Room for what a descriptor adds.
  for (int32_t I = 0; I < NumArgs; ++I)
    KernelArgs.push_back(static_cast<char *>(DeviceArgs[I]) + Offsets[I]);
  const LaunchRequest Request = requestOf(C, Args);
  LaunchResources Resources(C.D);
  if (Result.ok())
    Result = Resources.launch(Q, *K, KernelArgs, Request);
  Result = Q.finish(std::move(Result));
  if (Status Freed = C.D.release(*Place, ACCX_MEMORY_DEVICE); Result.ok())
    Result = std::move(Freed);
  return Result;
}
