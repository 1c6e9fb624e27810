// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of many types in one list travel together, each as what it is.
//
// RUN: %device -x c++ %s | %hier-reduce -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHECK-IR < %t.ll
// RUN: %device -x c++ %s | %folded -o /dev/null

// CHECK: reduction over threads of 48 bytes: float { float, float } [3 x i16] double i8 i64 written
// CHECK: reduction over teams of 48 bytes: float { float, float } [3 x i16] double i8 i64 written

// One exchange a word: 1, 2, 3, 2, 1, 2.
// CHECK-IR-LABEL: define internal void @accx.reduce.warp(
// CHECK-IR-COUNT-11: call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %{{.*}}, i32 %{{.*}}, i32 16, i32 31)
// CHECK-IR-NOT: i32 16, i32 31)
// CHECK-IR: call void @{{.*}}reduction_func
// CHECK-IR-NOT: asm sideeffect
// One round of slots holds them all.
// CHECK-IR-LABEL: define internal void @accx.reduce.block(
// CHECK-IR-COUNT-2: call void @llvm.nvvm.barrier0()
// CHECK-IR-NOT: call void @llvm.nvvm.barrier0()
// CHECK-IR: ret void
void all(int N, const int *X, float &A, _Complex float &B, short (&C)[3],
         double &D, bool &E, long &F) {
#pragma omp target teams distribute parallel for reduction(+ : A, B, C)        \
    reduction(* : D) reduction(|| : E) reduction(^ : F) map(to : X[ : N])
  for (int I = 0; I < N; ++I) {
    A += X[I];
    B += X[I];
    C[I % 3] += X[I];
    D *= X[I];
    E = E || X[I];
    F ^= X[I];
  }
}
