// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulators of one bit, beside wider ones: their lanes are bytes in memory.
//
// RUN: %accxcc -fopenmp -O2 %s -o %t && %t | FileCheck %s
// RUN: %accxcc -fopenmp -O2 -march=native %s -o %t && %t | FileCheck %s
// CHECK: 0 wrong

#include <stdio.h>

enum { Size = 40000 };
static unsigned b[Size];

struct Results {
  short sum;
  long product, all, any;
};

#define BODY                                                                   \
  for (long k = n - 1; k >= 0; k--) {                                          \
    const unsigned long p = (w * n + (unsigned)k) % Size;                      \
    unsigned v = b[p] + base;                                                  \
    for (unsigned q = 0; q < v % 4u; q++)                                      \
      v += q;                                                                  \
    sum += (short)(v % 31u);                                                   \
    product *= (long)(v % 99u);                                                \
    all = all && (long)(v % 99u);                                              \
    any = any || v % 31u == 0;                                                 \
  }

__attribute__((noinline)) static struct Results lanes(unsigned base, long w,
                                                      long n) {
  short sum = 0;
  long product = 1, all = 1, any = 0;
#pragma omp simd reduction(+ : sum) reduction(* : product) reduction(&& : all) \
    reduction(|| : any)
  BODY return (struct Results){sum, product, all, any};
}

__attribute__((noinline, optnone)) static struct Results
serial(unsigned base, long w, long n) {
  short sum = 0;
  long product = 1, all = 1, any = 0;
  BODY return (struct Results){sum, product, all, any};
}

int main(void) {
  int wrong = 0;
  for (unsigned i = 0; i < Size; i++)
    b[i] = i * 2654435761u + 7;
  for (long n = 0; n < 70; n++)
    for (unsigned base = 0; base < 20; base++) {
      const struct Results x = lanes(base, base % 3, n);
      const struct Results y = serial(base, base % 3, n);
      wrong += x.sum != y.sum || x.product != y.product || x.all != y.all ||
               x.any != y.any;
    }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
