// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small arrays of a thread whose loops can be unrolled end in registers; those
// with one access whose place is not known keep their loops. Bodies are too
// large for LLVM to unroll by itself.
//
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin '-passes=default<O2>' -verify-each -S -pass-remarks=local-arrays -o %t.ll 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: FileCheck %s < %t.ll
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin -accx-local-arrays=0 '-passes=default<O2>' -S -pass-remarks=local-arrays 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin '-passes=default<O1>' -S -pass-remarks=local-arrays 2>&1 | FileCheck %s --check-prefix=SMALL
// OFF-NOT: in registers
// OFF-COUNT-5: alloca [64 x i8]
// SMALL-NOT: in registers
// clang-format off
#pragma omp begin declare target
double outside(double *);
static inline double much(double x) {
  for (int i = 0; i < 40; ++i)
    x = x * x + 1 / (x + i) + x * 3 - 1 / (x * x + 2);
  return x;
}

// Counters, a table, and an outer loop that stays.
// REMARK: arrays.c:[[#@LINE+13]]:3: loops are unrolled so that an array of 64 bytes is in registers
// CHECK-LABEL: define{{.*}} @counted(
// CHECK-NOT: alloca
// CHECK-LABEL: define
double counted(double *p, int n) {
  const int order[] = {0, 4, 2, 6, 1, 5, 3, 7};
  double a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = p[i];
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 8; ++i)
      a[order[i]] = much(a[7 - i]) + k;
  double s = 0;
  for (int i = 7; i >= 0; --i)
    s = s * 2 + a[i];
  return s;
}

// Two dimensions, and a structure.
// REMARK: loops are unrolled so that an array of 128 bytes is in registers
// CHECK-NOT: alloca
// CHECK-LABEL: @dynamic(
double square(const double *p) {
  struct { double c[4][4]; } a;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      a.c[i][j] = much(p[i + j]);
  double s = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      s = s * 3 + a.c[j][i];
  return s;
}

// A place that is not known.
// REMARK-NOT: in registers
// CHECK: alloca [64 x i8]
// CHECK-LABEL: @length(
double dynamic(const double *p, int n) {
  double a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = much(p[i]);
  return a[n & 7];
}

// A length that is not.
// CHECK: alloca [64 x i8]
// CHECK-LABEL: @given(
double length(const double *p, int n) {
  double a[8], s = 0;
  for (int i = 0; i < n; ++i)
    a[i] = much(p[i]);
  for (int i = 0; i < n; ++i)
    s = s * 2 + a[i];
  return s;
}

// Somebody else has the address.
// CHECK: call {{.*}} @__kmpc_alloc_shared(i64 64)
// CHECK: {{br i1 .*, label}}
// CHECK-LABEL: @asked(
double given(const double *p) {
  double a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = much(p[i]);
  return outside(a);
}

// The program wants the loop.
// CHECK: alloca [64 x i8]
// CHECK-LABEL: @watched(
double asked(const double *p) {
  double a[8], s = 0;
#pragma clang loop unroll(disable)
  for (int i = 0; i < 8; ++i)
    a[i] = much(p[i]);
  for (int i = 0; i < 8; ++i)
    s = s * 2 + a[i];
  return s;
}

// CHECK: alloca [64 x i8]
// CHECK-LABEL: @large(
double watched(const double *p) {
  volatile double a[8];
  double s = 0;
  for (int i = 0; i < 8; ++i)
    a[i] = much(p[i]);
  for (int i = 0; i < 8; ++i)
    s = s * 2 + a[i];
  return s;
}

// More than a thread's registers.
// CHECK: alloca [264 x i8]
double large(const double *p) {
  double a[33], s = 0;
  for (int i = 0; i < 33; ++i)
    a[i] = much(p[i]);
  for (int i = 0; i < 33; ++i)
    s = s * 2 + a[32 - i];
  return s;
}
#pragma omp end declare target
