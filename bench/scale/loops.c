/*===- loops.c - Product, bodies and a sum on one device and on all -------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* OpenACC for one device, with `spread` and `distribute` in front. Bodies are
|* 16 bytes, so that 131,072 of them are one page of a GPU, which one device
|* holds: `schedule(block)` has all devices compute all the same.
|*
|* Usage: loops product:size:steps[:rounds]... nbody:... sum:...
|*
\*===----------------------------------------------------------------------===*/

#include "bodies.h"
#include "spread.h"

typedef struct {
  double Ms[ScaleMaxRounds], Sum;
  int Good;
} Outcome;

static Outcome product(ScaleCase S) {
  const int N = (int)S.Size;
  const size_t All = S.Size * S.Size;
  Outcome O = {{0}, 0, 1};
  float *A = scaleFilled(All), *B = scaleFilled(All), *C = scaleFilled(All);
  ACCX(accx enter spread(A [0:All], C [0:All]) devices(all))
  ACCX(accx enter replicate(B [0:All]) devices(all))
  PLAIN_DATA(acc enter data copyin(A [0:All], B [0:All], C [0:All]))
  for (int R = -1; R < S.Rounds; ++R) {
    scaleFinish(C);
    const double Begin = scaleNow();
    for (int T = 0; T < (R < 0 ? 1 : S.Steps); ++T) {
      ACCX(accx distribute)
#pragma acc parallel loop collapse(2)                                          \
    present(A[0 : All], B[0 : All], C[0 : All])
      for (int I = 0; I < N; ++I)
        for (int J = 0; J < N; ++J) {
          float Sum = 0;
          for (int K = 0; K < N; ++K)
            Sum += A[(size_t)I * N + K] * B[(size_t)K * N + J];
          C[(size_t)I * N + J] = Sum;
        }
    }
    scaleFinish(C);
    if (R >= 0)
      O.Ms[R] = (scaleNow() - Begin) / S.Steps;
  }
  ACCX(accx exit replicate(B [0:All]))
  ACCX(accx exit spread(A [0:All], C [0:All]))
  PLAIN_DATA(acc exit data delete (A [0:All], B [0:All])copyout(C [0:All]))
  O.Sum = productLook(N, C, &O.Good);
  free(A);
  free(B);
  free(C);
  return O;
}

/** A step; gives the bodies' kinetic energy. */
static double bodyStep(Body *P, Body *V, int Count) {
  double Energy = 0;
  const float Squared = BodySquared, Step = BodyStep;
  ACCX(accx distribute schedule(block))
#pragma acc parallel loop present(P[0 : Count], V[0 : Count])
  for (int I = 0; I < Count; ++I)
    V[I] = bodyPulled(P[I], V[I], P, Count, Squared, Step);
  ACCX(accx distribute)
#pragma acc parallel loop present(P[0 : Count], V[0 : Count])                  \
    reduction(+ : Energy)
  for (int I = 0; I < Count; ++I)
    Energy += bodyMove(&P[I], V[I], Step);
  return Energy;
}

static Outcome nbody(ScaleCase C) {
  const int Count = (int)C.Size;
  Outcome O = {{0}, 0, 1};
  Body *P = (Body *)scaleAlloc(C.Size * sizeof(Body));
  Body *V = (Body *)scaleAlloc(C.Size * sizeof(Body));
  for (int I = 0; I < Count; ++I)
    P[I] = bodyBegin(I, Count);
  memset(V, 0, C.Size * sizeof(Body));
  ACCX(accx enter spread(P [0:Count], V [0:Count]) devices(all))
  PLAIN_DATA(acc enter data copyin(P [0:Count], V [0:Count]))
  bodyStep(P, V, Count);
  scaleFinish(P);
#pragma acc update self(V[0 : Count])
  bodyCheck(Count, V, &O.Good);
  for (int R = 0; R < C.Rounds; ++R) {
    const double Begin = scaleNow();
    for (int S = 0; S < C.Steps; ++S)
      O.Sum = bodyStep(P, V, Count);
    scaleFinish(P);
    O.Ms[R] = (scaleNow() - Begin) / C.Steps;
  }
  ACCX(accx exit spread(P [0:Count], V [0:Count]))
  PLAIN_DATA(acc exit data copyout(P [0:Count], V [0:Count]))
  free(P);
  free(V);
  return O;
}

static Outcome sum(ScaleCase C) {
  const size_t N = C.Size;
  Outcome O = {{0}, 0, 1};
  float *A = scaleFilled(N);
  ACCX(accx enter spread(A [0:N]) devices(all))
  PLAIN_DATA(acc enter data copyin(A [0:N]))
  for (int R = -1; R < C.Rounds; ++R) {
    const double Begin = scaleNow();
    for (int S = 0; S < C.Steps; ++S) {
      double Sum = 0;
      ACCX(accx distribute)
#pragma acc parallel loop present(A[0 : N]) reduction(+ : Sum)
      for (size_t I = 0; I < N; ++I)
        Sum += A[I];
      O.Sum = Sum;
    }
    if (R >= 0)
      O.Ms[R] = (scaleNow() - Begin) / C.Steps;
  }
  ACCX(accx exit spread(A [0:N]))
  PLAIN_DATA(acc exit data delete (A [0:N]))
  sumCheck(A, N, O.Sum, &O.Good);
  free(A);
  return O;
}

int main(int Argc, char **Argv) {
  int Bad = Argc < 2;
  for (int I = 1; I < Argc; ++I) {
    const ScaleCase C = scaleCase(Argv[I]);
    Outcome O;
    if (!strcmp(C.Name, "product"))
      O = product(C);
    else if (!strcmp(C.Name, "nbody"))
      O = nbody(C);
    else if (!strcmp(C.Name, "sum"))
      O = sum(C);
    else
      return 2;
    Bad |= scaleReport(C.Name, SCALE_IMPL, scaleDevices(), C.Size,
                       scaleMedian(O.Ms, C.Rounds), "ms a step", O.Sum, O.Good);
  }
  return Bad;
}
