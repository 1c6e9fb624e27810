// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A libomp that starts a tool which prints every event on stdout.

#include "FakeLibomp.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

const char *ToolMode = "inactive";

namespace {

thread_local bool Known = false;
thread_local ompt_data_t TaskData, TargetTaskData;
ompt_start_tool_result_t *Connected = nullptr;
ompt_id_t NextToolId = 1000;

const char *end(ompt_scope_endpoint_t Endpoint) {
  return Endpoint == ompt_scope_begin ? "begin" : "end";
}

unsigned long number(uint64_t Value) {
  return static_cast<unsigned long>(Value);
}

void onInitialize(int Device, const char *Type, ompt_device_t *Handle,
                  ompt_function_lookup_t Lookup, const char *) {
  printf("initialize %d %s handle=%d trace=%d callback=%d\n", Device, Type,
         Handle != nullptr, Lookup("ompt_set_trace_ompt") != nullptr,
         Lookup("ompt_get_callback") != nullptr);
}
void onFinalize(int Device) { printf("finalize %d\n", Device); }
void onLoad(int Device, const char *Name, int64_t Offset, void *Vma,
            size_t Bytes, void *Host, void *Address, uint64_t Module) {
  printf("load %d %s offset=%ld vma=%p bytes=%zu device=%p module=%d\n", Device,
         Name ? Name : "(null)", static_cast<long>(Offset), Vma, Bytes, Address,
         Module == reinterpret_cast<uint64_t>(Host));
}
void onUnload(int Device, uint64_t Module) {
  printf("unload %d module=%#lx\n", Device, number(Module));
}

void onTarget(ompt_target_t Kind, ompt_scope_endpoint_t Endpoint, int Device,
              ompt_data_t *Task, ompt_id_t Id, const void *Code) {
  printf("target %s kind=%d device=%d task=%lu id=%lu code=%p\n", end(Endpoint),
         Kind, Device, number(Task->value), number(Id), Code);
}
void onDataOp(ompt_id_t Target, ompt_id_t Id, ompt_target_data_op_t Op,
              void *Src, int From, void *Dst, int To, size_t Bytes,
              const void *Code) {
  printf("data-op target=%lu id=%lu op=%d src=%p@%d dst=%p@%d bytes=%zu "
         "code=%p\n",
         number(Target), number(Id), Op, Src, From, Dst, To, Bytes, Code);
}
void onSubmit(ompt_id_t Target, ompt_id_t Id, unsigned Teams) {
  printf("submit target=%lu id=%lu teams=%u\n", number(Target), number(Id),
         Teams);
}

void onTargetEmi(ompt_target_t Kind, ompt_scope_endpoint_t Endpoint, int Device,
                 ompt_data_t *Task, ompt_data_t *TargetTask,
                 ompt_data_t *Target, const void *Code) {
  if (Endpoint == ompt_scope_begin) {
    if (Target->value != 0)
      printf("target data is not fresh\n");
    Target->value = NextToolId++;
  }
  printf("target-emi %s kind=%d device=%d task=%lu target_task=%lu target=%lu "
         "code=%p\n",
         end(Endpoint), Kind, Device, number(Task->value),
         number(TargetTask->value), number(Target->value), Code);
}
void onDataOpEmi(ompt_scope_endpoint_t Endpoint, ompt_data_t *TargetTask,
                 ompt_data_t *Target, ompt_id_t *Id, ompt_target_data_op_t Op,
                 void *Src, int From, void *Dst, int To, size_t Bytes,
                 const void *Code) {
  if (Endpoint == ompt_scope_begin)
    *Id = NextToolId++;
  printf("data-op-emi %s target_task=%ld target=%lu id=%lu op=%d src=%p@%d "
         "dst=%p@%d bytes=%zu code=%p\n",
         end(Endpoint), TargetTask ? static_cast<long>(TargetTask->value) : -1,
         number(Target->value), number(*Id), Op, Src, From, Dst, To, Bytes,
         Code);
}
void onSubmitEmi(ompt_scope_endpoint_t Endpoint, ompt_data_t *Target,
                 ompt_id_t *Id, unsigned Teams) {
  if (Endpoint == ompt_scope_begin)
    *Id = NextToolId++;
  printf("submit-emi %s target=%lu id=%lu teams=%u\n", end(Endpoint),
         number(Target->value), number(*Id), Teams);
}

template <typename T> ompt_callback_t callback(T *Function) {
  return reinterpret_cast<ompt_callback_t>(Function);
}

int getCallback(ompt_callbacks_t Which, ompt_callback_t *Result) {
  const std::string Mode = ToolMode;
  const bool Plain = Mode == "plain" || Mode == "both";
  const bool Emi = Mode == "emi" || Mode == "both";
  ompt_callback_t Found = nullptr;
  switch (Which) {
  case ompt_callback_device_initialize:
    Found = callback(onInitialize);
    break;
  case ompt_callback_device_finalize:
    Found = callback(onFinalize);
    break;
  case ompt_callback_device_load:
    Found = callback(onLoad);
    break;
  case ompt_callback_device_unload:
    Found = callback(onUnload);
    break;
  case ompt_callback_target:
    Found = Plain ? callback(onTarget) : nullptr;
    break;
  case ompt_callback_target_data_op:
    Found = Plain ? callback(onDataOp) : nullptr;
    break;
  case ompt_callback_target_submit:
    // "both" has this form only, as a tool may mix them.
    Found = Plain ? callback(onSubmit) : nullptr;
    break;
  case ompt_callback_target_emi:
    Found = Emi ? callback(onTargetEmi) : nullptr;
    break;
  case ompt_callback_target_data_op_emi:
    Found = Emi ? callback(onDataOpEmi) : nullptr;
    break;
  case ompt_callback_target_submit_emi:
    Found = Mode == "emi" ? callback(onSubmitEmi) : nullptr;
    break;
  default:
    break;
  }
  if (!Found || Mode == "host")
    return 0;
  *Result = Found;
  return 1;
}

ompt_data_t *getTaskData() { return Known ? &TaskData : nullptr; }

ompt_data_t *getTargetTaskData() {
  // libomp would read outside its table of threads.
  if (!Known)
    abort();
  return &TargetTaskData;
}

ompt_interface_fn_t lookup(const char *Name) {
  if (strcmp(Name, "ompt_get_callback") == 0)
    return reinterpret_cast<ompt_interface_fn_t>(getCallback);
  if (strcmp(Name, "ompt_get_task_data") == 0)
    return reinterpret_cast<ompt_interface_fn_t>(getTaskData);
  if (strcmp(Name, "ompt_get_target_task_data") == 0)
    return reinterpret_cast<ompt_interface_fn_t>(getTargetTaskData);
  return nullptr;
}

} // namespace

void registerThread(uint64_t Task, uint64_t TargetTask) {
  Known = true;
  TaskData.value = Task;
  TargetTaskData.value = TargetTask;
}

void endTool() {
  if (Connected && Connected->finalize)
    Connected->finalize(nullptr);
}

extern "C" [[gnu::visibility("default")]] void
ompt_libomp_connect(ompt_start_tool_result_t *Result) {
  printf("connect\n");
  if (strcmp(ToolMode, "inactive") == 0)
    return;
  Result->initialize(lookup, 0, nullptr);
  Connected = Result;
}
