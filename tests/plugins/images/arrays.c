/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels on arrays of 64-bit integers, and a global, for tests that call the
 * runtime's entry points. */

#include <stdint.h>

#define EXPORT __attribute__((visibility("default"), used))

EXPORT int64_t device_counter = 0;

/* A[0..N) += Value */
EXPORT void add(void *Environment, int64_t *A, uint64_t N, int64_t Value) {
  for (uint64_t I = 0; I < N; ++I)
    A[I] += Value;
}

/* Out[0] = the sum of A[0..N) */
EXPORT void sum(void *Environment, int64_t *Out, const int64_t *A, uint64_t N) {
  int64_t Sum = 0;
  for (uint64_t I = 0; I < N; ++I)
    Sum += A[I];
  *Out = Sum;
}

/* Adds Value to the global and leaves the result in Out[0]. */
EXPORT void count(void *Environment, int64_t *Out, int64_t Value) {
  *Out = __atomic_add_fetch(&device_counter, Value, __ATOMIC_RELAXED);
}

/* Takes a while without touching anything. */
EXPORT void spin(void *Environment, uint64_t N) {
  for (volatile uint64_t I = 0; I < N; ++I)
    ;
}
