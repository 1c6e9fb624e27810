// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenARC's directives on processors, against loops without them: all forms of
// nests, on every device of 1, 2 and 4.
//
// RUN: %accxcc --accx-targets=host -O2 -Wall -Werror -Wno-unused-but-set-variable %s -o %t
// RUN: env ACCX_HOST_DEVICES=1 OMP_TARGET_OFFLOAD=MANDATORY %t
// RUN: env ACCX_HOST_DEVICES=2 OMP_TARGET_OFFLOAD=MANDATORY %t
// RUN: env ACCX_HOST_DEVICES=4 OMP_TARGET_OFFLOAD=MANDATORY %t
// RUN: %accxcc --accx-targets=host -O0 %s -o %t.0
// RUN: env ACCX_HOST_DEVICES=1 OMP_TARGET_OFFLOAD=MANDATORY %t.0

#ifndef ONE_DEVICE
#include <openacc.h>
#endif
#include <stdio.h>
#include <string.h>

#define WIDTH 48
#define MAX 4000

static int a[MAX], b[MAX], want[MAX], bad;

static void fill(void) {
  for (int i = 0; i < MAX; ++i) {
    a[i] = i * 7 % 101;
    b[i] = want[i] = -1;
  }
}

static void check(const char *what, int n) {
  if (!memcmp(b, want, sizeof b))
    return;
  ++bad;
  for (int i = 0; i < MAX; ++i)
    if (b[i] != want[i]) {
      printf("%s, %d gangs: b[%d] is %d, not %d\n", what, n, i, b[i], want[i]);
      return;
    }
}

// A block reversed by its memory; `continue` behind the barrier.
static void reverse(int n) {
  fill();
#pragma acc parallel loop gang copyin(a) copy(b)
  for (int g = 0; g < n; ++g) {
    int s[WIDTH];
#pragma acc loop worker
    for (int i = 0; i < WIDTH; ++i) {
      s[i] = a[g * WIDTH + i];
#pragma acc barrier
      if (i % 5 == 4)
        continue;
      b[g * WIDTH + i] = s[WIDTH - 1 - i] * 2;
    }
  }
  for (int i = 0; i < n * WIDTH; ++i)
    if (i % WIDTH % 5 != 4)
      want[i] = a[i / WIDTH * WIDTH + WIDTH - 1 - i % WIDTH] * 2;
  check("reverse", n);
}

// Barriers in a sequential loop: prefix sums.
static void scan(int n) {
  fill();
#pragma acc parallel loop gang copyin(a) copy(b)
#pragma openarc cuda sharedRW(s)
  for (int g = 0; g < n; ++g) {
    int s[2][64];
#pragma acc loop vector
    for (int i = 0; i < 64; ++i) {
      int from = 0;
      s[0][i] = a[g * 64 + i];
#pragma acc barrier vector
      for (int step = 1; step < 64; step *= 2) {
        s[1 - from][i] = s[from][i] + (i >= step ? s[from][i - step] : 0);
        from = 1 - from;
#pragma acc barrier
      }
      b[g * 64 + i] = s[from][i];
    }
  }
  for (int g = 0; g < n; ++g)
    for (int i = 0, sum = 0; i < 64; ++i)
      want[g * 64 + i] = sum += a[g * 64 + i];
  check("scan", n);
}

// Two and two dimensions, from both ends, with steps, variables from outside.
static void transpose(int n) {
  int by, ty;
  fill();
#pragma acc parallel loop gang copyin(a) copy(b)
  for (by = n - 1; by >= 0; by--)
#pragma acc loop gang
    for (int bx = 0; bx < 4 * n; bx += 4) {
      int s[4][6];
#pragma acc loop worker
      for (ty = 3; ty > -1; --ty)
#pragma acc loop vector
        for (int tx = 1; tx <= 11; tx += 2) {
          s[ty][tx / 2] = a[(by * n + bx / 4) * 24 + ty * 6 + tx / 2];
#pragma acc barrier
          b[(by * n + bx / 4) * 24 + tx / 2 * 4 + ty] =
              s[ty][tx / 2] + s[3 - ty][5 - tx / 2];
        }
    }
  for (int g = 0; g < n * n; ++g)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 6; ++j)
        want[g * 24 + j * 4 + i] =
            a[g * 24 + i * 6 + j] + a[g * 24 + (3 - i) * 6 + 5 - j];
  check("transpose", n);
}

