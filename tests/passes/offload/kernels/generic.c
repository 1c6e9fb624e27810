// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with sequential parts, and loops that are dealt out at run time.
//
// RUN: %device %s | %print 2>&1 | FileCheck %s

// CHECK: kernel {{.*}}rows{{.*}}: generic
// CHECK-NEXT: distribute: i32 {{.*}}, schedule static, grid-stride: the kernel has sequential parts
// CHECK-NEXT: parallel
// CHECK-NEXT: for: i32 {{.*}}, schedule static, chunk 1
void rows(int n, float *x) {
#pragma omp target teams map(tofrom : x[ : n * n])
  {
#pragma omp distribute
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        x[i * n + j] += 1;
    }
  }
}
// CHECK-NEXT: kernel {{.*}}bare{{.*}}: generic
void bare(float *x) {
#pragma omp target map(tofrom : x[ : 1])
  x[0] += 1;
}
// CHECK-NEXT: kernel {{.*}}dynamic{{.*}}: spmd
// CHECK-NEXT: distribute: {{.*}}, grid-stride: num_threads may leave threads of a team out
// CHECK-NEXT: parallel {{.*}}, num_threads ?
// CHECK-NEXT: loop not described: its iterations are dealt out at run time
void dynamic(int n, float *x, int t) {
#pragma omp target teams distribute parallel for schedule(dynamic)             \
    num_threads(t) map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK-NEXT: kernel {{.*}}maybe{{.*}}: spmd, threads 1..128, teams 1..1
// CHECK-NEXT: parallel {{.*}}, conditional
// CHECK-NEXT: for: i32 0..(arg2 sub 1), schedule static, chunk 1
void maybe(int n, float *x, int parallel) {
#pragma omp target parallel for if (parallel : parallel) map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
