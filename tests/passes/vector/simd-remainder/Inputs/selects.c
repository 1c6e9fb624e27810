/*===- selects.c - Loops that remember an iteration -----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compiled twice, with TABLE as the names; selects-main.c compares the builds.
|*
\*===----------------------------------------------------------------------===*/

#include "selects.h"

#define BEST(Name, Type, Member, How)                                          \
  static struct Result Name(const struct Data *D, long N) {                    \
    const Type *A = D->Member;                                                 \
    Type Best = A[0];                                                          \
    long At = -1;                                                              \
    for (long I = 0; I < N; ++I)                                               \
      if (A[I] How Best) {                                                     \
        Best = A[I];                                                           \
        At = I;                                                                \
      }                                                                        \
    return (struct Result){(double)Best, At};                                  \
  }

BEST(float_less, float, F, <)
BEST(float_less_equal, float, F, <=)
BEST(float_greater, float, F, >)
BEST(float_greater_equal, float, F, >=)
BEST(double_less, double, G, <)
BEST(double_greater_equal, double, G, >=)
BEST(int_less, int, I, <)
BEST(int_greater_equal, int, I, >=)
BEST(unsigned_less_equal, unsigned, U, <=)
BEST(unsigned_greater, unsigned, U, >)
BEST(byte_greater, signed char, B, >)

static struct Result last_value(const struct Data *D, long N) {
  const float *restrict A = D->F;
  const double *restrict X = D->G;
  double Last = 7;
  long At = -1;
  for (long I = 0; I < N; ++I)
    if (A[I] > 2) {
      Last = X[I];
      At = 3 * I + 1;
    }
  return (struct Result){Last, At};
}

static struct Result last_of_expression(const struct Data *D, long N) {
  const int *restrict A = D->I;
  const unsigned *restrict B = D->U;
  unsigned Last = 0;
  long At = -1;
  for (long I = 0; I < N; ++I)
    if ((unsigned)A[I] * 3 + I < B[I]) {
      Last = B[I] ^ (unsigned)A[I];
      At = I;
    }
  return (struct Result){Last, At};
}

/* One place, many stores. */
static struct Result one_place(const struct Data *D, long N) {
  const int *restrict A = D->I;
  int *restrict Place = D->Place;
  *Place = -5;
  for (long I = 0; I < N; ++I)
    if (A[I] & 4)
      *Place = A[I] + 1;
  return (struct Result){*Place, 0};
}

static struct Result found_backwards(const struct Data *D, long N) {
  const int *A = D->I;
  int At = -1;
  for (int I = 0; I < (int)N; ++I)
    if (A[I] == 5)
      At = (int)N - I;
  return (struct Result){0, At};
}

Select *const TABLE[SelectCount] = {float_less,
                                    float_less_equal,
                                    float_greater,
                                    float_greater_equal,
                                    double_less,
                                    double_greater_equal,
                                    int_less,
                                    int_greater_equal,
                                    unsigned_less_equal,
                                    unsigned_greater,
                                    byte_greater,
                                    last_value,
                                    last_of_expression,
                                    one_place,
                                    found_backwards};
