// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions that start threads whatever their bounds are: the program asks for a
// number of threads or their places, may tell how many there are, or leaves
// tasks, or the work is unknown or large; remarks say why, once. Each
// compilation has one.
//
// RUN: %device %s -DCASE=1 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-THREADS,CHECK
// RUN: %device %s -DCASE=2 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-ASKS,CHECK
// RUN: %device %s -DCASE=3 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-ASKS,CHECK
// RUN: %device %s -DCASE=4 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-INNER,CHECK
// RUN: %device %s -DCASE=5 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-WORK,CHECK
// RUN: %device %s -DCASE=6 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-WORK,CHECK
// RUN: %device %s -DCASE=7 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-WORK,CHECK
// RUN: %device %s -DCASE=8 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-THREADS,CHECK
// RUN: %device %s -DCASE=9 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-INNER,CHECK
// RUN: %device %s -DCASE=10 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-INNER,CHECK
// RUN: %device %s -DCASE=11 -Rpass-missed=small-regions 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK-WORK,CHECK

// CHECK-THREADS: remark: the region starts threads: the program asks for a number of
// CHECK-ASKS: remark: the region starts threads: it may ask for its thread or team, or
// CHECK-INNER: remark: the region starts threads: it has regions or tasks of its own,
// CHECK-WORK: remark: the region starts threads: its work is large, or not known
// CHECK-NOT: remark:
// CHECK-NOT: .alone
// CHECK: @__kmpc_fork_call(
// CHECK-NOT: .alone
#pragma omp declare target
int omp_get_num_threads(void);
int unknown(int);
#pragma omp end declare target

void f(int n, int *a, int *b) {
#if CASE == 1 // So many threads.
#pragma omp target parallel for map(a[ : n]) num_threads(2)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#elif CASE == 2 // It asks.
#pragma omp target parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += omp_get_num_threads();
#elif CASE == 3 // It may ask.
#pragma omp target parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] += unknown(i);
#elif CASE == 4 // Regions inside would start threads.
#pragma omp target parallel for map(a[ : n])
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int k = 0; k < 10; ++k)
      a[i] += k;
  }
#elif CASE == 5 // Nobody knows how long it takes.
#pragma omp target parallel for map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i)
    while (b[i] != i)
      b[i] = b[b[i]];
#elif CASE == 6 // Large for each iteration.
#pragma omp target parallel for map(a[ : n], b[ : n])
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 100000; ++k)
      a[i] = a[i] * 7 + b[k];
#elif CASE == 7 // Shares of another kind.
#pragma omp target parallel for map(a[ : n]) schedule(dynamic)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#elif CASE == 8 // They would stay asked for.
#pragma omp target parallel for map(a[ : n]) proc_bind(close)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
#elif CASE == 9 // The region's end waits for them.
#pragma omp target parallel for map(a[ : n])
  for (int i = 0; i < n; ++i)
#pragma omp task
    a[i] += 1;
#elif CASE == 10 // The rest of the region is left out.
#pragma omp target parallel for map(a[ : n])
  for (int i = 0; i < n; ++i) {
#pragma omp cancel for if (a[i] == 3)
    a[i] += 1;
  }
#else // Iterations are 100000 at least.
#pragma omp target parallel for map(a[ : n])
  for (int i = 0; i < 100000; ++i)
    a[i] += 1;
#endif
}
