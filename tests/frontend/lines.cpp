// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without -g the runtime knows lines, variables and functions, of OpenACC's and
// of OpenMP's constructs, and the program has no debug information.

// RUN: %accxcxx -O2 %s -o %t
// RUN: env ACCX_NOTIFY=11 %run %t 2>&1 | FileCheck %s
// RUN: env NVCOMPILER_ACC_NOTIFY=7 %run %t 2>&1 | FileCheck %s
// RUN: env ACCX_TIME=1 %run %t 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: %tools/llvm-readelf -S %t | FileCheck %s --check-prefix=NODEBUG
// RUN: %accxcxx -O2 -g %s -o %t.g
// RUN: env ACCX_NOTIFY=11 %run %t.g 2>&1 | FileCheck %s
// RUN: %tools/llvm-readelf -S %t.g | FileCheck %s --check-prefix=DEBUG

// NODEBUG-NOT: .debug_
// DEBUG: .debug_info

namespace ns {
template <typename T> void scale(T *A, int N) {
// CHECK: device 0 transfer to device 40 bytes A[0:N]
// CHECK: device 0 launch lines.cpp:[[#@LINE+3]] ns::scale<float> {{[0-9.]+}} us
// CHECK: device 0 transfer from device 40 bytes A[0:N]
// CHECK: region compute at lines.cpp:[[#@LINE+1]]:
#pragma acc parallel loop copy(A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] *= 2;
}
} // namespace ns

// TIME: accx time: device 0: kernels
// TIME-NEXT: kernels {{ *}}launches {{ *}}total ms
// TIME-DAG: lines.cpp:[[#@LINE-8]] ns::scale<float> {{ *}}1 {{ *[0-9.]+ *}}
// TIME-DAG: lines.cpp:[[#@LINE+19]] main {{ *}}2 {{ *[0-9.]+ *}}
// TIME: transfers {{ *}}copies {{ *}}total ms {{ *}}MB {{ *}}GB/s
// TIME-DAG: to device     A[0:N] (lines.cpp:[[#@LINE-16]]) {{ *}}1
// TIME-DAG: from device   A[0:N] (lines.cpp:[[#@LINE-17]]) {{ *}}1
// TIME-DAG: from device   Count (lines.cpp:[[#@LINE+10]]) {{ *}}2
// TIME: constructs {{ *}}times
// TIME-DAG: lines.cpp:[[#@LINE-15]] compute
// TIME-DAG: lines.cpp:[[#@LINE+12]] compute

int main() {
  float A[10];
  for (float &X : A)
    X = 1;
  ns::scale(A, 10);
  int Count = 0;
  for (int Round = 0; Round < 2; ++Round)
// CHECK: device 0 launch lines.cpp:[[#@LINE+3]] main
// CHECK: device 0 transfer from device 4 bytes Count
// CHECK: region compute at lines.cpp:[[#@LINE+1]]:
#pragma omp target teams distribute parallel for map(tofrom : Count)           \
    reduction(+ : Count)
    for (int I = 0; I < 10; ++I)
      Count += 1;
  return A[9] == 2 && Count == 20 ? 0 : 1;
}
