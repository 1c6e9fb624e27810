/*===- pi.c - Pi from random points, streamed through async queues --------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The share of random points inside the unit circle. As in OpenUH's evaluation
|* the points come from the host. They travel in chunks: on queue q, copy chunk
|* in, count it, drop it, while other queues do the same with the next chunks,
|* and chunks are dealt to all devices.
|*
|* Usage: pi [points]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

#include <math.h>

enum { Chunks = 24, Queues = 3 };

/* The queue of chunk C; neighbours on one device differ. */
static int queueOf(int C, int Devices) { return C / Devices % Queues; }

static long onDevices(int Devices, int Points, const float *X, const float *Y) {
  acc_device_t Type = acc_get_device_type();
  long Counts[Chunks];
  for (int C = 0; C < Chunks; ++C)
    Counts[C] = 0;
  for (int C = 0; C < Chunks; ++C) {
    int First = demoShare(Points, C, Chunks);
    int Length = demoShare(Points, C + 1, Chunks) - First;
    acc_set_device_num(C % Devices, Type);
#pragma acc enter data copyin(X[First : Length], Y[First : Length],            \
                              Counts[C : 1]) async(queueOf(C, Devices))
#pragma acc parallel loop gang vector async(queueOf(C, Devices))               \
    present(X[First : Length], Y[First : Length], Counts[C : 1])
    for (int I = First; I < First + Length; ++I)
      if (X[I] * X[I] + Y[I] * Y[I] < 1.0f) {
#pragma acc atomic update
        Counts[C] += 1;
      }
#pragma acc exit data async(queueOf(C, Devices))                               \
    copyout(Counts[C : 1]) delete (X[First : Length], Y[First : Length])
  }
  for (int D = 0; D < Devices; ++D) {
    acc_set_device_num(D, Type);
    acc_wait_all();
  }
  long Inside = 0;
  for (int C = 0; C < Chunks; ++C)
    Inside += Counts[C];
  return Inside;
}

/* All points at once on one device, counted by a reduction. */
static long onDevice(int Points, const float *X, const float *Y) {
  long Inside = 0;
#pragma acc data copyin(X[0 : Points], Y[0 : Points])
  {
#pragma acc parallel
    {
#pragma acc loop gang vector reduction(+ : Inside)
      for (int I = 0; I < Points; ++I)
        if (X[I] * X[I] + Y[I] * Y[I] < 1.0f)
          Inside += 1;
    }
  }
  return Inside;
}

static int report(const char *Name, int Devices, int Points, double *Times,
                  long Inside, int Good) {
  double Pi = 4.0 * (double)Inside / Points;
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%d", Points);
  snprintf(Metric, sizeof(Metric), "pi=%.4f on %s", Pi, demoPlace(Devices));
  /* Nine standard deviations: wrong points, not bad luck. */
  Good = Good && fabs(Pi - 3.14159265) < 9 * 1.65 / sqrt(Points);
  return demoReport(Name, Size, demoMedianMs(Times, DemoRepeats), Metric, Good);
}

int main(int Argc, char **Argv) {
  int Points = demoSize(Argc, Argv, 1, 4000003);
  int Devices = demoDevices();
  float *X = (float *)demoAlloc((size_t)Points, sizeof(float));
  float *Y = (float *)demoAlloc((size_t)Points, sizeof(float));
  unsigned long long State = 88172645463325252ull;
  long Expected = 0;
  for (int I = 0; I < Points; ++I) {
    State ^= State << 13, State ^= State >> 7, State ^= State << 17;
    X[I] = (float)(State >> 40) * 0x1p-23f - 1.0f;
    Y[I] = (float)(State & 0xffffff) * 0x1p-23f - 1.0f;
    Expected += X[I] * X[I] + Y[I] * Y[I] < 1.0f;
  }

  double Times[DemoRepeats];
  int Good = 1, Bad;
  for (int R = 0; R < DemoRepeats; ++R) {
    double Begin = demoNow();
    long Inside = onDevice(Points, X, Y);
    Times[R] = demoNow() - Begin;
    Good = Good && Inside == Expected;
  }
  Bad = report("acc-pi", 1, Points, Times, Expected, Good);
  Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    double Begin = demoNow();
    long Inside = onDevices(Devices, Points, X, Y);
    Times[R] = demoNow() - Begin;
    Good = Good && Inside == Expected;
  }
  Bad |= report("acc-pi-async", Devices, Points, Times, Expected, Good);
  free(X), free(Y);
  return Bad;
}
