// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --accx-info: one block a loop and target, in the order of the source, with
// all that was done and was not. What no target runs comes first.
// REQUIRES: accx-plugin
//
// RUN: cd %S && %prefix/bin/accxcc --accx-targets=host --accx-info -w -Werror -O2 -c info.c -o %t.o 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// RUN: cd %S && %prefix/bin/accxcc --accx-targets=host --accx-info -O2 -fsyntax-only info.c 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: cd %S && %prefix/bin/accxcc --accx-targets=host --accx-info -O0 -c info.c -o %t.o 2>&1 | FileCheck %s --check-prefix=NOTHING --implicit-check-not=vector

void scale(int n, float *a) {
#pragma acc data copy(a[0 : n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = 2;
#pragma acc kernels
    for (int i = 1; i < n; i++)
      a[i] = a[i - 1] / a[i];
  }
}
void plain(int n, float *a) {
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

//      CHECK:info.c:11: data in scale
// CHECK-NEXT:  + 'data' becomes 'target data' map(ompx_hold, tofrom: a[0 : n]) (accx)
// CHECK-NEXT:info.c:13: parallel loop in scale (host)
// CHECK-NEXT:  + 'parallel loop' becomes 'target teams distribute parallel for' (accx)
// CHECK-NEXT:  - remainder stays scalar: the target has no masked accesses of its types (simd-remainder)
// CHECK-NEXT:  + vectorized loop (vectorization width: 4, interleaved count: 2) (loop-vectorize)
// CHECK-NEXT:  + the kernel starts without a league where it has one team (one-team)
// CHECK-NEXT:  + the region runs on one thread where its work is small (small-regions)
// CHECK-NEXT:  - large arrays are written through the cache: {{.*}} (stream-stores)
// CHECK-NEXT:info.c:16: kernels in scale (host)
// CHECK-NEXT:  + 'kernels' becomes 'target' (accx)
// CHECK-NEXT:info.c:17: loop in scale (host)
// CHECK-NEXT:  - loop runs sequentially: 'a[i]' (line 18) may be the same element in two iterations (accx)
// CHECK-NEXT:  - remainder stays scalar: the target has no masked accesses of its types (simd-remainder)
// CHECK-NEXT:  - loop not vectorized: {{.*}} (loop-vectorize)
// CHECK-NEXT:info.c:13: loop in scale
// CHECK-NEXT:  + the region is waited for later, before the end of the function in line 20{{.*}} (late-waits)
// CHECK-NEXT:info.c:16: loop in scale
// CHECK-NEXT:  + the region is waited for later, before the end of the function in line 20{{.*}} (late-waits)
// CHECK-NEXT:info.c:22: loop in plain
// CHECK-NEXT:  - remainder stays scalar: the target has no masked accesses of its types (simd-remainder)
// CHECK-NEXT:  + vectorized loop (vectorization width: 4, interleaved count: 2) (loop-vectorize)
//  CHECK-NOT:{{.}}

// SYNTAX: info.c:11: data in scale

//      NOTHING: info.c:13: parallel loop in scale (host)
// NOTHING-NEXT:  + 'parallel loop' becomes
// NOTHING-NEXT: info.c:16: kernels in scale (host)
