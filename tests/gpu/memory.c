// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows up to most of the card, again and again without growth, and the end
// of memory: a map that does not fit is an error with a message, not a hang.
//
// Usage: memory [exhaust]; with it the program is to fail.

#define _GNU_SOURCE
#include "check.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static char *reserve(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    perror("mmap");
    exit(2);
  }
  return p;
}

int main(int argc, char **argv) {
  const size_t gib = (size_t)1 << 30;
  if (argc > 1 && !strcmp(argv[1], "exhaust")) {
    char *p = reserve(4096 * gib);
    fprintf(stderr, "before\n");
#pragma omp target enter data map(alloc : p[0 : 4096 * gib])
    fprintf(stderr, "after\n");
    return 0;
  }

  // 120 GiB of a 140 GiB card, three times over: the last two find the first
  // one's memory idle, or get it back.
  for (int round = 0; round < 3; ++round) {
    char *p = reserve(120 * gib);
#pragma omp target enter data map(alloc : p[0 : 120 * gib])
    int bad = 0;
#pragma omp target teams distribute parallel for map(tofrom : bad)             \
    reduction(+ : bad)
    for (size_t i = 0; i < 120 * gib; i += 1 << 20) {
      p[i] = (char)(i >> 20);
      bad += p[i] != (char)(i >> 20);
    }
    CHECK(bad == 0);
#pragma omp target exit data map(delete : p[0 : 120 * gib])
    munmap(p, 120 * gib);
  }

  // Arrays of changing sizes and places.
  uint32_t state = 1;
  for (int round = 0; round < 2000; ++round) {
    state = state * 1664525u + 1013904223u;
    const size_t n = 1 + (state >> 8) % (1 << 22);
    int *a = malloc(n * sizeof(int));
    for (size_t i = 0; i < n; i += 1000)
      a[i] = (int)i;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
    for (size_t i = 0; i < n; i += 1000)
      a[i] += round;
    for (size_t i = 0; i < n; i += 1000)
      CHECK(a[i] == (int)i + round);
    free(a);
  }
  return verdict();
}
