/*===- cells.h - Arrays of cells, beside what they are to be --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Programs fill B from A on the device, Want from A on the host, and compare.
|*
\*===----------------------------------------------------------------------===*/

extern int printf(const char *, ...);

enum { Most = 1 << 19 };
static float A[Most], B[Most], Want[Most];
static int Wrong;

/** Of n x k and k x m numbers, which lie in A one behind the other. */
#define PRODUCT(TO)                                                            \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++) {                                              \
      float s = 0;                                                             \
      for (int t = 0; t < k; t++)                                              \
        s += A[i * k + t] * A[n * k + t * m + j];                              \
      TO[i * m + j] = s;                                                       \
    }

static void begin(void) {
  for (int i = 0; i < Most; i++) {
    A[i] = i % 1000;
    B[i] = Want[i] = -1;
  }
}

static void check(const char *What, int n, int m) {
  int Bad = 0;
  for (int i = 0; i < Most; i++) {
    Bad += B[i] != Want[i];
    B[i] = Want[i] = -1;
  }
  if (Bad)
    printf("%s %d x %d: %d wrong\n", What, n, m, Bad);
  Wrong += Bad != 0;
}

/** What main returns. */
static int verdict(void) {
  printf(Wrong ? "wrong\n" : "right\n");
  return Wrong != 0;
}
