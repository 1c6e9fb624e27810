// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that a loop keeps in memory, which may lie in what it reads, hold
// what they began with for all numbers of iterations: each part of the loop
// stores what there is until then, also if no other part follows.
//
// RUN: %plainclang -O3 -march=native -ffp-contract=off -fplugin=%accx_plugin -fpass-plugin=%accx_plugin %s -o %t && %t
// RUN: %plainclang -O3 -march=native -ffast-math -fplugin=%accx_plugin -fpass-plugin=%accx_plugin %s -o %t && %t
// RUN: %plainclang --target=x86_64-linux-gnu -march=icelake-server -O3 -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -Rpass=simd-remainder -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: remark: remainder is one masked vector
enum { Most = 150 };

#define LOOPS(T, NAME, STEP, HOW)                                              \
  __attribute__((noinline)) static void NAME(const T *x, long n, T *z) {       \
    for (long k = 0; k < n; k += STEP)                                         \
      HOW(*z, x[k])                                                            \
  }                                                                            \
  __attribute__((noinline, optnone)) static int NAME##Differs(void) {          \
    T x[Most + 2], y[Most + 2];                                                \
    int differs = 0;                                                           \
    for (long n = 0; n < Most; n++)                                            \
      for (long at = Most; at <= Most + 1; at++) {                             \
        for (long k = 0; k < Most + 2; k++)                                    \
          x[k] = y[k] = (T)(k * 37 % 101 + 1);                                 \
        NAME(x, n, &x[at]);                                                    \
        for (long k = 0; k < n; k += STEP)                                     \
          HOW(y[at], y[k])                                                     \
        differs |= x[at] != y[at];                                             \
      }                                                                        \
    return differs;                                                            \
  }

#define SUM(Z, X) Z += X;
#define BITS(Z, X) Z ^= X;
#define LEAST(Z, X) Z = X < Z ? X : Z;
#define TIMES(Z, X) Z *= X;

LOOPS(unsigned long, longs, 1, SUM)
LOOPS(unsigned long, everySecond, 2, SUM)
LOOPS(unsigned, everyThird, 3, SUM)
LOOPS(unsigned, ints, 1, SUM)
LOOPS(unsigned char, bytes, 1, BITS)
LOOPS(int, least, 1, LEAST)
LOOPS(unsigned short, products, 1, TIMES)
LOOPS(float, floats, 1, SUM)
LOOPS(double, doubles, 2, SUM)

int main(void) {
  return longsDiffers() | everySecondDiffers() | everyThirdDiffers() |
         intsDiffers() | bytesDiffers() | leastDiffers() | productsDiffers() |
         floatsDiffers() | doublesDiffers();
}
