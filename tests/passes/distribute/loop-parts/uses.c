// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose loops the program does not distribute: which of their arguments
// they only read, and which they write. A kernel that writes what nobody sees
// has no table.
//
// RUN: %gpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O2 -emit-llvm %s | %tables | FileCheck %s
// RUN: %cpu -O0 -emit-llvm %s | FileCheck %s --check-prefix=CHECK-PLAIN
// CHECK-PLAIN-NOT: _accx_parts

#pragma omp declare target
static int calls;
void elsewhere(float *);
#pragma omp end declare target

struct five {
  float a, b, c, d, e;
};

// The struct is an argument like the arrays.
// CHECK: axpy: no loop reads [2, 3, 4] writes [2]{{$}}
void axpy(int n, const float *x, float *y, struct five p) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n], y[ : n])
  for (int i = 0; i < n; i++)
    y[i] += x[i] * p.a + p.e;
}
// Neither read nor written.
// CHECK: given: no loop reads [2] writes []{{$}}
void given(int n, const float *x, float *y) {
#pragma omp target map(tofrom : x[ : n], y[ : n])
  {
    float s = 0;
    for (int i = 0; i < n; i++)
      s += x[i];
    if (s != s)
      __builtin_trap();
    (void)y;
  }
}
// Sequential parts, and threads that get what they share.
// CHECK: generic: no loop reads {{.*}} writes [3]{{$}}
void generic(int n, const float *x, float *y) {
#pragma omp target teams map(tofrom : x[ : n], y[ : n])
#pragma omp distribute
  for (int i = 0; i < n; i++) {
    float s = x[i];
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < n; j++)
      s += x[j];
    y[i] = s;
  }
}
// CHECK: all_written: no loop reads [] writes [2]
void all_written(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] = i;
}
// CHECK-NOT: {{^}}global
void global(int n, const float *x, int *y) {
#pragma omp target map(tofrom : x[ : n], y[ : n])
  calls += x[0] > 0;
}
// CHECK-NOT: {{^}}unknown
void unknown(int n, float *x, float *y) {
#pragma omp target map(tofrom : x[ : n], y[ : n])
  elsewhere(x);
}
// CHECK-NOT: {{^}}loaded
void loaded(int n, const float *x, float **y) {
#pragma omp target map(tofrom : x[ : n], y[ : n])
  y[0][0] = x[0];
}
