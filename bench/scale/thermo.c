/*===- thermo.c - The paper's S3D-like program, in three forms ------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* `hybrid` and `deviceid` are those of examples/many-devices, which give each
|* device one of the two kernels; `spread` gives each device its points of both.
|* Times are those of all rounds and of the copies to the devices and back.
|*
|* Usage: thermo thermo:points:rounds[:repeats]... [form...]
|*
\*===----------------------------------------------------------------------===*/

#define main exampleMain
#include "../../examples/many-devices/thermo.c"
#undef main

#include "thermo.h"

static void spread(const Grid *G, int Devices, float *Results[2]) {
  const int Points = G->Points;
  const float *T = G->T, *Shares = G->Shares;
  const Polynomials *Fits = G->Fits;
  float *Capacity = Results[0], *Enthalpy = Results[1];
  (void)Devices;
#pragma accx enter spread(Capacity[0 : Points], Enthalpy[0 : Points],          \
                          T[0 : Points], Shares[0 : Points * Species])         \
    devices(all)
#pragma accx enter replicate(Fits[0 : 1]) devices(all)
  for (int R = 0; R < G->Rounds; ++R) {
#pragma accx distribute
#pragma acc parallel loop present(Capacity[0 : Points], T[0 : Points],         \
                                  Shares[0 : Points * Species], Fits[0 : 1])
    for (int I = 0; I < Points; ++I)
      Capacity[I] = mixed(Fits, T[I], Shares + I * Species, 0);
#pragma accx distribute
#pragma acc parallel loop present(Enthalpy[0 : Points], T[0 : Points],         \
                                  Shares[0 : Points * Species], Fits[0 : 1])
    for (int I = 0; I < Points; ++I)
      Enthalpy[I] = mixed(Fits, T[I], Shares + I * Species, 1);
  }
#pragma accx exit replicate(Fits[0 : 1])
#pragma accx exit spread(Capacity[0 : Points], Enthalpy[0 : Points],           \
                         T[0 : Points], Shares[0 : Points * Species])
}

static const struct {
  const char *Name;
  void (*Run)(const Grid *G, int Devices, float *Results[2]);
} Forms[] = {{"hybrid", hybrid}, {"deviceid", extension}, {"spread", spread}};

static int run(ScaleCase C, int Argc, char **Argv, int Devices) {
  Polynomials Fits;
  thermoFits(&Fits);
  ThermoFill Data;
  Data.T = (float *)scaleAlloc(C.Size * sizeof(float));
  Data.Shares = (float *)scaleAlloc(C.Size * Species * sizeof(float));
  scaleParallel(C.Size, thermoFillPart, &Data);
  float *Results[2];
  for (int Kind = 0; Kind < 2; ++Kind)
    Results[Kind] = (float *)scaleAlloc(C.Size * sizeof(float));
  const Grid G = {(int)C.Size, C.Steps, &Fits, Data.T, Data.Shares};
  int Bad = 0;
  for (int F = 0; F < 3; ++F) {
    if (!scaleWants(Argc, Argv, Forms[F].Name))
      continue;
    double Ms[ScaleMaxRounds], Sum = 0;
    int Good = 1;
    for (int R = -1; R < C.Rounds; ++R) {
      for (int Kind = 0; Kind < 2; ++Kind)
        memset(Results[Kind], 0, C.Size * sizeof(float));
      const double Start = scaleNow();
      Forms[F].Run(&G, Devices, Results);
      if (R >= 0)
        Ms[R] = scaleNow() - Start;
      Sum = thermoLook(&Fits, &Data, Results, C.Size, mixed, &Good);
    }
    char Impl[32], Unit[32];
    snprintf(Impl, sizeof(Impl), "accx-%s", Forms[F].Name);
    snprintf(Unit, sizeof(Unit), "ms for %d rounds", C.Steps);
    Bad |= scaleReport("thermo", Impl, Devices, C.Size,
                       scaleMedian(Ms, C.Rounds), Unit, Sum, Good);
  }
  free(Data.T);
  free(Data.Shares);
  free(Results[0]);
  free(Results[1]);
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
