// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows up to most of the card, again and again without growth, and the end
// of memory: a map that does not fit is an error with a message, not a hang.
//
// Usage: memory [exhaust]; with it the program is to fail.

#define _GNU_SOURCE
#include "memory.h"
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

  // 95 % of the card in two arrays, three times over: the last two find the
  // first one's memory idle, or get it back.
#pragma omp target
  {
  }
  size_t available = 0, total = 0;
  deviceMemory(&available, &total);
  const size_t half = (size_t)(total * 0.475) & ~((size_t)(2 << 20) - 1);
  printf("2 x %zu MiB of %zu MiB\n", half >> 20, total >> 20);
  for (int round = 0; round < 3; ++round) {
    char *p = reserve(half), *q = reserve(half);
#pragma omp target enter data map(alloc : p[0 : half])
#pragma omp target enter data map(alloc : q[0 : half])
    int bad = 0;
#pragma omp target teams distribute parallel for map(tofrom : bad)             \
    reduction(+ : bad)
    for (size_t i = 0; i < half; i += 1 << 20) {
      p[i] = (char)(i >> 20);
      q[i + (1 << 20) - 1] = (char)(i >> 21);
      bad += p[i] != (char)(i >> 20) || q[i + (1 << 20) - 1] != (char)(i >> 21);
    }
    CHECK(bad == 0);
    CHECK(usedDeviceBytes() >= 2 * half);
#pragma omp target exit data map(delete : p[0 : half], q[0 : half])
    munmap(p, half);
    munmap(q, half);
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
