// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies as tasks: they own their arguments, keep every dependence of a depend
// object, and are waited for by taskwait.
// RUN: %clang %s -o %t
// RUN: %run %t
// RUN: %run LIBOMP_USE_HIDDEN_HELPER_TASK=0 %t
// RUN: %run OMP_NUM_THREADS=1 %t
// Devices of two plugins with queues that run on their own: what goes between
// them goes through the host.
// RUN: cp %accx_lib/libaccx.rtl.host.so %t.base.so
// RUN: %run LIBOMPTARGET_PLUGIN=host:%accx_lib/test-plugins/libaccx.rtl.fault.so \
// RUN:   ACCX_FAULT_BASE=%t.base.so ACCX_FAULT_OPTIONS=async %t

#include "Inputs/expect.h"
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { N = 64 };

static int Host;

/// Starts a copy of rows [1, 3) and columns [2, 5) of int[4][8] whose arrays
/// are gone before it runs: a dependence holds it back until *Gate is written.
__attribute__((noinline)) static void startRect(int *Dst, const int *Src,
                                                omp_depend_t *Gate) {
  size_t *Arrays = malloc(10 * sizeof(size_t));
  const size_t Values[10] = {2, 3, 1, 2, 1, 2, 4, 8, 4, 8};
  memcpy(Arrays, Values, sizeof(Values));
  EXPECT(omp_target_memcpy_rect_async(Dst, Src, sizeof(int), 2, Arrays,
                                      Arrays + 2, Arrays + 4, Arrays + 6,
                                      Arrays + 8, 0, Host, 1, Gate) == 0);
  memset(Arrays, 0xff, 10 * sizeof(size_t));
  free(Arrays);
}

static void rectangle(void) {
  int Src[4][8], Back[4][8];
  int *Device = omp_target_alloc(sizeof(Src), 0);
  omp_target_memset(Device, 0, sizeof(Src), 0);
  int Gate = 0;
  omp_depend_t Object;
#pragma omp depobj(Object) depend(in : Gate)
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : Gate) shared(Src, Gate)
    {
      usleep(20000);
      for (int I = 0; I < 32; ++I)
        Src[I / 8][I % 8] = I + 1;
      Gate = 1;
    }
    startRect(Device, &Src[0][0], &Object);
#pragma omp taskwait
  }
  EXPECT(Gate == 1);
  EXPECT(omp_target_memcpy(Back, Device, sizeof(Back), 0, 0, Host, 0) == 0);
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 8; ++J)
      EXPECT(Back[I][J] ==
             (I >= 1 && I < 3 && J >= 2 && J < 5 ? 8 * I + J + 1 : 0));
#pragma omp depobj(Object) destroy
  omp_target_free(Device, 0);
}

/// A depend object of two dependences, the second of which is met late.
static void severalDependences(void) {
  int A[N], B[N], Back[N];
  int *Device = omp_target_alloc(sizeof(B), 1);
  omp_depend_t Object;
#pragma omp depobj(Object) depend(in : A, B)
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : A) shared(A)
    A[0] = 1;
#pragma omp task depend(out : B) shared(B)
    {
      usleep(20000);
      for (int I = 0; I < N; ++I)
        B[I] = 2 * I;
    }
    EXPECT(omp_target_memcpy_async(Device, B, sizeof(B), 0, 0, 1, Host, 1,
                                   &Object) == 0);
#pragma omp taskwait
  }
  EXPECT(omp_target_memcpy(Back, Device, sizeof(Back), 0, 0, Host, 1) == 0);
  for (int I = 0; I < N; ++I)
    EXPECT(Back[I] == 2 * I);
#pragma omp depobj(Object) destroy
  omp_target_free(Device, 1);
}

/// A chain over all devices and back, each step after the one before.
static void chain(void) {
  int Values[N], Back[N];
  int *There[16];
  for (int I = 0; I < N; ++I)
    Values[I] = I * I;
  memset(Back, 0, sizeof(Back));
  omp_depend_t Order;
#pragma omp depobj(Order) depend(inout : Values)
  for (int D = 0; D < Host; ++D)
    There[D] = omp_target_alloc(sizeof(Values), D);
  const void *Src = Values;
  int From = Host;
  for (int D = 0; D < Host; ++D) {
    EXPECT(omp_target_memcpy_async(There[D], Src, sizeof(Values), 0, 0, D, From,
                                   1, &Order) == 0);
    Src = There[D];
    From = D;
  }
  EXPECT(omp_target_memcpy_async(Back, Src, sizeof(Back), 0, 0, Host, From, 1,
                                 &Order) == 0);
#pragma omp taskwait
  for (int I = 0; I < N; ++I)
    EXPECT(Back[I] == I * I);
#pragma omp depobj(Order) destroy
  for (int D = 0; D < Host; ++D)
    omp_target_free(There[D], D);
}

int main(void) {
  expectDevices();
  Host = omp_get_initial_device();
  for (int Round = 0; Round < 10; ++Round) {
    rectangle();
    severalDependences();
    chain();
  }
  int X = 0;
  const size_t One[1] = {1}, Zero[1] = {0};
  EXPECT(omp_target_memcpy_async(NULL, &X, 4, 0, 0, 0, Host, 0, NULL) != 0);
  EXPECT(omp_target_memcpy_async(&X, NULL, 4, 0, 0, Host, 0, 0, NULL) != 0);
  EXPECT(omp_target_memcpy_rect_async(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL,
                                      NULL, 0, 0, 0, NULL) == INT_MAX);
  EXPECT(omp_target_memcpy_rect_async(&X, &X, 0, 1, One, Zero, Zero, One, One,
                                      Host, Host, 0, NULL) != 0);
  return 0;
}
