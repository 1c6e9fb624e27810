// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests whose vector loops only move ask for many threads, those that only
// reduce for registers, others for what lies between; options go before that.
// What versions of the loops need of a thread's place is hidden, so that it is
// not computed for all of them in front of the loop over gangs.
//
// RUN: %device %s -o %t.ll
// RUN: %grid-nest < %t.ll 2>/dev/null | FileCheck %s
// RUN: %grid-nest -accx-grid-nest-threads=128 -accx-grid-nest-at-once=384 \
// RUN:   < %t.ll 2>/dev/null | FileCheck %s --check-prefix=CHECK-OPTION

// CHECK: call i32 asm sideeffect "", "=r,0"
void moves(int n, int m, int l, const float *a, float *b) {
#pragma omp target teams distribute map(to : a[ : n * m * l])                  \
    map(from : b[ : n * m * l])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for
    for (int j = 0; j < m; j++) {
#pragma omp simd
      for (int k = 0; k < l; k++)
        b[(i * m + j) * l + k] = a[(i * m + j) * l + k];
    }
  }
}

void reduces(int n, int m, int l, const float *a, float *b) {
#pragma omp target teams distribute map(to : a[ : n * m * l])                  \
    map(from : b[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < m; j++) {
#pragma omp simd reduction(+ : s)
      for (int k = 0; k < l; k++)
        s += a[(i * m + j) * l + k];
    }
    b[i] = s;
  }
}

void plain(int n, int m, const float *a, float *b) {
#pragma omp target teams distribute map(to : a[ : n * m])                      \
    map(from : b[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      b[i * m + j] = a[i * m + j];
  }
}

// What is called needs the registers that it needs.
#pragma omp begin declare target
__attribute__((noinline)) static float twice(float x) { return 2 * x; }
#pragma omp end declare target
void calls(int n, int m, const float *a, float *b) {
#pragma omp target teams distribute map(to : a[ : n * m])                      \
    map(from : b[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      b[i * m + j] = twice(a[i * m + j]);
  }
}

// CHECK-DAG: !{ptr @{{.*}}moves{{.*}}, !"maxntidx", i32 512}
// CHECK-DAG: !{ptr @{{.*}}moves{{.*}}, !"minctasm", i32 3}
// CHECK-DAG: !{ptr @{{.*}}reduces{{.*}}, !"maxntidx", i32 256}
// CHECK-DAG: !{ptr @{{.*}}reduces{{.*}}, !"minctasm", i32 3}
// CHECK-DAG: !{ptr @{{.*}}plain{{.*}}, !"maxntidx", i32 512}
// CHECK-DAG: !{ptr @{{.*}}plain{{.*}}, !"minctasm", i32 2}
// CHECK-DAG: !{ptr @{{.*}}calls{{.*}}, !"maxntidx", i32 256}
// CHECK-NOT: !{ptr @{{.*}}calls{{.*}}, !"minctasm"
// CHECK-OPTION-DAG: !{ptr @{{.*}}moves{{.*}}, !"maxntidx", i32 128}
// CHECK-OPTION-DAG: !{ptr @{{.*}}moves{{.*}}, !"minctasm", i32 3}
// CHECK-OPTION-DAG: !{ptr @{{.*}}reduces{{.*}}, !"maxntidx", i32 128}
