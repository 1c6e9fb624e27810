/*===- nbody.c - Gravity of all bodies on all, two kernels a step ---------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The force kernel calls a device routine for each pair of bodies; the second
|* kernel moves the bodies. Positions, velocities and forces are structures and
|* stay on the device for all steps; the kinetic energy comes back as a sum.
|*
|* Usage: nbody [bodies [steps]]
|*
\*===----------------------------------------------------------------------===*/

#include "demo_acc.h"

#include <math.h>
#include <string.h>

typedef struct {
  float X, Y, Z;
} Vector;

typedef struct {
  float X, Y, Z, Mass;
} Body;

static const float Softening = 1e-2f, TimeStep = 1e-3f;

#pragma acc routine seq
static void interact(Vector *Acc, Body P, Body Q, float SofteningSquared) {
  float X = Q.X - P.X, Y = Q.Y - P.Y, Z = Q.Z - P.Z;
  float Squared = X * X + Y * Y + Z * Z + SofteningSquared;
  float Inverse = 1.0f / sqrtf(Squared);
  float Scale = Q.Mass * Inverse * Inverse * Inverse;
  Acc->X += X * Scale;
  Acc->Y += Y * Scale;
  Acc->Z += Z * Scale;
}

#pragma acc routine seq
static float move(Body *P, Vector *V, const Vector *Force, float Step) {
  V->X += Step * Force->X;
  V->Y += Step * Force->Y;
  V->Z += Step * Force->Z;
  P->X += Step * V->X;
  P->Y += Step * V->Y;
  P->Z += Step * V->Z;
  return 0.5f * P->Mass * (V->X * V->X + V->Y * V->Y + V->Z * V->Z);
}

static double onDevice(int Count, int Steps, Body *Bodies, Vector *Velocity,
                       Vector *Force) {
  double Energy = 0;
  float Squared = Softening * Softening, Step = TimeStep;
#pragma acc data copy(Bodies[0 : Count], Velocity[0 : Count])                  \
    create(Force[0 : Count])
  for (int S = 0; S < Steps; ++S) {
#pragma acc kernels present(Bodies[0 : Count], Force[0 : Count])
#pragma acc loop independent
    for (int I = 0; I < Count; ++I) {
      Vector Acc = {0, 0, 0};
      Body P = Bodies[I];
      for (int J = 0; J < Count; ++J)
        interact(&Acc, P, Bodies[J], Squared);
      Force[I] = Acc;
    }
    Energy = 0;
#pragma acc parallel loop present(Bodies, Velocity, Force) reduction(+ : Energy)
    for (int I = 0; I < Count; ++I)
      Energy += move(&Bodies[I], &Velocity[I], &Force[I], Step);
  }
  return Energy;
}

static double onHost(int Count, int Steps, Body *Bodies, Vector *Velocity,
                     Vector *Force) {
  double Energy = 0;
  for (int S = 0; S < Steps; ++S) {
    for (int I = 0; I < Count; ++I) {
      Force[I].X = Force[I].Y = Force[I].Z = 0;
      for (int J = 0; J < Count; ++J)
        interact(&Force[I], Bodies[I], Bodies[J], Softening * Softening);
    }
    Energy = 0;
    for (int I = 0; I < Count; ++I)
      Energy += move(&Bodies[I], &Velocity[I], &Force[I], TimeStep);
  }
  return Energy;
}

int main(int Argc, char **Argv) {
  int Count = demoSize(Argc, Argv, 1, 2001);
  int Steps = demoSize(Argc, Argv, 2, 5);
  int Devices = demoDevices() > 0;
  size_t Items = (size_t)Count;
  Body *Start = (Body *)demoAlloc(Items, sizeof(Body));
  Body *Bodies = (Body *)demoAlloc(Items, sizeof(Body));
  Body *Expected = (Body *)demoAlloc(Items, sizeof(Body));
  Vector *Velocity = (Vector *)demoAlloc(Items, sizeof(Vector));
  Vector *Force = (Vector *)demoAlloc(Items, sizeof(Vector));
  for (size_t I = 0; I < Items; ++I) {
    Start[I].X = demoValue(4 * I);
    Start[I].Y = demoValue(4 * I + 1);
    Start[I].Z = demoValue(4 * I + 2);
    Start[I].Mass = (0.5f + demoValue(4 * I + 3)) / (float)Count;
  }
  memcpy(Expected, Start, Items * sizeof(Body));
  double ExpectedEnergy = onHost(Count, Steps, Expected, Velocity, Force);

  double Times[DemoRepeats];
  int Good = 1;
  for (int R = 0; R < DemoRepeats; ++R) {
    memcpy(Bodies, Start, Items * sizeof(Body));
    memset(Velocity, 0, Items * sizeof(Vector));
    double Begin = demoNow();
    double Energy = onDevice(Count, Steps, Bodies, Velocity, Force);
    Times[R] = demoNow() - Begin;
    Good = Good && demoNear(Energy / ExpectedEnergy, 1, 1e-3) &&
           demoClose(&Bodies[0].X, &Expected[0].X, 4 * Items, 1e-5);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[32], Metric[64];
  snprintf(Size, sizeof(Size), "%dx%d", Count, Steps);
  snprintf(Metric, sizeof(Metric), "%.1f Mpairs/s on %s",
           1e-3 * Steps * Count * (double)Count / Ms, demoPlace(Devices));
  free(Start), free(Bodies), free(Expected), free(Velocity), free(Force);
  return demoReport("acc-nbody", Size, Ms, Metric, Good);
}
