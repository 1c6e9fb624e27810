//===- AccProf.cpp - OpenACC's profiling interface ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the tools, and what they call. A tool is a function
// acc_register_library() of the program, of a library that was loaded before
// ours, or of those that ACC_PROFLIB names. Tools are asked when the first
// device is needed: the program's own objects are complete by then.
//
//===----------------------------------------------------------------------===//

#include "abi/AccProf.h"

#include "abi/Acc.h"
#include "device/DeviceList.h"
#include "image/Registry.h"
#include "report/Prof.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string>

using namespace accx;

namespace {

bool isCuda(const Device &D) { return !std::strcmp(D.plugin().name(), "cuda"); }

prof::DeviceFacts describe(int Id, int64_t Async) {
  prof::DeviceFacts Facts;
  Facts.Type = acc::typeOf(Id);
  Facts.Number = acc::numberWithinType(Id);
  Device *D = DeviceList::get().find(Id);
  if (!D)
    return Facts;
  Facts.Api = isCuda(*D) ? acc_device_api_cuda : acc_device_api_other;
  AsyncQueue *Queue = Async < 0 ? nullptr : D->findAsyncQueue(Async);
  // A device without handles leaves them null.
  (void)D->plugin().api().native_handles(
      D->handle(), Queue ? Queue->native() : nullptr, &Facts.Device,
      &Facts.Context, &Facts.Queue);
  return Facts;
}

using RegisterLibrary = decltype(&acc_register_library);

void callTool(RegisterLibrary Tool) {
  Tool(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
}

/// Whether \p Tool is the function of this library, which does nothing.
bool isOurs(RegisterLibrary Tool) {
  Dl_info Its = {}, Own = {};
  return dladdr(reinterpret_cast<void *>(Tool), &Its) &&
         dladdr(reinterpret_cast<void *>(callTool), &Own) &&
         Its.dli_fbase == Own.dli_fbase;
}

/// Says why if the library has no tool in it.
void loadTool(const std::string &Path) {
  // Stays open: its callbacks may be called until the process ends.
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    plain("accx: ACC_PROFLIB: %s\n", dlerror());
    return;
  }
  auto *Tool =
      reinterpret_cast<RegisterLibrary>(dlsym(Library, "acc_register_library"));
  // A library that is linked with ours has ours where it has none.
  if (!Tool || isOurs(Tool)) {
    plain("accx: ACC_PROFLIB: %s has no function acc_register_library\n",
          Path.c_str());
    return;
  }
  callTool(Tool);
}

void loadTools(const std::string &List) {
  for (size_t Begin = 0; Begin <= List.size();) {
    const size_t End = std::min(List.find_first_of(";:", Begin), List.size());
    if (End > Begin)
      loadTool(List.substr(Begin, End - Begin));
    Begin = End + 1;
  }
}

/// Devices, and then the runtime, as far as tools are concerned. Runs before
/// the destructors of what was loaded earlier, tools' among them.
void endProfiling() {
  if (!prof::enabled())
    return;
  for (int I = 0; I < DeviceList::get().count(); ++I)
    if (DeviceList::get().find(I)->LoadedEpoch.load()) {
      prof::EventScope Shutdown;
      Shutdown.step(acc_ev_device_shutdown_start, I, /*Implicit=*/true);
    }
  prof::runtimeShutdown(acc::currentNumber());
}

void armEnd() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    prof::setDescriber(describe);
    (void)std::atexit(endProfiling);
  });
}

} // namespace

void accx::startProfiling() {
  // A tool that uses a device would come here again.
  static constinit std::atomic<bool> Started{false};
  if (Started.exchange(true))
    return;
  loadTools(Environment::get().AccProfLib);
  // The first of all that were loaded; the compiler must not take ours.
  RegisterLibrary volatile Tool = acc_register_library;
  callTool(Tool);
}

Status accx::prepareSlow(Device &D, Caller From) {
  startProfiling();
  prof::EventScope Init;
  if (prof::enabled() && !D.LoadedEpoch.load()) {
    const bool InConstruct = From == Caller::Construct;
    prof::EventScope Inside;
    Inside.inside(
        {InConstruct ? acc_construct_parallel : acc_construct_runtime_api,
         D.id()});
    Init.step(acc_ev_device_init_start, D.id(), InConstruct);
  }
  return Registry::get().prepare(D);
}

void accx::tellOfHostInit() {
  startProfiling();
  prof::EventScope Init;
  if (prof::enabled()) [[unlikely]]
    Init.step(acc_ev_device_init_start, initialDevice(), /*Implicit=*/false);
}

ACCX_ABI void acc_prof_register(acc_event_t Event, acc_prof_callback Callback,
                                acc_register_t What) {
  armEnd();
  prof::registerCallback(Event, Callback, What);
}

ACCX_ABI void acc_prof_unregister(acc_event_t Event, acc_prof_callback Callback,
                                  acc_register_t What) {
  prof::unregisterCallback(Event, Callback, What);
}

ACCX_ABI acc_query_fn acc_prof_lookup(const char *) { return nullptr; }

/// A tool's takes its place.
ACCX_ABI void acc_register_library(acc_prof_reg, acc_prof_reg,
                                   acc_prof_lookup_func) {}
