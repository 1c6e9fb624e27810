// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clause on the number of teams is a bound where nothing in the kernel shows
// how many there are (2147483645: ACCX_TEAMS_UP_TO_NEED).
//
// RUN: %device %s | %grid-loop -S 2>/dev/null | FileCheck %s
int omp_get_team_num(void);
int omp_get_num_teams(void);
int elsewhere(int);

// CHECK-DAG: _hidden_l[[@LINE+2]]_kernel_environment = {{.*}}, i32 2147483645, i32 -1,
void hidden(int n, int t, float *a) {
#pragma omp target teams distribute parallel for num_teams(t)
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: _constant_l[[@LINE+2]]_kernel_environment = {{.*}}, i32 2147483645, i32 7,
void constant(int n, float *a) {
#pragma omp target teams distribute parallel for num_teams(7)
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: _sum_l[[@LINE+3]]_kernel_environment = {{.*}}, i32 2147483645, i32 -1,
float sum(int n, int t, float *a) {
  float s = 0;
#pragma omp target teams distribute parallel for num_teams(t) reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s;
}

// CHECK-DAG: _none_l[[@LINE+2]]_kernel_environment = {{.*}}, i32 0, i32 0,
void none(int n, float *a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    a[i] = i;
}

// CHECK-DAG: _asks_l[[@LINE+2]]_kernel_environment = {{.*}}, i32 1, i32 -1,
void asks(int n, int t, int *a) {
#pragma omp target teams distribute parallel for num_teams(t)
  for (int i = 0; i < n; ++i)
    a[i] = omp_get_num_teams();
}

// CHECK-DAG: _ahead_l[[@LINE+2]]_kernel_environment = {{.*}}, i32 1, i32 -1,
void ahead(int n, int t, int *a) {
#pragma omp target teams num_teams(t)
  {
    a[n] = omp_get_num_teams();
#pragma omp distribute parallel for
    for (int i = 0; i < n; ++i)
      a[i] = i;
  }
}

#pragma omp begin declare target
static int number(void) { return omp_get_team_num(); }
#pragma omp end declare target
// CHECK-DAG: _inside_l[[@LINE+2]]_kernel_environment = {{.*}}, i32 1, i32 -1,
void inside(int n, int t, int *a) {
#pragma omp target teams distribute parallel for num_teams(t)
  for (int i = 0; i < n; ++i)
    a[i] = number();
}

// CHECK-DAG: _unknown_l[[@LINE+2]]_kernel_environment = {{.*}}, i32 1, i32 -1,
void unknown(int n, int t, int *a) {
#pragma omp target teams distribute parallel for num_teams(t)
  for (int i = 0; i < n; ++i)
    a[i] = elsewhere(i);
}
