// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilations have both passes by default, from -O1 on; an option takes them
// out. OpenACC's loops are no different.
//
// RUN: %accxcc-device -O2 -Rpass=grid- %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %accxcc-device -O1 -Rpass=grid- %s -o /dev/null 2>&1 | FileCheck --check-prefix=LESS %s
// RUN: %accxcc-device -O2 -Rpass=grid- -Xclang -mllvm -Xclang -accx-grid-loop=0 %s -o %t.off.ll 2>&1 | FileCheck --allow-empty --check-prefix=OFF %s
// RUN: %accxcc-device -O0 -Rpass=grid- %s -o /dev/null 2>&1 | FileCheck --allow-empty --check-prefix=OFF %s
//
// The plugin comes twice, the passes work once.
// RUN: %accxcc-device -O2 -Rpass=grid-tune %s -o /dev/null 2>&1 | FileCheck --check-prefix=ONCE %s
//
// ONCE-COUNT-2: 4 neighbouring iterations
// ONCE-NOT: 4 neighbouring iterations
// LESS-COUNT-2: made a grid-stride loop
// OFF-NOT: grid-stride

// CHECK-DAG: pipeline.c:[[@LINE+3]]:1: remark: loop of {{.*}} made a grid-stride loop
// CHECK-DAG: pipeline.c:[[@LINE+2]]:1: remark: a grid-stride loop does 4 neighbouring iterations at a time
void openmp(int n, float *x, const float *y) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])         \
    map(to : y[ : n])
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}
// CHECK-DAG: pipeline.c:[[@LINE+2]]:13: remark: loop of {{.*}} made a grid-stride loop
void openacc(int n, float *x, const float *y) {
#pragma acc parallel loop copy(x[0 : n]) copyin(y[0 : n])
  for (int i = 0; i < n; i++)
    x[i] += y[i];
}
