// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function and class templates, and what of them depends on their arguments.
//
// RUN: %accx_print -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: functionTemplate(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N]) map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp target teams distribute parallel for private(U)
template <class T> void functionTemplate(int N, T *A, T S) {
#pragma acc parallel loop copy(A[0 : N]) reduction(+ : S)
  for (int I = 0; I < N; ++I)
    S += A[I];
  T U;
#pragma acc parallel loop
  for (int I = 0; I < N; ++I) {
    U = A[I];
    A[I] = U + 1;
  }
  A[0] = S;
}

template void functionTemplate(int, float *, float);
template void functionTemplate(int, long *, long);
// CHECK-LABEL: {{struct|class|namespace|union}} ClassTemplate {
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: this->P) map(ompx_hold,tofrom: this->Q[0:this->N])
// CHECK: #pragma omp target enter data map(to: this[0:1])
// CHECK: #pragma omp target exit data map(release: this[0:1])
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,to: this->Q[0:this->N]) map(tofrom: S) reduction(+: S)
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: this->P) map(ompx_hold,tofrom: this->Q[0:this->N])
// CHECK: #pragma omp target enter data map(to: this[0:1])
// CHECK: #pragma omp target exit data map(release: this[0:1])
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,to: this->Q[0:this->N]) map(tofrom: S) reduction(+: S)
template <class T, int M> struct ClassTemplate {
  T P[M];
  T *Q;
  int N;
  void run() {
#pragma acc parallel loop copy(P) copy(Q[0 : N])
    for (int I = 0; I < M; ++I)
      P[I] += Q[I];
#pragma acc enter data copyin(this[0 : 1])
#pragma acc exit data delete (this[0 : 1])
  }
  T sum() const {
    T S = 0;
#pragma acc parallel loop copyin(this->Q[0 : this->N]) reduction(+ : S)
    for (int I = 0; I < N; ++I)
      S += Q[I];
    return S;
  }
};

template struct ClassTemplate<double, 4>;
