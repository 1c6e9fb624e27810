// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of teams that stays with the runtime.
//
// RUN: %device %s | %grid-nest -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHECK-KEPT < %t.ll
// CHECK-KEPT-COUNT-10: call void @__kmpc_parallel_51
#pragma omp begin declare target
int omp_get_thread_num(void);
int omp_get_level(void);
void wait(float *);
static int level(void) { return omp_get_level(); }
float sum;
static void add(float *x, int n) {
#pragma omp for reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += x[i];
}
#pragma omp end declare target

// CHECK: code of teams of {{.*}}asks{{.*}} is left to one thread a team: its parallel region asks what only the device runtime knows
void asks(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    const int k = x[0];
#pragma omp parallel
    x[omp_get_thread_num()] = level() + k;
  }
}
// CHECK: code of teams of {{.*}}unknown{{.*}} is left to one thread a team: its parallel region asks what only the device runtime knows
void unknown(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    const int k = x[0];
#pragma omp parallel
    wait(&x[omp_get_thread_num() + k]);
  }
}
// A reduction in a function.
// CHECK: code of teams of {{.*}}orphan{{.*}} is left to one thread a team: its parallel region asks what only the device runtime knows
void orphan(int teams, float *x, int n) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    const int k = x[0];
#pragma omp parallel
    add(x, n + k);
  }
}
// CHECK: code of teams of {{.*}}ordered{{.*}} is left to one thread a team: its parallel region asks what only the device runtime knows
void ordered(int teams, float *x, int n) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    const int k = x[0];
#pragma omp parallel
#pragma omp for ordered
    for (int i = 0; i < n; i++)
#pragma omp ordered
      x[i] += k;
  }
}
// Threads that leave the region out would not be at its barrier.
// CHECK: code of teams of {{.*}}fewer{{.*}} is left to one thread a team: num_threads may leave threads of a block out
void fewer(int teams, float *x, int n) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    const int k = x[0];
#pragma omp parallel num_threads(n)
    {
      x[omp_get_thread_num()] = k;
#pragma omp barrier
      x[omp_get_thread_num() + 1] += k;
    }
  }
}
// CHECK: code of teams of {{.*}}different{{.*}} is left to one thread a team: num_threads may leave threads of a block out
void different(int teams, float *x) {
#pragma omp target teams num_teams(teams) thread_limit(256)                    \
    map(tofrom : x[ : 9999])
  {
#pragma omp parallel num_threads(32)
    x[omp_get_thread_num()] = 1;
#pragma omp parallel
    x[omp_get_thread_num()] += 1;
  }
}
// CHECK: code of teams of {{.*}}conditional{{.*}} is left to one thread a team: its parallel region is conditional
void conditional(int teams, float *x, int c) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    const int k = x[0];
#pragma omp parallel if (c)
    x[omp_get_thread_num()] = k;
  }
}
// CHECK: code of teams of {{.*}}large{{.*}} is left to one thread a team: variables that its parallel regions write need too much shared memory
void large(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    float a[11000];
#pragma omp parallel
    a[omp_get_thread_num()] = x[omp_get_thread_num()];
    x[0] = a[10999];
  }
}
// Clang gives each thread its own k.
// CHECK: code of teams of {{.*}}spmd{{.*}} stays with the device runtime: threads share a variable of the team
void spmd(int teams, float *x, int k) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
#pragma omp parallel
  {
#pragma omp single
    k = 3;
    x[omp_get_thread_num()] += k;
  }
}
// CHECK: code of teams of {{.*}}before{{.*}} is left to one thread a team: code before the parallel region does more than compute
void before(int teams, float *x) {
#pragma omp target teams num_teams(teams) map(tofrom : x[ : 9999])
  {
    wait(x);
#pragma omp parallel
    x[omp_get_thread_num()] += 1;
  }
}
