// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure travels as bytes: what the program's types leave out may be part
// of a union. Its variables are kept from being followed.
//
// RUN: %device -x c++ %s | %hier-reduce 2>&1 | FileCheck %s
// RUN: %if device-rtl %{ %linked %s -o - | FileCheck %s --check-prefix=CHECK-O2 %}

// CHECK: reduction over threads of 24 bytes: %struct.Odd written
struct Odd {
  signed char Low[3];
  double Sum;
  union {
    int Whole;
    signed char Parts[4];
  };
};
#pragma omp declare target
static inline void combine(Odd &Into, const Odd &From) {
  for (int I = 0; I < 3; ++I)
    Into.Low[I] = Into.Low[I] < From.Low[I] ? Into.Low[I] : From.Low[I];
  Into.Sum += From.Sum;
  for (int I = 0; I < 4; ++I)
    Into.Parts[I] ^= From.Parts[I];
}
#pragma omp end declare target
#pragma omp declare reduction(odd:Odd : combine(omp_out, omp_in))              \
    initializer(omp_priv = Odd{{100, 100, 100}, 0, {0}})

void all(int N, const Odd *X, Odd &O) {
#pragma omp target teams distribute parallel for reduction(odd : O)            \
    map(to : X[ : N])
  for (int I = 0; I < N; ++I)
    combine(O, X[I]);
}

// CHECK-LABEL: define internal void @accx.reduce.warp(
// CHECK-COUNT-2: call void asm sideeffect "", "l,~{memory}"(ptr
// CHECK-NOT: asm
// CHECK-COUNT-6: call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %{{.*}}, i32 %{{.*}}, i32 16, i32 31)
// CHECK-NOT: i32 16, i32 31)
// CHECK: ret void
// A sum with something undefined would be no number.
// CHECK-O2-NOT: 0x7FF8000000000000
// CHECK-O2: call i32 @llvm.nvvm.shfl.sync.down.i32(
// CHECK-O2-NOT: 0x7FF8000000000000
