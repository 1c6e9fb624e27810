// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a static variable has its value is asked in each call, and no region
// matters to it. Only what computes the value waits.
//
// RUN: %hostcode -x c++ -O2 %s | FileCheck %s

int computed(int n) noexcept;

// CHECK-LABEL: define {{.*}}@_Z5stepsPdi(
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: ret void
// CHECK: call {{.*}}@_ZL4stepPdi
// CHECK-NOT: settle
// CHECK: }

// CHECK-LABEL: define internal {{.*}}@_ZL4stepPdi
// CHECK-NOT: settle
// CHECK: load atomic i8, ptr @_ZGVZL4stepPdiE4size acquire
// CHECK-NOT: settle
// CHECK: br
// CHECK: call void @accx.settle(i32 0)
// CHECK-NEXT: call {{.*}}@__cxa_guard_acquire(
// CHECK-NOT: settle
// CHECK: call i32 @__tgt_target_kernel(
// CHECK-NOT: settle
// CHECK: }
__attribute__((noinline)) static void step(double *a, int n) {
  static const int size = computed(n);
#pragma omp target teams distribute parallel for map(a[0 : size])
  for (int i = 0; i < size; ++i)
    a[i] += i;
#pragma omp target teams distribute parallel for map(a[0 : size])
  for (int i = 0; i < size; ++i)
    a[i] *= 2;
}

void steps(double *a, int n) {
  for (int t = 0; t < n; ++t)
    step(a, n);
}
