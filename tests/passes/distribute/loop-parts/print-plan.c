// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes find and decide, a line each. The module stays as it is.
//
// RUN: %gpu -O1 -gline-tables-only -emit-llvm -Xclang -disable-llvm-passes %s \
// RUN:   > %t.ll
// RUN: opt -S %t.ll -o %t.before.ll
// RUN: opt -load-pass-plugin=%accx_plugin -S %t.ll -o %t.after.ll \
// RUN:   '-passes=print<accx-read-parts>,print<accx-loop-parts>' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-LOOPS --implicit-check-not=print-plan.c
// RUN: cmp %t.before.ll %t.after.ll
// RUN: opt -load-pass-plugin=%accx_plugin -disable-output %t.ll \
// RUN:   '-passes=accx-read-parts,accx-strip-markers,print<accx-loop-parts>' \
// RUN:   2>&1 | FileCheck %s --implicit-check-not=print-plan.c

// CHECK-LOOPS: print-plan.c:{{[0-9]+}}:14: iterations from argument 1 to argument 2
// CHECK-LOOPS: print-plan.c:{{[0-9]+}}:14: iterations from argument 1 to argument 2

// CHECK: print-plan.c:[[#@LINE+8]]:18: write of argument 5 from byte 8, in steps of 4 * argument 6
// CHECK: print-plan.c:[[#@LINE+7]]:20: read of argument 7 from byte 0, in steps of 8
// CHECK: print-plan.c:[[#@LINE+6]]:18: iterations of the distributed loop run where this write goes
// CHECK: print-plan.c:[[#@LINE+5]]:20: this read of the distributed loop moves in other steps than its writes
void columns(long n, const double *a, float *b) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n - 2; i++)
    b[i * n + 2] = a[i];
}

#pragma omp declare target
extern int shown;
#pragma omp end declare target

// CHECK: print-plan.c:[[#@LINE+5]]:11: distributed loop runs on one device: here it may write
void global(int n) {
#pragma accx distribute devices(0, 1)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    shown = i;
}
