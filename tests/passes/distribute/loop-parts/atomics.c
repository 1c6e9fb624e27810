// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of distributed loops have the scope of the system on GPUs,
// those of other loops stay as they are.
//
// RUN: %gpu -O2 %s | FileCheck %s
// RUN: %gpu -O2 -emit-llvm %s | %tables | FileCheck %s --check-prefix=TABLE
//
// CHECK: .entry {{.*}}_updates_
// CHECK-DAG: red.sys.add.u32
// CHECK-DAG: red.sys.add.f64
// CHECK-DAG: atom.sys.add.u64
// CHECK-DAG: red.sys.max.s32
// CHECK-DAG: atom.sys.exch.b32
// CHECK: .entry {{.*}}_product_
// CHECK: atom.sys.cas.b64
// CHECK: .entry {{.*}}_alone_
// CHECK-NOT: .sys.
// CHECK: red.global.add
//
// One that has no such form keeps the loop on one device.
// TABLE: updates: {{.*}} writes [5, 6, 7, 8]{{$}}
// TABLE: product:
// TABLE: bytes: {{.*}} writes-unknown

void updates(int n, int *a, double *b, long *c, int *d) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(a[ : n], b[ : n],         \
                                                         c[ : n], d[ : n])
  for (int i = 0; i < n; i++) {
    long old;
    int was;
#pragma omp atomic
    a[i & 3] += 1;
#pragma omp atomic
    b[i & 3] += 0.5;
#pragma omp atomic capture
    old = c[0]++;
    __c11_atomic_fetch_max((_Atomic int *)d, i, 0);
    was = __c11_atomic_exchange((_Atomic int *)d + 1, i, 0);
    c[i + 1] = old + was;
  }
}

void product(int n, double *a) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    a[i & 3] *= 1.5;
  }
}

void alone(int n, int *a) {
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    a[i & 3] += 1;
  }
}

void bytes(int n, unsigned char *a) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for map(a[ : n])
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    a[i & 3] += 1;
  }
}
