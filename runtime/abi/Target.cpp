//===- Target.cpp - Entry points that clang calls -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration, data constructs, target regions and mapper components.
//
//===----------------------------------------------------------------------===//

#include "abi/AccProf.h"
#include "abi/DirectTask.h"
#include "abi/Distribute.h"
#include "abi/HelperTask.h"
#include "abi/Libomp.h"
#include "abi/Lifetime.h"
#include "abi/NextTarget.h"
#include "abi/Nowait.h"
#include "abi/Policy.h"
#include "accx/late.h"
#include "distribute/Update.h"
#include "image/Registry.h"
#include "mapping/Announce.h"
#include "mapping/Constructs.h"
#include "report/Activity.h"
#include "report/Ompt.h"
#include "report/Prof.h"
#include "report/Report.h"

using namespace accx;

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

ACCX_ABI void __tgt_rtl_init() { retainRuntime(); }
ACCX_ABI void __tgt_rtl_deinit() { releaseRuntime(); }

ACCX_ABI void __tgt_register_lib(BinaryDesc *Desc) {
  retainRuntime();
  Registry::get().add(Desc);
}

/// Waits for what the thread's `nowait` constructs have yet to begin: without
/// the images, which go now, they would fail as if they had none.
static void finishTasks() {
  static Ident Here = {0, 0, 0, 0, ";libomptarget;libomptarget;0;0;;"};
  if (!__kmpc_omp_taskwait || !__kmpc_global_thread_num)
    return;
  const int32_t Gtid = __kmpc_global_thread_num(&Here);
  if (Gtid != GtidDoesNotExist)
    __kmpc_omp_taskwait(&Here, Gtid);
}

ACCX_ABI void __tgt_unregister_lib(BinaryDesc *Desc) {
  settleLate();
  finishTasks();
  Registry::get().remove(Desc);
  releaseRuntime();
}

ACCX_ABI void __tgt_init_all_rtls() { Registry::get().startPlugins(); }

ACCX_ABI void __tgt_register_requires(int64_t) {
  message("The %s function has been removed. Old OpenMP requirements will not "
          "be handled",
          __func__);
}

//===----------------------------------------------------------------------===//
// Data constructs
//===----------------------------------------------------------------------===//

namespace {

struct DataKind {
  Status (*Run)(Construct, const MapArrays &);
  /// Beside late regions; null if it comes after them.
  std::optional<Status> (*Beside)(Construct, const MapArrays &);
  ompt_target_t Tool;
  const char *Name;
  acc_event_t Event;
  acc_construct_t Directive;
};
constexpr DataKind Begin = {
    dataBegin,    dataBeginBeside,         ompt_target_enter_data,
    "data begin", acc_ev_enter_data_start, acc_construct_enter_data};
constexpr DataKind End = {
    dataEnd,    dataEndBeside,          ompt_target_exit_data,
    "data end", acc_ev_exit_data_start, acc_construct_exit_data};
constexpr DataKind Update = {updateEverywhere,    nullptr,
                             ompt_target_update,  "update",
                             acc_ev_update_start, acc_construct_update};

/// The directive that tools are told: structured data is held.
acc_construct_t directiveOf(const DataKind &Kind, const MapArrays &Arrays) {
  bool Held = false, OnlyAddresses = Arrays.Num > 0;
  for (int I = 0; I < Arrays.Num; ++I) {
    Held |= (Arrays.type(I) & MapOmpxHold) != 0;
    OnlyAddresses &= (Arrays.type(I) & MapReturnParam) != 0;
  }
  if (Kind.Directive == acc_construct_update)
    return Kind.Directive;
  return OnlyAddresses ? acc_construct_host_data
         : Held        ? acc_construct_data
                       : Kind.Directive;
}

/// The device of the late regions, if a construct for \p DeviceId may be run
/// beside them.
Device *deviceBeside(const DataKind &Kind, int64_t DeviceId) {
  if (!late::any() || late::onlyTasks() || !Kind.Beside ||
      infoEnabled(InfoKernelArgs) || asyncScope::current() != asyncScope::None)
    return nullptr;
  Device *D = late::device();
  return D && D->id() == deviceNumber(DeviceId) ? D : nullptr;
}

/// Runs a data construct on the calling thread.
Status runData(const DataKind &Kind, Construct C, const MapArrays &Arrays,
               const void *CodePtr, bool Beside = false) {
  ActivityInfo Activity;
  Activity.Device = C.D.id();
  Activity.What = Kind.Name;
  Activity.Loc = C.Loc;
  ActivityScope Scope(ActivityKind::Region, Activity);
  ompt::RegionScope Tool(Kind.Tool, C.D.id(), CodePtr);
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    Prof.construct(Kind.Event, {directiveOf(Kind, Arrays), C.D.id(), C.Loc,
                                currentAsync()});
  if (Beside) {
    if (std::optional<Status> Result = Kind.Beside(C, Arrays))
      return std::move(*Result);
    settleLate();
    startHeld();
  }
  return Kind.Run(C, Arrays);
}

void dataConstruct(const DataKind &Kind, Ident *Loc, int64_t DeviceId,
                   const MapArrays &Arrays, const char *InfoText,
                   bool MayDefer) {
  const void *CodePtr = ompt::returnAddress();
  if (Device *D = MayDefer ? nullptr : deviceBeside(Kind, DeviceId)) {
    handleOutcome(runData(Kind, {*D, Loc}, Arrays, CodePtr, /*Beside=*/true),
                  Loc);
    return;
  }
  Device *D = constructDevice(DeviceId, Loc);
  if (!D)
    return;
  if (infoEnabled(InfoKernelArgs)) [[unlikely]]
    announceArguments(D->id(), Loc, Arrays, InfoText);
  if (MayDefer) {
    auto Run = [&Kind, D, Loc, CodePtr](const MapArrays &Copied) {
      return runData(Kind, {*D, Loc}, Copied, CodePtr);
    };
    if (deferToTask(*D, Loc, Arrays, Run))
      return;
  }
  handleOutcome(runData(Kind, {*D, Loc}, Arrays, CodePtr), Loc);
}

} // namespace

