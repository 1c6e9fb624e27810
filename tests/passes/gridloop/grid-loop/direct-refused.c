// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The region remains one where its body could tell: numbers of threads,
// critical sections, functions that are not known. Functions of the unit are
// looked into.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

int omp_get_num_threads(void);
#pragma omp begin declare target
float unknown(float);
#pragma omp end declare target
static float known(float x) { return x * x; }

// CHECK: direct-refused.c:[[@LINE+3]]:1: {{.*}} made a grid-stride loop
// CHECK-NEXT: direct-refused.c:[[@LINE+2]]:1: {{.*}} is kept: it may ask for the parallel state
void number(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += omp_get_num_threads();
}
// CHECK: direct-refused.c:[[@LINE+3]]:1: {{.*}} made a grid-stride loop
// CHECK-NEXT: direct-refused.c:[[@LINE+2]]:1: {{.*}} is kept
void critical(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
#pragma omp critical
    x[0] += 1;
}
// CHECK: direct-refused.c:[[@LINE+3]]:1: {{.*}} made a grid-stride loop
// CHECK-NEXT: direct-refused.c:[[@LINE+2]]:1: {{.*}} is kept
void calls(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = unknown(x[i]);
}
// CHECK: direct-refused.c:[[@LINE+2]]:1: {{.*}} made a grid-stride loop
void inlines(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = known(x[i]);
}
// CHECK-NOT: is kept
// CHECK-COUNT-3: call void @__kmpc_parallel_51
// CHECK-NOT: call void @__kmpc_parallel_51
