// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that a kernel reduces to: one thread of the last block touches
// them, at the end. Host devices have none.
//
// RUN: %gpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %gpu -O1 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O2 -emit-llvm %s | %tables | FileCheck %s --check-prefix=CHECK-HOST
// CHECK-HOST-NOT: once [

int omp_get_team_num(void);

// CHECK: sum: no loop reads {{.*}} once [2]{{$}}
double sum(int n, const double *x) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
// Stores under a condition.
// CHECK: several: no loop reads {{.*}} once [2, 4, 5]{{$}}
int several(int n, const int *x) {
  int most = 0, all = 0;
  _Bool any = 0;
#pragma omp target teams distribute parallel for reduction(max : most)         \
    reduction(+ : all) reduction(|| : any) map(x[ : n])
  for (int i = 0; i < n; i++) {
    most = x[i] > most ? x[i] : most;
    all += x[i];
    any = any || x[i] == 7;
  }
  return most + all + any;
}
// All threads read it.
// CHECK-NOT: {{^}}atomic: {{.*}}once
int atomic(int n, const int *x) {
  int s = 0;
#pragma omp target teams distribute parallel for map(tofrom : s) map(x[ : n])
  for (int i = 0; i < n; i++)
#pragma omp atomic
    s += x[i];
  return s;
}
// So do they here, ahead of the loop.
// CHECK-NOT: {{^}}read_before: {{.*}}once
int read_before(int n, int *x, int s) {
#pragma omp target map(tofrom : s) map(x[ : n])
#pragma omp teams reduction(+ : s)
  {
    int first = s;
#pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
      x[i] += first;
    s += omp_get_team_num();
  }
  return s;
}
// One thread of each team.
// CHECK-NOT: {{^}}one_a_team: {{.*}}once
int one_a_team(int n, const int *x) {
  int s = 0;
#pragma omp target teams distribute map(tofrom : s) map(x[ : n])
  for (int j = 0; j < n; j++)
    if (x[j] == 3)
      s = j;
  return s;
}