#define ACCX_DATA_ENTRY(Name, Kind, Text, NowaitText)                          \
  ACCX_ABI void __tgt_target_data_##Name##_mapper(                             \
      Ident *Loc, int64_t DeviceId, int32_t ArgNum, void **ArgsBase,           \
      void **Args, int64_t *ArgSizes, int64_t *ArgTypes, void **ArgNames,      \
      void **ArgMappers) {                                                     \
    ompt::ReturnAddressScope Return(__builtin_return_address(0));              \
    dataConstruct(                                                             \
        Kind, Loc, DeviceId,                                                   \
        {ArgNum, ArgsBase, Args, ArgSizes, ArgTypes, ArgNames, ArgMappers},    \
        Text, /*MayDefer=*/false);                                             \
  }                                                                            \
  ACCX_ABI void __tgt_target_data_##Name##_nowait_mapper(                      \
      Ident *Loc, int64_t DeviceId, int32_t ArgNum, void **ArgsBase,           \
      void **Args, int64_t *ArgSizes, int64_t *ArgTypes, void **ArgNames,      \
      void **ArgMappers, int32_t, void *, int32_t, void *) {                   \
    ompt::ReturnAddressScope Return(__builtin_return_address(0));              \
    dataConstruct(                                                             \
        Kind, Loc, DeviceId,                                                   \
        {ArgNum, ArgsBase, Args, ArgSizes, ArgTypes, ArgNames, ArgMappers},    \
        NowaitText, /*MayDefer=*/true);                                        \
  }

// The texts are what tools match, "being" included.
ACCX_DATA_ENTRY(begin, Begin, "Entering OpenMP data region with being_mapper",
                "Entering OpenMP data region with being_nowait_mapper")
ACCX_DATA_ENTRY(end, End, "Exiting OpenMP data region with end_mapper",
                "Exiting OpenMP data region with end_nowait_mapper")
ACCX_DATA_ENTRY(update, Update,
                "Updating data within the OpenMP data region with "
                "update_mapper",
                "Updating data within the OpenMP data region with "
                "update_nowait_mapper")

#undef ACCX_DATA_ENTRY

//===----------------------------------------------------------------------===//
// Target regions
//===----------------------------------------------------------------------===//

namespace {

Status runRegion(Construct C, const void *HostPtr, const KernelArgs &Args,
                 const void *CodePtr) {
  ActivityInfo Activity;
  Activity.Device = C.D.id();
  Activity.What = "target";
  Activity.Loc = C.Loc;
  ActivityScope Scope(ActivityKind::Region, Activity);
  ompt::RegionScope Tool(ompt_target, C.D.id(), CodePtr);
  prof::EventScope Prof;
  if (prof::enabled()) [[unlikely]]
    Prof.construct(acc_ev_compute_construct_start,
                   {acc_construct_parallel, C.D.id(), C.Loc, currentAsync()});
  return targetRegion(C, HostPtr, Args);
}

static_assert(KernelArgs::Late == ACCX_KERNEL_LATE);

/// Queues the region if it may be late. False if it is to be run at once.
bool startLate(Construct C, const void *HostPtr, const KernelArgs &Args,
               late::Role Is) {
  late::Outcome Failed;
  if (late::needThread(C.D))
    makeHelperThreads();
  if (!late::start(C, HostPtr, Args, Is, Failed)) {
    if (Failed.Result.failed())
      handleOutcome(Failed.Result, Failed.Loc);
    return false;
  }
  ActivityInfo Activity;
  Activity.Device = C.D.id();
  Activity.What = "target late";
  Activity.Loc = C.Loc;
  const ActivityScope Scope(ActivityKind::Region, Activity);
  return true;
}

/// Objects of older compilers pass an argument block without teams, flags or
/// both; version 2 says that kernels take no launch environment.
KernelArgs currentArgs(const KernelArgs &Args, int32_t NumTeams,
                       int32_t ThreadLimit) {
  if (Args.Version >= KernelArgs::VersionWithEnvironment)
    return Args;
  KernelArgs Current = {};
  Current.Version = KernelArgs::VersionWithFlags;
  Current.NumArgs = Args.NumArgs;
  Current.BasePtrs = Args.BasePtrs;
  Current.Ptrs = Args.Ptrs;
  Current.Sizes = Args.Sizes;
  Current.Types = Args.Types;
  Current.Names = Args.Names;
  Current.Mappers = Args.Mappers;
  Current.TripCount = Args.TripCount;
  if (Args.Version >= KernelArgs::VersionWithFlags)
    Current.Flags = Args.Flags;
  Current.NumTeams[0] = static_cast<uint32_t>(NumTeams);
  Current.ThreadLimit[0] =
      ThreadLimit > 0 ? static_cast<uint32_t>(ThreadLimit) : 0;
  return Current;
}

} // namespace

