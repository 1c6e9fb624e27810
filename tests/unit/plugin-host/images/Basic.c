// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image without OpenMP: globals, constructors, kernels of many arguments.

int device_counter = 5;
double device_table[100];
/* Where the destructor leaves a mark; host memory. */
int *device_mark;
int device_constructed;
/* What kernels that write past the cache ask. */
unsigned long __accx_stream_bytes = -1ul;
/* Relocated data. */
int *device_counter_address = &device_counter;

__attribute__((constructor)) static void construct(void) {
  device_constructed = device_counter + 1;
}

__attribute__((destructor)) static void destruct(void) {
  if (device_mark)
    *device_mark += device_counter;
}

int device_add(int by) { return device_counter += by; }

void kernel_none(void) {}

void kernel_add(int *out, long by) { *out = device_add((int)by); }

void kernel_seven(long *out, long a, long b, long c, long d, long e, long f) {
  *out = a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f;
}

#define T(n)                                                                   \
  long a##n##0, long a##n##1, long a##n##2, long a##n##3, long a##n##4,        \
      long a##n##5, long a##n##6, long a##n##7, long a##n##8, long a##n##9
#define S(n)                                                                   \
  out[n * 10] = a##n##0, out[n * 10 + 1] = a##n##1, out[n * 10 + 2] = a##n##2, \
          out[n * 10 + 3] = a##n##3, out[n * 10 + 4] = a##n##4,                \
          out[n * 10 + 5] = a##n##5, out[n * 10 + 6] = a##n##6,                \
          out[n * 10 + 7] = a##n##7, out[n * 10 + 8] = a##n##8,                \
          out[n * 10 + 9] = a##n##9

void kernel_forty(long *out, T(0), T(1), T(2), T(3)) { S(0), S(1), S(2), S(3); }

#define T100(n)                                                                \
  T(n##0), T(n##1), T(n##2), T(n##3), T(n##4), T(n##5), T(n##6), T(n##7),      \
      T(n##8), T(n##9)
#define S100(n)                                                                \
  S(n##0), S(n##1), S(n##2), S(n##3), S(n##4), S(n##5), S(n##6), S(n##7),      \
      S(n##8), S(n##9)

/* 201 arguments; rows 10 to 29, so that no index has a leading zero. */
void kernel_many(long *base, T100(1), T100(2)) {
  long *out = base - 100;
  S100(1), S100(2);
}
