// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that could tell, or that need their league, keep it, and loops with
// other schedules ask libomp for their shares. Each compilation has one.
//
// RUN: %device %s -DCASE=1 | FileCheck %s
// RUN: %device %s -DCASE=2 | FileCheck %s
// RUN: %device %s -DCASE=3 | FileCheck %s
// RUN: %device %s -DCASE=4 | FileCheck %s
// RUN: %device %s -DCASE=5 | FileCheck %s
// RUN: %device %s -DCASE=6 | FileCheck %s
// RUN: %device %s -DCASE=7 | FileCheck %s --check-prefix=CHECK-CHUNKED

// CHECK-NOT: omp_get_max_teams
// CHECK: __kmpc_fork_teams
// CHECK-NOT: omp_get_max_teams

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
