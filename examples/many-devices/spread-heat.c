/*===- spread-heat.c - Heat equation, spread over all devices -------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The program for one device with two words more: `spread` lays the plate over
|* all devices, `distribute` runs each row where it lies. Nothing is said of
|* borders between devices; rows next to one are read from the neighbour. Every
|* tenth step also tells how much changed, as a reduction over all devices.
|*
|* The loops are here twice, with OpenACC and with OpenMP.
|* Usage: spread-heat [columns [rows [steps]]]
|*
\*===----------------------------------------------------------------------===*/

#include "many.h"

#include <math.h>
#include <string.h>

enum { Often = 10 };

typedef struct {
  int Pitch, Rows, Steps; /* Rows and columns with the fixed ones around. */
} Plate;

typedef struct {
  float *T; /* The array with the last temperatures. */
  double Change;
} Result;

static inline float relaxed(const float *T, size_t At, int Pitch) {
  return T[At] + 0.1f * (T[At - Pitch] + T[At + Pitch] + T[At - 1] + T[At + 1] -
                         4 * T[At]);
}

static Result accSpread(Plate P, float *In, float *Out) {
  const size_t Cells = (size_t)P.Rows * P.Pitch;
  const int Pitch = P.Pitch, Rows = P.Rows;
  Result R = {In, 0};
#pragma accx spread(In[0 : Cells], Out[0 : Cells]) devices(all)
  {
    float *From = In, *To = Out;
    for (int S = 1; S <= P.Steps; ++S) {
#pragma accx distribute
#pragma acc parallel loop collapse(2) present(From[0 : Cells], To[0 : Cells])
      for (int I = 1; I < Rows - 1; ++I)
        for (int J = 1; J < Pitch - 1; ++J)
          To[(size_t)I * Pitch + J] =
              relaxed(From, (size_t)I * Pitch + J, Pitch);
      if (S % Often == 0) {
        double Change = 0;
#pragma accx distribute
#pragma acc parallel loop collapse(2) present(From[0 : Cells], To[0 : Cells])  \
    reduction(max : Change)
        for (int I = 1; I < Rows - 1; ++I)
          for (int J = 1; J < Pitch - 1; ++J)
            Change = fmax(Change, fabs(To[(size_t)I * Pitch + J] -
                                       From[(size_t)I * Pitch + J]));
        R.Change = Change;
      }
      float *Swap = From;
      From = To;
      To = Swap;
    }
    R.T = From;
  }
  return R;
}

static Result ompSpread(Plate P, float *In, float *Out) {
  const size_t Cells = (size_t)P.Rows * P.Pitch;
  const int Pitch = P.Pitch, Rows = P.Rows;
  Result R = {In, 0};
#pragma accx spread(In[0 : Cells], Out[0 : Cells]) devices(all)
  {
    float *From = In, *To = Out;
    for (int S = 1; S <= P.Steps; ++S) {
#pragma accx distribute
#pragma omp target teams distribute parallel for collapse(2)
      for (int I = 1; I < Rows - 1; ++I)
        for (int J = 1; J < Pitch - 1; ++J)
          To[(size_t)I * Pitch + J] =
              relaxed(From, (size_t)I * Pitch + J, Pitch);
      if (S % Often == 0) {
        double Change = 0;
#pragma accx distribute
#pragma omp target teams distribute parallel for collapse(2)                   \
    reduction(max : Change)
        for (int I = 1; I < Rows - 1; ++I)
          for (int J = 1; J < Pitch - 1; ++J)
            Change = fmax(Change, fabs(To[(size_t)I * Pitch + J] -
                                       From[(size_t)I * Pitch + J]));
        R.Change = Change;
      }
      float *Swap = From;
      From = To;
      To = Swap;
    }
    R.T = From;
  }
  return R;
}

static Result onHost(Plate P, float *In, float *Out) {
  Result R = {In, 0};
  for (int S = 1; S <= P.Steps; ++S) {
    if (S % Often == 0)
      R.Change = 0;
    for (int I = 1; I < P.Rows - 1; ++I)
      for (int J = 1; J < P.Pitch - 1; ++J) {
        const size_t At = (size_t)I * P.Pitch + J;
        Out[At] = relaxed(In, At, P.Pitch);
        if (S % Often == 0)
          R.Change = fmax(R.Change, fabs(Out[At] - In[At]));
      }
    float *Swap = In;
    In = Out;
    Out = Swap;
  }
  R.T = In;
  return R;
}

int main(int Argc, char **Argv) {
  const Plate P = {demoSize(Argc, Argv, 1, 127) + 2,
                   demoSize(Argc, Argv, 2, 125) + 2,
                   demoSize(Argc, Argv, 3, 60)};
  const int Devices = demoDevices();
  const size_t Cells = (size_t)P.Rows * P.Pitch;
  float *Begin = (float *)demoAlloc(Cells, sizeof(float));
  float *T[4];
  for (int I = 0; I < 4; ++I)
    T[I] = (float *)demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I)
    Begin[I] = T[2][I] = T[3][I] = 100 * demoValue(I);
  const Result Expected = onHost(P, T[2], T[3]);

  int Bad = 0;
  char Size[64];
  snprintf(Size, sizeof(Size), "%dx%dx%d", P.Pitch - 2, P.Rows - 2, P.Steps);
  for (int Form = 0; Form < 2; ++Form) {
    double Times[DemoRepeats];
    int Good = 1;
    for (int R = 0; R < DemoRepeats; ++R) {
      memcpy(T[0], Begin, Cells * sizeof(float));
      memcpy(T[1], Begin, Cells * sizeof(float));
      const double Start = demoNow();
      const Result Got = (Form ? ompSpread : accSpread)(P, T[0], T[1]);
      Times[R] = demoNow() - Start;
      Good = Good && demoClose(Got.T, Expected.T, Cells, 1e-4) &&
             demoNear(Got.Change, Expected.Change, 1e-4);
    }
    Bad |= manyReport("heat", Form ? "spread-omp" : "spread-acc", Size, Devices,
                      Times, Good);
  }
  free(Begin);
  for (int I = 0; I < 4; ++I)
    free(T[I]);
  return Bad;
}
