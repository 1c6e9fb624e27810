// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OMPT tool inside a program: prints each event as one line on stdout.
//
// Define TOOL_EMI, TOOL_PLAIN or both before including it, and TOOL_NO_DEVICES
// to leave the device callbacks out; TOOL_REFUSES makes it decline to be used.

#ifndef ACCX_TESTS_OMPT_TOOL_H
#define ACCX_TESTS_OMPT_TOOL_H

#include <omp-tools.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t ToolMutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t ToolNextId = 1;

/// One line in one piece, in order with the program's own output.
__attribute__((format(printf, 1, 2))) static void toolPrint(const char *Format,
                                                            ...) {
  va_list Args;
  va_start(Args, Format);
  pthread_mutex_lock(&ToolMutex);
  vprintf(Format, Args);
  fflush(stdout);
  pthread_mutex_unlock(&ToolMutex);
  va_end(Args);
}

static uint64_t toolId(void) {
  return __atomic_fetch_add(&ToolNextId, 1, __ATOMIC_RELAXED);
}

static unsigned long toolNumber(uint64_t Value) { return (unsigned long)Value; }

static const char *toolEnd(ompt_scope_endpoint_t Endpoint) {
  return Endpoint == ompt_scope_begin ? "begin" : "end";
}

static const char *toolKind(ompt_target_t Kind) {
  switch (Kind) {
  case ompt_target:
    return "target";
  case ompt_target_enter_data:
    return "enter-data";
  case ompt_target_exit_data:
    return "exit-data";
  case ompt_target_update:
    return "update";
  default:
    return "other";
  }
}

static const char *toolOp(ompt_target_data_op_t Op) {
  switch (Op) {
  case ompt_target_data_alloc:
    return "alloc";
  case ompt_target_data_transfer_to_device:
    return "to";
  case ompt_target_data_transfer_from_device:
    return "from";
  case ompt_target_data_delete:
    return "delete";
  case ompt_target_data_associate:
    return "associate";
  case ompt_target_data_disassociate:
    return "disassociate";
  default:
    return "other";
  }
}

static void toolInitialize(int Device, const char *Type, ompt_device_t *Handle,
                           ompt_function_lookup_t Lookup, const char *Text) {
  (void)Text;
  toolPrint("device-init device=%d type=%s handle=%d trace=%d\n", Device,
            Type ? "yes" : "no", Handle != NULL,
            Lookup && Lookup("ompt_set_trace_ompt"));
}

static void toolFinalize(int Device) {
  toolPrint("device-fini device=%d\n", Device);
}

static void toolLoad(int Device, const char *File, int64_t Offset, void *Vma,
                     size_t Bytes, void *Host, void *Address, uint64_t Module) {
  (void)File, (void)Vma, (void)Address, (void)Module;
  toolPrint("device-load device=%d offset=%ld image=%s\n", Device, (long)Offset,
            Host && Bytes > 1000 ? "yes" : "no");
}

static void toolTarget(ompt_target_t Kind, ompt_scope_endpoint_t Endpoint,
                       int Device, ompt_data_t *Task, ompt_id_t Id,
                       const void *Code) {
  toolPrint("target %s %s device=%d id=%lu task=%s code=%p\n",
            toolEnd(Endpoint), toolKind(Kind), Device, toolNumber(Id),
            Task ? "yes" : "no", Code);
}

static void toolDataOp(ompt_id_t Target, ompt_id_t Id, ompt_target_data_op_t Op,
                       void *Src, int From, void *Dst, int To, size_t Bytes,
                       const void *Code) {
  toolPrint("data-op %s target=%lu id=%lu src=%p@%d dst=%p@%d bytes=%zu "
            "code=%p\n",
            toolOp(Op), toolNumber(Target), toolNumber(Id), Src, From, Dst, To,
            Bytes, Code);
}

static void toolSubmit(ompt_id_t Target, ompt_id_t Id, unsigned Teams) {
  toolPrint("submit target=%lu id=%lu teams=%u\n", toolNumber(Target),
            toolNumber(Id), Teams);
}

