//===- Interop.cpp - Interoperability objects -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interop construct and the routines that read an object's properties.
//
//===----------------------------------------------------------------------===//

#include "abi/HelperTask.h"
#include "abi/Policy.h"
#include "device/DeviceList.h"
#include "report/Ompt.h"
#include "report/Report.h"

#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>

using namespace accx;

namespace {

/// What clang passes for the clauses target and targetsync.
enum InteropKind : int32_t { Unknown = 0, Target = 1, TargetSync = 2 };

/// Where LLVM's runtime keeps the native queue.
struct AsyncInfo {
  void *NativeQueue = nullptr;
};

/// The object behind omp_interop_t, as LLVM 19's runtime lays it out.
struct InteropValue {
  const char *ErrorText = nullptr;
  AsyncInfo *Async = nullptr;
  void *NativeContext = nullptr;
  void *NativeDevice = nullptr;
  InteropKind Kind = Unknown;
  intptr_t DeviceId = -1;
  int32_t VendorId = 0;
  intptr_t RuntimeId = 0; ///< 0: no foreign runtime.
};
static_assert(sizeof(InteropValue) == 64);
static_assert(offsetof(InteropValue, NativeContext) == 16);
static_assert(offsetof(InteropValue, Kind) == 32);
static_assert(offsetof(InteropValue, DeviceId) == 40);
static_assert(offsetof(InteropValue, RuntimeId) == 56);

/// An object with what it owns. The device lives as long as the process.
struct Interop : InteropValue {
  Device *D = nullptr;
  accx_queue Queue = nullptr;
  AsyncInfo OwnAsync;
  std::string OwnError;
};

/// omp_interop_property_t and omp_interop_rc_t.
enum Property : int32_t {
  PropRuntimeId = -1,
  PropRuntimeName = -2,
  PropVendor = -3,
  PropVendorName = -4,
  PropDeviceNum = -5,
  PropPlatform = -6,
  PropDevice = -7,
  PropContext = -8,
  PropTargetSync = -9,
  PropFirst = -9
};
enum Code : int32_t {
  NoValue = 1,
  Success = 0,
  Empty = -1,
  OutOfRange = -2,
  TypeInt = -3,
  TypePtr = -4,
  TypeStr = -5,
  Other = -6
};

/// Names and types of the properties, from PropRuntimeId downwards.
struct PropertyRow {
  const char *Name;
  const char *Description;
  Code Type;
  /// The only kind of object that has it; Unknown: all.
  InteropKind Only;
};
constexpr PropertyRow Properties[] = {
    {"fr_id", "intptr_t: foreign runtime identifier", TypeInt, Unknown},
    {"fr_name", "const char *: foreign runtime name", TypeStr, Unknown},
    {"vendor", "intptr_t: vendor identifier", TypeInt, Unknown},
    {"vendor_name", "const char *: vendor name", TypeStr, Unknown},
    {"device_num", "intptr_t: OpenMP device number", TypeInt, Unknown},
    {"platform", "void *: native platform handle", TypePtr, Target},
    {"device", "void *: native device handle", TypePtr, Target},
    {"device_context", "void *: native context handle", TypePtr, Target},
    {"targetsync", "void *: native queue handle", TypePtr, TargetSync},
};
static_assert(std::size(Properties) == -PropFirst);

const PropertyRow *rowOf(int32_t Prop) {
  return Prop < 0 && Prop >= PropFirst ? &Properties[-Prop - 1] : nullptr;
}

/// Foreign runtimes by the plugin that stands on them. The host has none.
struct ForeignRuntime {
  const char *Plugin;
  intptr_t Id; ///< omp_interop_fr_t
  const char *Name;
  int32_t Vendor; ///< OpenMP's list of vendors
  const char *VendorName;
};
constexpr ForeignRuntime Runtimes[] = {{"cuda", 1, "cuda", 11, "nvidia"}};

const ForeignRuntime *runtimeOf(const InteropValue &V) {
  for (const ForeignRuntime &R : Runtimes)
    if (R.Id == V.RuntimeId)
      return &R;
  return nullptr;
}

void setCode(int *Err, Code C) {
  if (Err)
    *Err = C;
}

/// The object if \p Prop can be read from it as a value of \p Wanted type.
const InteropValue *check(const InteropValue *V, int32_t Prop, Code Wanted,
                          int *Err) {
  if (!V) {
    setCode(Err, Empty);
    return nullptr;
  }
  const PropertyRow *Row = rowOf(Prop);
  if (!Row) {
    setCode(Err, OutOfRange);
    return nullptr;
  }
  if (Row->Type != Wanted) {
    setCode(Err, Row->Type);
    return nullptr;
  }
  if (Row->Only != Unknown && Row->Only != V->Kind) {
    setCode(Err, Other);
    return nullptr;
  }
  return V;
}

/// \p Value, or the code for a property this object has no value for.
template <typename T> T valueOrNone(T Value, int *Err) {
  setCode(Err, Value ? Success : NoValue);
  return Value;
}

/// The queue's work is done, or the program ends: an interop construct cannot
/// return a failure.
void drainQueue(Interop &V, const Ident *Loc) {
  if (!V.D || !V.Queue)
    return;
  if (Status S = V.D->wait(V.Queue); S.failed()) {
    error("Work on the queue of an interop object failed: %s",
          S.text().c_str());
    handleOutcome(S, Loc);
  }
}

void waitForTasks(const InteropValue &V, Ident *Loc, int32_t Gtid,
                  int32_t NumDeps, KmpDependInfo *Deps) {
  if (V.Kind == TargetSync && __kmpc_omp_wait_deps)
    __kmpc_omp_wait_deps(Loc, Gtid, NumDeps, Deps, 0, nullptr);
}

void setError(Interop &V, std::string Text) {
  V.OwnError = std::move(Text);
  V.ErrorText = V.OwnError.c_str();
}

/// Asks the plugin for the native handles; a plugin without any is fine.
Status open(Interop &V, Device &D) {
  V.D = &D;
  for (const ForeignRuntime &R : Runtimes)
    if (!std::strcmp(R.Plugin, D.plugin().name())) {
      V.RuntimeId = R.Id;
      V.VendorId = R.Vendor;
    }
  const accx_plugin &Api = D.plugin().api();
  if (V.Kind == TargetSync) {
    V.Async = &V.OwnAsync;
    if (!(D.info().features & ACCX_FEATURE_SYNCHRONOUS))
      if (Status S = D.plugin().check(Api.queue_create(D.handle(), &V.Queue));
          S.failed())
        return S;
  }
  accx_status Code =
      Api.native_handles(D.handle(), V.Queue, &V.NativeDevice, &V.NativeContext,
                         &V.OwnAsync.NativeQueue);
  if (Code == ACCX_ERROR_UNSUPPORTED)
    return Status();
  return D.plugin().check(Code);
}

} // namespace

