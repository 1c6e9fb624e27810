// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations of `target teams loop` go to all threads where the functions that
// it calls, and those that these call, are known and have no directives. Else
// one thread of a team runs them: a `loop` inside might need the others.
//
// RUN: %accxcc-device -O1 -Rpass=grid-loop %s -o /dev/null 2>&1 | FileCheck %s

#pragma omp begin declare target
float unknown(float);
float leaf(float A) { return A * A; }
template <class T> T twice(T A) { return leaf(A) + leaf(A + 1); }
float again(int N, float A) { return N ? again(N - 1, A * A) : A; }
float loops(float A) {
  float Sum = 0;
#pragma omp loop bind(parallel)
  for (int I = 0; I < 4; ++I)
    Sum += A;
  return Sum;
}
float nested(float A) { return loops(A); }
struct Shape {
  virtual float area(float A) const { return A; }
};
struct Guard {
  ~Guard() { unknown(1); }
};
#pragma omp end declare target

// CHECK: loop-calls.cpp:[[@LINE+2]]:1: remark: loop of {{.*}} made a grid-stride loop
void known(int N, float *X) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    X[I] = leaf(X[I]) + __builtin_sqrtf(X[I]);
}
// CHECK: loop-calls.cpp:[[@LINE+2]]:1: remark: loop of {{.*}} made a grid-stride loop
void instantiated(int N, float *X) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    X[I] = twice(X[I]);
}
// CHECK: loop-calls.cpp:[[@LINE+3]]:1: remark: loop of {{.*}} made a grid-stride loop
template <class T> void instance(int N, T *X) {
  const auto Add = [](T A, T B) { return leaf(A) + B; };
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    X[I] = Add(X[I], T(1));
}
template void instance(int, float *);
// CHECK-NOT: made a grid-stride loop
void elsewhere(int N, float *X) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    X[I] = unknown(X[I]);
}
void directive(int N, float *X) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    X[I] = nested(X[I]);
}
void pointer(int N, float *X, float (*F)(float)) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    X[I] = F(X[I]);
}
void dispatched(int N, float *X, const Shape *S) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I)
    X[I] = S->area(X[I]);
}
void destroyed(int N, float *X) {
#pragma omp target teams loop
  for (int I = 0; I < N; ++I) {
    Guard G;
    X[I] = leaf(X[I]);
  }
}
