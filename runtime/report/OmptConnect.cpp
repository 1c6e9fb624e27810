//===- OmptConnect.cpp - Finding the tool through libomp ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libomp starts the tool and holds its callbacks. ompt_libomp_connect() hands
// us a look-up function for them; ompt_libomptarget_connect() hands the same to
// plugins.
//
//===----------------------------------------------------------------------===//

#include "report/OmptState.h"

#include <dlfcn.h>
#include <mutex>
#include <vector>

using namespace accx;
using namespace accx::ompt;

constinit std::atomic<bool> accx::ompt::detail::Connected{false};
constinit Callbacks accx::ompt::Tool;

namespace {

using GetTaskData = ompt_data_t *(*)();

/// libomp's functions; written before Connected is.
ompt_function_lookup_t Lookup = nullptr;
GetTaskData TaskDataOfLibomp = nullptr;
GetTaskData TargetTaskDataOfLibomp = nullptr;

constinit thread_local ompt_data_t UnknownTask = ompt_data_none;
constinit thread_local ompt_data_t UnknownTargetTask = ompt_data_none;

/// Whether libomp called initialize() and not yet finalize(), and what plugins
/// asked to be called then.
constinit std::mutex ConnectionMutex;
bool Initialized = false;
std::vector<ompt_finalize_t> *PluginFinalizers = nullptr;

template <typename T> void bind(T &Function, const char *Name) {
  Function = reinterpret_cast<T>(Lookup(Name));
}

/// Called by libomp if a tool is active.
int initialize(ompt_function_lookup_t LibompLookup, int, ompt_data_t *) {
  Lookup = LibompLookup;
  ompt_get_callback_t GetCallback = nullptr;
  bind(GetCallback, "ompt_get_callback");
  bind(TaskDataOfLibomp, "ompt_get_task_data");
  bind(TargetTaskDataOfLibomp, "ompt_get_target_task_data");
  if (!GetCallback)
    return 0;

  bool Any = false;
  auto Bind = [&](auto &Callback, int Code) {
    ompt_callback_t Found = nullptr;
    if (GetCallback(static_cast<ompt_callbacks_t>(Code), &Found) == 0 || !Found)
      return;
    Callback =
        reinterpret_cast<std::remove_reference_t<decltype(Callback)>>(Found);
    Any = true;
  };
#define ACCX_BIND(Name, Type, Code) Bind(Tool.Name, Code);
  FOREACH_OMPT_DEVICE_EVENT(ACCX_BIND)
  FOREACH_OMPT_NOEMI_EVENT(ACCX_BIND)
  FOREACH_OMPT_EMI_EVENT(ACCX_BIND)
#undef ACCX_BIND

  {
    std::lock_guard Lock(ConnectionMutex);
    Initialized = true;
  }
  // A tool for the host alone costs nothing here.
  detail::Connected.store(Any, std::memory_order_release);
  return 1;
}

/// Called by libomp when it ends; the tool may be unloaded after.
void finalize(ompt_data_t *) {
  detail::Connected.store(false, std::memory_order_release);
  std::vector<ompt_finalize_t> *Finalizers = nullptr;
  {
    std::lock_guard Lock(ConnectionMutex);
    Initialized = false;
    std::swap(Finalizers, PluginFinalizers);
  }
  if (!Finalizers)
    return;
  for (ompt_finalize_t Finalize : *Finalizers)
    Finalize(nullptr);
  delete Finalizers;
}

using Connect = void (*)(ompt_start_tool_result_t *);

Connect findConnect() {
  constexpr const char *Symbol = "ompt_libomp_connect";
  if (void *Found = dlsym(RTLD_DEFAULT, Symbol))
    return reinterpret_cast<Connect>(Found);
  // A program that opened libomp with local scope hides it from the search.
  for (const char *Library : {"libomp.so.5", "libomp.so", "libiomp5.so"})
    if (void *Handle = dlopen(Library, RTLD_LAZY | RTLD_NOLOAD)) {
      void *Found = dlsym(Handle, Symbol);
      dlclose(Handle); // It was open before and stays so.
      if (Found)
        return reinterpret_cast<Connect>(Found);
    }
  return nullptr;
}

} // namespace

void accx::ompt::connect() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    // libomp keeps the address until it ends.
    static ompt_start_tool_result_t Result = {initialize, finalize,
                                              ompt_data_none};
    if (Connect Function = findConnect())
      Function(&Result);
  });
}

ompt_data_t *accx::ompt::currentTaskData() {
  ompt_data_t *Data = TaskDataOfLibomp ? TaskDataOfLibomp() : nullptr;
  return Data ? Data : &UnknownTask;
}

ompt_data_t *accx::ompt::currentTargetTaskData() {
  // libomp indexes its threads by the caller's number unchecked here, so ask
  // the function that checks first.
  if (!TaskDataOfLibomp || !TaskDataOfLibomp() || !TargetTaskDataOfLibomp)
    return &UnknownTargetTask;
  return TargetTaskDataOfLibomp();
}

ompt_interface_fn_t accx::ompt::lookupForDevice(const char *Name) {
  if (!Name || !Lookup || !enabled())
    return nullptr;
  return Lookup(Name);
}

/// For plugins that send their own events: gives them libomp's look-up
/// function if a tool is active, and calls their finalizer when it ends.
extern "C" [[gnu::visibility("default")]] void
ompt_libomptarget_connect(ompt_start_tool_result_t *Result) {
  if (!Result)
    return;
  {
    std::lock_guard Lock(ConnectionMutex);
    if (!Initialized)
      return;
    if (Result->finalize) {
      if (!PluginFinalizers)
        PluginFinalizers = new std::vector<ompt_finalize_t>;
      PluginFinalizers->push_back(Result->finalize);
    }
  }
  if (Result->initialize)
    Result->initialize(Lookup, /*initial_device_num=*/0, /*tool_data=*/nullptr);
}
