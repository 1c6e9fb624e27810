// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without -fopenmp the plugin leaves everything as Clang has it: directives are
// ignored, wrong ones too, and a unit without directives is what it was.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %plainclang -Wall -fsyntax-only -Xclang -ast-print %s > %t/stock.txt 2>&1
// RUN: %plainclang -fplugin=%accx_plugin -Wall -fsyntax-only -Xclang -ast-print %s > %t/plugin.txt 2>&1
// RUN: cmp %t/stock.txt %t/plugin.txt
// RUN: %plainclang -O2 -S -emit-llvm %s -o %t/stock.ll
// RUN: %plainclang -O2 -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -S -emit-llvm %s -o %t/plugin.ll
// RUN: cmp %t/stock.ll %t/plugin.ll
// RUN: %plainclang -O2 -fopenmp -DNONE -S -emit-llvm %s -o %t/stock.ll
// RUN: %plainclang -O2 -fopenmp -DNONE -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -S -emit-llvm %s -o %t/plugin.ll
// RUN: cmp %t/stock.ll %t/plugin.ll
// RUN: FileCheck %s < %t/stock.txt
// CHECK-NOT: _OPENACC is defined
// CHECK: void f(

#ifdef _OPENACC
#ifndef NONE
#error _OPENACC is defined
#endif
#endif

void f(int N, float *A) {
#ifndef NONE
#pragma acc parallel loop copy(A[0 : N])
#endif
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#ifndef NONE
#pragma acc no such directive
#endif
}
