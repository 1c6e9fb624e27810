// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where shared memory is nearly full a slot is one word, and a long number goes
// in two rounds.
//
// RUN: %device %s | %hier-reduce -accx-reduce-shared=14000 2>&1 | FileCheck %s
// RUN: %device %s | %hier-reduce 2>&1 | FileCheck %s --check-prefix=CHECK-ROOMY
// RUN: %device %s > %t.ll
// RUN: echo "@full = internal addrspace(3) global [40000 x i8] undef" >> %t.ll
// RUN: %hier-reduce < %t.ll 2>&1 | FileCheck %s

// CHECK: @accx.reduce.slots = internal addrspace(3) global [128 x i8]
// CHECK-ROOMY: @accx.reduce.slots = internal addrspace(3) global [256 x i8]
double sum(int n, const double *x) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// CHECK-LABEL: define internal void @accx.reduce.block(
// CHECK-COUNT-4: call void @llvm.nvvm.barrier0()
// CHECK-NOT: call void @llvm.nvvm.barrier0()
// CHECK: ret void
// CHECK-ROOMY-LABEL: define internal void @accx.reduce.block(
// CHECK-ROOMY-COUNT-2: call void @llvm.nvvm.barrier0()
// CHECK-ROOMY-NOT: call void @llvm.nvvm.barrier0()
// CHECK-ROOMY: ret void
