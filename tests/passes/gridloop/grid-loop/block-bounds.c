// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's default bound of 128 threads a block is lifted where every loop of
// the kernel strides over the grid, and stays with everything else.
//
// RUN: %device %s | %grid-loop -S -o %t.ll 2>/dev/null
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=CHECK-NOTE < %t.ll

// CHECK-DAG: @__omp_offloading_{{.*}}_any_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 1024, i32 0,
// CHECK-NOTE-DAG: _any_l[[@LINE+2]], !"maxntidx", i32 1024
void any(int n, float *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: @__omp_offloading_{{.*}}_clause_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 256, i32 0,
// CHECK-NOTE-DAG: _clause_l[[@LINE+2]], !"maxntidx", i32 256
void clause(int n, float *a) {
#pragma omp target teams distribute parallel for thread_limit(256)
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: @__omp_offloading_{{.*}}_dealt_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 128, i32 0,
// CHECK-NOTE-DAG: _dealt_l[[@LINE+2]], !"maxntidx", i32 128
void dealt(int n, float *a) {
#pragma omp target teams distribute parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: @__omp_offloading_{{.*}}_team_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 128,
// CHECK-NOTE-DAG: _team_l[[@LINE+2]], !"maxntidx", i32 128
void team(int n, float *a) {
#pragma omp target parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// Much to compute wants registers, which large blocks have fewer of.
// CHECK-DAG: @__omp_offloading_{{.*}}_much_l[[@LINE+10]]_kernel_environment = {{.*}} i8 2, i32 1, i32 512, i32 0,
// CHECK-NOTE-DAG: _much_l[[@LINE+9]], !"maxntidx", i32 512
#define TERM(K) a[(K) * n + i] * a[(K) * n + n - i]
#define TERMS(K)                                                               \
  TERM(K) + TERM((K) + 1) + TERM((K) + 2) + TERM((K) + 3) + TERM((K) + 4)
float many(int n, int i, const float *a) {
  return TERMS(0) + TERMS(5) + TERMS(10) + TERMS(15) + TERMS(20) + TERMS(25) +
         TERMS(30) + TERMS(35);
}
void much(int n, const float *a, float *b) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    b[i] = many(n, i, a);
}

// Functions that stay functions get registers of their own, as many as a block
// of 256 threads has: nested regions, recursion, pointers, noinline, other
// units.
// CHECK-DAG: @__omp_offloading_{{.*}}_nested_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 256, i32 0,
// CHECK-NOTE-DAG: _nested_l[[@LINE+2]], !"maxntidx", i32 256
void nested(int n, float *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    float s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (int j = 0; j < n; ++j)
      s += a[j];
    a[n + i] = s;
  }
}

// CHECK-DAG: @__omp_offloading_{{.*}}_recurses_l[[@LINE+4]]_kernel_environment = {{.*}} i8 2, i32 1, i32 256, i32 0,
// CHECK-NOTE-DAG: _recurses_l[[@LINE+3]], !"maxntidx", i32 256
int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
void recurses(int n, int *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = fibonacci(a[i]);
}

// CHECK-DAG: @__omp_offloading_{{.*}}_pointer_l[[@LINE+3]]_kernel_environment = {{.*}} i8 2, i32 1, i32 256, i32 0,
// CHECK-NOTE-DAG: _pointer_l[[@LINE+2]], !"maxntidx", i32 256
void pointer(int n, int *a, int (*f)(int)) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = f(a[i]);
}

// CHECK-DAG: @__omp_offloading_{{.*}}_outside_l[[@LINE+4]]_kernel_environment = {{.*}} i8 2, i32 1, i32 256, i32 0,
// CHECK-NOTE-DAG: _outside_l[[@LINE+3]], !"maxntidx", i32 256
__attribute__((noinline)) int kept(int n) { return n * 3; }
void outside(int n, int *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = kept(a[i]);
}

#pragma omp begin declare target
// CHECK-DAG: @__omp_offloading_{{.*}}_elsewhere_l[[@LINE+4]]_kernel_environment = {{.*}} i8 2, i32 1, i32 256, i32 0,
// CHECK-NOTE-DAG: _elsewhere_l[[@LINE+3]], !"maxntidx", i32 256
int other(int n);
void elsewhere(int n, int *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = other(a[i]);
}
#pragma omp end declare target
