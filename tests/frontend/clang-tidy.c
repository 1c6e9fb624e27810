// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang-tidy with the plugin: directives are parsed, its messages are the
// compiler's, and checks see what the directives became.
//
// RUN: not %tools/clang-tidy --config="{}" -load %accx_plugin "-checks=-*,clang-diagnostic-*,bugprone-infinite-loop" %s -- -fopenmp 2>&1 | FileCheck %s

void f(int N, float *A) {
// CHECK: clang-tidy.c:[[@LINE+1]]:{{[0-9]+}}: error: unknown OpenACC clause 'colapse'; did you mean 'collapse'?
#pragma acc parallel loop copy(A[0 : N]) colapse(2)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
// CHECK: clang-tidy.c:[[@LINE+1]]:{{[0-9]+}}: warning: 'A' is a pointer
#pragma acc data copy(A)
  A[0] = 1;
}
