// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory of a size that the launch decides: by clause and by variable,
// in blocks that each reverse a part of an array through it.

#include "check.h"

#include <omp.h>

enum { Threads = 128, Blocks = 50 };

void *llvm_omp_target_dynamic_shared_alloc(void);

static void reverse(int *a) {
#pragma omp target teams num_teams(Blocks) thread_limit(Threads)               \
    map(tofrom : a[0 : Blocks * Threads]) ompx_dyn_cgroup_mem(Threads * 4)
#pragma omp parallel num_threads(Threads)
  {
    int *tile = (int *)llvm_omp_target_dynamic_shared_alloc();
    const int t = omp_get_thread_num(), first = omp_get_team_num() * Threads;
    if (omp_get_team_num() < Blocks && t < Threads)
      tile[t] = a[first + t];
#pragma omp barrier
    if (omp_get_team_num() < Blocks && t < Threads)
      a[first + t] = tile[Threads - 1 - t];
  }
}

int main(void) {
  int *a = malloc(Blocks * Threads * sizeof(int));
  for (int i = 0; i < Blocks * Threads; ++i)
    a[i] = i;
  reverse(a);
  for (int i = 0; i < Blocks * Threads; ++i)
    CHECK(a[i] == i / Threads * Threads + Threads - 1 - i % Threads);
  reverse(a);
  for (int i = 0; i < Blocks * Threads; ++i)
    CHECK(a[i] == i);
  free(a);
  return verdict();
}
