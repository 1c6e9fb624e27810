/*===- spread-nbody.c - Gravity of all bodies on all, on all devices ------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Bodies and velocities lie spread over all devices. In the first loop each
|* device reads all bodies, its neighbours' over the link, and gives its own new
|* velocities; in the second each moves its own. The energy is a sum over all
|* devices.
|*
|* The loops are here twice, with OpenACC and with OpenMP.
|* Usage: spread-nbody [bodies [steps]]
|*
\*===----------------------------------------------------------------------===*/

#include "many.h"

#include <math.h>
#include <string.h>

typedef struct {
  float X, Y, Z, Mass;
} Body;

static const float Softening = 1e-2f, TimeStep = 1e-3f;

/* The velocity V of P after a step's pull of all bodies. */
#pragma acc routine seq
static inline Body pulled(Body P, Body V, const Body *All, int Count,
                          float Squared, float Step) {
  float X = 0, Y = 0, Z = 0;
  for (int J = 0; J < Count; ++J) {
    const float DX = All[J].X - P.X, DY = All[J].Y - P.Y, DZ = All[J].Z - P.Z;
    const float Inverse = 1 / sqrtf(DX * DX + DY * DY + DZ * DZ + Squared);
    const float Scale = All[J].Mass * Inverse * Inverse * Inverse;
    X += DX * Scale;
    Y += DY * Scale;
    Z += DZ * Scale;
  }
  V.X += Step * X;
  V.Y += Step * Y;
  V.Z += Step * Z;
  return V;
}

/* Moves P and gives its kinetic energy. */
#pragma acc routine seq
static inline float move(Body *P, Body V, float Step) {
  P->X += Step * V.X;
  P->Y += Step * V.Y;
  P->Z += Step * V.Z;
  return 0.5f * P->Mass * (V.X * V.X + V.Y * V.Y + V.Z * V.Z);
}

static double accSpread(int Count, int Steps, Body *P, Body *V) {
  const float Squared = Softening * Softening, Step = TimeStep;
  double Energy = 0;
#pragma accx spread(P[0 : Count], V[0 : Count]) devices(all)
  for (int S = 0; S < Steps; ++S) {
#pragma accx distribute
#pragma acc parallel loop present(P[0 : Count], V[0 : Count])
    for (int I = 0; I < Count; ++I)
      V[I] = pulled(P[I], V[I], P, Count, Squared, Step);
    Energy = 0;
#pragma accx distribute
#pragma acc parallel loop present(P[0 : Count], V[0 : Count])                  \
    reduction(+ : Energy)
    for (int I = 0; I < Count; ++I)
      Energy += move(&P[I], V[I], Step);
  }
  return Energy;
}

static double ompSpread(int Count, int Steps, Body *P, Body *V) {
  const float Squared = Softening * Softening, Step = TimeStep;
  double Energy = 0;
#pragma accx spread(P[0 : Count], V[0 : Count]) devices(all)
  for (int S = 0; S < Steps; ++S) {
#pragma accx distribute
#pragma omp target teams distribute parallel for
    for (int I = 0; I < Count; ++I)
      V[I] = pulled(P[I], V[I], P, Count, Squared, Step);
    Energy = 0;
#pragma accx distribute
#pragma omp target teams distribute parallel for reduction(+ : Energy)
    for (int I = 0; I < Count; ++I)
      Energy += move(&P[I], V[I], Step);
  }
  return Energy;
}

static double onHost(int Count, int Steps, Body *P, Body *V) {
  double Energy = 0;
  for (int S = 0; S < Steps; ++S) {
    for (int I = 0; I < Count; ++I)
      V[I] = pulled(P[I], V[I], P, Count, Softening * Softening, TimeStep);
    Energy = 0;
    for (int I = 0; I < Count; ++I)
      Energy += move(&P[I], V[I], TimeStep);
  }
  return Energy;
}

int main(int Argc, char **Argv) {
  const int Count = demoSize(Argc, Argv, 1, 1001);
  const int Steps = demoSize(Argc, Argv, 2, 4);
  const int Devices = demoDevices();
  const size_t Items = (size_t)Count;
  Body *Begin = (Body *)demoAlloc(Items, sizeof(Body));
  Body *P = (Body *)demoAlloc(Items, sizeof(Body));
  Body *V = (Body *)demoAlloc(Items, sizeof(Body));
  Body *Expected = (Body *)demoAlloc(Items, sizeof(Body));
  for (size_t I = 0; I < Items; ++I) {
    Begin[I].X = demoValue(4 * I);
    Begin[I].Y = demoValue(4 * I + 1);
    Begin[I].Z = demoValue(4 * I + 2);
    Begin[I].Mass = (0.5f + demoValue(4 * I + 3)) / (float)Count;
  }
  memcpy(Expected, Begin, Items * sizeof(Body));
  const double ExpectedEnergy = onHost(Count, Steps, Expected, V);

  int Bad = 0;
  char Size[64];
  snprintf(Size, sizeof(Size), "%dx%d", Count, Steps);
  for (int Form = 0; Form < 2; ++Form) {
    double Times[DemoRepeats];
    int Good = 1;
    for (int R = 0; R < DemoRepeats; ++R) {
      memcpy(P, Begin, Items * sizeof(Body));
      memset(V, 0, Items * sizeof(Body));
      const double Start = demoNow();
      const double Energy = (Form ? ompSpread : accSpread)(Count, Steps, P, V);
      Times[R] = demoNow() - Start;
      Good = Good && demoNear(Energy / ExpectedEnergy, 1, 1e-3) &&
             demoClose(&P[0].X, &Expected[0].X, 4 * Items, 1e-5);
    }
    Bad |= manyReport("nbody", Form ? "spread-omp" : "spread-acc", Size,
                      Devices, Times, Good);
  }
  free(Begin), free(P), free(V), free(Expected);
  return Bad;
}
