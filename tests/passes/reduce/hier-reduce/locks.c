// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on processors whose atomics would be calls of libatomic, which is
// not linked, take the team's lock; others stay.
//
// RUN: %plainclang -O2 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu --offload-device-only -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %lock-reductions %t.ll -o - | FileCheck %s
// RUN: %host %s -o %t && %t | FileCheck %s --check-prefix=CHECK-OUT
// RUN: %host -O0 -g %s -o %t && %t | FileCheck %s --check-prefix=CHECK-OUT
#include <complex.h>
#include <stdio.h>

// libomp's ident_t with and without its flag for atomics (16).
// CHECK-DAG: @[[ATOMICS:[0-9]+]] = private {{.*}}%struct.ident_t { i32 0, i32 18,
// CHECK-DAG: @accx.lock = private {{.*}}%struct.ident_t { i32 0, i32 2,
// CHECK-NOT: call {{.*}}@__atomic_

// CHECK-LABEL: define {{.*}}complexes{{.*}}omp_outlined.omp_outlined(
// CHECK: %[[WAY:[0-9]+]] = call i32 @__kmpc_reduce_nowait(ptr @accx.lock{{[.0-9]*}},
// CHECK-NEXT: icmp eq i32 %[[WAY]], 1
// CHECK-NEXT: br i1
double _Complex complexes(int n) {
  double _Complex s = 0;
  long double least = 1;
  int count = 0;
#pragma omp target teams distribute parallel for map(tofrom : s, count, least) \
    reduction(+ : s, count) reduction(min : least)
  for (int i = 0; i < n; i++) {
    s += i + 2 * i * I;
    count++;
    if (least > -i)
      least = -i;
  }
  return count == n && least == 1 - n ? s : 0;
}

// CHECK-LABEL: define {{.*}}longs{{.*}}omp_outlined.omp_outlined(
// CHECK: call i32 @__kmpc_reduce_nowait(ptr @[[ATOMICS]],
// CHECK: atomicrmw add
long longs(int n) {
  long s = 0;
#pragma omp target teams distribute parallel for map(tofrom : s)               \
    reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += i;
  return s;
}

int main(void) {
  double _Complex s = complexes(1000), host = 0;
#pragma omp parallel for reduction(+ : host)
  for (int i = 0; i < 1000; i++)
    host += i - i * I;
  // CHECK-OUT: 499500 999000 499500 -499500 499500
  printf("%g %g %g %g %ld\n", creal(s), cimag(s), creal(host), cimag(host),
         longs(1000));
}
