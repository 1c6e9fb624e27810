// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arrays each iteration reads through, from the same begin to the same
// end, so that parts of the loop may read copies.
//
// RUN: %gpu -O2 -c %s -o /dev/null -Rpass=accx-distribute 2>&1 \
// RUN:   | grep through | FileCheck %s --implicit-check-not=through
// RUN: %cpu -O2 -c %s -o /dev/null -Rpass=accx-distribute 2>&1 \
// RUN:   | grep through | FileCheck %s --implicit-check-not=through

#define LOOP                                                                   \
  _Pragma("accx distribute devices(0, 1)")                                     \
      _Pragma("omp target teams distribute parallel for")

// Tiles are loops in loops.
void vector(int n, const float *a, const float *x, float *y) {
  LOOP for (int i = 0; i < n; i++) {
    float s = 0;
    for (int t = 0; t < n; t += 64)
      for (int j = t; j < t + 64; j++)
        // CHECK: walks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: each iteration of the distributed loop reads through this
        s += a[(long)i * n + j] * x[j];
    y[i] = s;
  }
}

// What is read depends on the iteration, on memory, or may change.
void others(int n, const int *start, const int *column, const float *x,
            const volatile float *v, float *y) {
  LOOP for (int i = 0; i < n; i++) {
    float s = x[0];
    for (int j = start[i]; j < start[i + 1]; j++)
      s += x[column[j]];
    for (int j = 0; j < n; j++)
      s += v[j];
    for (int j = i; j < n; j++)
      s += x[j];
    y[i] = s;
  }
}

// The address is more than the way to the memory.
void shown(int n, const float *x, const float *z, const float **where,
           long *number, float *y) {
  LOOP for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += x[j] + z[j];
    where[i] = &x[i];
    number[i] = (long)&z[i];
    y[i] = s;
  }
}

// Only to be read from, as far as the kernel goes; the runtime looks at who
// else writes it.
void both(int n, float *x, float *y) {
  LOOP for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      // CHECK: walks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: each iteration of the distributed loop reads through this
      s += x[j];
    y[i] = s + (x == 0);
  }
}

void compared(int n, float *x, float *z, float *y) {
  LOOP for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += x[j];
    y[i] = s + (x == z);
  }
}

// Of what the loop writes there is one.
void written(int n, float *x) {
  LOOP for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += x[j];
    x[i] = s;
  }
}