// Worker loops of several sizes, the gang's own code between them, loops of the
// gang around them, a scalar of the gang.
static void braided(int n) {
  fill();
#pragma acc parallel loop gang copyin(a) copy(b)
#pragma openarc cuda sharedRW(s)
  for (int g = 0; g < n; ++g) {
    int s[WIDTH], total;
    const int base = g * WIDTH;
    total = 0;
#pragma acc loop worker
    for (int i = 0; i < WIDTH; ++i)
      s[i] = a[base + i];
    for (int half = WIDTH / 2; half > 2; half /= 2) {
#pragma acc loop worker
      for (int i = 0; i < half; ++i)
        s[i] += s[i + half];
    }
    for (int i = 0; i < 3; ++i)
      s[3] += s[i];
    if (base % 2 == 0) {
#pragma acc loop worker
      for (int i = 0; i < WIDTH; ++i)
        if (i == 7)
          total += s[3];
    }
#pragma acc loop worker
    for (int i = 0; i < 5; ++i)
      b[base + i] = total + s[i % 3];
    b[base + 9] = total;
  }
  for (int g = 0; g < n; ++g) {
    int s[WIDTH], *to = want + g * WIDTH;
    memcpy(s, a + g * WIDTH, sizeof s);
    for (int half = WIDTH / 2; half > 2; half /= 2)
      for (int i = 0; i < half; ++i)
        s[i] += s[i + half];
    s[3] += s[0] + s[1] + s[2];
    for (int i = 0; i < 5; ++i)
      to[i] = s[3] + s[i % 3];
    to[9] = s[3];
  }
  check("braided", n);
}

// The kernel is split twice; blocks in some of its parts.
static void split(int n) {
  static int c[MAX];
  fill();
#pragma acc parallel loop gang copyin(a) copy(b) create(c)
  for (int g = 0; g < n; ++g) {
    c[g] = a[g] + 1;
#pragma acc barrier
    int s[32];
#pragma acc loop worker
    for (int i = 0; i < 32; ++i) {
      s[i] = c[(g + i) % n];
#pragma acc barrier
      b[g * 32 + i] = s[31 - i];
    }
#pragma acc barrier gang
    c[g] = b[(n - 1 - g) * 32];
#pragma acc barrier
    b[n * 32 + g] = c[n - 1 - g];
  }
  for (int g = 0; g < n; ++g) {
    for (int i = 0; i < 32; ++i)
      want[g * 32 + i] = a[(g + 31 - i) % n] + 1;
    want[n * 32 + g] = want[g * 32];
  }
  check("split", n);
}

// Variables that each worker has: registers, private ones, unshared arrays.
static void own(int n) {
  int mine;
  fill();
#pragma acc parallel loop gang copyin(a) copy(b) num_workers(4) vector_length(8)
#pragma openarc cuda registerRW(r) sharedRW(first) noconstant(a)
  for (int g = 0; g < n; ++g) {
    int r[3], first, last;
#pragma acc loop worker private(mine)
    for (int i = 0; i < 32; ++i) {
      for (int k = 0; k < 3; ++k)
        r[k] = a[g * 32 + i] + k;
      mine = r[2];
      last = i;
      if (i == 5)
        first = mine;
#pragma acc barrier
      b[g * 32 + i] = r[0] + r[1] + mine + first + last;
    }
  }
  for (int i = 0; i < n * 32; ++i)
    want[i] = 3 * a[i] + 3 + a[i / 32 * 32 + 5] + 2 + i % 32;
  check("own", n);
}

// Loops of one level without any barrier.
static void grid(int n) {
  fill();
#pragma acc parallel loop gang copyin(a) copy(b)
  for (int i = 0; i < n; ++i)
#pragma acc loop gang
    for (int j = 0; j < n; ++j)
#pragma acc loop worker
      for (int k = 0; k < n; ++k)
#pragma acc loop worker
        for (int l = 0; l < 2; ++l)
          b[((i * n + j) * n + k) * 2 + l] = a[i + j + k] + l;
  for (int i = 0; i < n * n * n * 2; ++i)
    want[i] = a[i / 2 / n / n + i / 2 / n % n + i / 2 % n] + i % 2;
  check("grid", n);
}

int main(void) {
#ifdef ONE_DEVICE
  const int devices = 1;
#else
  const int devices = acc_get_num_devices(acc_get_device_type());
#endif
  for (int d = 0; d < devices; ++d) {
#ifndef ONE_DEVICE
    acc_set_device_num(d, acc_get_device_type());
#endif
    for (int n = 0; n < 9; n += n < 2 ? 1 : 3) {
      reverse(n);
      scan(n);
      transpose(n);
      braided(n);
      if (n)
        split(n);
      own(n);
      grid(n);
    }
  }
  return bad != 0;
}
