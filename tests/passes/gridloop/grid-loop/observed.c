// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a schedule is given and iterations ask who runs them, or call what may
// ask, they stay with their threads.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

int omp_get_team_num(void);
int omp_get_thread_num(void);
#pragma omp begin declare target
void unknown(int *);
#pragma omp end declare target

// CHECK-COUNT-3: is not made a grid-stride loop: its schedule is given, and the loop may ask which thread it runs on
void team(int n, int *x) {
#pragma omp target teams distribute parallel for dist_schedule(static, 7)      \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = omp_get_team_num();
}
static int askThread(void) { return omp_get_thread_num(); }
void thread(int n, int *x) {
#pragma omp target teams distribute parallel for schedule(static, 5)           \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = askThread();
}
void calls(int n, int *x) {
#pragma omp target teams distribute parallel for schedule(static, 5)           \
    map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    unknown(&x[i]);
}

// CHECK-NOT: grid.iv
