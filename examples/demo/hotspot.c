/*===- hotspot.c - Heat on a chip, a band of rows a device ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Temperature of a chip from its power map, by explicit steps of the 2-D heat
|* equation. Each device keeps its band of rows, and one halo row on either
|* side, for the whole run; after a step only the edge rows travel.
|*
|* Usage: hotspot [columns [rows [steps]]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo.h"

#include <string.h>

#pragma omp begin declare target
/* The new temperature of a cell; neighbours outside the chip equal the cell. */
static inline float step(const float *T, const float *Power, int Columns,
                         int Rows, int J, int I) {
  size_t At = (size_t)J * Columns + I;
  float Here = T[At];
  float North = J > 0 ? T[At - Columns] : Here;
  float South = J < Rows - 1 ? T[At + Columns] : Here;
  float West = I > 0 ? T[At - 1] : Here;
  float East = I < Columns - 1 ? T[At + 1] : Here;
  return Here + 0.05f * Power[At] + 0.12f * (North + South - 2 * Here) +
         0.10f * (West + East - 2 * Here) + 0.002f * (80.0f - Here);
}
#pragma omp end declare target

/* A device's rows: its own [First, Last) and with halo [Low, High). */
struct Band {
  int First, Last, Low, High;
};

static struct Band bandOf(int Rows, int Device, int Devices) {
  struct Band B;
  B.First = demoShare(Rows, Device, Devices);
  B.Last = demoShare(Rows, Device + 1, Devices);
  B.Low = B.First > 0 ? B.First - 1 : 0;
  B.High = B.Last < Rows ? B.Last + 1 : Rows;
  return B;
}

/* All steps of one device's band. Every device has a host thread that calls
   this: after its kernel it fetches its edge rows, and once all have, it sends
   the neighbours' edge rows to its halo. */
static void onDevice(int Device, int Devices, int Columns, int Rows, int Steps,
                     float *T, float *Next, const float *Power) {
  struct Band B = bandOf(Rows, Device, Devices);
  int First = B.First, Last = B.Last, Empty = First == Last;
  size_t Begin = (size_t)B.Low * Columns;
  size_t Count = (size_t)(B.High - B.Low) * Columns;
  size_t Top = (size_t)First * Columns, Bottom = (size_t)(Last - 1) * Columns;
  size_t Above = (size_t)B.Low * Columns;
  size_t Below = (size_t)(B.High - 1) * Columns;
  if (!Empty) {
#pragma omp target enter data device(Device)                                   \
    map(to : T[Begin : Count], Power[Begin : Count])                           \
    map(alloc : Next[Begin : Count])
  }
  for (int S = 0; S < Steps; ++S) {
    if (!Empty) {
#pragma omp target teams distribute parallel for collapse(2) device(Device)    \
    map(to : T[Begin : Count], Power[Begin : Count])                           \
    map(from : Next[Begin : Count])
      for (int J = First; J < Last; ++J)
        for (int I = 0; I < Columns; ++I)
          Next[(size_t)J * Columns + I] = step(T, Power, Columns, Rows, J, I);
#pragma omp target update device(Device) from(Next[Top : Columns])
#pragma omp target update device(Device) from(Next[Bottom : Columns])
    }
    /* One is enough: the next step writes the other array on the host. */
#pragma omp barrier
    if (!Empty && B.Low < First) {
#pragma omp target update device(Device) to(Next[Above : Columns])
    }
    if (!Empty && Last < B.High) {
#pragma omp target update device(Device) to(Next[Below : Columns])
    }
    float *Swap = T;
    T = Next;
    Next = Swap;
  }
  /* Neighbours may still be reading this band's edge rows. */
#pragma omp barrier
  if (!Empty) {
    size_t Own = (size_t)(Last - First) * Columns;
#pragma omp target update device(Device) from(T[Top : Own])
#pragma omp target exit data device(Device)                                    \
    map(release : T[Begin : Count], Next[Begin : Count], Power[Begin : Count])
  }
}

static void onDevices(int Devices, int Columns, int Rows, int Steps, float *T,
                      float *Next, const float *Power) {
#pragma omp parallel num_threads(Devices)
  {
    if (omp_get_num_threads() != Devices) {
#pragma omp single
      {
        fprintf(stderr, "hotspot: needs a host thread a device\n");
        exit(2);
      }
    }
    onDevice(omp_get_thread_num(), Devices, Columns, Rows, Steps, T, Next,
             Power);
  }
}

static void onHost(int Columns, int Rows, int Steps, float *T, float *Next,
                   const float *Power) {
  for (int S = 0; S < Steps; ++S) {
    for (int J = 0; J < Rows; ++J)
      for (int I = 0; I < Columns; ++I)
        Next[(size_t)J * Columns + I] = step(T, Power, Columns, Rows, J, I);
    float *Swap = T;
    T = Next;
    Next = Swap;
  }
}

int main(int Argc, char **Argv) {
  int Columns = demoSize(Argc, Argv, 1, 511);
  int Rows = demoSize(Argc, Argv, 2, 509);
  int Steps = demoSize(Argc, Argv, 3, 60);
  int Devices = demoDevices();
  size_t Cells = (size_t)Columns * Rows;
  float *Start = demoAlloc(Cells, sizeof(float));
  float *Power = demoAlloc(Cells, sizeof(float));
  float *A = demoAlloc(Cells, sizeof(float));
  float *B = demoAlloc(Cells, sizeof(float));
  float *C = demoAlloc(Cells, sizeof(float));
  float *D = demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I) {
    Start[I] = 60.0f + 20.0f * demoValue(I);
    Power[I] = demoValue(I + Cells);
  }
  memcpy(C, Start, Cells * sizeof(float));
  onHost(Columns, Rows, Steps, C, D, Power);
  const float *Expected = Steps % 2 ? D : C;

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    memcpy(A, Start, Cells * sizeof(float));
    memset(B, 0, Cells * sizeof(float));
    double Begin = omp_get_wtime();
    onDevices(Devices, Columns, Rows, Steps, A, B, Power);
    Times[R] = omp_get_wtime() - Begin;
    Good = Good && demoClose(Steps % 2 ? B : A, Expected, Cells, 1e-5f);
  }

  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[64], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%dx%d", Columns, Rows, Steps);
  snprintf(Metric, sizeof(Metric), "%.1f Mcells/s on %d device%s",
           1e-3 * Steps * Cells / Ms, Devices, Devices == 1 ? "" : "s");
  free(Start), free(Power), free(A), free(B), free(C), free(D);
  return demoReport("hotspot", Size, Ms, Metric, Good);
}
