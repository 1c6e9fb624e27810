// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's share is the one that libomp gives it, for counters of all types
// and any numbers of threads and iterations. The host's loops ask libomp.
//
// RUN: %host -O2 %s -o %t
// RUN: %t
// RUN: %device %s | FileCheck %s

// CHECK: __kmpc_bound_thread_num
// CHECK-NOT: call void @__kmpc_for_static
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { Most = 64 };
static int wrong;

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define CHECK(NAME, TYPE, FIRST)                                               \
  static void NAME(int threads, int n) {                                       \
    signed char want[Most], got[Most];                                         \
    memset(want, -1, Most);                                                    \
    memset(got, -1, Most);                                                     \
    const TYPE first = FIRST, end = first + (TYPE)n;                           \
    TYPE last = 0, hostLast = 0;                                               \
    PRAGMA(omp parallel for num_threads(threads) lastprivate(hostLast))        \
    for (TYPE i = first; i < end; ++i) {                                       \
      hostLast = i;                                                            \
      want[i - first] = (signed char)omp_get_thread_num();                     \
    }                                                                          \
    PRAGMA(omp target parallel for num_threads(threads) lastprivate(last) \
           map(tofrom : last, got))                                            \
    for (TYPE i = first; i < end; ++i) {                                       \
      last = i;                                                                \
      got[i - first] = (signed char)omp_get_thread_num();                      \
    }                                                                          \
    if (memcmp(want, got, Most) || last != hostLast) {                         \
      printf(#NAME ": %d iterations, %d threads\n", n, threads);               \
      wrong = 1;                                                               \
    }                                                                          \
  }
CHECK(ofInt, int, -2147483647 - 1)
CHECK(ofUnsigned, unsigned, 4294967200u)
CHECK(ofLong, long, -30)
CHECK(ofUnsignedLong, unsigned long, 1ul << 63)

int main(void) {
  omp_set_dynamic(0);
  for (int threads = 1; threads <= 7; ++threads)
    for (int n = 0; n < Most; n += n < 20 ? 1 : 7) {
      ofInt(threads, n);
      ofUnsigned(threads, n);
      ofLong(threads, n);
      ofUnsignedLong(threads, n);
    }
  return wrong;
}
