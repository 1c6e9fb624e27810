// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions may not leave a parallel region: the calls that would end the
// program are no ways out of the loop, whether functions are inlined or not,
// and what is destroyed on the way is not either. A handler of the program's
// own is one.
//
// RUN: %host -x c++ -O0 -lstdc++ %s -o %t && %t
// RUN: %host -x c++ -O2 -lstdc++ %s -o %t && %t
// RUN: %host -x c++ -O2 -fno-exceptions -lstdc++ %s -o %t && %t
// RUN: not %host -x c++ -O2 -DHANDLER -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: exceptions.cpp:[[#@LINE+34]]: 'A': the iterations of a block cannot run together: control may leave the loop around it elsewhere than at its end, to a handler

#pragma omp declare target
[[gnu::noinline]] float half(float X) {
#ifdef __EXCEPTIONS
  if (X < -1e30f)
    throw 1;
#endif
  return X / 2;
}
[[gnu::noinline]] float third(const float *X) { return half(*X) / 2; }
[[gnu::noinline]] float fourth(const float *X) noexcept { return third(X); }
struct Guard {
  float &Count;
  Guard(float &Count) : Count(Count) {}
  ~Guard() { Count += 1; }
};
template <typename T> struct Cell {
  T V;
  T get() const { return half(V); }
};
#pragma omp end declare target

int main() {
  enum { N = 1000 };
  static float A[N], B[N];
  for (int I = 0; I < N; ++I)
    A[I] = 8 * I;
#pragma acc parallel loop copyin(A) copy(B)
  for (int I = 0; I < N; ++I) {
    float V = 0, W = 0;
#ifdef HANDLER
    try {
#endif
#pragma acc fcw FETCH_CHANNEL(A[I : 1 : 1]) block(64)
      {
        Guard G(W);
        if (I > 0 && I < N - 1)
          V = Cell<float>{A[I - 1]}.get() + half(A[I]) + fourth(&A[I + 1]);
      }
#ifdef HANDLER
    } catch (int) {
      V = 0;
    }
#endif
    B[I] = V + W;
  }
  for (int I = 1; I < N - 1; ++I)
    if (B[I] != 4 * (I - 1) + 4 * I + 2 * (I + 1) + 1)
      return 1;
  return 0;
}
