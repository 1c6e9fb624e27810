/*===- heat.c - The paper's heat equation, in three forms -----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* `hybrid` and `deviceid` are those of examples/many-devices, a host thread for
|* each device and `update peer`; `spread` is the program for one device with
|* `spread` and `distribute`. Times are those of all steps and of the copies to
|* the devices and back, as in the paper.
|*
|* Usage: heat heat:size:steps[:repeats]... [form...]
|*
\*===----------------------------------------------------------------------===*/

#define main exampleMain
#include "../../examples/many-devices/heat.c"
#undef main

#include "cells.h"

static float *spread(Plate P, int Devices, float *T1, float *T2) {
  const size_t Cells = (size_t)(P.Rows + 2) * P.Pitch;
  const int Pitch = P.Pitch, Rows = P.Rows;
  float *In = T1, *Out = T2;
  (void)Devices;
#pragma accx spread(T1[0 : Cells], T2[0 : Cells]) devices(all)
  for (int S = 0; S < P.Steps; ++S) {
#pragma accx distribute
#pragma acc parallel loop gang present(In[0 : Cells], Out[0 : Cells])
    for (int I = 1; I <= Rows; ++I) {
#pragma acc loop vector
      for (int J = 1; J < Pitch - 1; ++J)
        Out[(size_t)I * Pitch + J] = relaxed(In, (size_t)I * Pitch + J, Pitch);
    }
    float *Swap = In;
    In = Out;
    Out = Swap;
  }
  return In;
}

static const struct {
  const char *Name;
  float *(*Run)(Plate P, int Devices, float *T1, float *T2);
} Forms[] = {{"hybrid", hybrid}, {"deviceid", extension}, {"spread", spread}};

static int run(ScaleCase C, int Argc, char **Argv, int Devices) {
  const int Size = (int)C.Size;
  Plate P = {Size + 2, Size, C.Steps};
  const size_t Cells = (size_t)(Size + 2) * (size_t)(Size + 2);
  float *T[2], *Begin = scaleFilled(Cells);
  for (int I = 0; I < 2; ++I)
    T[I] = (float *)scaleAlloc(Cells * sizeof(float));
  int Bad = 0;
  for (int F = 0; F < 3; ++F) {
    if (!scaleWants(Argc, Argv, Forms[F].Name))
      continue;
    double Ms[ScaleMaxRounds], Sum = 0;
    int Good = 1;
    for (int R = -1; R < C.Rounds; ++R) {
      memcpy(T[0], Begin, Cells * sizeof(float));
      memcpy(T[1], Begin, Cells * sizeof(float));
      P.Steps = R < 0 ? ScaleCheckSteps : C.Steps;
      const double Start = scaleNow();
      const float *Got = Forms[F].Run(P, Devices, T[0], T[1]);
      if (R >= 0)
        Ms[R] = scaleNow() - Start;
      const ScaleGrid G = scaleGridOf("heat", Size + 2, Size + 2, Got);
      Sum = scaleLook(&G, R < 0 ? ScaleCheckSteps : 0, &Good);
    }
    char Impl[32], Unit[32];
    snprintf(Impl, sizeof(Impl), "accx-%s", Forms[F].Name);
    snprintf(Unit, sizeof(Unit), "ms for %d steps", C.Steps);
    Bad |= scaleReport("heat", Impl, Devices, C.Size, scaleMedian(Ms, C.Rounds),
                       Unit, Sum, Good);
  }
  free(Begin);
  free(T[0]);
  free(T[1]);
  return Bad;
}

int main(int Argc, char **Argv) {
  const int Devices = demoDevices();
  int Bad = 0;
  for (int I = 1; I < Argc; ++I)
    if (strchr(Argv[I], ':'))
      Bad |= run(scaleCase(Argv[I]), Argc, Argv, Devices);
  return Bad;
}
