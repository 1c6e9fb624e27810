// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsigned counters of collapsed loops, extended: masks go where the loops'
// conditions say that nothing is cleared, so that neighbours' addresses come
// from one another. They stay where the sum may wrap.
//
// RUN: %device %s | %tuned 2>&1 | FileCheck %s

void neighbours(unsigned n, unsigned m, float *from, float *to) {
  float(*a)[m] = (float(*)[m])from, (*b)[m] = (float(*)[m])to;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(from[ : 9], to[ : 9])
  for (unsigned i = 1; i < n - 1; i++)
    for (unsigned j = 1; j < m - 1; j++)
      b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}
// CHECK-LABEL: define {{.*}}neighbours
// CHECK: %grid.iv{{.*}} = phi
// CHECK-NOT: and i64
// CHECK: %grid.next

void far(unsigned n, unsigned m, float *from, float *to) {
  float(*a)[m] = (float(*)[m])from, (*b)[m] = (float(*)[m])to;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(from[ : 9], to[ : 9])
  for (unsigned i = 1; i < n - 1; i++)
    for (unsigned j = 1; j < m - 1; j++)
      b[i][j] = a[i][j + 100];
}
// CHECK-LABEL: define {{.*}}far
// CHECK: %grid.iv{{.*}} = phi
// CHECK: %[[SUM:.*]] = add {{.*}}i64 %rest{{.*}}, 101
// CHECK: and i64 %[[SUM]], 4294967295
// CHECK: %grid.next

void below(unsigned n, unsigned m, float *from, float *to) {
  float(*a)[m] = (float(*)[m])from, (*b)[m] = (float(*)[m])to;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(from[ : 9], to[ : 9])
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      b[i][j] = a[i][j - 1];
}
// CHECK-LABEL: define {{.*}}below
// CHECK: %grid.iv{{.*}} = phi
// CHECK: %[[SUM:.*]] = add {{.*}}i64 %rest{{.*}}, 4294967295
// CHECK: and i64 %[[SUM]], 4294967295
// CHECK: %grid.next
