// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that follow from the number of the iteration, and those that only
// look so: the numbers of sequential loops, from the code of a GPU.
//
// RUN: %simt %s %t && %t | FileCheck %s
// CHECK: RESULT ok
// clang-format off
#include <stddef.h>
#include <stdio.h>
#include <string.h>
enum { MAX = 1 << 16, FILL = -3 };
static int from[MAX], device[MAX], wanted[MAX], bad;
static void fill(int *a) { for (int i = 0; i < MAX; i++) a[i] = FILL; }
static void check(const char *what, int n, int m, int l) {
  if (memcmp(device, wanted, sizeof wanted)) { printf("%s %d %d %d BAD\n", what, n, m, l); bad++; }
  fill(device); fill(wanted);
}
#define GPU _Pragma("omp target teams distribute parallel for collapse(2) map(to: b[:MAX]) map(tofrom: a[:MAX])")
#define GPU3 _Pragma("omp target teams distribute parallel for collapse(3) map(to: b[:MAX]) map(tofrom: a[:MAX])")
#define LOOPS(T, n, m) for (T i = 0; i < n; i++) for (T j = 0; j < m; j++)
#define TWO(NAME, T, BODY, FROM, TO) \
  static void NAME##_gpu(T n, T m, T l, const int *b, int *a) { GPU for (T i = FROM; i < n - TO; i++) for (T j = FROM; j < m - TO; j++) BODY } \
  static void NAME##_seq(T n, T m, T l, const int *b, int *a) { for (T i = FROM; i < n - TO; i++) for (T j = FROM; j < m - TO; j++) BODY }
#define THREE(NAME, T, BODY) \
  static void NAME##_gpu(T n, T m, T l, const int *b, int *a) { GPU3 for (T i = 0; i < n; i++) for (T j = 0; j < m; j++) for (T k = 0; k < l; k++) BODY } \
  static void NAME##_seq(T n, T m, T l, const int *b, int *a) { for (T i = 0; i < n; i++) for (T j = 0; j < m; j++) for (T k = 0; k < l; k++) BODY }
TWO(whole_int, int, a[i * m + j] = b[i * m + j] + 1;, 0, 0)
TWO(whole_unsigned, unsigned, a[i * m + j] = b[i * m + j] + 2;, 0, 0)
TWO(whole_size, size_t, a[i * m + j] = b[i * m + j] + 3;, 0, 0)
TWO(whole_long, long, a[i * m + j] = b[i * m + j] + 4;, 0, 0)
TWO(whole_wide, int, a[(size_t)i * (size_t)m + (size_t)j] = b[(long)i * m + j] + 5;, 0, 0)
TWO(inside, int, a[i * m + j] = b[(i - 1) * m + j] + b[i * m + j + 1];, 1, 1)
TWO(leading, int, a[i * l + j] = b[i * l + j];, 0, 0)
TWO(transposed, int, a[j * n + i] = b[i * m + j];, 0, 0)
TWO(backward, int, a[i * m + m - 1 - j] = b[i * m + j];, 0, 0)
TWO(twice, int, a[2 * (i * m + j) + 1] = b[i * m + j];, 0, 0)
TWO(digits, int, a[i * m + j] = i * 1000 + j;, 0, 0)
TWO(guarded, long, if (i > 0 && j < m - 1) a[i * m + j] = b[i * m + j + 1] + b[(i - 1) * m + j];, 0, 0)
TWO(inner, long, { int s = 0; for (long k = 0; k < l; k++) s += b[(i * m + j) * l + k]; a[i * m + j] = s; }, 0, 0)
THREE(cube_int, int, a[(i * m + j) * l + k] = b[(i * m + j) * l + k];)
THREE(cube_size, size_t, a[(i * m + j) * l + k] = b[(i * m + j) * l + k] * 2;)
THREE(cube_wide, int, a[((size_t)i * m + j) * (size_t)l + (size_t)k] = b[((size_t)i * m + j) * (size_t)l + (size_t)k] * 3;)
THREE(cube_planes, long, a[(i * l + k) * m + j] = b[(i * m + j) * l + k];)
static void vla_gpu(int n, int m, int l, const int *b, int *a) {
  int (*to)[m] = (int (*)[m])a; const int (*of)[l] = (const int (*)[l])b;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: to[:n]) map(to: of[:n])
  LOOPS(int, n, m) to[i][j] = of[i][j];
}
static void vla_seq(int n, int m, int l, const int *b, int *a) { LOOPS(int, n, m) a[i * m + j] = b[i * l + j]; }
static void fixed_gpu(int n, int m, int l, const int *b, int *a) {
  int (*to)[20] = (int (*)[20])a; const int (*of)[32] = (const int (*)[32])b;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: to[:n]) map(to: of[:n])
  for (int i = 0; i < n; i++) for (int j = 0; j < 20; j++) to[i][j] = of[i][j];
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: to[:n]) map(to: of[:n])
  for (int i = 0; i < n; i++) for (int j = 0; j < 32; j++) if (j == 31) to[i][11] += of[i][j];
}
static void fixed_seq(int n, int m, int l, const int *b, int *a) {
  for (int i = 0; i < n; i++) for (int j = 0; j < 20; j++) a[i * 20 + j] = b[i * 32 + j];
  for (int i = 0; i < n; i++) a[i * 20 + 11] += b[i * 32 + 31];
}
#define RUN(NAME) NAME##_gpu(n, m, l, from, device); NAME##_seq(n, m, l, from, wanted); check(#NAME, n, m, l);
int main(void) {
  static const int sizes[][3] = {{0, 5, 6}, {1, 1, 1}, {3, 7, 7}, {7, 3, 5}, {31, 33, 33}, {33, 31, 40}, {64, 16, 16}, {37, 41, 17}, {130, 20, 20}, {1, 250, 251}, {500, 1, 2}};
  for (int i = 0; i < MAX; i++) from[i] = i * 7 % 1009;
  fill(device); fill(wanted);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int n = sizes[s][0], m = sizes[s][1], l = sizes[s][2];
    RUN(whole_int) RUN(whole_unsigned) RUN(whole_size) RUN(whole_long) RUN(whole_wide)
    RUN(transposed) RUN(backward) RUN(twice) RUN(digits) RUN(guarded) RUN(inner)
    RUN(cube_int) RUN(cube_size) RUN(cube_wide) RUN(cube_planes) RUN(fixed)
    if (n > 2 && m > 2) { RUN(inside) }
    if (l >= m) { RUN(leading) if (m) { RUN(vla) } }
  }
  puts(bad ? "RESULT BAD" : "RESULT ok");
  return bad != 0;
}
