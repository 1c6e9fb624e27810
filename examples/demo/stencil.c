/*===- stencil.c - 7-point stencil streamed plane by plane ----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The data-directory paper's motivating example. A device holds only the three
|* planes it needs. Moving on by one plane maps a section that overlaps the one
|* already mapped, and copies in just the plane that is new:
|*
|*   plane     k-1     k     k+1    k+2
|*   mapped  [===================]              present
|*   next            [===================]      k+2 is copied, k and k+1 are not
|*   exit    [=====]                            of the first: only k-1 goes
|*
|* Runtimes without a directory of overlapping entries stop the program at the
|* second map. Usage: stencil [nx [ny [nz]]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo.h"

#include <string.h>

enum { Sweeps = 4 };

#pragma omp begin declare target
/* One cell: weighted mean of itself and six neighbours; borders stay. */
static inline float cell(const float *In, int NX, int NY, size_t Plane, int K,
                         int J, int I) {
  size_t At = (size_t)K * Plane + (size_t)J * NX + I;
  if (J == 0 || J == NY - 1 || I == 0 || I == NX - 1)
    return In[At];
  return 0.4f * In[At] + 0.1f * (In[At - 1] + In[At + 1] + In[At - NX] +
                                 In[At + NX] + In[At - Plane] + In[At + Plane]);
}
#pragma omp end declare target

/* Planes First to Last-1 of one sweep on one device. */
static void stream(int Device, int NX, int NY, const float *In, float *Out,
                   int First, int Last) {
  size_t Plane = (size_t)NX * NY;
  for (int K = First; K < Last; ++K) {
    size_t Below = (K - 1) * Plane;
#pragma omp target enter data map(to : In[Below : 3 * Plane]) device(Device)
    if (K > First) {
      size_t Previous = Below - Plane;
#pragma omp target exit data map(release : In[Previous : 3 * Plane])           \
    device(Device)
    }
#pragma omp target teams distribute parallel for collapse(2) device(Device)    \
    map(to : In[Below : 3 * Plane]) map(from : Out[K * Plane : Plane])
    for (int J = 0; J < NY; ++J)
      for (int I = 0; I < NX; ++I)
        Out[K * Plane + (size_t)J * NX + I] = cell(In, NX, NY, Plane, K, J, I);
  }
  if (Last > First) {
    size_t Below = (Last - 2) * Plane;
#pragma omp target exit data map(release : In[Below : 3 * Plane]) device(Device)
  }
}

/* All sweeps; the inner planes are dealt to the devices, a host thread each.
   Returns the array that holds the result. */
static float *onDevices(int Devices, int NX, int NY, int NZ, float *In,
                        float *Out) {
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep) {
    int Inner = NZ < 3 ? 0 : NZ - 2;
#pragma omp parallel for num_threads(Devices) schedule(static, 1)
    for (int D = 0; D < Devices; ++D)
      stream(D, NX, NY, In, Out, 1 + demoShare(Inner, D, Devices),
             1 + demoShare(Inner, D + 1, Devices));
    float *Swap = In;
    In = Out;
    Out = Swap;
  }
  return In;
}

static float *onHost(int NX, int NY, int NZ, float *In, float *Out) {
  size_t Plane = (size_t)NX * NY;
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep) {
    for (int K = 1; K < NZ - 1; ++K)
      for (int J = 0; J < NY; ++J)
        for (int I = 0; I < NX; ++I)
          Out[K * Plane + (size_t)J * NX + I] =
              cell(In, NX, NY, Plane, K, J, I);
    float *Swap = In;
    In = Out;
    Out = Swap;
  }
  return In;
}

int main(int Argc, char **Argv) {
  int NX = demoSize(Argc, Argv, 1, 255);
  int NY = demoSize(Argc, Argv, 2, 129);
  int NZ = demoSize(Argc, Argv, 3, 67);
  int Devices = demoDevices();
  size_t Cells = (size_t)NX * NY * NZ;
  float *Start = demoAlloc(Cells, sizeof(float));
  float *A = demoAlloc(Cells, sizeof(float));
  float *B = demoAlloc(Cells, sizeof(float));
  float *C = demoAlloc(Cells, sizeof(float));
  float *D = demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I)
    Start[I] = demoValue(I);
  memcpy(C, Start, Cells * sizeof(float));
  memcpy(D, Start, Cells * sizeof(float));
  float *Expected = onHost(NX, NY, NZ, C, D);

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    memcpy(A, Start, Cells * sizeof(float));
    memcpy(B, Start, Cells * sizeof(float));
    double Begin = omp_get_wtime();
    float *Got = onDevices(Devices, NX, NY, NZ, A, B);
    Times[R] = omp_get_wtime() - Begin;
    Good = Good && demoClose(Got, Expected, Cells, 1e-5f);
  }

  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[64], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%dx%d", NX, NY, NZ);
  snprintf(Metric, sizeof(Metric), "%.1f Mcells/s on %d device%s",
           1e-3 * Sweeps * Cells / Ms, Devices, Devices == 1 ? "" : "s");
  free(Start), free(A), free(B), free(C), free(D);
  return demoReport("stencil", Size, Ms, Metric, Good);
}
