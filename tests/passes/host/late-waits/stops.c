// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may see regions under way is waited for, what may not is not.
//
// RUN: %hostcode -O2 %s | FileCheck %s
// RUN: %hostcode -O2 -Rpass=late-waits %s 2>&1 >%t.ll | FileCheck %s --check-prefix=CHECK-REMARK
#include <math.h>
#include <stdatomic.h>
#include <time.h>

enum { N = 100 };
double a[N];
int global;
static int own;
atomic_int shared;
volatile int flag;
double *pointer;

#define REGION                                                                 \
  _Pragma("omp target teams distribute parallel for map(a)") for (int i = 0;   \
                                                                  i < N; ++i)  \
      a[i] += i
#define TWO                                                                    \
  REGION;                                                                      \
  REGION

// CHECK-LABEL: define {{.*}}@call(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: ret void
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call {{.*}}@clock(
// CHECK-NOT: settle
// CHECK: @__tgt_target_kernel(
// CHECK-NOT: settle
// CHECK: }
// CHECK-REMARK: before a call of 'clock' in line [[#@LINE+4]], the end of the function in line [[#@LINE+7]]
void call(int n) {
  for (int t = 0; t < n; ++t) {
    if (t == 7)
      clock();
    REGION;
  }
}

// Variables, also global ones: devices have copies of them.
// CHECK-LABEL: define {{.*}}@variables(
// CHECK-NOT: settle
// CHECK: ret i32
// CHECK-LABEL: define {{.*}}@variables_end(
int variables(int n, int m) {
  while (m)
    for (int t = 0; t < n; ++t) {
      REGION;
      global += t;
      own ^= global;
      a[t] = sqrt(own);
    }
  return 0;
}
void variables_end(void) {}

// CHECK-LABEL: define {{.*}}@volatiles(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: store volatile
// CHECK-REMARK: before a volatile or atomic access, or a fence in line [[#@LINE+4]]
void volatiles(int n) {
  for (int t = 0; t < n; ++t) {
    TWO;
    flag = t;
  }
}

// CHECK-LABEL: define {{.*}}@atomics(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: atomicrmw
// CHECK-REMARK: before a volatile or atomic access, or a fence in line [[#@LINE+4]]
void atomics(int n) {
  for (int t = 0; t < n; ++t) {
    TWO;
    shared += 2;
  }
}

// Memory of which nobody knows what it is may be the device's, too. Its loads
// are told apart.
// CHECK-LABEL: define {{.*}}@loads(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: ret void
// CHECK: call i32 @__tgt_target_kernel(
// CHECK-NOT: settle
// CHECK: call void @accx.settle(i32 2)
// CHECK-NEXT: load i32,
// CHECK-NOT: settle
// CHECK: }
void loads(const int *n) {
  for (int t = 0; t < *n; ++t)
    REGION;
}

// CHECK-LABEL: define {{.*}}@stores(
// CHECK: call void @accx.settle(i32 1)
// CHECK-NEXT: store double
// CHECK-REMARK: before a store to memory that regions may use in line [[#@LINE+4]]
void stores(int n) {
  for (int t = 0; t < n; ++t) {
    TWO;
    pointer[t] = t;
  }
}

// CHECK-LABEL: define {{.*}}@assembly(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call {{.*}}asm
// CHECK-REMARK: before inline assembly in line [[#@LINE+4]]
void assembly(int n) {
  for (int t = 0; t < n; ++t) {
    TWO;
    __asm__ volatile("nop");
  }
}

// A loop without regions is waited for once, ahead of it.
// CHECK-LABEL: define {{.*}}@ahead(
// CHECK: call i32 @__tgt_target_kernel(
// CHECK: call void @accx.settle(i32 5)
// CHECK-NOT: settle
// CHECK: store <2 x double>
// CHECK-NOT: settle
// CHECK: }
// CHECK-REMARK: before a store to memory that regions may use in line [[#@LINE+5]]
void ahead(int n, double *p) {
  for (int t = 0; t < n; ++t) {
    TWO;
    for (int i = 0; i < n; ++i)
      p[i] *= 3;
  }
}

// An update waits by itself, and leaves nothing under way.
// CHECK-LABEL: define {{.*}}@update(
// CHECK: call i32 @__tgt_target_kernel({{.*}})
// CHECK-NOT: settle
// CHECK: call i32 @__tgt_target_kernel({{.*}})
// CHECK-NOT: settle
// CHECK: call void @__tgt_target_data_update_mapper(
// CHECK-NOT: settle
// CHECK: call {{.*}}@clock(
// CHECK-NOT: settle
// CHECK: ret void
void update(void) {
  REGION;
  REGION;
#pragma omp target update from(a)
  clock();
}
