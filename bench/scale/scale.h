/*===- scale.h - Clock, data, checks and RESULT lines ---------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What the programs of bench/scale share. C11 and CUDA.
|*
|* Begin data are a function of the index, so that no rank of an array needs a
|* second copy to be checked: after ScaleCheckSteps steps the host computes rows
|* anew from a window around each. Runs that count are longer; their results are
|* compared by a sum that every form prints.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_SCALE_H
#define ACCX_BENCH_SCALE_H

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __CUDACC__
#define SCALE_BOTH __host__ __device__
#else
#define SCALE_BOTH
#endif

enum { ScaleMaxRounds = 32, ScaleCheckSteps = 2, ScaleMaxWidth = 4 };

/** Milliseconds. */
static inline double scaleNow(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return 1e3 * (double)T.tv_sec + 1e-6 * (double)T.tv_nsec;
}

static inline int scaleLess(const void *A, const void *B) {
  const double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

/** Sorts. */
static inline double scaleMedian(double *T, int Count) {
  qsort(T, (size_t)Count, sizeof(double), scaleLess);
  return T[Count / 2];
}

static inline void *scaleAlloc(size_t Bytes) {
  void *P = NULL;
  if (posix_memalign(&P, 4096, Bytes ? Bytes : 1)) {
    fprintf(stderr, "scale: out of memory\n");
    exit(3);
  }
  return P;
}

/** Number I of the begin data, in [0, 1). */
#ifndef __CUDACC__
#pragma acc routine seq
#endif
SCALE_BOTH static inline float scaleValue(size_t I) {
  return (float)(I * 2654435761u % 1000) * 1e-3f;
}

/** Calls Part(Begin, End, Context) on several threads, which share 0 to Count.
 */
typedef void ScalePart(size_t Begin, size_t End, void *Context);
typedef struct {
  ScalePart *Part;
  void *Context;
  size_t Begin, End;
} ScaleJob;

static inline void *scaleRunJob(void *P) {
  const ScaleJob *J = (const ScaleJob *)P;
  J->Part(J->Begin, J->End, J->Context);
  return NULL;
}

static inline void scaleParallel(size_t Count, ScalePart *Part, void *Context) {
  enum { Threads = 16 };
  pthread_t Ids[Threads];
  ScaleJob Jobs[Threads];
  for (int T = 0; T < Threads; ++T) {
    Jobs[T].Part = Part;
    Jobs[T].Context = Context;
    Jobs[T].Begin = Count * (size_t)T / Threads;
    Jobs[T].End = Count * (size_t)(T + 1) / Threads;
    if (pthread_create(&Ids[T], NULL, scaleRunJob, &Jobs[T]))
      exit(3);
  }
  for (int T = 0; T < Threads; ++T)
    pthread_join(Ids[T], NULL);
}

static inline void scaleFillPart(size_t Begin, size_t End, void *Context) {
  float *A = (float *)Context;
  for (size_t I = Begin; I < End; ++I)
    A[I] = scaleValue(I);
}

/** Count numbers with their begin values. */
static inline float *scaleFilled(size_t Count) {
  float *A = (float *)scaleAlloc(Count * sizeof(float));
  scaleParallel(Count, scaleFillPart, A);
  return A;
}

/** A grid whose border cells stay: Rows rows of Pitch cells of Width floats.
    Begin gives a cell before the first step, Next the one at X of row Middle
    after a step; Fetch copies row Row of the result. */
typedef struct ScaleGrid {
  int Rows, Pitch, Width;
  void (*Begin)(const struct ScaleGrid *G, int Row, int X, float *Cell);
  void (*Next)(const struct ScaleGrid *G, const float *Above,
               const float *Middle, const float *Below, int X, float *Cell);
  void (*Fetch)(const struct ScaleGrid *G, int Row, float *Cells);
  const void *Data;
  int Parts; /* Of Data, where it lies on several devices. */
} ScaleGrid;

static inline void scaleBeginPlain(const ScaleGrid *G, int Row, int X,
                                   float *Cell) {
  *Cell = scaleValue((size_t)Row * (size_t)G->Pitch + (size_t)X);
}

static inline void scaleFetchPlain(const ScaleGrid *G, int Row, float *Cells) {
  const size_t Floats = (size_t)G->Pitch * (size_t)G->Width;
  memcpy(Cells, (const float *)G->Data + (size_t)Row * Floats,
         Floats * sizeof(float));
}

/** Rows that are looked at: all of small grids; of large ones those around each
    sixteenth, where the borders between devices lie. */
static inline int scaleLooksAt(const ScaleGrid *G, int Row) {
  if (G->Rows <= 4098)
    return 1;
  const int Part = G->Rows / 16, Near = (Row + 20) % Part;
  return Near < 40 || Row < 20 || Row >= G->Rows - 20;
}

typedef struct {
  const ScaleGrid *G;
  int Steps;
  double Sum;
  size_t Bad;
  pthread_mutex_t Lock;
} ScaleLook;

/** One row from a window of 2 Steps + 1 rows. */
static inline size_t scaleCheckRow(const ScaleGrid *G, int Steps, int Row,
                                   const float *Got, float *Window,
                                   float *Other) {
  const size_t Floats = (size_t)G->Pitch * (size_t)G->Width;
  const int From = Row < Steps ? 0 : Row - Steps;
  const int To = Row + Steps >= G->Rows ? G->Rows - 1 : Row + Steps;
  for (int R = From; R <= To; ++R)
    for (int X = 0; X < G->Pitch; ++X)
      G->Begin(G, R, X,
               Window + (size_t)(R - From) * Floats + (size_t)(X * G->Width));
  for (int S = 0; S < Steps; ++S) {
    memcpy(Other, Window, (size_t)(To - From + 1) * Floats * sizeof(float));
    /* The outermost rows lack a neighbour, or are the border. */
    for (int R = From + 1; R < To; ++R) {
      const float *M = Other + (size_t)(R - From) * Floats;
      for (int X = 1; X < G->Pitch - 1; ++X)
        G->Next(G, M - Floats, M, M + Floats, X,
                Window + (M - Other) + (size_t)(X * G->Width));
    }
  }
  size_t Bad = 0;
  const float *Want = Window + (size_t)(Row - From) * Floats;
  for (size_t I = 0; I < Floats; ++I)
    Bad += !(fabsf(Got[I] - Want[I]) <= 1e-4f * (1 + fabsf(Want[I])));
  return Bad;
}

static inline void scaleLookPart(size_t Begin, size_t End, void *Context) {
  ScaleLook *L = (ScaleLook *)Context;
  const ScaleGrid *G = L->G;
  const size_t Floats = (size_t)G->Pitch * (size_t)G->Width;
  float *Got = (float *)scaleAlloc(Floats * sizeof(float));
  const size_t Window = (2 * ScaleCheckSteps + 1) * Floats * sizeof(float);
  float *One = (float *)scaleAlloc(Window), *Two = (float *)scaleAlloc(Window);
  double Sum = 0;
  size_t Bad = 0;
  for (int Row = (int)Begin; Row < (int)End; ++Row) {
    if (!scaleLooksAt(G, Row))
      continue;
    G->Fetch(G, Row, Got);
    for (size_t I = 0; I < Floats; ++I)
      Sum += Got[I] * (double)(1 + (I + (size_t)Row) % 7);
    if (L->Steps)
      Bad += scaleCheckRow(G, L->Steps, Row, Got, One, Two);
  }
  pthread_mutex_lock(&L->Lock);
  L->Sum += Sum;
  L->Bad += Bad;
  pthread_mutex_unlock(&L->Lock);
  free(Got);
  free(One);
  free(Two);
}

/** The sum of the rows that are looked at; with Steps also compares them with
    what they must be after so many, and clears *Good. */
static inline double scaleLook(const ScaleGrid *G, int Steps, int *Good) {
  ScaleLook L = {G, Steps, 0, 0, PTHREAD_MUTEX_INITIALIZER};
  scaleParallel((size_t)G->Rows, scaleLookPart, &L);
  if (L.Bad)
    fprintf(stderr, "scale: %zu numbers of %d x %d are wrong\n", L.Bad, G->Rows,
            G->Pitch);
  if (L.Bad || !(fabs(L.Sum) < 1e300))
    *Good = 0;
  return L.Sum;
}

/** One line; returns whether it is wrong. Sum is what other forms must have,
    too. */
static inline int scaleReport(const char *Case, const char *Impl, int Devices,
                              size_t Size, double Ms, const char *Unit,
                              double Sum, int Good) {
  printf("RESULT,scale-%s,%s-%d,%zu,%.6f,%s; sum %.9e,%s\n", Case, Impl,
         Devices, Size, Ms, Unit, Sum, Good ? "ok" : "BAD");
  fflush(stdout);
  return !Good;
}

/** An argument name:size:steps[:rounds]. */
typedef struct {
  char Name[32];
  size_t Size;
  int Steps, Rounds;
} ScaleCase;

static inline ScaleCase scaleCase(const char *Text) {
  ScaleCase C;
  memset(&C, 0, sizeof(C));
  C.Rounds = 5;
  if (sscanf(Text, "%31[^:]:%zu:%d:%d", C.Name, &C.Size, &C.Steps, &C.Rounds) <
          3 ||
      C.Size < 8 || C.Steps < 1 || C.Rounds < 1 || C.Rounds > ScaleMaxRounds) {
    fprintf(stderr, "scale: '%s' is not name:size:steps[:rounds]\n", Text);
    exit(2);
  }
  return C;
}

/** Whether the arguments name Form, or no form at all: those without a colon.
 */
static inline int scaleWants(int Argc, char **Argv, const char *Form) {
  int Any = 0;
  for (int I = 1; I < Argc; ++I) {
    if (!strcmp(Argv[I], Form))
      return 1;
    Any |= !strchr(Argv[I], ':');
  }
  return !Any;
}

#endif /* ACCX_BENCH_SCALE_H */
