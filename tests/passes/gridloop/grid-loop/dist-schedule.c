// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations of distribute schedules other than team-sized chunks move to other
// teams, which is allowed where no iteration asks for its team.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: dist-schedule.c:[[@LINE+2]]:1: {{.*}} made a grid-stride loop; its iterations move
void blocks(int n, float *x) {
#pragma omp target teams distribute parallel for dist_schedule(static)         \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
// CHECK: dist-schedule.c:[[@LINE+2]]:1: {{.*}} made a grid-stride loop; its iterations move
void sevens(int n, float *x) {
#pragma omp target teams distribute parallel for dist_schedule(static, 7)      \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK-COUNT-2: %grid.iv = phi i64
