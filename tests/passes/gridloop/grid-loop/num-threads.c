// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// num_threads is a bound. A constant one also bounds the kernel's blocks: all
// threads take part. Where nobody can tell how many threads there are, those
// take part that one left out; where a body asks, the loop stays.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: num-threads.c:[[@LINE+7]]:1: {{.*}} made a grid-stride loop
// CHECK: num-threads.c:[[@LINE+12]]:1: {{.*}} made a grid-stride loop
// CHECK: num-threads.c:[[@LINE+18]]:1: {{.*}} made a grid-stride loop
// CHECK: num-threads.c:[[@LINE+24]]:1: {{.*}} is not made a grid-stride loop: num_threads may leave threads of a team out
int omp_get_num_threads(void);

void constant(int n, float *x) {
#pragma omp target teams distribute parallel for num_threads(64)               \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
void variable(int n, float *x, int t) {
#pragma omp target teams distribute parallel for num_threads(t)                \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
float sum(int n, float *x, int t) {
  float s = 0;
#pragma omp target teams distribute parallel for num_threads(t)                \
    map(to : x[ : n]) reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
void asks(int n, int *x, int t) {
#pragma omp target teams distribute parallel for num_threads(t)                \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = omp_get_num_threads();
}

// No region that stays leaves a thread out of a loop over all.
// CHECK-LABEL: define {{.*}}_variable_l
// CHECK-NOT: call void @__kmpc_parallel_51({{.*}}, i32 %
// CHECK: %grid.iv
// CHECK-LABEL: define {{.*}}_asks_l
// CHECK-NOT: %grid.iv = phi
// CHECK: call void @__kmpc_parallel_51(
// CHECK-NOT: %grid.iv = phi
