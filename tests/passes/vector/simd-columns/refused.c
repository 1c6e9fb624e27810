// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over columns that stay as they are, with a remark that names the
// reason, and those that are none, without one.
//
// RUN: %plainclang -O2 -mavx512f -mavx512bw -mavx512vl -mavx512dq -fpass-plugin=%accx_plugin -Rpass='simd-columns|simd-function' -Rpass-missed='simd-columns' -S -emit-llvm %s -o - 2>&1 | FileCheck %s

// CHECK: remark: a loop inside goes down columns: an array that it stores to is also accessed elsewhere
void in_place(double *restrict c, const double *restrict a, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += a[k] * c[k * n + j];
    c[j] = sum;
  }
}

// CHECK: remark: a loop inside goes down columns: a value is carried from one iteration to the next
double total(double *restrict c, const double *restrict b, long n) {
  double all = 0;
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[k * n + j];
    c[j] = sum;
    all += sum;
  }
  return all;
}

// CHECK: remark: a loop inside goes down columns: a value of its last iteration is used behind it
double last(double *restrict c, const double *restrict b, long n) {
  double sum = 0;
  for (long j = 0; j < n; j++) {
    sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[k * n + j];
    c[j] = sum;
  }
  return sum;
}

// CHECK: remark: a loop inside goes down columns: lanes may take different ways
void condition(double *restrict c, const double *restrict b, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      if (b[k * n + j] > 0)
        for (long l = 0; l < n; l++)
          sum += b[k * n + j] * b[l * n + j];
    c[j] = sum;
  }
}

// CHECK: remark: a loop inside goes down columns: it does what vectors cannot
void segment(double __seg_gs *c, const double *b, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[k * n + j];
    c[j] = sum;
  }
}

double other(double);

// CHECK: remark: a loop inside goes down columns: it does what vectors cannot
void call(double *restrict c, const double *restrict b, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += other(b[k * n + j]);
    c[j] = sum;
  }
}

// CHECK: remark: a loop inside goes down columns: it does what vectors cannot
void is_volatile(double *restrict c, const volatile double *b, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[k * n + j];
    c[j] = sum;
  }
}

// Both jump; rows are LLVM's; a triangle's lanes are not equally long; few; the
// program wants no vectors.
// CHECK-NOT: remark:
void disabled(double *restrict c, const double *restrict b, long n) {
#pragma clang loop vectorize(disable)
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[k * n + j];
    c[j] = sum;
  }
}

void both(double *restrict c, const double *restrict b, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[k * n + 2 * j];
    c[j] = sum;
  }
}

void rows(double *restrict c, const double *restrict b, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[j * n + k];
    c[j] = sum;
  }
}

void triangle(double *restrict c, const double *restrict b, long n) {
  for (long j = 0; j < n; j++) {
    double sum = 0;
    for (long k = 0; k < j; k++)
      sum += b[k * n + j];
    c[j] = sum;
  }
}

void few(double *restrict c, const double *restrict b, long n) {
  for (long j = 0; j < 6; j++) {
    double sum = 0;
    for (long k = 0; k < n; k++)
      sum += b[k * 6 + j];
    c[j] = sum;
  }
}

// CHECK: remark: a loop inside goes down columns: too many pairs of its arrays may overlap
void many(double *c, double *d, double *e, const double *a, const double *b,
          const double *f, long n) {
  for (long j = 0; j < n; j++) {
    double s = 0;
    for (long k = 0; k < n; k++)
      s += b[k * n + j] * a[k * n + j] + f[k];
    c[j] = s;
    d[j] = s + 1;
    e[j] = s + 2;
  }
}
