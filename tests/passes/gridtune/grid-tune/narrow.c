// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Digits of 64 bits are counted in 32 where there are fewer than 2^31
// iterations: in a loop of its own, before which is asked.
//
// RUN: %device %s | %tuned -accx-grid-single=0 2>&1 | FileCheck %s
// RUN: %device %s | opt -load-pass-plugin=%accx_plugin -accx-grid-loop \
// RUN:   -accx-grid-narrow=0 -accx-grid-single=0 '-passes=default<O2>' -S -o - \
// RUN:   | FileCheck --check-prefix=OFF %s

// CHECK: narrow.c:[[@LINE+2]]:1: a grid-stride loop of fewer than 2^31 iterations counts in 32 bits
void digits(unsigned long n, unsigned long w, unsigned long *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (unsigned long i = 0; i < n; i++)
    y[i] = i / w ^ i % w;
}
// What is known needs no other loop.
// CHECK: narrow.c:[[@LINE+2]]:1: a grid-stride loop of fewer than 2^31 iterations counts in 32 bits
void known(unsigned long w, unsigned long *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : 9999])
  for (unsigned long i = 0; i < 9999; i++)
    y[i] = i / w;
}
// The quotient by n * n is the one by n, divided again: no digit of its own.
void squares(long n, long *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (long i = 0; i < n * n * n; i++)
    y[i] = i % n + i / n % n * 5 + i / (n * n) * 7;
}
// Comparisons, too.
void compared(unsigned long n, unsigned long w, unsigned long m,
              unsigned long *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (unsigned long i = 0; i < n; i++)
    y[i] = i % w < m;
}
// Divisors that fit, and loops inside.
// CHECK-NOT: narrow.c:[[@LINE+1]]
void few(unsigned long n, unsigned *y) {
#pragma omp target teams distribute parallel for map(tofrom : y[ : n])
  for (unsigned long i = 0; i < n; i++)
    y[i] = (unsigned)(i % 1000);
}

// CHECK-LABEL: define {{.*}}digits
// CHECK: %is.narrow = icmp ult i64 %{{.*}}, 2147483648
// CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 2147483647)
// CHECK: udiv i32
// CHECK: phi i32
// CHECK: phi i64 [ %{{.*}}, %{{.*}} ]
// CHECK-LABEL: define {{.*}}known
// CHECK-NOT: is.narrow
// CHECK: udiv i32
// CHECK-NOT: udiv i64
// CHECK-LABEL: define {{.*}}squares
// CHECK: is.narrow
// CHECK-COUNT-4: udiv i32
// CHECK-NOT: udiv i32
// CHECK-LABEL: define {{.*}}compared
// CHECK: %is.narrow
// CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 2147483648)
// CHECK: icmp ult i32
// CHECK-LABEL: define {{.*}}few
// CHECK-NOT: is.narrow
// OFF-NOT: is.narrow
