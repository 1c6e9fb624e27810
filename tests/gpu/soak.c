// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps and unmaps arrays of changing sizes and places for a while: what the
// device and the process hold must not grow.
//
// Usage: soak [seconds]

#include "check.h"
#include "memory.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { Alive = 32 };

static uint32_t state = 1;
static uint32_t draw(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static size_t residentBytes(void) {
  long pages = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2)
    exit(2);
  fclose(f);
  return (size_t)resident * 4096;
}

/* Pages of the device's size that arrays ever lay in, as a hash table. */
enum { PageBits = 21, MaxPages = 1 << 14 };
static uintptr_t pages[MaxPages];
static size_t numPages;

static void visit(const char *begin, size_t size) {
  const uintptr_t first = (uintptr_t)begin >> PageBits;
  const uintptr_t last = ((uintptr_t)begin + size - 1) >> PageBits;
  for (uintptr_t page = first; page <= last; ++page) {
    size_t at = page % MaxPages;
    while (pages[at] && pages[at] != page)
      at = (at + 1) % MaxPages;
    numPages += pages[at] == 0;
    pages[at] = page;
    if (numPages > MaxPages / 2)
      exit(2);
  }
}

/* One array's life: in, changed on the device, out, checked. */
static void cycle(char **array, size_t *size) {
  free(*array);
  // Few are large.
  *size = 1 + draw() % ((size_t)1 << (4 + draw() % 22));
  char *a = *array = malloc(*size);
  const size_t n = *size, step = n / 64 + 1;
  visit(a, n);
  for (size_t i = 0; i < n; i += step)
    a[i] = (char)i;
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target teams distribute parallel for map(alloc : a[0 : n])
  for (size_t i = 0; i < n; i += step)
    a[i] ^= 0x55;
#pragma omp target exit data map(from : a[0 : n])
  for (size_t i = 0; i < n; i += step)
    CHECK(a[i] == (char)((char)i ^ 0x55));
}

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 10;
  char *arrays[Alive] = {0};
  size_t sizes[Alive];
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  const double begin = t.tv_sec + t.tv_nsec * 1e-9;
  double elapsed = 0;
  // What the program and its kernels need by themselves.
#pragma omp target
  {
  }
  const size_t firstDevice = usedDeviceBytes();
  printf("0 s: device %zu MiB\n", firstDevice >> 20);
  size_t lastDevice = 0, firstHost = 0, lastHost = 0;
  long cycles = 0;
  // The first three tenths warm up: most places repeat after them.
  for (int tenth = 1; tenth <= 10 && !Wrong; ++tenth) {
    do {
      for (int i = 0; i < 100; ++i, ++cycles) {
        const int which = draw() % Alive;
        cycle(&arrays[which], &sizes[which]);
      }
      clock_gettime(CLOCK_MONOTONIC, &t);
      elapsed = t.tv_sec + t.tv_nsec * 1e-9 - begin;
    } while (elapsed < seconds * tenth / 10);
    // What is alive by chance says nothing of growth.
    for (int a = 0; a < Alive; ++a) {
      free(arrays[a]);
      arrays[a] = NULL;
    }
    malloc_trim(0);
    lastDevice = usedDeviceBytes();
    lastHost = residentBytes();
    if (tenth == 3)
      firstHost = lastHost;
    printf("%.0f s, %ld cycles: device %zu MiB, host %zu MiB, %zu pages\n",
           elapsed, cycles, lastDevice >> 20, lastHost >> 20, numPages);
    fflush(stdout);
  }
  // A page of the host has two of the device at most, one in each window of its
  // span; which of them come when is chance.
  CHECK(lastDevice <=
        firstDevice + 2 * (numPages << PageBits) + ((size_t)16 << 20));
  CHECK(lastHost <= firstHost + ((size_t)64 << 20));
  return verdict();
}
