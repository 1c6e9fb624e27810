// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every way bytes can take: sizes around each threshold, odd addresses, pinned
// and pageable memory, rectangles, fills, many small copies in a row.

#include "check.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

/* LLVM's extensions; omp.h does not declare them. */
void *llvm_omp_target_alloc_host(size_t Size, int Device);
void llvm_omp_target_free_host(void *Pointer, int Device);

typedef unsigned char byte;

static uint32_t state = 12345;
static uint32_t draw(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
static void randomize(byte *p, size_t n) {
  for (size_t i = 0; i < n; ++i)
    p[i] = (byte)draw();
}

static void roundTrip(byte *from, byte *back, size_t n, size_t shift, int dev) {
  const int host = omp_get_initial_device();
  byte *there = omp_target_alloc(n + 64, dev);
  CHECK(there != NULL);
  memset(back, 0, n + 64);
  CHECK(omp_target_memcpy(there, from, n, shift, 3, dev, host) == 0);
  CHECK(omp_target_memcpy(back, there, n, 5, shift, host, dev) == 0);
  CHECK(memcmp(back + 5, from + 3, n) == 0);
  CHECK(back[4] == 0 && back[5 + n] == 0);
  omp_target_free(there, dev);
}

static void sizes(int dev) {
  const size_t most = (size_t)80 << 20;
  byte *from = malloc(most + 64), *back = malloc(most + 64);
  byte *pinned = llvm_omp_target_alloc_host(most + 64, dev);
  CHECK(pinned != NULL);
  randomize(from, most + 64);
  memcpy(pinned, from, most + 64);
  const size_t n[] = {1,       2,       3,        4,     7,       8,
                      15,      16,      17,       100,   4096,    16383,
                      16384,   16385,   65536,    65537, 1048575, 1048576,
                      1048577, 5000001, 33554432, most};
  for (unsigned i = 0; i < sizeof(n) / sizeof(n[0]); ++i)
    for (size_t shift = 0; shift < 20; shift += 7) {
      roundTrip(from, back, n[i], shift, dev);
      roundTrip(pinned, back, n[i], shift, dev);
      roundTrip(from, pinned, n[i], shift, dev);
      memcpy(pinned, from, n[i] + 64);
    }
  llvm_omp_target_free_host(pinned, dev);
  free(from);
  free(back);
}

/** Many small arrays in one construct, of sizes and places that differ. */
static void pieces(void) {
  enum { Count = 700 };
  static byte pool[Count * 300 + 4096];
  static byte copy[sizeof(pool)];
  randomize(pool, sizeof(pool));
  memcpy(copy, pool, sizeof(pool));
  struct Item {
    byte *p;
    int n;
  } items[Count];
  size_t at = 0;
  for (int i = 0; i < Count; ++i) {
    items[i].n = 1 + (int)(draw() % 290);
    items[i].p = pool + at;
    at += items[i].n + draw() % 9;
  }
  for (int i = 0; i < Count; ++i) {
    byte *p = items[i].p;
    int n = items[i].n;
#pragma omp target enter data map(to : p[0 : n])
  }
  for (int i = 0; i < Count; ++i) {
    byte *p = items[i].p;
    int n = items[i].n;
#pragma omp target teams distribute parallel for map(present, alloc : p[0 : n])
    for (int j = 0; j < n; ++j)
      p[j] ^= 0x5a;
  }
  for (int i = 0; i < Count; ++i) {
    byte *p = items[i].p;
    int n = items[i].n;
#pragma omp target exit data map(from : p[0 : n])
    for (int j = 0; j < n; ++j)
      copy[p - pool + j] ^= 0x5a;
  }
  CHECK(memcmp(pool, copy, sizeof(pool)) == 0);
}

/** Eight arrays that arrive and leave together. */
static void together(void) {
  enum { N = 1000 };
  static int m0[N], m1[N], m2[N], m3[N], m4[N], m5[N], m6[N], m7[N];
  int *const all[8] = {m0, m1, m2, m3, m4, m5, m6, m7};
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < N; ++i)
      all[k][i] = k * N + i;
#pragma omp target teams distribute parallel for map(tofrom : m0, m1, m2, m3,  \
                                                         m4, m5, m6, m7)
  for (int i = 0; i < N; ++i) {
    m0[i] += 1;
    m1[i] += 2;
    m2[i] += 3;
    m3[i] += 4;
    m4[i] += 5;
    m5[i] += 6;
    m6[i] += 7;
    m7[i] += 8;
  }
  int bad = 0;
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < N; ++i)
      bad += all[k][i] != k * N + i + k + 1;
  CHECK(bad == 0);
}

static void rectangles(int dev) {
  enum { R = 61, C = 83 };
  static int from[R][C], back[R][C];
  const int host = omp_get_initial_device();
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j)
      from[i][j] = i * 1000 + j;
  memset(back, 0, sizeof(back));
  int *there = omp_target_alloc(sizeof(from), dev);
  const size_t volume[] = {40, 30}, at[] = {3, 7}, to[] = {11, 20};
  const size_t dims[] = {R, C};
  CHECK(omp_target_memcpy_rect(there, from, sizeof(int), 2, volume, to, at,
                               dims, dims, dev, host) == 0);
  CHECK(omp_target_memcpy_rect(back, there, sizeof(int), 2, volume, at, to,
                               dims, dims, host, dev) == 0);
  int bad = 0;
  for (size_t i = 0; i < R; ++i)
    for (size_t j = 0; j < C; ++j) {
      const int in = i >= 3 && i < 43 && j >= 7 && j < 37;
      bad += back[i][j] != (in ? from[i][j] : 0);
    }
  CHECK(bad == 0);
  omp_target_free(there, dev);

  static int m[R][C];
  memcpy(m, from, sizeof(m));
#pragma omp target data map(tofrom : m)
  {
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j)
        m[i][j] = -1;
#pragma omp target update from(m[5 : 9][10 : 20])
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) {
        const int in = i >= 5 && i < 14 && j >= 10 && j < 30;
        bad += m[i][j] != (in ? from[i][j] : -1);
      }
  }
  CHECK(bad == 0);
}

static void memsets(int dev) {
  const int host = omp_get_initial_device();
  byte *there = omp_target_alloc(100000, dev), *back = malloc(100000);
  for (int i = 0; i < 100000; ++i)
    back[i] = 1;
  CHECK(omp_target_memcpy(there, back, 100000, 0, 0, dev, host) == 0);
  CHECK(omp_target_memset(there + 13, 0xab, 70001, dev) == there + 13);
  CHECK(omp_target_memcpy(back, there, 100000, 0, 0, host, dev) == 0);
  int bad = 0;
  for (int i = 0; i < 100000; ++i)
    bad += back[i] != (i >= 13 && i < 13 + 70001 ? 0xab : 1);
  CHECK(bad == 0);
  omp_target_free(there, dev);
  free(back);
}

int main(void) {
  const int dev = omp_get_default_device();
  sizes(dev);
  pieces();
  together();
  rectangles(dev);
  memsets(dev);
  return verdict();
}
