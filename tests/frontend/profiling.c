// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool in the program sees what directives and routines do, where, with which
// variable, bytes and queue.

// RUN: %accxcc -g %s -o %t
// RUN: %run %t | FileCheck %s

#include <acc_prof.h>
#include <stdio.h>
#include <string.h>

static const char *const Names[acc_ev_last] = {
    "none",           "init start",     "init end",
    "shutdown start", "shutdown end",   "runtime shutdown",
    "create",         "delete",         "alloc",
    "free",           "enter start",    "enter end",
    "exit start",     "exit end",       "update start",
    "update end",     "compute start",  "compute end",
    "launch start",   "launch end",     "upload start",
    "upload end",     "download start", "download end",
    "wait start",     "wait end"};

static void print(acc_prof_info *Prof, acc_event_info *Event,
                  acc_api_info *Api) {
  const acc_event_t Kind = Prof->event_type;
  printf("%s parent %d implicit %d line %d in %s of %s device %d async %d",
         Names[Kind], Event->other_event.parent_construct,
         Event->other_event.implicit, Prof->line_no,
         Prof->func_name ? Prof->func_name : "-",
         Prof->src_file ? Prof->src_file : "-", Prof->device_number,
         (int)Prof->async);
  if ((Kind >= acc_ev_create && Kind <= acc_ev_free) ||
      (Kind >= acc_ev_enqueue_upload_start &&
       Kind <= acc_ev_enqueue_download_end))
    printf(" var %s %zu bytes%s",
           Event->data_event.var_name ? Event->data_event.var_name : "-",
           Event->data_event.bytes,
           Event->data_event.host_ptr && Event->data_event.device_ptr
               ? ""
               : " of no address");
  if (Kind == acc_ev_enqueue_launch_start || Kind == acc_ev_enqueue_launch_end)
    printf(" kernel %s%s", strstr(Event->launch_event.kernel_name, "main"),
           Event->launch_event.num_gangs && Event->launch_event.num_workers &&
                   Event->launch_event.vector_length
               ? ""
               : " of no size");
  // What a start event leaves comes back at the end.
  static char Left;
  if (strstr(Names[Kind], "start"))
    Event->other_event.tool_info = &Left + Kind;
  else if (strstr(Names[Kind], "end") &&
           Event->other_event.tool_info != &Left + Kind - 1)
    printf(" lost the tool's pointer");
  if (Prof->event_type != Event->event_type ||
      Prof->valid_bytes != _ACC_PROF_INFO_VALID_BYTES ||
      Prof->version != _ACC_PROF_INFO_VERSION || Prof->thread_id != 0 ||
      Prof->device_type != acc_device_multicore ||
      Api->device_type != Prof->device_type ||
      Api->device_api != acc_device_api_other ||
      Api->valid_bytes != _ACC_API_INFO_VALID_BYTES)
    printf(" with a wrong field");
  puts("");
}

void acc_register_library(acc_prof_reg Register, acc_prof_reg Unregister,
                          acc_prof_lookup_func Lookup) {
  for (int Event = acc_ev_none + 1; Event < acc_ev_last; ++Event)
    Register((acc_event_t)Event, print, acc_reg);
  if (!Unregister || Lookup("acc_no_such_routine"))
    puts("wrong arguments");
}

