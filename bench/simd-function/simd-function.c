/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Times all implementations of all kernels in one process, pinned, in turns
 * that change each round. Prints RESULT lines: the median time, and the
 * speed-up of the 25th percentiles over scalar code. */
#define _GNU_SOURCE
#include "kernels.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { Largest = 4096, Levels = 20, Impls = 5 };

static int out[Largest], expected[Largest];
static float keys[Largest], tree[1 << Levels];

typedef void Mandel(int *, float, float, float, int, int);
typedef void Tree(int *, const float *, const float *, int, int);
static const char *const names[Impls] = {"scalar", "clang", "gcc", "accx",
                                         "intrinsics"};
static Mandel *const mandels[2][Impls] = {
    {scalar_mandel_declare, clang_mandel_declare, gcc_mandel_declare,
     accx_mandel_declare, hand_mandel_declare},
    {scalar_mandel_outer, clang_mandel_outer, gcc_mandel_outer,
     accx_mandel_outer, hand_mandel_outer}};
static Tree *const trees[2][Impls] = {
    {scalar_tree_declare, clang_tree_declare, gcc_tree_declare,
     accx_tree_declare, hand_tree_declare},
    {scalar_tree_outer, clang_tree_outer, gcc_tree_outer, accx_tree_outer,
     hand_tree_outer}};

struct Case {
  const char *name;
  int isTree, form, n, depth;
};
static const struct Case cases[] = {
    {"mandelbrot-declare-1000", 0, 0, 1000, 256},
    {"mandelbrot-outer-1000", 0, 1, 1000, 256},
    {"mandelbrot-declare-31", 0, 0, 31, 256},
    {"mandelbrot-outer-31", 0, 1, 31, 256},
    {"tree-declare-4096-depth10", 1, 0, 4096, 10},
    {"tree-outer-4096-depth10", 1, 1, 4096, 10},
    {"tree-declare-4096-depth18", 1, 0, 4096, 18},
    {"tree-outer-4096-depth18", 1, 1, 4096, 18},
    {"tree-declare-100-depth10", 1, 0, 100, 10},
    {"tree-outer-100-depth10", 1, 1, 100, 10},
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

static void call(const struct Case *c, int impl) {
  if (c->isTree)
    trees[c->form][impl](out, tree, keys, c->n, c->depth);
  else
    for (int row = 0; row < 4; row++)
      mandels[c->form][impl](out, -2, 3.0f / c->n, -0.9f + 0.4f * row, c->n,
                             c->depth);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int measure(const struct Case *c, int rounds) {
  double *times[Impls];
  int ok[Impls], failed = 0, repeat = 1;
  for (int i = 0; i < Impls; i++) {
    memset(out, -1, sizeof out);
    call(c, i);
    if (i == 0)
      memcpy(expected, out, sizeof out);
    ok[i] = !memcmp(out, expected, sizeof out);
    times[i] = malloc(rounds * sizeof(double));
  }
  double start = now();
  call(c, 4);
  /* At least 50 microseconds a sample. */
  while (repeat < 1000 && repeat * (now() - start) < 0.05)
    repeat *= 2;
  for (int r = 0; r < rounds; r++)
    for (int turn = 0; turn < Impls; turn++) {
      int i = (r + turn) % Impls;
      double t = now();
      for (int k = 0; k < repeat; k++)
        call(c, i);
      times[i][r] = (now() - t) / repeat;
    }
  for (int i = 0; i < Impls; i++)
    qsort(times[i], rounds, sizeof(double), compare);
  for (int i = 0; i < Impls; i++) {
    printf("RESULT,simd-function,%s,%s,%.6f,speedup=%.2f,%s\n", names[i],
           c->name, times[i][rounds / 2],
           times[0][rounds / 4] / times[i][rounds / 4], ok[i] ? "ok" : "BAD");
    failed |= !ok[i];
  }
  for (int i = 0; i < Impls; i++)
    free(times[i]);
  fflush(stdout);
  return failed;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 201, failed = 0;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(sched_getcpu(), &set);
  sched_setaffinity(0, sizeof set, &set);
  unsigned state = 1;
  for (int i = 0; i < Largest; i++) {
    state = state * 1664525u + 1013904223u;
    keys[i] = (state >> 8) / 16777216.0f;
  }
  /* In order: the node's interval is halved on each level. */
  for (int level = 0; level < Levels; level++)
    for (int i = 0; i < 1 << level; i++)
      tree[(1 << level) - 1 + i] = (2 * i + 1) / (float)(2 << level);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    failed |= measure(&cases[i], rounds);
  return failed;
}
