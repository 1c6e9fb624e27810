// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that constants leave without iterations cannot be reached; it is
// left alone, and so is what else the kernels do.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK-NOT: none
// CHECK: no-iterations.c:[[@LINE+12]]:1: loop of {{.*}}some{{.*}} made a grid-stride loop{{$}}
void none(int n, double *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n])
  for (int i = 5; i < 5; ++i)
    a[i] = 1;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(tofrom : a[ : n])
  for (int i = 0; i < n; ++i)
    for (int j = 3; j < 3; ++j)
      a[i] = 1;
}
void some(int n, double *a) {
#pragma omp target teams distribute parallel for map(tofrom : a[ : n])
  for (int i = 0; i < n; ++i)
    a[i] = 1;
}
