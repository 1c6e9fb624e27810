/*===- reductions.c - One reduction in each place of a triple loop nest ---===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* OpenUH's reduction test: gang, worker and vector loops of which one, two or
|* all reduce, and one loop with all three levels on it; sums and products of
|* int, float and double. One RESULT line a place.
|*
|* Usage: reductions [nk [nj [ni]]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

enum {
  PlaceGang,
  PlaceWorker,
  PlaceVector,
  PlaceGangWorker,
  PlaceWorkerVector,
  PlaceGangWorkerVector,
  PlaceSameLine,
  Places
};

static const char *const PlaceNames[Places] = {"g",  "w",   "v",        "gw",
                                               "wv", "gwv", "same-line"};

static int NK, NJ, NI;

#define TYPE int
#define OPERATOR +
#define NAME(X) X##_int_sum
#define APPLY(A, B) ((A) += (B))
#define ELEMENT(I) ((int)((I) % 17) - 5)
#include "reduction_kernels.inc"

#define TYPE float
#define OPERATOR +
#define NAME(X) X##_float_sum
#define APPLY(A, B) ((A) += (B))
#define ELEMENT(I) (demoValue(I) - 0.25f)
#include "reduction_kernels.inc"

#define TYPE double
#define OPERATOR +
#define NAME(X) X##_double_sum
#define APPLY(A, B) ((A) += (B))
#define ELEMENT(I) ((double)demoValue(I) - 0.25)
#include "reduction_kernels.inc"

/* Products of signs, and few twos and halves: exact in any order, and a factor
   that is lost or counted twice shows. For integers, which wrap, odd numbers.
 */
#define FACTOR(V) ((V) < 0.001f ? 2 : (V) < 0.002f ? 0.5f : (V) < 0.5f ? -1 : 1)

#define TYPE unsigned
#define OPERATOR *
#define NAME(X) X##_unsigned_product
#define APPLY(A, B) ((A) *= (B))
#define ELEMENT(I) ((unsigned)(I) % 32 * 2 + 1)
#include "reduction_kernels.inc"

#define TYPE float
#define OPERATOR *
#define NAME(X) X##_float_product
#define APPLY(A, B) ((A) *= (B))
#define ELEMENT(I) ((float)FACTOR(demoValue(I)))
#include "reduction_kernels.inc"

#define TYPE double
#define OPERATOR *
#define NAME(X) X##_double_product
#define APPLY(A, B) ((A) *= (B))
#define ELEMENT(I) ((double)FACTOR(demoValue(I)))
#include "reduction_kernels.inc"

int main(int Argc, char **Argv) {
  NK = demoSize(Argc, Argv, 1, 61);
  NJ = demoSize(Argc, Argv, 2, 33);
  NI = demoSize(Argc, Argv, 3, 131);
  int Devices = demoDevices() > 0;
  char Size[64], Metric[64];
  int Bad = 0;
  snprintf(Size, sizeof(Size), "%dx%dx%d", NK, NJ, NI);
  for (int Place = 0; Place < Places; ++Place) {
    double Times[DemoRepeats];
    int Good = 1;
    for (int R = 0; R < DemoRepeats; ++R) {
      Times[R] = 0;
      Good &= check_int_sum(Place, &Times[R]);
      Good &= check_float_sum(Place, &Times[R]);
      Good &= check_double_sum(Place, &Times[R]);
      Good &= check_unsigned_product(Place, &Times[R]);
      Good &= check_float_product(Place, &Times[R]);
      Good &= check_double_product(Place, &Times[R]);
    }
    char Name[32];
    snprintf(Name, sizeof(Name), "acc-red-%s", PlaceNames[Place]);
    double Ms = demoMedianMs(Times, DemoRepeats);
    snprintf(Metric, sizeof(Metric), "%.1f Melements/s on %s",
             6e-3 * NK * NJ * (double)NI / Ms, demoPlace(Devices));
    Bad |= demoReport(Name, Size, Ms, Metric, Good);
  }
  return Bad;
}
