//===- AccSelect.cpp - OpenACC's current device ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenACC names a device by its type and a number within the type, OpenMP by
// one number. The current device is OpenMP's default device of the thread, so
// that constructs of both agree. ACC_DEVICE_TYPE and ACC_DEVICE_NUM are applied
// when a thread that started outside of any parallel region first needs its
// device; members of a region inherit it with their other control variables.
//
//===----------------------------------------------------------------------===//

#include "abi/AccSelect.h"

#include "abi/Acc.h"
#include "abi/AccProf.h"
#include "abi/Libomp.h"
#include "device/DeviceList.h"
#include "report/Activity.h"
#include "report/Ompt.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

using namespace accx;
using acc::Routine;

extern "C" {
[[gnu::weak]] void omp_set_default_device(int Device);
[[gnu::weak]] int omp_get_level(void);
}

namespace {

struct TypeName {
  const char *Name;
  acc_device_t Type;
};
constexpr TypeName TypeNames[] = {
    {"host", acc_device_host},           {"not_host", acc_device_not_host},
    {"nvidia", acc_device_nvidia},       {"radeon", acc_device_radeon},
    {"multicore", acc_device_multicore}, {"default", acc_device_default}};

std::string nameOf(acc_device_t Type) {
  for (const TypeName &T : TypeNames)
    if (T.Type == Type)
      return T.Name;
  return std::to_string(static_cast<int>(Type));
}

/// Types by plugin. A plugin of another kind has devices that are only known
/// not to be the host.
constexpr TypeName PluginTypes[] = {{"cuda", acc_device_nvidia},
                                    {"amdgpu", acc_device_radeon},
                                    {"host", acc_device_multicore}};

/// Some thread called acc_set_device_type or acc_set_device_num.
std::atomic<bool> SetByRoutine{false};

/// Without libomp the thread's choice is kept here.
thread_local int OwnDefault = 0;

int getDefaultDevice() {
  return omp_get_default_device ? omp_get_default_device() : OwnDefault;
}

void setDefaultDevice(int Device) {
  if (omp_set_default_device)
    omp_set_default_device(Device);
  else
    OwnDefault = Device;
}

bool matches(int Device, acc_device_t Type) {
  const acc_device_t Own = acc::typeOf(Device);
  return Own == Type || (Type == acc_device_not_host && Own != acc_device_host);
}

int countOf(acc_device_t Type) {
  int Count = 0;
  for (int I = 0; I <= initialDevice(); ++I)
    Count += matches(I, Type);
  return Count;
}

/// Device \p Number of \p Type, or -1.
int find(acc_device_t Type, int Number) {
  for (int I = 0; I <= initialDevice(); ++I)
    if (matches(I, Type) && Number-- == 0)
      return I;
  return -1;
}

int numberWithin(acc_device_t Type, int Device) {
  int Number = 0;
  for (int I = 0; I < Device; ++I)
    Number += matches(I, Type);
  return Number;
}

/// "1 host, 4 multicore"
std::string presentTypes() {
  std::string Text;
  for (const TypeName &T : TypeNames)
    if (const int Count = countOf(T.Type);
        Count && T.Type != acc_device_not_host)
      Text += (Text.empty() ? "" : ", ") + std::to_string(Count) + " " + T.Name;
  return Text;
}

//===----------------------------------------------------------------------===//
// ACC_DEVICE_TYPE and ACC_DEVICE_NUM
//===----------------------------------------------------------------------===//

struct Wish {
  bool Given = false;
  bool Known = true;
  acc_device_t Type = acc_device_default;
  int Number = 0;

