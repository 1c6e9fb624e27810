// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simd form asks for the last iteration for its counter's final value,
// which is each thread's own and lost: nobody asks any more.
//
// RUN: %device %s | %grid-loop 2>&1 | FileCheck %s

// CHECK: made a grid-stride loop{{$}}
// CHECK-NOT: is kept
void add(int n, float *x) {
#pragma omp target teams distribute parallel for simd map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}

// CHECK: define internal void @{{.*}}_omp_outlined(
// CHECK-NOT: __kmpc_parallel_51
// CHECK-NOT: is.last
// CHECK: define internal void @{{.*}}_omp_outlined_omp_outlined(
// CHECK-NOT: is.last
// CHECK: !llvm.loop ![[LOOP:[0-9]+]]
// CHECK: ![[LOOP]] = distinct !{![[LOOP]], {{.*}}, ![[MARK:[0-9]+]]}
// CHECK: ![[MARK]] = !{!"accx.grid_loop", i32 31, i1 true}
