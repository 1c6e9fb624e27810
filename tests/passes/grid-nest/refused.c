// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What could be noticed if all threads ran it stays with one thread a team.
//
// RUN: %device %s | %grid-nest -o /dev/null 2>&1 | FileCheck %s
#pragma omp begin declare target
int omp_get_team_num(void);
void wait(int);
#pragma omp end declare target

// CHECK: {{.*}}private_array{{.*}} is left to one thread a team: threads share a variable of the team
void private_array(int n, float *x) {
#pragma omp target teams distribute map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) {
    float t[32];
#pragma omp parallel for
    for (int j = 0; j < 32; j++)
      t[j] = x[i] * j;
    x[i] = t[3];
  }
}
// CHECK: {{.*}}writes_before{{.*}} is left to one thread a team: code before the parallel region does more than compute
void writes_before(int n, int m, float *x, float *y) {
#pragma omp target teams distribute map(tofrom : x[ : n * m], y[ : n])
  for (int i = 0; i < n; i++) {
    y[i] = 0;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      x[i * m + j] += 1;
  }
}
// CHECK: {{.*}}team{{.*}} is left to one thread a team: it may ask which thread or team it runs on
void team(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
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
// CHECK: {{.*}}sometimes{{.*}} is left to one thread a team: code after the parallel region ends it, or is not once an iteration
void sometimes(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
    if (i % 3)
#pragma omp parallel for
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
// CHECK: {{.*}}atomic{{.*}} is left to one thread a team: threads share a variable of the team
void atomic(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n])
  for (int i = 0; i < n; i++) {
    int c = 0;
#pragma omp parallel for
    for (int j = 0; j < m; j++)
#pragma omp atomic
      c += j;
    x[i] = c;
  }
}
// CHECK: {{.*}}threads{{.*}} is left to one thread a team: it may ask which thread or team it runs on
void threads(int n, int m, int *x) {
#pragma omp target teams distribute map(tofrom : x[ : n * m])
  for (int i = 0; i < n; i++) {
#pragma omp parallel for num_threads(7)
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