  Wish() {
    const Environment &Env = Environment::get();
    std::string Name;
    for (char C : Env.AccDeviceType)
      if (!isspace(static_cast<unsigned char>(C)))
        Name += static_cast<char>(tolower(static_cast<unsigned char>(C)));
    if (Name.starts_with("acc_device_"))
      Name.erase(0, std::strlen("acc_device_"));
    Given = !Name.empty() || Env.AccDeviceNum > 0;
    if (Env.AccDeviceNum <= INT32_MAX)
      Number = static_cast<int>(Env.AccDeviceNum);
    else
      Known = false;
    if (Name.empty())
      return;
    Known = false;
    for (const TypeName &T : TypeNames)
      if (Name == T.Name) {
        Type = T.Type;
        Known = true;
      }
  }
};

const Wish &wish() {
  static const Wish Process;
  return Process;
}

/// The type that is meant by acc_device_default.
acc_device_t defaultType() {
  if (offloadPolicy() == OffloadPolicy::Disabled)
    return acc_device_host;
  if (wish().Type == acc_device_not_host)
    return acc::typeOf(find(acc_device_not_host, 0));
  return wish().Type == acc_device_default ? acc::typeOf(0) : wish().Type;
}

acc_device_t resolved(acc_device_t Type) {
  if (Type == acc_device_default)
    return defaultType();
  if (Type == acc_device_current)
    return acc::typeOf(acc::currentNumber());
  return Type;
}

/// The device the environment asks for.
int wishedDevice() {
  const Wish &W = wish();
  const Environment &Env = Environment::get();
  const acc_device_t Type =
      W.Type == acc_device_default ? acc::typeOf(0) : W.Type;
  const int Device = W.Known ? find(Type, W.Number) : -1;
  if (Device >= 0)
    return Device;
  fatal(1,
        "ACC_DEVICE_TYPE='%s' ACC_DEVICE_NUM='%lld' names no device that is "
        "present. There are: %s",
        Env.AccDeviceType.c_str(), static_cast<long long>(Env.AccDeviceNum),
        presentTypes().c_str());
}

} // namespace

void accx::applyAccEnvironment() {
  static thread_local bool Applied = false;
  if (!wish().Given || Applied) [[likely]]
    return;
  // A member of a region has what the region's thread had, and gives it up with
  // the region. If that is what every thread starts with, and no routine set
  // it, nobody has been here.
  static std::atomic<int> Initial{-1};
  const int Now = getDefaultDevice();
  if (omp_get_level && omp_get_level() > 0) {
    if (SetByRoutine.load(std::memory_order_relaxed) ||
        (Initial.load() >= 0 && Initial.load() != Now))
      return;
  } else {
    Applied = true;
    Initial.store(Now);
  }
  setDefaultDevice(wishedDevice());
}

//===----------------------------------------------------------------------===//
// For the other routines
//===----------------------------------------------------------------------===//

void acc::fail(const Routine &Self, const char *Format, ...) {
  char Text[512];
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(Text, sizeof(Text), Format, Args);
  va_end(Args);
  flushActivityListeners();
  fatal(1, "%s: %s", Self.Name, Text);
}

void acc::failAt(const Ident &Loc, const char *Format, ...) {
  char Text[512];
  va_list Args;
  va_start(Args, Format);
  std::vsnprintf(Text, sizeof(Text), Format, Args);
  va_end(Args);
  flushActivityListeners();
  fatal(1, "%s: %s", SourceLocation::ofConstruct(&Loc).text().c_str(), Text);
}

void acc::check(const Routine &Self, Status Result) {
  if (Result.failed()) [[unlikely]]
    fail(Self, "%s", Result.text().c_str());
}

acc_device_t acc::typeOf(int Device) {
  const accx::Device *D = DeviceList::get().find(Device);
  if (!D)
    return acc_device_host;
  for (const TypeName &T : PluginTypes)
    if (!std::strcmp(T.Name, D->plugin().name()))
      return T.Type;
  return acc_device_not_host;
}

int acc::numberWithinType(int Device) {
  return ::numberWithin(typeOf(Device), Device);
}

int acc::currentNumber() {
  if (offloadPolicy() == OffloadPolicy::Disabled)
    return initialDevice();
  applyAccEnvironment();
  const int Device = getDefaultDevice();
  return Device < 0 ? initialDevice() : Device;
}

namespace {

Device *ready(int Number, const Routine &Self) {
  if (Number == initialDevice())
    return nullptr;
  Device &D = routineDevice(Number);
  acc::check(Self, prepareDevice(D, Caller::Routine));
  return &D;
}

/// Device \p Number of \p Type, which has to exist.
int require(int Number, acc_device_t Type, const Routine &Self) {
  const int Device = find(resolved(Type), Number);
  if (Device < 0)
    acc::fail(Self, "%s", acc::noDevice(Number, Type).c_str());
  return Device;
}

/// Where a thread that asks for \p Type only shall go.
int preferred(acc_device_t Type, const Routine &Self) {
  const int Current = acc::currentNumber();
  const acc_device_t Real = resolved(Type);
  if (matches(Current, Real))
    return Current;
  const int Wished = wish().Given && wish().Known ? wish().Number : 0;
  const int Device = find(Real, Wished);
  return Device >= 0 ? Device : require(0, Real, Self);
}

void choose(int Device) {
  applyAccEnvironment();
  SetByRoutine.store(true, std::memory_order_relaxed);
  setDefaultDevice(Device);
}

} // namespace

int acc::numberOf(int Number) {
  return find(resolved(acc_device_current), Number);
}

