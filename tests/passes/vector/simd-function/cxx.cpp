// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C++ brings: recursion through masked variants, member functions with
// `this`, strings inside, references, templates, bool, with exceptions on.
//
// RUN: %plainclang -x c++ -O2 -fopenmp-simd -march=native -fpass-plugin=%accx_plugin -Rpass=simd-function %s -lstdc++ -o %t 2>&1 | FileCheck %s
// CHECK-DAG: made vector variant _ZGVbM4v__Z9fibonaccii
// RUN: %t | FileCheck %s --check-prefix=RESULT
// RESULT: 0 differ
// A processor without AVX-512 has variants for it, which nobody calls there.
// RUN: %plainclang -x c++ -O2 -w -fopenmp-simd -march=haswell -fpass-plugin=%accx_plugin -c %s -o %t.o
// RUN: %plainclang -x c++ -g -fPIC -O1 -fopenmp-simd -mavx2 -fpass-plugin=%accx_plugin %s -lstdc++ -o %t
// RUN: %t | FileCheck %s --check-prefix=RESULT
#include <cstdio>
#include <string>

#define NOINLINE __attribute__((noinline))

#pragma omp declare simd
NOINLINE int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

struct Scale {
  float factor;
  std::string name;
#pragma omp declare simd uniform(this)
  NOINLINE float apply(float x) const {
    if (x > 100) {
      std::string longer = name + "x";
      return longer.size();
    }
    return x * factor;
  }
};

#pragma omp declare simd
template <class T> T wrapped(T x, T step) {
  while (x < 0)
    x += step;
  return x > 4 * step ? step : x;
}

#pragma omp declare simd linear(ref(r))
NOINLINE int referenced(const int &r) { return r * 3 + (r > 5); }

#pragma omp declare simd
NOINLINE bool odd(int x, bool flip) { return ((x & 1) != 0) != flip; }

int main() {
  constexpr int N = 37;
  static int a[N], b[N], c[N];
  static float f[N];
  const Scale scale{2.5F, "abc"};
#pragma omp simd
  for (int i = 0; i < N; i++)
    a[i] = fibonacci(i % 17);
#pragma omp simd
  for (int i = 0; i < N; i++)
    f[i] = scale.apply(4.F * i);
#pragma omp simd
  for (int i = 0; i < N; i++)
    b[i] = wrapped(i - 20, 9);
#pragma omp simd
  for (int i = 0; i < N; i++)
    c[i] = referenced(a[i]) + odd(a[i], (i & 2) != 0);
  int differ = 0;
  for (volatile int v = 0; v < N; v++) {
    const int i = v;
    differ += a[i] != fibonacci(i % 17);
    differ += f[i] != scale.apply(4.F * i);
    differ += b[i] != wrapped(i - 20, 9);
    differ += c[i] != referenced(a[i]) + odd(a[i], (i & 2) != 0);
  }
  std::printf("%d differ\n", differ);
}
