// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What could be noticed if all threads ran it stays with one thread a team.
//
// RUN: %device %s | %grid-nest -o /dev/null 2>&1 | FileCheck %s
#pragma omp begin declare target
int omp_get_team_num(void);
void wait(int);
#pragma omp end declare target

// CHECK: {{.*}}team{{.*}} is left to one thread a team: it may ask which thread or team it runs on
void team(int n, int m, int *x) {
#pragma omp target teams distribute dist_schedule(static, 4)                   \
    map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] = omp_get_team_num();
  }
}
// CHECK: {{.*}}conditional{{.*}} is left to one thread a team: its parallel region is conditional
void conditional(int n, int m, int *x, int c) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for if (c)
    for (int j = 0; j < m; j++)
      x[i * m + j] = 1;
  }
}
// CHECK: {{.*}}last{{.*}} is left to one thread a team: a value of the last iteration is used
void last(int n, int m, int *x) {
  int l = 0;
#pragma omp target teams distribute map(tofrom : x[ : n * m], l) lastprivate(l)
  for (int i = 0; i < n; i++) {
    l = i;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] = 1;
  }
}
// Blocks do not share where the region may change what came before it.
// CHECK: {{.*}}pivot{{.*}} runs on all threads of the grid{{ *$}}
void pivot(int n, int m, float *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
    float p = x[i * m];
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] /= p;
  }
}
// CHECK: {{.*}}result{{.*}} is left to one thread a team: code before the parallel region does more than compute
void result(int n, int m, int *x, int *next) {
#pragma omp target teams distribute map(tofrom : x[ : n * m], next[ : 1])
  for (int i = 0; i < n; i++) {
    int k;
#pragma omp atomic capture
    k = (*next)++;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[k * m + j] = 1;
  }
}
// CHECK: {{.*}}large{{.*}} is left to one thread a team: variables that its parallel regions write need too much shared memory
void large(int n, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) {
    int t[10000];
#pragma omp parallel for
    for (int j = 0; j < 10000; j++)
      t[j] = x[i] + j;
    x[i] = t[i % 10000];
  }
}
// CHECK: {{.*}}unknown{{.*}} is left to one thread a team: code before the parallel region does more than compute
void unknown(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
    wait(i);
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] = 1;
  }
}
