// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target tasks with dependences are handed to the runtime, which decides
// whether they are libomp's. It learns of each `taskwait`, and of what may
// depend on them. Another pass over the code finds nothing to do.
//
// RUN: %hostcode -O2 %s | FileCheck %s
// RUN: %hostcode -O1 %s | FileCheck %s
// RUN: %hostcode -O2 %s | opt -load-pass-plugin=%accx_plugin -passes=late-waits -S | FileCheck %s
// RUN: %hostcode -O2 -Rpass=late-waits -Rpass-missed=late-waits %s 2>&1 >%t.ll | FileCheck %s --check-prefix=CHECK-REMARK --implicit-check-not=remark:
// RUN: %hostcode -O2 %s -Xclang -mllvm -Xclang -accx-late-waits=false | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %hostcode -O2 %s -fsanitize=thread | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %hostcode -O2 %s -DALONE | FileCheck %s --check-prefix=CHECK-OFF
// CHECK-OFF-NOT: accx.target_task
// CHECK-OFF-NOT: settle

void other(void);

#ifndef ALONE
// CHECK-LABEL: define {{.*}}@chain(
// CHECK: call void @accx.settle(i32 3)
// CHECK-NEXT: call i32 @__kmpc_omp_taskwait(
// CHECK-NOT: settle
// CHECK: [[TASK:%.*]] = call ptr @accx.target_task_alloc(
// CHECK-NOT: settle
// CHECK: call i32 @accx.target_task({{.*}}, ptr nonnull [[TASK]], i32 1,
// CHECK-NOT: settle
// CHECK: }
// CHECK-REMARK: tasks.c:[[#@LINE+3]]:{{.*}}remark: the task needs none of OpenMP's runtime [
void chain(float *a, int n, int steps, float f) {
  for (int s = 0; s < steps; ++s) {
#pragma omp target teams distribute parallel for nowait depend(inout : a[0])   \
    map(tofrom : a[0 : n])
    for (int i = 0; i < n; ++i)
      a[i] = a[i] * f + s;
  }
#pragma omp taskwait
}

// Stores do not see tasks, calls do; the end of the function does.
// CHECK-LABEL: define {{.*}}@stops(
// CHECK: call i32 @accx.target_task(
// CHECK-NOT: settle
// CHECK: store i32 7, ptr
// CHECK-NOT: settle
// CHECK: call i32 @accx.target_task(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call void @other(
// CHECK: call i32 @accx.target_task(
// CHECK-NOT: settle
// CHECK: call i32 @accx.target_task(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: ret void
// CHECK-REMARK: remark: the task needs none of OpenMP's runtime, before a call of 'other' in line [[#@LINE+10]], the end of the function in line
// CHECK-REMARK: remark: the task needs none of OpenMP's runtime, before a call of 'other' in line [[#@LINE+9]], the end of the function in line
// CHECK-REMARK: remark: the task needs none of OpenMP's runtime, before the end of the function
// CHECK-REMARK: remark: the task needs none of OpenMP's runtime, before the end of the function
void stops(int *a, int *b) {
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a[0 : 9])
  a[0] += 1;
  *b = 7;
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a[0 : 9])
  a[0] *= 2;
  other();
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a[0 : 9])
  a[0] += 3;
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a[0 : 9])
  a[0] *= 4;
}
#endif

// Nothing to gain: a task alone, one that may run on the host, and those
// without dependences.
// CHECK-LABEL: define {{.*}}@none(
// CHECK-NOT: accx.target_task
// CHECK: }
// CHECK-REMARK-DAG: remark: the task is one of OpenMP's runtime, before a call of 'other' {{.*}}: no other region comes before the wait
void none(int *a, int here) {
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a[0 : 9])
  a[0] += 1;
  other();
  for (int t = 0; t < 2; ++t) {
#pragma omp target nowait depend(inout : a[0]) map(tofrom : a[0 : 9]) if (here)
    a[0] += 1;
#pragma omp target nowait map(tofrom : a[1 : 1])
    a[1] += 1;
  }
}

// CHECK: declare extern_weak ptr @__accx_target_task_alloc(
// CHECK-LABEL: define internal {{.*}}@accx.target_task_alloc(
// CHECK: icmp eq ptr @__accx_target_task_alloc, null
// CHECK: call ptr @__accx_target_task_alloc(
// CHECK: call ptr @__kmpc_omp_target_task_alloc(
