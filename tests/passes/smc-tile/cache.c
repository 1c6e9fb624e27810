// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cache changes no result: reads that may be elsewhere are tested, those that
// are proven inside are not, and what may be written is left alone.
//
// RUN: %device %s | %plan -accx-smc-cache-tests 2>&1 | FileCheck %s
// RUN: %device %s | %plan 2>&1 | FileCheck %s --check-prefix=CHECK-PROVEN

// CHECK-LABEL: inside
// CHECK: 'a': 258 elements of 4 bytes, 3 reads, 0 with a test
void inside(long n, const float *a, float *b) {
#pragma acc parallel loop copyin(a[0 : n]) copyout(b[0 : n])
  for (long i = 1; i < n - 1; ++i) {
#pragma acc cache(a[i - 1 : 3])
    b[i] = a[i - 1] + a[i] + a[i + 1];
  }
}

// CHECK-LABEL: elsewhere
// CHECK-PROVEN: 'a': 258 elements of 4 bytes, 3 reads, 0 with a test
// CHECK-PROVEN: 'a' is not cached: a read may be outside of the range
// CHECK: 'a': 256 elements of 4 bytes, 2 reads, 1 with a test
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
