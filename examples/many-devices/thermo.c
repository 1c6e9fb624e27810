/*===- thermo.c - Two independent kernels on several devices --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* As the thermodynamics of a flow solver: at each point of a grid the heat
|* capacity and the enthalpy of a mixture of gases, from polynomials of the
|* temperature, of which there is one below and one above a middle temperature.
|* The two kernels have their input in common and nothing else, so each goes to
|* devices of its own: the even ones compute capacities, the odd ones
|* enthalpies. One device alone computes both. Both kernels run again and again,
|* as in a solver's time steps.
|*
|* Usage: thermo [points [rounds [devices]]]
|*
\*===----------------------------------------------------------------------===*/

#include "many.h"

enum { Species = 9, Degree = 5 };

typedef struct {
  float Middle;
  float Low[Species][Degree], High[Species][Degree];
} Polynomials;

/* Of one mixture at one point: capacity, or enthalpy, its integral. */
#pragma acc routine seq
static float mixed(const Polynomials *P, float T, const float *Shares,
                   int Integral) {
  float Sum = 0;
  for (int S = 0; S < Species; ++S) {
    const float *C = T < P->Middle ? P->Low[S] : P->High[S];
    float Value = 0;
    for (int I = Degree - 1; I >= 0; --I)
      Value = Value * T + (Integral ? C[I] / (float)(I + 1) : C[I]);
    Sum += Shares[S] * (Integral ? Value * T : Value);
  }
  return Sum;
}

/* The points of device D, and which kernel is its own; 2 of 2 devices have all
   points, 3 have halves of the one and all of the other. */
typedef struct {
  int Integral, First, Count;
} Part;

static Part partOf(int D, int Devices, int Points) {
  const int Kind = D % 2, Sharers = Kind ? Devices / 2 : (Devices + 1) / 2;
  const int First = demoShare(Points, D / 2, Sharers);
  const Part P = {Kind, First, demoShare(Points, D / 2 + 1, Sharers) - First};
  return P;
}

typedef struct {
  int Points, Rounds;
  const Polynomials *Fits;
  const float *T, *Shares;
} Grid;

static void hybridPart(const Grid *G, Part P, float *Result) {
  const int First = P.First, Count = P.Count, Integral = P.Integral;
  const float *T = G->T, *Shares = G->Shares;
  const Polynomials *Fits = G->Fits;
#pragma acc data copyin(T[First : Count], Fits[0 : 1])                         \
    copyin(Shares[First * Species : Count * Species])                          \
        copyout(Result[First : Count])
  for (int R = 0; R < G->Rounds; ++R) {
#pragma acc parallel loop
    for (int I = First; I < First + Count; ++I)
      Result[I] = mixed(Fits, T[I], Shares + I * Species, Integral);
  }
}

static void hybrid(const Grid *G, int Devices, float *Results[2]) {
  if (Devices == 1) {
    acc_set_device_num(0, acc_get_device_type());
    for (int Kind = 0; Kind < 2; ++Kind)
      hybridPart(G, (Part){Kind, 0, G->Points}, Results[Kind]);
    return;
  }
#pragma omp parallel num_threads(Devices)
  {
    const int D = omp_get_thread_num();
    const Part P = partOf(D, Devices, G->Points);
    manyEnter(D, Devices);
    hybridPart(G, P, Results[P.Integral]);
  }
}

static void queuePart(const Grid *G, int D, Part P, float *Result) {
  const int First = P.First, Count = P.Count, Integral = P.Integral;
  const float *T = G->T, *Shares = G->Shares;
  const Polynomials *Fits = G->Fits;
#pragma acc data copyin(T[First : Count], Fits[0 : 1])                         \
    copyin(Shares[First * Species : Count * Species])                          \
        copyout(Result[First : Count]) deviceid(D)
  for (int R = 0; R < G->Rounds; ++R) {
#pragma acc parallel loop deviceid(D)
    for (int I = First; I < First + Count; ++I)
      Result[I] = mixed(Fits, T[I], Shares + I * Species, Integral);
  }
}

static void extension(const Grid *G, int Devices, float *Results[2]) {
  if (Devices == 1)
    for (int Kind = 0; Kind < 2; ++Kind)
      queuePart(G, 0, (Part){Kind, 0, G->Points}, Results[Kind]);
  else
    for (int D = 0; D < Devices; ++D) {
      const Part P = partOf(D, Devices, G->Points);
      queuePart(G, D, P, Results[P.Integral]);
    }
  for (int D = 0; D < Devices; ++D) {
#pragma acc wait device(D)
  }
}

int main(int Argc, char **Argv) {
  const int Points = demoSize(Argc, Argv, 1, 1001);
  const int Rounds = demoSize(Argc, Argv, 2, 20);
  const int Devices = manyDevices(Argc, Argv, 3);
  Polynomials Fits = {1000, {{0}}, {{0}}};
  static const float Scale[Degree] = {3, 1e-3f, 1e-7f, 1e-10f, 1e-14f};
  for (int S = 0; S < Species; ++S)
    for (int I = 0; I < Degree; ++I) {
      Fits.Low[S][I] = Scale[I] * (1 + demoValue((size_t)(S * Degree + I)));
      Fits.High[S][I] = Scale[I] * (1 + demoValue((size_t)(99 + S + 9 * I)));
    }
  float *T = (float *)demoAlloc(Points, sizeof(float));
  float *Shares = (float *)demoAlloc((size_t)Points * Species, sizeof(float));
  float *Results[2], *Expected[2];
  for (int Kind = 0; Kind < 2; ++Kind) {
    Results[Kind] = (float *)demoAlloc(Points, sizeof(float));
    Expected[Kind] = (float *)demoAlloc(Points, sizeof(float));
  }
  for (int I = 0; I < Points; ++I) {
    T[I] = 300 + 2000 * demoValue((size_t)I);
    for (int S = 0; S < Species; ++S)
      Shares[I * Species + S] = demoValue((size_t)(I * Species + S)) / Species;
    for (int Kind = 0; Kind < 2; ++Kind)
      Expected[Kind][I] = mixed(&Fits, T[I], Shares + I * Species, Kind);
  }

  const Grid G = {Points, Rounds, &Fits, T, Shares};
  int Bad = 0;
  char Size[32];
  snprintf(Size, sizeof(Size), "%dx%d", Points, Rounds);
  for (int Form = 0; Form < 2; ++Form) {
    double Times[DemoRepeats];
    int Good = 1;
    for (int R = 0; R < DemoRepeats; ++R) {
      for (int I = 0; I < Points; ++I)
        Results[0][I] = Results[1][I] = -1;
      const double Start = demoNow();
      (Form ? extension : hybrid)(&G, Devices, Results);
      Times[R] = demoNow() - Start;
      for (int Kind = 0; Kind < 2; ++Kind)
        Good = Good &&
               demoClose(Results[Kind], Expected[Kind], (size_t)Points, 1e-5);
    }
    Bad |= manyReport("thermo", Form ? "deviceid" : "hybrid", Size, Devices,
                      Times, Good);
  }
  free(T), free(Shares);
  for (int Kind = 0; Kind < 2; ++Kind)
    free(Results[Kind]), free(Expected[Kind]);
  return Bad;
}
