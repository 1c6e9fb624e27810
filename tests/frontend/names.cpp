// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas, references, namespaces, static variables and ranges.
//
// RUN: %accx_print -std=c++20 -Wno-everything %s | FileCheck %s --implicit-check-not="#pragma omp"

// CHECK-LABEL: lambdas(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:M])
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: A[0:N])
void lambdas(int N, float *A) {
  auto Run = [=](int M) {
#pragma acc parallel loop copy(A[0 : M])
    for (int I = 0; I < M; ++I)
      A[I] += 1;
    return M;
  };
  Run(N);
  auto Body = [](int I) { return I * 2; };
#pragma acc parallel loop copy(A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] = Body(I);
}

// CHECK-LABEL: references(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: P[0:N]) map(ompx_hold,to: R)
void references(int &N, float (&R)[10]) {
  float *P = R;
#pragma acc parallel loop copy(P[0 : N]) copyin(R)
  for (int I = 0; I < N; ++I)
    P[I] = R[I % 10];
}

// CHECK-LABEL: {{struct|class|namespace|union}} ns {
// CHECK: #pragma omp declare target
// CHECK: #pragma omp end declare target
namespace ns {
namespace inner {
float G[10];
int M;
} // namespace inner
#pragma acc declare create(inner::M)
} // namespace ns

// CHECK-LABEL: namespaces(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: ns::inner::G) map(ompx_hold,to: ns::inner::M)
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: ns::inner::G)
void namespaces() {
#pragma acc parallel loop copy(ns::inner::G) copyin(ns::inner::M)
  for (int I = 0; I < 10; ++I)
    ns::inner::G[I] = ns::inner::M;
  using namespace ns::inner;
#pragma acc parallel loop copy(G)
  for (int I = 0; I < 10; ++I)
    G[I] = 1;
}

// CHECK-LABEL: staticLocals(
// CHECK: #pragma omp target teams distribute parallel for map(ompx_hold,tofrom: S) map(tofrom: C) reduction(+: C)
void staticLocals() {
  static float S[10];
  static int C;
#pragma acc parallel loop copy(S) reduction(+ : C)
  for (int I = 0; I < 10; ++I) {
    S[I] = I;
    C += 1;
  }
}

// The lambda's return does not leave the function.
// CHECK-LABEL: returnInLambda(
// CHECK: #pragma omp target enter data map(alloc: A)
// CHECK: #pragma omp target exit data map(release: A)
// CHECK: #pragma omp target exit data map(release: A)
int returnInLambda(int N) {
  float A[10];
#pragma acc declare create(A)
  auto F = [](int X) { return X + 1; };
  return F(N);
}
