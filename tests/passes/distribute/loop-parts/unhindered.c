// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The marker is in no other pass's way: kernels of distributed loops become
// what others become.
//
// RUN: %gpu -O2 -emit-llvm -Rpass=grid- -Rpass-missed=grid- %s 2>&1 >%t.ll \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.ll
// RUN: %cpu -O3 -mavx2 -emit-llvm %s | FileCheck %s --check-prefix=CPU

// REMARK-COUNT-2: remark: {{.*}}[-Rpass=grid-loop]
// REMARK-NOT: -Rpass-missed=grid-loop
// CHECK-NOT: call {{.*}}@__kmpc_parallel_51
// CPU: <{{[0-9]+}} x float>
void scale(int n, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(tofrom : b[ : n])
  for (int i = 0; i < n; i++)
    b[i] *= 2;
}
void squares(int n, int m, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(tofrom : b[ : n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i * m + j] *= b[i * m + j];
}
