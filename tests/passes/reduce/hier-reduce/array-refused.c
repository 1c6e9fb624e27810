// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that stay with each thread, and why.
//
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s
// RUN: %device %s | %hier-reduce -accx-deterministic-reductions 2>&1 | FileCheck %s --check-prefix=CHECK-INORDER
// RUN: %device %s | %hier-reduce -accx-reduce-shared=16000 2>&1 | FileCheck %s --check-prefix=CHECK-SCARCE

#define FOR(REST) _Pragma(#REST) for (int i = 0; i < n; i++)
void use(long *);

// CHECK: each thread has a copy of [9 x i64] of its own: an element is read for more than to combine it
void read_(int n, long *y, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9])) {
    s[i % 9] += i;
    y[i] = s[4];
  }
}

// What goes into an element may come from another one only as a number.
// CHECK: each thread has a copy of [9 x i64] of its own: an element is read for more than to combine it
void passed(int n, long *y, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9])) {
    long t = s[i % 9] + 1;
    s[i % 9] = t;
    s[3] += t;
  }
}

// Another element may be the same one.
// CHECK: each thread has a copy of [9 x i64] of its own: an element is set to what is not combined with it
void between(int n, long *y, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9])) {
    long t = s[i % 9];
    s[i % 7] += 2;
    s[i % 9] = t + 1;
  }
}

// CHECK: each thread has a copy of [9 x i64] of its own: an element is set to what is not combined with it
void set(int n, long *y, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9]))
  s[i % 9] = i;
}

// CHECK: each thread has a copy of [9 x i64] of its own: an element is set to what is not combined with it
void other(int n, long *y, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9]))
  s[i % 9] ^= i;
}

// CHECK: each thread has a copy of [9 x i64] of its own: its address is used for more than its elements
void escapes(int n, long *y, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9]))
  use(&s[i % 9]);
}

// CHECK: each thread has a copy of [9 x i64] of its own: atomics of shared memory lack its operator
void product(int n, long *y, long s[9]) {
  FOR(omp target teams distribute parallel for reduction(* : s[ : 9]))
  s[i % 9] *= y[i];
}

// CHECK: each thread has a copy of [9 x i16] of its own: its elements are no numbers of 32 or 64 bits
void narrow(int n, short *y, short s[9]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 9]))
  s[i % 9] += y[i];
}

// CHECK: each thread has a copy of [8 x i64] of its own: its subscripts are known, and so it becomes registers
void known(int n, const long *y, long s[8]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 8])) {
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 4; k++)
        s[j * 4 + k] += y[i] * j;
    s[7]++;
  }
}

// CHECK: a block reduces [8 x i64] in shared memory
void halfknown(int n, const long *y, long s[8]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 8])) {
    for (int j = 0; j < 2; j++)
      s[j * 4 + i % 4] += y[i] * j;
    s[7]++;
  }
}

// CHECK: each thread has a copy of [20000 x i32] of its own: it does not fit shared memory
void large(int n, const int *y, int s[20000]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 20000]))
  s[y[i]]++;
}

// CHECK: a block reduces [900 x double] in shared memory, in 2 copies
// CHECK-INORDER: each thread has a copy of [900 x double] of its own: atomics would add its numbers in any order
// CHECK-SCARCE: each thread has a copy of [900 x double] of its own: it does not fit shared memory
void rounds(int n, const int *y, double s[900]) {
  FOR(omp target teams distribute parallel for reduction(+ : s[ : 900]))
  s[y[i]] += 0.1;
}
