// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenARC's nests: loops of one level as dimensions, memory clauses, barriers,
// kernels that are split; -E keeps the directives.
//
// RUN: %accx_print -Wall -Werror -Wno-source-uses-openacc %s | FileCheck %s
// RUN: %plainclang -fopenmp -fplugin=%accx_plugin -E %s | FileCheck %s --check-prefix=CHECK-E
// RUN: %plainclang -fplugin=%accx_plugin -fsyntax-only -Wall -Werror -Wno-unknown-pragmas -Wno-source-uses-openacc %s

// CHECK-E: #pragma openarc cuda sharedRW ( s )
// CHECK-E: #pragma acc barrier worker
// clang-format off

#define SIDE 8

// Two gang loops, two worker loops.
// CHECK-LABEL: void tiles(
// CHECK: const long __accx_gangs_[[K:[0-9]+]]_0 =
// CHECK: __accx_gangs_[[K]]_1 =
// CHECK: {{_S|s}}tatic_assert({{.*}} 1024
// CHECK: #pragma omp target teams distribute parallel for {{.*}}collapse(2)
// CHECK: for (long __accx_gang = 0; __accx_gang < (__accx_gangs_[[K]]_1 * __accx_gangs_[[K]]_0); ++__accx_gang)
// CHECK: for (int __accx_item = 0;
// CHECK: __accx_smc_unavailable("{{.*}}openarc.c:[[#@LINE+6]]: 'gang'")
// CHECK: int by = {{.*}}(__accx_gang / (__accx_gangs_[[K]]_1))
// CHECK: int bx = {{.*}}(__accx_gang) % __accx_gangs_[[K]]_1
// CHECK: int ty =
// CHECK: int tx =
void tiles(int n, float *restrict a) {
#pragma acc parallel loop gang copy(a[0:n * n])
#pragma openarc cuda sharedRW(s)
  for (int by = 0; by < n / SIDE; ++by) {
#pragma acc loop gang
    for (int bx = 0; bx < n / SIDE; ++bx) {
      float s[SIDE][SIDE];
#pragma acc loop worker
      for (int ty = 0; ty < SIDE; ++ty)
#pragma acc loop vector
        for (int tx = 0; tx < SIDE; ++tx) {
          s[ty][tx] = a[(by * SIDE + ty) * n + bx * SIDE + tx];
          // CHECK: do {
#pragma acc barrier worker
          a[(by * SIDE + ty) * n + bx * SIDE + tx] = s[tx][ty];
          // CHECK: } while (0);
        }
    }
  }
}

// A gang's own code: by all workers, or by the first.
// CHECK-LABEL: void leader(
// CHECK: int twice = 2 * g;
// CHECK: if (__accx_item == 0) {
// CHECK-NEXT: b[g] = twice;
// CHECK: for (long __accx_worker = __accx_item; __accx_worker <
void leader(int n, int *restrict a, int *restrict b) {
#pragma acc parallel loop gang num_workers(64)
#pragma openarc cuda noconstant(b)
  for (int g = 0; g < n; ++g) {
    int twice = 2 * g;
    b[g] = twice;
#pragma acc loop worker
    for (int i = 0; i < n; ++i)
      a[g * n + i] = b[g];
  }
}

// Gangs alone: no block, the loop is one of two dimensions.
// CHECK-LABEL: void grid(
// CHECK-NOT: unavailable
// CHECK: #pragma omp target teams distribute parallel for
// CHECK-NEXT: for (long __accx_gang = 0;
// CHECK-NOT: __accx_item
void grid(int n, float *a) {
#pragma acc parallel loop gang copy(a[0:n * n])
  for (int i = n - 1; i >= 0; --i)
#pragma acc loop gang
    for (int j = 0; j < n; j += 2)
      a[i * n + j] = 1;
}

// Two kernels on data that stays.
// CHECK-LABEL: void two(
// CHECK: #pragma omp target data map({{.*}}tofrom: a[0:n]) map({{.*}}alloc: b[0:n])
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: b[g] = t;
// CHECK: #pragma omp target teams distribute parallel for
// CHECK: a[g] = b[n - 1 - g] + 1;
void two(int n, float *a, float *b) {
#pragma acc parallel loop gang vector copy(a[0:n]) create(b[0:n])
  for (int g = 0; g < n; ++g) {
    float t;
    t = a[g] * 2;
    b[g] = t;
#pragma acc barrier
    a[g] = b[n - 1 - g] + 1;
  }
}
