// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of classes: with this-> and without, routines among them.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: {{struct|class|namespace|union}} Member {
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: this->P[0:this->N]) private(T)
// CHECK: #pragma omp target data map(ompx_hold,to: this->P[0:this->N])
// CHECK: #pragma omp declare target
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
// CHECK: #pragma omp end declare target
// CHECK: #pragma omp declare target
// CHECK: #pragma omp end declare target
struct Member {
  int N;
  float *P;
  static int Count;
  void go() {
    float T;
#pragma acc parallel loop copy(P[0 : N])
    for (int I = 0; I < N; ++I) {
      T = P[I];
      P[I] = T * 2;
    }
#pragma acc data copyin(this->P[0 : N])
    {
    }
  }
#pragma acc routine seq
  int twice(int X) const { return X * 2; }
#pragma acc routine seq
  static int thrice(int X);
};

int Member::thrice(int X) { return X * 3; }