int main(void) {
  double A[100];
  for (int I = 0; I < 100; ++I)
    A[I] = I;

// CHECK: init start parent 0 implicit 1
// CHECK-NEXT: init end parent 0 implicit 1
// CHECK-NEXT: compute start parent 0 implicit 0 line [[#COMPUTE:]] in main of profiling.c device 0 async -2
// CHECK-NEXT: enter start parent 0 implicit 1 line [[#COMPUTE]] {{.*}}async -2
// CHECK-NEXT: alloc {{.*}} var A 800 bytes
// CHECK-NEXT: create {{.*}} var A 800 bytes
// CHECK-NEXT: upload start {{.*}} var A 800 bytes
// CHECK-NEXT: upload end {{.*}} var A 800 bytes
// CHECK-NEXT: enter end
// CHECK: launch start parent 0 implicit 1 line [[#COMPUTE]] {{.*}} kernel main
// CHECK-NEXT: launch end
// CHECK-NEXT: exit start parent 0 implicit 1
// CHECK-NEXT: download start {{.*}} var A 800 bytes
// CHECK-NEXT: download end
// CHECK-NEXT: delete {{.*}} 800 bytes
// CHECK-NEXT: free {{.*}} 800 bytes
// CHECK-NEXT: exit end
// CHECK-NEXT: compute end parent 0 implicit 0 line [[#@LINE+1]] {{.*}} async -2
#pragma acc parallel loop copy(A[ : 100])
  for (int I = 0; I < 100; ++I)
    A[I] += 1;

// CHECK-NEXT: enter start parent 4 implicit 0 line [[#@LINE+3]]
// CHECK: upload start parent 4 {{.*}} var A 800 bytes
// CHECK: enter end parent 4
#pragma acc enter data copyin(A)
// CHECK-NEXT: update start parent 12 implicit 0 line [[#@LINE+3]]
// CHECK-NEXT: download start parent 12 {{.*}} 80 bytes
// CHECK: update end parent 12
#pragma acc update self(A[10 : 10])
// CHECK-NEXT: compute start {{.*}} async 3
// CHECK: launch start {{.*}} async 3
// CHECK: compute end {{.*}} async 3
#pragma acc parallel loop present(A) async(3)
  for (int I = 0; I < 100; ++I)
    A[I] += 1;
// CHECK-NEXT: wait start parent 15 implicit 0 {{.*}} async 3
// CHECK-NEXT: wait end parent 15 implicit 0 {{.*}} async 3
#pragma acc wait(3)
// CHECK-NEXT: exit start parent 5 implicit 0 line [[#@LINE+3]]
// CHECK: delete parent 5 {{.*}} 800 bytes
// CHECK: exit end parent 5
#pragma acc exit data copyout(A)

// Structured data is another construct.
// CHECK-NEXT: enter start parent 3
// CHECK: enter end parent 3
// CHECK: compute start
// CHECK-NOT: create
// CHECK: compute end
// CHECK-NEXT: exit start parent 3
// CHECK: exit end parent 3
#pragma acc data copy(A)
#pragma acc parallel loop
  for (int I = 0; I < 100; ++I)
    A[I] += 1;

  // CHECK-NEXT: enter start parent 15 implicit 0 line -1 in - of - {{.*}} async -2
  // CHECK-NEXT: alloc parent 15 {{.*}} var - 800 bytes
  // CHECK-NEXT: create parent 15 {{.*}} var - 800 bytes
  // CHECK: enter end parent 15
  acc_copyin(A, sizeof(A));
  // CHECK-NEXT: exit start parent 15
  // CHECK: delete parent 15 {{.*}} var - 800 bytes
  // CHECK: exit end parent 15
  acc_delete(A, sizeof(A));
  // CHECK-NEXT: alloc parent 15 {{.*}} 64 bytes of no address
  // CHECK-NEXT: free parent 15
  acc_free(acc_malloc(64));
  // CHECK-NEXT: shutdown start parent 15 implicit 0
  // CHECK-NEXT: shutdown end parent 15 implicit 0
  acc_shutdown_device(0, acc_device_multicore);
  for (int I = 0; I < 100; ++I)
    if (A[I] != I + 3)
      printf("A[%d] is %g\n", I, A[I]);
  // CHECK-NEXT: shutdown start parent 15 implicit 1
  // CHECK-NEXT: shutdown end parent 15 implicit 1
  // CHECK-NEXT: runtime shutdown parent 15 implicit 1{{.*}}
  // CHECK-NOT: {{.}}
  return 0;
}
