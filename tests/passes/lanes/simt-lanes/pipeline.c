// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a compilation: shuffles with the option, none without it nor at -O0, and
// nothing of markers or notes in either. Once more over the result changes
// nothing. Code for processors is none of the pass's.
//
// RUN: %accxcc-device -O2 -Xclang -mllvm -Xclang -accx-simt-lanes=1 %s -o - | FileCheck %s --check-prefix=CHECK-ON --implicit-check-not=__accx --implicit-check-not=accx.
// RUN: %accxcc-device -O2 -Xclang -mllvm -Xclang -accx-simt-lanes=0 %s -o - | FileCheck %s --check-prefix=CHECK-OFF --implicit-check-not=__accx --implicit-check-not=accx.
// RUN: %accxcc-device -O0 -Xclang -mllvm -Xclang -accx-simt-lanes=1 %s -o - | FileCheck %s --check-prefix=CHECK-OFF --implicit-check-not=__accx --implicit-check-not=accx.
// RUN: %device %s | %simt-lanes -o %t.once 2> /dev/null
// RUN: %simt-lanes %t.once -o %t.twice 2> /dev/null
// RUN: sed -e '/^; ModuleID/d' -e 's/ *; preds.*//' %t.once > %t.a
// RUN: sed -e '/^; ModuleID/d' -e 's/ *; preds.*//' %t.twice > %t.b
// RUN: diff %t.a %t.b
// RUN: sed 's/nvptx64-nvidia-cuda/x86_64-pc-linux-gnu/' %t.once > %t.host
// RUN: %simt-lanes %t.host -o /dev/null 2> %t.remarks
// RUN: not grep . %t.remarks

// CHECK-ON: define {{.*}}void @__omp_offloading_{{.*}}row
// CHECK-ON: shfl.sync
// CHECK-OFF: define {{.*}}void @__omp_offloading_{{.*}}row
// CHECK-OFF-NOT: shfl.sync
void row(int n, int m, const float *a, float *y) {
#pragma acc parallel loop gang worker copyin(a[ : n * m]) copyout(y[ : n])
  for (int i = 0; i < n; i++) {
    float s = 0;
#pragma acc loop vector reduction(+ : s)
    for (int j = 0; j < m; j++)
      s += a[i * m + j];
    y[i] = s;
  }
}
