// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clause on teams bounds a nest that cannot tell how many there are
// (2147483646: ACCX_TEAMS_UP_TO_A_WAVE). Where regions have one on threads,
// too, a block an iteration is asked for: the launch chooses the size of blocks
// (2147483647: ACCX_THREADS_TO_FILL), and small groups are taken for fewer
// rounds, of which the last may lose an eighth.
//
// RUN: %device %s | %grid-nest 2>/dev/null | FileCheck %s

// CHECK-DAG: _rows_l{{[0-9]+}}_kernel_environment = {{.*}}, i32 2147483647, i32 512, i32 2147483646, i32 -1,
// CHECK-DAG: _seven_l{{[0-9]+}}_kernel_environment = {{.*}}, i32 512, i32 512, i32 2147483646, i32 7,
// CHECK-LABEL: define {{.*}}void @__omp_offloading_{{.*}}_rows_l
// CHECK: %[[GROUPS:[0-9]+]] = call i64 @llvm.umax.i64(i64 %{{[0-9]+}}, i64 1)
// CHECK: %[[ROUNDS:[0-9]+]] = udiv i64 %{{[0-9]+}}, %[[GROUPS]]
// CHECK: %[[EVEN:even.*]] = icmp uge i64
// CHECK: icmp uge i64 %[[ROUNDS]], 2
// CHECK: %many{{.*}} = and i1 %[[EVEN]],
// CHECK-LABEL: define {{.*}}void @__omp_offloading_{{.*}}_seven_l
// CHECK: %many{{.*}} = icmp uge i64
void rows(int n, int m, int teams, int threads, float *x) {
#pragma omp target teams distribute num_teams(teams) map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for num_threads(threads)
    for (int j = 0; j < m; j++)
      x[i * m + j] += 1;
  }
}

void seven(int n, int m, float *x) {
#pragma omp target teams distribute num_teams(7) map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] += 1;
  }
}
