/*===- hotspot.c - Heat on a chip, data entered and left by hand ----------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Temperature of a chip from its power map, by explicit steps of the 2-D heat
|* equation. The data lives on the device from enter data to exit data, across
|* functions: the kernel only says `present`, two steps exchange the arrays, and
|* every so often the host looks at one row through `update`.
|*
|* Usage: hotspot [columns [rows [steps]]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

#include <string.h>

static const double StepCap = 0.5, Rx = 0.2, Ry = 0.15, Rz = 0.01,
                    Ambient = 80.0;
enum { LookEvery = 16 };

static void step(int Row, int Col, const double *Temp, const double *Power,
                 double *Result) {
  double Cap = StepCap, X = Rx, Y = Ry, Z = Rz, Air = Ambient;
  size_t Cells = (size_t)Row * Col;
#pragma acc kernels present(Temp[0 : Cells], Power[0 : Cells],                 \
                            Result[0 : Cells])
#pragma acc loop independent
  for (int R = 0; R < Row; ++R) {
#pragma acc loop independent
    for (int C = 0; C < Col; ++C) {
      int S = R == Row - 1 ? R : R + 1, N = R == 0 ? 0 : R - 1;
      int W = C == 0 ? 0 : C - 1, E = C == Col - 1 ? C : C + 1;
      size_t At = (size_t)R * Col + C;
      double Here = Temp[At];
      double North = Temp[(size_t)N * Col + C];
      double South = Temp[(size_t)S * Col + C];
      double West = Temp[(size_t)R * Col + W], East = Temp[(size_t)R * Col + E];
      Result[At] =
          Here + Cap * (Power[At] + (North + South - 2 * Here) * Y +
                        (West + East - 2 * Here) * X + (Air - Here) * Z);
    }
  }
}

/* The hottest cell seen in the middle row at every LookEvery-th step. */
static double onDevice(int Row, int Col, int Steps, double *A, double *B,
                       const double *Power) {
  size_t Cells = (size_t)Row * Col, Middle = (size_t)(Row / 2) * Col;
  double Hottest = 0;
#pragma acc enter data copyin(A[0 : Cells], Power[0 : Cells])                  \
    create(B[0 : Cells])
  double *Temp = A, *Result = B;
  for (int S = 0; S < Steps; ++S) {
    step(Row, Col, Temp, Power, Result);
    if (S % LookEvery == 0) {
#pragma acc update self(Result[Middle : Col])
      for (int C = 0; C < Col; ++C)
        if (Result[Middle + C] > Hottest)
          Hottest = Result[Middle + C];
    }
    double *Swap = Temp;
    Temp = Result;
    Result = Swap;
  }
#pragma acc exit data copyout(Temp[0 : Cells]) delete (Result[0 : Cells],      \
                                                       Power[0 : Cells])
  return Hottest;
}

static double onHost(int Row, int Col, int Steps, double *Temp, double *Result,
                     const double *Power) {
  double Hottest = 0;
  for (int S = 0; S < Steps; ++S) {
    for (int R = 0; R < Row; ++R)
      for (int C = 0; C < Col; ++C) {
        size_t At = (size_t)R * Col + C;
        double Here = Temp[At];
        double North = R > 0 ? Temp[At - Col] : Here;
        double South = R < Row - 1 ? Temp[At + Col] : Here;
        double West = C > 0 ? Temp[At - 1] : Here;
        double East = C < Col - 1 ? Temp[At + 1] : Here;
        Result[At] =
            Here +
            StepCap * (Power[At] + (North + South - 2 * Here) * Ry +
                       (West + East - 2 * Here) * Rx + (Ambient - Here) * Rz);
        if (S % LookEvery == 0 && R == Row / 2 && Result[At] > Hottest)
          Hottest = Result[At];
      }
    double *Swap = Temp;
    Temp = Result;
    Result = Swap;
  }
  return Hottest;
}

int main(int Argc, char **Argv) {
  int Col = demoSize(Argc, Argv, 1, 515);
  int Row = demoSize(Argc, Argv, 2, 509);
  int Steps = demoSize(Argc, Argv, 3, 100);
  int Devices = demoDevices() > 0;
  size_t Cells = (size_t)Row * Col;
  double *Start = (double *)demoAlloc(Cells, sizeof(double));
  double *Power = (double *)demoAlloc(Cells, sizeof(double));
  double *A = (double *)demoAlloc(Cells, sizeof(double));
  double *B = (double *)demoAlloc(Cells, sizeof(double));
  double *C = (double *)demoAlloc(Cells, sizeof(double));
  double *D = (double *)demoAlloc(Cells, sizeof(double));
  for (size_t I = 0; I < Cells; ++I) {
    Start[I] = 60.0 + 20.0 * demoValue(I);
    Power[I] = demoValue(I + Cells);
  }
  memcpy(C, Start, Cells * sizeof(double));
  double ExpectedPeak = onHost(Row, Col, Steps, C, D, Power);
  const double *Expected = Steps % 2 ? D : C;

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    memcpy(A, Start, Cells * sizeof(double));
    memset(B, 0, Cells * sizeof(double));
    double Begin = demoNow();
    double Peak = onDevice(Row, Col, Steps, A, B, Power);
    Times[R] = demoNow() - Begin;
    Good = Good && demoNear(Peak, ExpectedPeak, 1e-10) &&
           demoCloseDouble(Steps % 2 ? B : A, Expected, Cells, 1e-10);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[64], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%dx%d", Col, Row, Steps);
  snprintf(Metric, sizeof(Metric), "%.1f Mcells/s on %s",
           1e-3 * Steps * (double)Cells / Ms, demoPlace(Devices));
  free(Start), free(Power), free(A), free(B), free(C), free(D);
  return demoReport("acc-hotspot", Size, Ms, Metric, Good);
}
