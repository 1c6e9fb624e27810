// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What distributed loops write besides spread arrays: each of these runs whole,
// or is right in parts.

// RUN: %accxcc -O2 %s -o %t -lm
// RUN: env ACCX_HOST_DEVICES=1 %run %t
// RUN: env ACCX_HOST_DEVICES=3 %run %t 2>&1 | FileCheck %s
// RUN: %accxcc -O0 %s -o %t.O0 -lm
// RUN: env ACCX_HOST_DEVICES=2 %run %t.O0

// CHECK-DAG: it writes 'C[0:N]', which is not spread
// CHECK-DAG: it may write what the compiler does not see
// CHECK-DAG: it writes 'v.p[0:N]', which is not spread
// CHECK-DAG: 'rows' is present on some of the devices only
// CHECK-DAG: it writes 'found', of which each device would have its own: name it in a reduction
// CHECK: 0 bad

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 5000 };
float G[N];
int count;
#pragma omp declare target
__attribute__((noinline)) void put(float *p, int i, float v) { p[i] = v; }
float T[N];
#pragma omp declare target(G)
__attribute__((noinline)) void putG(int i, float v) { T[i] = v; }
struct V {
  float *p;
  int n;
};
#pragma omp end declare target
static float *A, *B, *C;
static int bad;
static void reset(void) {
  for (int i = 0; i < N; ++i) {
    A[i] = i;
    B[i] = 2 * i;
    C[i] = 3 * i;
  }
}
static void check(const char *w, float fa(int), float fb(int), float fc(int)) {
  int k = 0;
  for (int i = 0; i < N; ++i)
    k += A[i] != fa(i) || B[i] != fb(i) || C[i] != fc(i);
  if (k)
    printf("%s: %d wrong, A0 %g B0 %g C0 %g Cn %g\n", w, k, A[0], B[0], C[0],
           C[N - 1]);
  bad += k;
}
static float a0(int i) { return i; }
static float b0(int i) { return 2 * i; }
static float c0(int i) { return 3 * i; }
static float m1(int i) { return -1 - i; }
static float cEven(int i) { return i & 1 ? m1(i) : c0(i); }
static float aEven(int i) { return i & 1 ? a0(i) : m1(i); }
int main(void) {
  A = malloc(N * 4);
  B = malloc(N * 4);
  C = malloc(N * 4);
#define SP _Pragma("accx spread(A[0:N],B[0:N]) devices(all)")
#define D _Pragma("accx distribute")
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for map(tofrom : C[0 : N])
        for (int i = 0; i < N; ++i) {
      float *p[2] = {A, C};
      p[i & 1][i] = -1 - i;
    }
  }
  check("local table", aEven, b0, cEven);
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for map(tofrom : C[0 : N])
        for (int i = 0; i < N; ++i) {
      float *p = A;
      if (i & 1)
        p = C;
      p[i] = -1 - i;
    }
  }
  check("select", aEven, b0, cEven);
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for map(tofrom : C[0 : N])
        for (int i = 0; i < N; ++i) put(C, i, -1 - i);
  }
  check("noinline", a0, b0, m1);
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i) put(A, i, -1 - i);
  }
  check("noinline spread", m1, b0, c0);
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i) putG(i, -1 - i);
#pragma omp target update from(T)
  }
  memcpy(C, T, sizeof T);
  check("global by call", a0, b0, m1);
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; ++i) G[i] = -1 - i;
#pragma omp target update from(G)
  }
  memcpy(C, G, sizeof G);
  check("global", a0, b0, m1);
  reset();
  {
    struct V v = {C, N};
    SP {
      D
#pragma omp target teams distribute parallel for map(tofrom : v.p[0 : N])
          for (int i = 0; i < N; ++i) v.p[i] = -1 - i;
    }
  }
  check("member not spread", a0, b0, m1);
  reset();
  {
    struct V v = {A, N};
    SP {
      D
#pragma omp target teams distribute parallel for map(to : v)                   \
    map(tofrom : v.p[0 : N])
          for (int i = 0; i < v.n; ++i) v.p[i] = -1 - i;
    }
  }
  check("member spread", m1, b0, c0);
  reset();
  {
    struct V v = {C, N};
#pragma omp target enter data map(to : v) map(to : v.p[0 : N])
    SP {
      D
#pragma omp target teams distribute parallel for
          for (int i = 0; i < N; ++i) v.p[i] = -1 - i;
    }
#pragma omp target exit data map(from : v.p[0 : N]) map(delete : v)
  }
  check("member mapped before", a0, b0, m1);
  reset();
  {
    float *rows[2] = {A, C};
#pragma omp target enter data map(to : rows)
#pragma omp target enter data map(to : C[0 : N])
    SP {
      for (int k = 0; k < 2; ++k) {
        float *r = rows[k];
#pragma omp target map(to : r[0 : 0])
        rows[k] = r;
      }
      D
#pragma omp target teams distribute parallel for
          for (int i = 0; i < N; ++i) rows[i & 1][i] = -1 - i;
    }
#pragma omp target exit data map(from : C[0 : N]) map(delete : rows)
  }
  check("rows", aEven, b0, cEven);
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for map(tofrom : C[0 : N])
        for (int i = 0; i < N; ++i) {
      float t = -1 - i;
      memcpy(&C[i], &t, 4);
    }
  }
  check("memcpy", a0, b0, m1);
  reset();
  SP {
    D
#pragma omp target teams distribute parallel for map(tofrom : C[0 : N])
        for (int i = 0; i < N; ++i) {
#pragma omp atomic write
      C[i] = -1 - i;
    }
  }
  check("atomic", a0, b0, m1);
  reset();
  {
    int found = -1;
    SP {
      D
#pragma omp target teams distribute parallel for map(tofrom : found)
          for (int i = 0; i < N; ++i) if (A[i] == 4321) found = i;
    }
    if (found != 4321) {
      printf("found %d\n", found);
      bad++;
    }
  }
  reset();
  {
    float priv[4] = {1, 2, 3, 4};
    SP {
      D
#pragma omp target teams distribute parallel for firstprivate(priv)
          for (int i = 0; i < N; ++i) {
        priv[i & 3] += 0;
        A[i] = -priv[0] - i;
      }
    }
    check("firstprivate array", m1, b0, c0);
  }
  reset();
  SP {
    float *q = A + 100;
    D
#pragma omp target teams distribute parallel for
        for (int i = -100; i < N - 100; ++i) q[i] = -1 - (i + 100);
  }
  check("offset pointer", m1, b0, c0);
  printf("%d bad\n", bad);
  return bad != 0;
}
