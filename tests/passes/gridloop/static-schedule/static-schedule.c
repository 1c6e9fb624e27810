// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that would be dealt out at run time: static-schedule lets nobody
// ask, and grid-loop finds loops like any other. Loops of a team's threads
// alone, too, and in whole compilations at any level.
//
// RUN: %device %s > %t.ll
// RUN: %static-schedule %t.ll 2> %t.remarks \
// RUN:   | FileCheck %s "--implicit-check-not=call{{.*}}__kmpc_dispatch"
// RUN: FileCheck %s --check-prefix=CHECK-REMARK < %t.remarks
// RUN: %grid-loop %t.ll -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-ALONE
// RUN: opt -load-pass-plugin=%accx_plugin -passes=static-schedule,grid-loop,verify \
// RUN:   -pass-remarks=grid-loop -pass-remarks-missed=grid-loop %t.ll \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECK-GRID
// RUN: %accxcc-device -O0 %s -o - | FileCheck %s --check-prefix=CHECK-WHOLE
// RUN: %accxcc-device -O2 %s -o - | FileCheck %s --check-prefix=CHECK-WHOLE
//
// CHECK-WHOLE-NOT: call{{.*}}@__kmpc_dispatch

// CHECK-REMARK: static-schedule.c:[[@LINE+4]]:1: loop's iterations are dealt out statically
// CHECK-ALONE: static-schedule.c:[[@LINE+3]]:1: loop of {{.*}} is not made a grid-stride loop: its iterations are dealt out at run time
// CHECK-GRID: static-schedule.c:[[@LINE+2]]:1: loop of {{.*}} made a grid-stride loop
void dynamic(int n, float *x) {
#pragma omp target teams distribute parallel for schedule(dynamic)             \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// The chunk is Clang's form of a loop whose threads have several.
// CHECK: define internal void @{{.*}}dynamic{{.*}}_omp_outlined_omp_outlined(
// CHECK: call void @__kmpc_for_static_init_4(ptr @{{.*}}, i32 %{{.*}}, i32 33, ptr %[[LAST:[0-9a-z.]+]], ptr %[[LOWER:[0-9a-z.]+]], ptr %[[UPPER:[0-9a-z.]+]], ptr %[[STRIDE:[0-9a-z.]+]], i32 1, i32 1)
// CHECK: %[[MOST:[0-9a-z.]+]] = load i32, ptr %[[UPPER]]
// CHECK: %[[BEYOND:[0-9a-z.]+]] = icmp sgt i32 %[[MOST]], %[[END:[0-9a-z.]+]]
// CHECK: %[[BOUND:[0-9a-z.]+]] = select i1 %[[BEYOND]], i32 %[[END]], i32 %[[MOST]]
// CHECK: store i32 %[[BOUND]], ptr %[[UPPER]]
// CHECK: %[[LEAST:[0-9a-z.]+]] = load i32, ptr %[[LOWER]]
// CHECK: %[[MORE:[0-9a-z.]+]] = icmp sle i32 %[[LEAST]], %[[BOUND]]
// CHECK: br i1 %[[MORE]]
// CHECK: call void @__kmpc_for_static_fini

// CHECK-REMARK: static-schedule.c:[[@LINE+3]]:1: loop's iterations are dealt out statically
// CHECK-GRID: static-schedule.c:[[@LINE+2]]:1: loop of {{.*}} made a grid-stride loop
void guided(unsigned long n, float *x, float *last) {
#pragma omp target teams distribute parallel for schedule(guided, 7)           \
    map(tofrom : x[ : n]) lastprivate(last)
  for (unsigned long i = 0; i < n; i++) {
    x[i] += 1;
    last = x + i;
  }
}
// CHECK: define internal void @{{.*}}guided{{.*}}_omp_outlined_omp_outlined(
// CHECK: call void @__kmpc_for_static_init_8u(
// CHECK: icmp ugt i64
// CHECK: icmp ule i64

// CHECK-REMARK: static-schedule.c:[[@LINE+3]]:1: loop's iterations are dealt out statically
// CHECK-GRID: static-schedule.c:[[@LINE+2]]:1: loop of {{.*}} made a grid-stride loop
void automatic(int n, float *x) {
#pragma omp target teams distribute parallel for schedule(auto)                \
    map(tofrom : x[ : n])
  for (int i = n; i > 0; i -= 2)
    x[i - 1] += 1;
}
// CHECK: define internal void @{{.*}}automatic{{.*}}_omp_outlined_omp_outlined(
// CHECK: call void @__kmpc_for_static_init_4u(

// CHECK-REMARK: static-schedule.c:[[@LINE+3]]:1: loop's iterations are dealt out statically
// CHECK-GRID: static-schedule.c:[[@LINE+2]]:1: loop of {{.*}} made a grid-stride loop
void atRunTime(int n, float *x) {
#pragma omp target teams distribute parallel for schedule(runtime)             \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK: define internal void @{{.*}}atRunTime{{.*}}_omp_outlined_omp_outlined(
// CHECK: call void @__kmpc_for_static_init_4(

// Two loops of one region: each ends with its own call.
// CHECK-REMARK: static-schedule.c:[[@LINE+5]]:1: loop's iterations are dealt out statically
// CHECK-REMARK: static-schedule.c:[[@LINE+7]]:1: loop's iterations are dealt out statically
void team(int n, float *x) {
#pragma omp target parallel map(tofrom : x[ : n])
  {
#pragma omp for schedule(monotonic : dynamic, 4)
    for (int i = 0; i < n; i++)
      x[i] += 1;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < n; i++)
      x[i] *= 2;
  }
}
// CHECK: define internal void @{{.*}}team{{.*}}_omp_outlined(
// CHECK: call void @__kmpc_for_static_init_4(
// CHECK: call void @__kmpc_for_static_fini(
// CHECK: call void @__kmpc_barrier(
// CHECK: call void @__kmpc_for_static_init_4(
// CHECK: call void @__kmpc_for_static_fini(