static void toolTargetEmi(ompt_target_t Kind, ompt_scope_endpoint_t Endpoint,
                          int Device, ompt_data_t *Task,
                          ompt_data_t *TargetTask, ompt_data_t *Target,
                          const void *Code) {
  if (Endpoint == ompt_scope_begin)
    Target->value = toolId();
  toolPrint("target-emi %s %s device=%d id=%lu task=%s target-task=%s "
            "code=%p\n",
            toolEnd(Endpoint), toolKind(Kind), Device,
            toolNumber(Target->value), Task ? "yes" : "no",
            TargetTask ? "yes" : "no", Code);
}

static void toolDataOpEmi(ompt_scope_endpoint_t Endpoint,
                          ompt_data_t *TargetTask, ompt_data_t *Target,
                          ompt_id_t *Id, ompt_target_data_op_t Op, void *Src,
                          int From, void *Dst, int To, size_t Bytes,
                          const void *Code) {
  (void)TargetTask;
  if (Endpoint == ompt_scope_begin)
    *Id = toolId();
  toolPrint("data-op-emi %s %s target=%lu id=%lu src=%p@%d dst=%p@%d bytes=%zu "
            "code=%p\n",
            toolEnd(Endpoint), toolOp(Op), toolNumber(Target->value),
            toolNumber(*Id), Src, From, Dst, To, Bytes, Code);
}

static void toolSubmitEmi(ompt_scope_endpoint_t Endpoint, ompt_data_t *Target,
                          ompt_id_t *Id, unsigned Teams) {
  if (Endpoint == ompt_scope_begin)
    *Id = toolId();
  toolPrint("submit-emi %s target=%lu id=%lu teams=%u\n", toolEnd(Endpoint),
            toolNumber(Target->value), toolNumber(*Id), Teams);
}

static int toolStart(ompt_function_lookup_t Lookup, int InitialDevice,
                     ompt_data_t *Data) {
  (void)InitialDevice, (void)Data;
  ompt_set_callback_t Set = (ompt_set_callback_t)Lookup("ompt_set_callback");
  if (!Set)
    abort();
#define TOOL_REGISTER(Name, Function)                                          \
  do {                                                                         \
    Name##_t Typed = Function; /* The compiler checks the type. */             \
    if (Set(Name, (ompt_callback_t)Typed) == ompt_set_never)                   \
      printf("cannot register " #Name "\n");                                   \
  } while (0)
  (void)Set, (void)toolInitialize, (void)toolFinalize, (void)toolLoad;
#ifndef TOOL_NO_DEVICES
  TOOL_REGISTER(ompt_callback_device_initialize, toolInitialize);
  TOOL_REGISTER(ompt_callback_device_finalize, toolFinalize);
  TOOL_REGISTER(ompt_callback_device_load, toolLoad);
#endif
  (void)toolTarget, (void)toolDataOp, (void)toolSubmit;
#ifdef TOOL_PLAIN
  TOOL_REGISTER(ompt_callback_target, toolTarget);
  TOOL_REGISTER(ompt_callback_target_data_op, toolDataOp);
  TOOL_REGISTER(ompt_callback_target_submit, toolSubmit);
#endif
  (void)toolTargetEmi, (void)toolDataOpEmi, (void)toolSubmitEmi;
#ifdef TOOL_EMI
  TOOL_REGISTER(ompt_callback_target_emi, toolTargetEmi);
  TOOL_REGISTER(ompt_callback_target_data_op_emi, toolDataOpEmi);
  TOOL_REGISTER(ompt_callback_target_submit_emi, toolSubmitEmi);
#endif
#ifdef TOOL_REFUSES
  return 0;
#else
  return 1;
#endif
}

static void toolStop(ompt_data_t *Data) {
  (void)Data;
  toolPrint("tool ends\n");
}

ompt_start_tool_result_t *ompt_start_tool(unsigned Version,
                                          const char *Runtime) {
  (void)Version, (void)Runtime;
  static ompt_start_tool_result_t Result = {toolStart, toolStop, {0}};
  return &Result;
}

#endif // ACCX_TESTS_OMPT_TOOL_H
