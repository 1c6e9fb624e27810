// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of a loop that only counts and swaps pointers are waited for behind
// it, ahead of what may tell. Another pass over the code finds nothing to do.
//
// RUN: %hostcode -O2 %s | FileCheck %s
// RUN: %hostcode -O1 %s | FileCheck %s
// RUN: %hostcode -O2 %s | opt -load-pass-plugin=%accx_plugin -passes=late-waits -S | FileCheck %s
// RUN: %hostcode -O2 -Rpass=late-waits %s 2>&1 >%t.ll | FileCheck %s --check-prefix=CHECK-REMARK
// RUN: %hostcode -O0 %s | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %hostcode -O2 %s -Xclang -mllvm -Xclang -accx-late-waits=false | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %hostcode -O2 %s -fsanitize=address | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %hostcode -O2 %s -fsanitize=thread | FileCheck %s --check-prefix=CHECK-OFF
// RUN: %accxcc --accx-targets=host -O2 --accx-info -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CHECK-INFO

// CHECK-REMARK: loop.c:[[#@LINE+38]]:{{.*}}remark: the region is waited for later, before a call of 'printf' in line [[#@LINE+45]]
// CHECK-REMARK: loop.c:[[#@LINE+48]]:{{.*}}remark: the region is waited for later, before the end of the function in line
// CHECK-REMARK: loop.c:[[#@LINE+50]]:{{.*}}remark: the region is waited for later, before the end of the function in line
// CHECK-INFO: loop.c:[[#@LINE+35]]: loop in swaps
// CHECK-INFO: + the region is waited for later, before a call of 'printf'
// CHECK-OFF-NOT: settle
// CHECK-OFF: call i32 @__tgt_target_kernel(
// CHECK-OFF-NOT: settle

// The bit goes into the flags, which LLVM's runtime ignores.
// CHECK-LABEL: define {{.*}}@swaps(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call {{.*}}@printf(
// CHECK-NOT: settle
// CHECK: [[FLAGS:%.*]] = load i64,
// CHECK: [[LATE:%.*]] = or i64 [[FLAGS]], 4294967296
// CHECK: store i64 [[LATE]],
// CHECK-NOT: settle
// CHECK: call i32 @__tgt_target_kernel({{.*}})
// CHECK-NOT: settle
// CHECK: }

// CHECK-LABEL: define {{.*}}@pair(
// CHECK: call i32 @__tgt_target_kernel({{.*}})
// CHECK-NOT: settle
// CHECK: call i32 @__tgt_target_kernel({{.*}})
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: ret void

// Without the function the runtime is another, which has waited.
// CHECK: declare extern_weak void @__accx_settle(i32)
// CHECK-LABEL: define internal void @accx.settle(
// CHECK: icmp eq ptr @__accx_settle, null
// CHECK: call void @__accx_settle(
#include <stdio.h>

void swaps(double *a, double *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n])
    for (int i = 0; i < n; ++i)
      a[i] = b[i] * t;
    double *c = a;
    a = b;
    b = c;
  }
  printf("%d\n", n);
}

void pair(double *a, int n) {
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] *= 2;
}
