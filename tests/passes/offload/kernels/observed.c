// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a region's body can tell of who runs it.
//
// RUN: %device %s | %print 2>&1 | FileCheck %s

int omp_get_team_num(void);

// CHECK: kernel {{.*}}asks
// CHECK: parallel {{.*}}, observes who runs it, observes the parallel state
void asks(int n, int *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = omp_get_team_num();
}
// CHECK: kernel {{.*}}sums
// CHECK: parallel {{.*}}, observes the parallel state
// CHECK-NEXT: for:
// CHECK-NEXT: reduction across threads: 16 bytes
// CHECK-NEXT: reduction across teams: 16 bytes
double sums(int n, double *x, int *most) {
  double s = 0;
  int m = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    reduction(max : m) map(to : x[ : n])
  for (int i = 0; i < n; i++) {
    s += x[i];
    m = x[i] > m ? (int)x[i] : m;
  }
  *most = m;
  return s;
}