std::string acc::noDevice(long Number, acc_device_t Type) {
  return "there is no device " + std::to_string(Number) + " of type " +
         nameOf(resolved(Type)) + ". There are: " + presentTypes();
}

void acc::setCurrentNumber(int Device) { choose(Device); }

Device *acc::currentDevice(const Routine &Self) {
  return ready(currentNumber(), Self);
}

Device *acc::deviceOfCurrentType(int Number, const Routine &Self) {
  return deviceOfType(Number, acc_device_current, Self);
}

Device *acc::deviceOfType(int Number, acc_device_t Type, const Routine &Self) {
  return ready(require(Number, Type, Self), Self);
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

ACCX_ABI int acc_get_num_devices(acc_device_t Type) noexcept {
  return Type == acc_device_none ? 0 : countOf(resolved(Type));
}

ACCX_ABI void acc_set_device_type(acc_device_t Type) noexcept {
  ACCX_ROUTINE(acc_set_device_type);
  if (Type == acc_device_none || Type == acc_device_current)
    return;
  choose(preferred(Type, Self));
}

ACCX_ABI acc_device_t acc_get_device_type(void) noexcept {
  return acc::typeOf(acc::currentNumber());
}

ACCX_ABI void acc_set_device_num(int Number, acc_device_t Type) noexcept {
  ACCX_ROUTINE(acc_set_device_num);
  // Type 0 means: this number for whatever type is used.
  if (Type == acc_device_none)
    Type = acc_device_current;
  choose(Number < 0 ? preferred(Type, Self) : require(Number, Type, Self));
}

ACCX_ABI int acc_get_device_num(acc_device_t Type) noexcept {
  const int Current = acc::currentNumber();
  const acc_device_t Real =
      Type == acc_device_none ? acc::typeOf(Current) : resolved(Type);
  return matches(Current, Real) ? numberWithin(Real, Current) : 0;
}

ACCX_ABI int acc_on_device(acc_device_t Type) noexcept {
  // Device code has a version of its own, in the header.
  return Type == acc_device_host || Type == acc_device_none ||
         Type == acc_device_current ||
         (Type == acc_device_default && defaultType() == acc_device_host);
}

ACCX_ABI void acc_init(acc_device_t Type) noexcept {
  ACCX_ROUTINE(acc_init);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!ready(
          preferred(Type == acc_device_none ? acc_device_current : Type, Self),
          Self))
    tellOfHostInit();
}

ACCX_ABI void acc_init_device(int Number, acc_device_t Type) noexcept {
  ACCX_ROUTINE(acc_init_device);
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  if (!acc::deviceOfType(Number, Type, Self))
    tellOfHostInit();
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

namespace {

/// The device, or -1 if there is none: asking is no error.
int asked(int Number, acc_device_t Type) {
  return Type == acc_device_none || Number < 0 ? -1
                                               : find(resolved(Type), Number);
}

} // namespace

ACCX_ABI size_t acc_get_property(int Number, acc_device_t Type,
                                 acc_device_property_t Property) noexcept {
  const int Id = asked(Number, Type);
  if (Id < 0)
    return 0;
  const Device *D = DeviceList::get().find(Id);
  if (Property == acc_property_shared_memory_support)
    return !D || D->unified();
  if (Property != acc_property_memory && Property != acc_property_free_memory)
    return 0;
  if (!D)
    return static_cast<size_t>(sysconf(Property == acc_property_memory
                                           ? _SC_PHYS_PAGES
                                           : _SC_AVPHYS_PAGES)) *
           static_cast<size_t>(sysconf(_SC_PAGESIZE));
  uint64_t Free = 0, Total = 0;
  if (D->plugin().api().memory_info(D->handle(), &Free, &Total) != ACCX_OK)
    return 0;
  return Property == acc_property_memory ? Total : Free;
}

ACCX_ABI const char *
acc_get_property_string(int Number, acc_device_t Type,
                        acc_device_property_t Property) noexcept {
  const int Id = asked(Number, Type);
  if (Id < 0)
    return nullptr;
  const Device *D = DeviceList::get().find(Id);
  switch (Property) {
  case acc_property_name:
    return D ? D->info().name : "host";
  case acc_property_vendor:
    return acc::typeOf(Id) == acc_device_nvidia   ? "NVIDIA"
           : acc::typeOf(Id) == acc_device_radeon ? "AMD"
           : D                                    ? D->info().arch
                                                  : "host";
  case acc_property_driver:
    return D ? D->plugin().name() : "host";
  default:
    return nullptr;
  }
}