ACCX_ABI int __tgt_target_kernel(Ident *Loc, int64_t DeviceId, int32_t NumTeams,
                                 int32_t ThreadLimit, void *HostPtr,
                                 KernelArgs *Args) {
  ompt::ReturnAddressScope Return(__builtin_return_address(0));
  Device *D = regionDevice(DeviceId, Loc);
  if (!D) {
    if (directTask::refuse())
      return 0;
    settleLate();
    nextTargetOnHost();
    return 1;
  }
  const NextTargetScope Next(*D);
  KernelArgs Current = currentArgs(*Args, NumTeams, ThreadLimit);
  // -1 says that the construct has no teams: it is a single one.
  if (NumTeams == -1)
    Current.NumTeams[0] = 1;

  const MapArrays Arrays = {static_cast<int32_t>(Current.NumArgs),
                            Current.BasePtrs,
                            Current.Ptrs,
                            Current.Sizes,
                            Current.Types,
                            Current.Names,
                            Current.Mappers};
  if (infoEnabled(InfoKernelArgs)) [[unlikely]]
    announceArguments(D->id(), Loc, Arrays, "Entering OpenMP kernel");

  if (directTask::runs()) [[unlikely]] {
    if (!startLate({*D, Loc}, HostPtr, Current, late::Role::Task))
      directTask::refuse();
    return 0;
  }
  const bool MayBeLate =
      (Current.Flags & (KernelArgs::Late | KernelArgs::NoWait)) ==
      KernelArgs::Late;
  if (MayBeLate && !Next.active() && !currentLoop() &&
      startLate({*D, Loc}, HostPtr, Current, late::Role::Region))
    return 0;
  settleLate();

  const void *CodePtr = ompt::returnAddress();
  if (DistributedLoop *Loop = currentLoop()) [[unlikely]] {
    auto Run = [=](Construct C, const KernelArgs &Part) {
      return runRegion(C, HostPtr, Part, CodePtr);
    };
    handleOutcome(Loop->run({*D, Loc}, HostPtr, Current, Run), Loc);
    return 0;
  }
  startHeld();
  if (Current.Flags & KernelArgs::NoWait && !Next.active()) {
    if (startInTask({*D, Loc}, HostPtr, Current))
      return 0;
    auto Run = [D, Loc, HostPtr, Current, CodePtr](const MapArrays &Copied) {
      KernelArgs Own = Current;
      Own.BasePtrs = Copied.BasePtrs;
      Own.Ptrs = Copied.Ptrs;
      Own.Sizes = Copied.Sizes;
      Own.Types = Copied.Types;
      Own.Names = Copied.Names;
      Own.Mappers = Copied.Mappers;
      return runRegion({*D, Loc}, HostPtr, Own, CodePtr);
    };
    if (deferToTask(*D, Loc, Arrays, Run))
      return 0;
  }
  handleOutcome(runRegion({*D, Loc}, HostPtr, Current, CodePtr), Loc);
  return 0;
}

ACCX_ABI void __accx_settle(int Before) { directTask::settle(Before); }

ACCX_ABI void __tgt_target_nowait_query(void **AsyncHandle) {
  ompt::ReturnAddressScope Return(__builtin_return_address(0));
  queryTask(AsyncHandle);
}

//===----------------------------------------------------------------------===//
// User-defined mappers
//===----------------------------------------------------------------------===//

ACCX_ABI int64_t __tgt_mapper_num_components(void *Handle) {
  return static_cast<int64_t>(
      static_cast<MapperComponents *>(Handle)->Components.size());
}

ACCX_ABI void __tgt_push_mapper_component(void *Handle, void *Base, void *Begin,
                                          int64_t Size, int64_t Type,
                                          void *Name) {
  static_cast<MapperComponents *>(Handle)->Components.push_back(
      {Base, Begin, Size, Type, Name});
}