//===----------------------------------------------------------------------===//
// The construct
//===----------------------------------------------------------------------===//

ACCX_ABI void __tgt_interop_init(Ident *Loc, int32_t Gtid, Interop **Object,
                                 int32_t Kind, int32_t DeviceId,
                                 int32_t NumDeps, KmpDependInfo *Deps,
                                 int32_t) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (DeviceId == -1 && omp_get_default_device)
    DeviceId = omp_get_default_device();
  auto V = std::make_unique<Interop>();
  V->Kind = static_cast<InteropKind>(Kind);
  V->DeviceId = DeviceId;
  waitForTasks(*V, Loc, Gtid, NumDeps, Deps);
  const DeviceList &Devices = DeviceList::get();
  if (Device *D = Devices.find(DeviceId)) {
    if (Status S = open(*V, *D); S.failed())
      setError(*V, S.text());
  } else if (DeviceId != Devices.initialDevice()) {
    setError(*V, "Device number '" + std::to_string(DeviceId) +
                     "' out of range, only " + std::to_string(Devices.count()) +
                     " devices available");
  }
  *Object = V.release();
}

ACCX_ABI void __tgt_interop_use(Ident *Loc, int32_t Gtid, Interop **Object,
                                int32_t, int32_t NumDeps, KmpDependInfo *Deps,
                                int32_t) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!*Object)
    return;
  waitForTasks(**Object, Loc, Gtid, NumDeps, Deps);
  drainQueue(**Object, Loc);
}

ACCX_ABI void __tgt_interop_destroy(Ident *Loc, int32_t Gtid, Interop **Object,
                                    int32_t, int32_t NumDeps,
                                    KmpDependInfo *Deps, int32_t) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!*Object)
    return;
  std::unique_ptr<Interop> V(*Object);
  *Object = nullptr;
  waitForTasks(*V, Loc, Gtid, NumDeps, Deps);
  drainQueue(*V, Loc);
  if (V->D && V->Queue)
    V->D->plugin().api().queue_destroy(V->Queue);
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

ACCX_ABI intptr_t omp_get_interop_int(const InteropValue *Object, int32_t Prop,
                                      int *Err) {
  const InteropValue *V = check(Object, Prop, TypeInt, Err);
  if (!V)
    return 0;
  if (Prop == PropRuntimeId)
    return valueOrNone(V->RuntimeId, Err);
  if (Prop == PropVendor)
    return valueOrNone(static_cast<intptr_t>(V->VendorId), Err);
  setCode(Err, Success);
  return V->DeviceId;
}

ACCX_ABI void *omp_get_interop_ptr(const InteropValue *Object, int32_t Prop,
                                   int *Err) {
  const InteropValue *V = check(Object, Prop, TypePtr, Err);
  if (!V)
    return nullptr;
  if (Prop == PropTargetSync)
    return valueOrNone(V->Async ? V->Async->NativeQueue : nullptr, Err);
  if (Prop == PropDevice)
    return valueOrNone(V->NativeDevice, Err);
  if (Prop == PropContext)
    return valueOrNone(V->NativeContext, Err);
  // No foreign runtime here has a platform handle.
  return valueOrNone<void *>(nullptr, Err);
}

ACCX_ABI const char *omp_get_interop_str(const InteropValue *Object,
                                         int32_t Prop, int *Err) {
  const InteropValue *V = check(Object, Prop, TypeStr, Err);
  if (!V)
    return nullptr;
  const ForeignRuntime *R = runtimeOf(*V);
  const char *Text = nullptr;
  if (R)
    Text = Prop == PropRuntimeName ? R->Name : R->VendorName;
  return valueOrNone(Text, Err);
}

ACCX_ABI const char *omp_get_interop_name(const InteropValue *Object,
                                          int32_t Prop) {
  const PropertyRow *Row = rowOf(Prop);
  return Object && Row ? Row->Name : nullptr;
}

ACCX_ABI const char *omp_get_interop_type_desc(const InteropValue *Object,
                                               int32_t Prop) {
  const PropertyRow *Row = rowOf(Prop);
  return Object && Row ? Row->Description : nullptr;
}
