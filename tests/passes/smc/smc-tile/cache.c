// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cache changes no result: reads that may be elsewhere are tested, those that
// are proven inside are not, and what may be written is left alone. Loops over
// a tile, its last part too, are proven.
//
// RUN: %device %s | %plan -accx-smc-cache-tests 2>&1 | FileCheck %s
// RUN: %device %s | %plan 2>&1 | FileCheck %s --check-prefix=CHECK-PROVEN

// CHECK-LABEL: inside
// CHECK: 'a': 258 elements of 4 bytes, 3 reads, 0 tests
void inside(long n, const float *a, float *b) {
#pragma acc parallel loop copyin(a[0 : n]) copyout(b[0 : n])
  for (long i = 1; i < n - 1; ++i) {
#pragma acc cache(a[i - 1 : 3])
    b[i] = a[i - 1] + a[i] + a[i + 1];
  }
}

// CHECK-LABEL: elsewhere
// CHECK-PROVEN: 'a': 258 elements of 4 bytes, 3 reads, 0 tests
// CHECK-PROVEN: 'a' is not cached: a read may be outside of the range
// CHECK: 'a': 256 elements of 4 bytes, 2 reads, 1 test
void elsewhere(long n, const int *k, const float *a, float *b) {
#pragma acc parallel loop copyin(a[0 : n], k[0 : n]) copyout(b[0 : n])
  for (long i = 0; i < n; ++i) {
#pragma acc cache(a[i])
    b[i] = a[i] + a[k[i]];
  }
}

// CHECK: 'a' is not cached: the array may be written before it is read
void written(long n, float *a) {
#pragma acc parallel loop copy(a[0 : n])
  for (long i = 0; i < n; ++i) {
#pragma acc cache(a[i : 1])
    a[i * 7 % n] = 1;
    a[i] = a[i] + 1;
  }
}

// CHECK: 'a' is not cached: nothing says how long the array is
void unknown(long n, const float *a, float *b) {
#pragma acc parallel loop present(a, b)
  for (long i = 0; i < n; ++i) {
#pragma acc cache(a[i : 1])
    b[i] = a[i];
  }
}

// CHECK: product
// CHECK-PROVEN: product
// CHECK-PROVEN-NEXT: blocks of 16 x 16
// CHECK-PROVEN-NEXT: 'a': 16 x 16 elements of 4 bytes, 2 reads, 0 tests
// CHECK-PROVEN-NEXT: 'b': 16 x 16 elements of 4 bytes, 2 reads, 0 tests
void product(int n, float (*a)[512], float (*b)[512], float (*c)[512]) {
#pragma acc parallel loop collapse(2) copyin(a[0 : n], b[0 : n])               \
    copyout(c[0 : n])
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < n; l += 16) {
#pragma acc cache(a[i : 1][l : 16], b[l : 16][j : 1])
        if (l + 16 <= n)
          for (int k = 0; k < 16; ++k)
            sum += a[i][l + k] * b[l + k][j];
        else
          for (int k = l; k < n; ++k)
            sum += a[i][k] * b[k][j];
      }
      c[i][j] = sum;
    }
}

// CHECK-PROVEN: least
// CHECK-PROVEN: 'a': 64 elements of 8 bytes, 1 read, 0 tests
void least(int n, const double *a, double *b) {
#pragma acc parallel loop copyin(a[0 : n]) copyout(b[0 : n])
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int l = 0; l < n; l += 64) {
      int end = l + 64 < n ? l + 64 : n;
#pragma acc cache(a[l : 64])
      for (int k = l; k < end; ++k)
        sum += a[k];
    }
    b[i] = sum;
  }
}

// One more than there are, and one in front.
// CHECK-PROVEN: 'a' is not cached: a read may be outside of the range
// CHECK-PROVEN: 'a' is not cached: a read may be outside of the range
void beyond(int n, const double *a, double *b, double *c) {
#pragma acc parallel loop copyin(a[0 : n]) copyout(b[0 : n])
  for (int i = 0; i < n; ++i) {
    double sum = 0;
#pragma acc cache(a[8 : 64])
    for (int k = 8; k <= 72; ++k)
      sum += a[k];
    b[i] = sum;
  }
#pragma acc parallel loop copyin(a[0 : n]) copyout(c[0 : n])
  for (int i = 0; i < n; ++i) {
    double sum = 0;
#pragma acc cache(a[8 : 64])
    for (int k = 8; k < 72; ++k)
      sum += a[k - 1];
    c[i] = sum;
  }
}
