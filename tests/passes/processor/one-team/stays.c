// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that could tell, or that need their league, keep it, and loops with
// other schedules ask libomp for their shares; remarks say why, once. Each
// compilation has one.
//
// RUN: %device %s -DCASE=1 -Rpass-missed=one-team 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-TEAMS,CHECK
// RUN: %device %s -DCASE=2 -Rpass-missed=one-team 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-ASKS,CHECK
// RUN: %device %s -DCASE=3 -Rpass-missed=one-team 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-ASKS,CHECK
// RUN: %device %s -DCASE=4 -Rpass-missed=one-team 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-ASKS,CHECK
// RUN: %device %s -DCASE=5 -Rpass-missed=one-team 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-ASKS,CHECK
// RUN: %device %s -DCASE=6 -Rpass-missed=one-team 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-SCHEDULE,CHECK
// RUN: %device %s -DCASE=7 -Rpass-missed=static-shares 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-CHUNKED

// CHECK-TEAMS: remark: the kernel starts as a league: it asks for several teams
// CHECK-ASKS: remark: the kernel starts as a league: it may ask for its thread or team,
// CHECK-SCHEDULE: remark: the kernel starts as a league: a loop's schedule is not plain
// CHECK-NOT: remark:
// CHECK-NOT: omp_get_max_teams
// CHECK: __kmpc_fork_teams
// CHECK-NOT: omp_get_max_teams

// CHECK-CHUNKED: remark: threads ask libomp for their iterations: a loop's schedule is not plain static
// CHECK-CHUNKED-NOT: remark:
// CHECK-CHUNKED-NOT: __kmpc_bound_thread_num
// CHECK-CHUNKED: call void @__kmpc_for_static_init_4({{.*}}, i32 33,
// CHECK-CHUNKED-NOT: __kmpc_bound_thread_num
#pragma omp declare target
int omp_get_thread_limit(void);
int unknown(int);
#pragma omp end declare target

void f(int n, int *a, int (*g)(int)) {
#if CASE == 1 // Teams are asked for.
#pragma omp target teams distribute parallel for map(a[ : n]) num_teams(2)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#elif CASE == 2 // So many threads would be cut to the team's.
#pragma omp target teams distribute parallel for map(a[ : n]) num_threads(64)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#elif CASE == 3 // It asks.
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += omp_get_thread_limit();
#elif CASE == 4 // It may ask.
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += unknown(i);
#elif CASE == 5 // The same.
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += g(i);
#elif CASE == 6 // Chunks of the league's loop.
#pragma omp target teams distribute parallel for map(a[ : n])                  \
    dist_schedule(static, 4)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#else
#pragma omp target parallel for map(a[ : n]) schedule(static, 4)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#endif
}
