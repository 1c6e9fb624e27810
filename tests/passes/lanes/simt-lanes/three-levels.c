// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker loop in a team's: the runtime says which thread of how many it is,
// as bounds of an endless loop, and teams get more threads.
//
// RUN: %device %s | %simt-lanes 2>&1 | FileCheck %s
// RUN: %device -DSPELL_OPENMP %s | %simt-lanes 2>&1 | FileCheck %s

#ifdef SPELL_OPENMP
#define GANG                                                                   \
  omp target teams distribute map(to : a[:n * m * k]) map(from : y[:n * m])
#define WORKER omp parallel for
#define VECTOR omp simd reduction(+ : s)
#else
#define GANG acc parallel loop gang copyin(a[:n * m * k]) copyout(y[:n * m])
#define WORKER acc loop worker
#define VECTOR acc loop vector reduction(+ : s)
#endif
#define PRAGMA(TEXT) _Pragma(#TEXT)
#define DIRECTIVE(TEXT) PRAGMA(TEXT)

// CHECK: vector loop runs across 32 lanes
void sums(int n, int m, int k, const float *a, float *y) {
  DIRECTIVE(GANG)
  for (int i = 0; i < n; i++) {
    DIRECTIVE(WORKER)
    for (int j = 0; j < m; j++) {
      float s = 0;
      DIRECTIVE(VECTOR)
      for (int l = 0; l < k; l++)
        s += a[(i * m + j) * k + l];
      y[i * m + j] = s;
    }
  }
}

// CHECK: kernel_environment = {{.*}}i32 256, i32 256,
// CHECK-LABEL: define internal void @{{.*}}omp_outlined_omp_outlined(
// CHECK: store i32 0, ptr %[[LOWER:[0-9]+]]
// CHECK: store i32 2147483647, ptr %[[UPPER:[0-9]+]]
// CHECK: store i32 1, ptr %[[STRIDE:[0-9]+]]
// CHECK: call void @__kmpc_for_static_init_4({{.*}}, i32 33, ptr %{{[0-9]+}}, ptr %[[LOWER]], ptr %[[UPPER]], ptr %[[STRIDE]], i32 1, i32 1)
// CHECK: %[[NUMBER:[0-9]+]] = load i32, ptr %[[LOWER]]
// CHECK: %thread = zext i32 %[[NUMBER]] to i64
// CHECK: %[[COUNT:[0-9]+]] = load i32, ptr %[[STRIDE]]
// CHECK: %threads = zext i32 %[[COUNT]] to i64
// CHECK: %enough = icmp uge i32 %{{.*}}, 32
// CHECK: phi i64 [ %worker, %lanes ]
// CHECK: %lane.iv = phi i32
// CHECK: !"maxntidx", i32 256}
