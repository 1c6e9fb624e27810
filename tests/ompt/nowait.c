// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events of constructs with nowait, on whichever thread they run: every begin
// has its end, operations belong to the construct that is open on their thread,
// and tasks are never null.
// RUN: %clang %s -o %t
// RUN: %run %t | FileCheck %s

#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local uint64_t Open, OpenOp;
static _Thread_local const void *OpenCode;
static uint64_t NextId = 1;
static int Targets, Ops, Submits, Errors;

static void require(int Condition, const char *What) {
  if (Condition)
    return;
  __atomic_fetch_add(&Errors, 1, __ATOMIC_RELAXED);
  printf("error: %s\n", What);
}

static uint64_t newId(void) {
  return __atomic_fetch_add(&NextId, 1, __ATOMIC_RELAXED);
}

static void onTarget(ompt_target_t Kind, ompt_scope_endpoint_t Endpoint,
                     int Device, ompt_data_t *Task, ompt_data_t *TargetTask,
                     ompt_data_t *Target, const void *Code) {
  (void)Device;
  require(Task && TargetTask, "a task is null");
  require(Code != NULL, "a construct has no code pointer");
  require(Kind == ompt_target || Kind == ompt_target_enter_data ||
              Kind == ompt_target_exit_data || Kind == ompt_target_update,
          "unexpected kind");
  if (Endpoint == ompt_scope_begin) {
    require(Open == 0, "a construct inside another");
    Open = Target->value = newId();
    OpenCode = Code;
    __atomic_fetch_add(&Targets, 1, __ATOMIC_RELAXED);
  } else {
    require(Open == Target->value, "the end of another construct");
    require(OpenCode == Code, "another code pointer at the end");
    Open = 0;
  }
}

static void onDataOp(ompt_scope_endpoint_t Endpoint, ompt_data_t *TargetTask,
                     ompt_data_t *Target, ompt_id_t *Id,
                     ompt_target_data_op_t Op, void *Src, int From, void *Dst,
                     int To, size_t Bytes, const void *Code) {
  (void)TargetTask, (void)Op, (void)Src, (void)From, (void)Dst, (void)To;
  (void)Bytes;
  require(Open && Target->value == Open, "an operation of no construct");
  require(Code == OpenCode, "an operation with another code pointer");
  if (Endpoint == ompt_scope_begin) {
    OpenOp = *Id = newId();
    __atomic_fetch_add(&Ops, 1, __ATOMIC_RELAXED);
  } else {
    require(*Id == OpenOp, "the end of another operation");
  }
}

static void onSubmit(ompt_scope_endpoint_t Endpoint, ompt_data_t *Target,
                     ompt_id_t *Id, unsigned Teams) {
  (void)Id, (void)Teams;
  require(Open && Target->value == Open, "a kernel of no construct");
  if (Endpoint == ompt_scope_begin)
    __atomic_fetch_add(&Submits, 1, __ATOMIC_RELAXED);
}

static int start(ompt_function_lookup_t Lookup, int Device, ompt_data_t *Data) {
  (void)Device, (void)Data;
  ompt_set_callback_t Set = (ompt_set_callback_t)Lookup("ompt_set_callback");
  Set(ompt_callback_target_emi, (ompt_callback_t)onTarget);
  Set(ompt_callback_target_data_op_emi, (ompt_callback_t)onDataOp);
  Set(ompt_callback_target_submit_emi, (ompt_callback_t)onSubmit);
  return 1;
}

static void stop(ompt_data_t *Data) { (void)Data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned Version, const char *Text) {
  (void)Version, (void)Text;
  static ompt_start_tool_result_t Result = {start, stop, {0}};
  return &Result;
}

enum { Rounds = 50, Size = 64 };

int main(void) {
  static int A[4][Size];
  int Wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : Wrong)
#pragma omp for schedule(static, 1)
  for (int T = 0; T < 4; ++T) {
    int *Mine = A[T];
    for (int R = 0; R < Rounds; ++R) {
#pragma omp target enter data map(to : Mine[0 : Size])                         \
    nowait depend(inout : Mine[0])
#pragma omp target map(tofrom : Mine[0 : Size]) nowait depend(inout : Mine[0])
      for (int I = 0; I < Size; ++I)
        Mine[I] += 1;
#pragma omp target update from(Mine[0 : Size]) nowait depend(inout : Mine[0])
#pragma omp target exit data map(from : Mine[0 : Size])                        \
    nowait depend(inout : Mine[0])
#pragma omp taskwait
    }
    for (int I = 0; I < Size; ++I)
      Wrong += Mine[I] != Rounds;
  }
  printf("wrong=%d errors=%d targets=%d submits=%d ops=%d\n", Wrong, Errors,
         Targets, Submits, Ops);
  return 0;
}

// Each round: 4 constructs, 1 kernel; alloc, to, from, from and delete.
// CHECK-NOT: error
// CHECK: wrong=0 errors=0 targets=800 submits=200 ops=1000
