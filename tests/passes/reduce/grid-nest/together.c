// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads of a group run a gang's code together: what each of them does,
// and what the first one does alone.
//
// RUN: %device %s | %grid-nest -o %t.ll 2>&1 | FileCheck %s --check-prefix=CHECK-REMARK
// RUN: FileCheck %s < %t.ll
// CHECK-REMARK-COUNT-6: runs on all threads of the grid, whose groups run the outer loop together

// The sum is one for the group. It is zeroed by the first thread, which also
// ends the reduction; then all meet, read it, and go on.
// CHECK-LABEL: define {{.*}}several_l{{[0-9]+}}(
// CHECK: %common.group{{.*}} = getelementptr inbounds i8, ptr addrspacecast (ptr addrspace(3) @accx.gang to ptr), i64
// CHECK: icmp eq i64 {{.*}}, 0
// CHECK-NEXT: br i1 %{{.*}}, label %[[FIRST:[0-9]+]], label %[[ALL:[0-9]+]]
// CHECK: [[FIRST]]:
// CHECK-NEXT: store float 0.000000e+00, ptr addrspacecast (ptr addrspace(3) @accx.gang to ptr)
// CHECK: [[ALL]]:
// CHECK: call void @{{.*}}several_l{{[0-9]+}}_omp_outlined_omp_outlined(
// CHECK: call void @llvm.nvvm.bar.warp.sync(
// CHECK: call void @llvm.nvvm.barrier0()
// CHECK: load float, ptr addrspacecast (ptr addrspace(3) @accx.gang to ptr)
// CHECK: call void @{{.*}}several_l{{[0-9]+}}_omp_outlined_omp_outlined1(
void several(int n, int m, const float *x, float *y) {
#pragma omp target teams distribute map(to : x[ : n * m])                      \
    map(from : y[ : n * m])
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++)
      s += x[i * m + j];
    const float mean = s / m;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      y[i * m + j] = x[i * m + j] - mean;
  }
}

// An array of the gang.
void array(int n, float *x) {
#pragma omp target teams distribute map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) {
    float t[32];
#pragma omp parallel for
    for (int j = 0; j < 32; j++)
      t[j] = x[i] * j;
    x[i] = t[3];
  }
}

// What it loads for what it writes the first thread alone loads.
// CHECK-LABEL: define {{.*}}updates_l{{[0-9]+}}(
// CHECK: icmp eq i64 {{.*}}, 0
// CHECK-NEXT: br i1 %{{.*}}, label %[[FIRST:[0-9]+]], label %{{[0-9]+}}
// CHECK: [[FIRST]]:
// CHECK: load float, ptr
// CHECK-NEXT: fadd float %{{[0-9]+}}, 2.0
// CHECK-NEXT: store float
void updates(int n, int m, float *x, float *y) {
#pragma omp target teams distribute map(tofrom : x[ : n * m], y[ : n])
  for (int i = 0; i < n; i++) {
    y[i] += 2;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] += 1;
  }
}

void sometimes(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
    if (i % 3)
#pragma omp parallel for
      for (int j = 0; j < m; j++)
        x[i * m + j] = 1;
  }
}

void steps(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++)
    for (int d = 1; d < m; d *= 2) {
#pragma omp parallel for
      for (int j = 0; j < m - d; j++)
        x[i * m + j] += x[i * m + j + d] * (j % (2 * d) == 0);
    }
}

void atomic(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) {
    int c = 0;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
#pragma omp atomic
      c += j;
    x[i] = c;
  }
}
