// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that devices share: each part by itself, by the second kernel where it
// covers the part's iterations.
//
// RUN: %simt %s %t -fopenacc
// RUN: env SIMT_TRACE=1 %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK-DAG: plane_l{{.*}} all at once
// CHECK-DAG: wide_l{{.*}} all at once
// CHECK-DAG: space_l{{.*}} all at once
// CHECK-DAG: back_l{{.*}} all at once
// CHECK-DAG: turned_l{{.*}} all at once
// CHECK-DAG: strips_l{{.*}} all at once
// CHECK: right
#include "Inputs/cells.h"

// clang-format off
#define DISTRIBUTE _Pragma("accx distribute devices(0, 1)")
#define SHARED DISTRIBUTE _Pragma("omp target teams distribute parallel for collapse(2) map(to : A) map(tofrom : B)")
#define SHARED3 DISTRIBUTE _Pragma("omp target teams distribute parallel for collapse(3) map(to : A) map(tofrom : B)")
// clang-format on

#define PLANE(TO)                                                              \
  for (int i = 1; i < n - 1; i++)                                              \
    for (int j = 1; j < m - 1; j++)                                            \
      TO[i * m + j] = A[(i - 1) * m + j] + A[i * m + j - 1] +                  \
                      A[i * m + j + 1] + A[(i + 1) * m + j];
#define BACK(TO)                                                               \
  for (long i = n - 2; i >= 1; i -= 2)                                         \
    for (int j = 1; j < m - 1; j++)                                            \
      TO[i * m + j] = A[(i - 1) * m + j] - A[(i + 1) * m + j];
#define TURNED(TO)                                                             \
  for (int i = 0; i < n; i++)                                                  \
    for (int j = 0; j < m; j++)                                                \
      TO[i * m + j] = A[j * n + i];
#define SPACE(TO)                                                              \
  for (int h = 0; h < 7; h++)                                                  \
    for (int i = 1; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        TO[(h * n + i) * m + j] =                                              \
            A[(h * n + i) * m + j] - A[(h * n + i - 1) * m + j];

static void plane(int n, int m) { SHARED PLANE(B) }
static void back(int n, int m) { SHARED BACK(B) }
static void turned(int n, int m) { SHARED TURNED(B) }
static void strips(int n, int m, int k) { SHARED PRODUCT(B) }
static void space(int n, int m) { SHARED3 SPACE(B) }
static void wide(const float *From, float *To, int n, int m) {
  const unsigned long All = (unsigned long)n * m;
#pragma accx distribute
#pragma acc parallel loop collapse(2) present(From[0 : All], To[0 : All])
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < m - 1; ++j) {
      const unsigned long X = (unsigned long)i * m + j;
      To[X] = From[X - m] + From[X - 1] + From[X + 1] + From[X + m];
    }
}

int main(void) {
  begin();
  for (int s = 0; s < 5; s++) {
    const int n = 130 + 37 * s, m = 962 - 121 * s;
    plane(n, m);
    PLANE(Want)
    check("plane", n, m);
    wide(A, B, n, m);
    PLANE(Want)
    check("wide", n, m);
    back(n, m);
    BACK(Want)
    check("back", n, m);
    turned(n, m);
    TURNED(Want)
    check("turned", n, m);
    {
      // From 33 blocks of 64 columns on there are strips.
      const int n = 15 + s, m = 1984 + 67 * s, k = 5;
      strips(n, m, k);
      PRODUCT(Want)
      check("strips", n, m);
    }
    {
      const int n = 50 + 3 * s, m = 256 + 10 * s;
      space(n, m);
      SPACE(Want)
      check("space", n, m);
    }
  }
  return verdict();
}
