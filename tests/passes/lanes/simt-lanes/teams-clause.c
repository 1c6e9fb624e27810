// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least number of teams is asked for where a clause gives a number that
// only the launch knows, too: it may be none. A constant one stays, as
// a bound.
//
// RUN: %device %s | %simt-lanes 2> /dev/null | FileCheck %s
//
// CHECK-DAG: atLaunch{{.*}}kernel_environment = {{.*}} i8 2, i32 1, i32 {{[0-9]+}}, i32 2048, i32 -1,
// CHECK-DAG: constant{{.*}}kernel_environment = {{.*}} i8 2, i32 1, i32 {{[0-9]+}}, i32 2147483645, i32 8,
void atLaunch(int n, int m, int teams, float *a) {
#pragma omp target teams distribute parallel for num_teams(teams)              \
    map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
  }
}

void constant(int n, int m, float *a) {
#pragma omp target teams distribute parallel for num_teams(8)                  \
    map(tofrom : a[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp simd
    for (int j = 0; j < m; j++)
      a[i * m + j] += 1;
  }
}
