/*===- stencil.c - One sweep of a 7-point stencil, streamed by planes -----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The data-directory paper's stencil on one device, in four forms that run the
|* same kernel and differ in what they map and when. With P planes in the cube:
|*
|*   one       three planes in, one out, for every plane   ("OpenACC 1")
|*   two       four planes in, two out, for two planes     ("OpenACC 2")
|*   partial   overlapping sections: one new plane in, one out, for every plane
|*   resident  the whole cube at once: the bytes' lower bound, no streaming
|*
|* Usage: stencil FORM N [planes [sweeps]]; an N x N x planes cube of floats.
|* Processors take a row at a time; with STENCIL_CELLS set a cell, as GPUs want.
|*
\*===----------------------------------------------------------------------===*/

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int N, Planes;
static size_t Plane;
static bool Cells;

#pragma omp begin declare target
/* Row J of plane K; borders are copied. */
static inline void row(const float *restrict In, float *restrict Out, int N,
                       int K, int J) {
  size_t P = (size_t)N * N;
  const float *X = In + K * P + (size_t)J * N;
  float *Y = Out + K * P + (size_t)J * N;
  if (J == 0 || J == N - 1) {
    for (int I = 0; I < N; ++I)
      Y[I] = X[I];
    return;
  }
  Y[0] = X[0];
  for (int I = 1; I < N - 1; ++I)
    Y[I] = 0.4f * X[I] + 0.1f * (X[I - 1] + X[I + 1] + X[I - N] + X[I + N] +
                                 *(X + I - P) + X[I + P]);
  Y[N - 1] = X[N - 1];
}
#pragma omp end declare target

/* Planes K to K + Count - 1. What is present already is not copied. */
static void updateCells(const float *In, float *Out, int K, int Count) {
  size_t Below = (K - 1) * Plane;
  int Width = N;
#pragma omp target teams distribute parallel for collapse(3)                   \
    map(to : In[Below : (Count + 2) * Plane])                                  \
    map(from : Out[K * Plane : Count * Plane])
  for (int Z = K; Z < K + Count; ++Z)
    for (int J = 0; J < Width; ++J)
      for (int I = 0; I < Width; ++I) {
        size_t P = (size_t)Width * Width;
        const float *X = In + Z * P + (size_t)J * Width + I;
        bool Border = J == 0 || J == Width - 1 || I == 0 || I == Width - 1;
        Out[Z * P + (size_t)J * Width + I] =
            Border ? *X
                   : 0.4f * *X + 0.1f * (X[-1] + X[1] + X[-Width] + X[Width] +
                                         *(X - P) + X[P]);
      }
}

static void update(const float *In, float *Out, int K, int Count) {
  if (Cells) {
    updateCells(In, Out, K, Count);
    return;
  }
  size_t Below = (K - 1) * Plane;
  int Width = N;
#pragma omp target teams distribute parallel for collapse(2)                   \
    map(to : In[Below : (Count + 2) * Plane])                                  \
    map(from : Out[K * Plane : Count * Plane])
  for (int Z = K; Z < K + Count; ++Z)
    for (int J = 0; J < Width; ++J)
      row(In, Out, Width, Z, J);
}

static void sweepBy(const float *In, float *Out, int Step) {
  for (int K = 1; K < Planes - 1; K += Step) {
    int Left = Planes - 1 - K;
    update(In, Out, K, Left < Step ? Left : Step);
  }
}

static void sweepPartial(const float *In, float *Out) {
  for (int K = 1; K < Planes - 1; ++K) {
    size_t Below = (K - 1) * Plane;
#pragma omp target enter data map(to : In[Below : 3 * Plane])
    if (K > 1) {
      size_t Previous = Below - Plane;
#pragma omp target exit data map(release : In[Previous : 3 * Plane])
    }
    update(In, Out, K, 1);
  }
  size_t Last = (Planes - 3) * Plane;
#pragma omp target exit data map(release : In[Last : 3 * Plane])
}

static void sweepResident(const float *In, float *Out) {
  size_t All = Planes * Plane, Inner = All - 2 * Plane;
#pragma omp target data map(to : In[0 : All]) map(from : Out[Plane : Inner])
  for (int K = 1; K < Planes - 1; ++K)
    update(In, Out, K, 1);
}

static void sweep(const char *Form, const float *In, float *Out) {
  if (!strcmp(Form, "one"))
    sweepBy(In, Out, 1);
  else if (!strcmp(Form, "two"))
    sweepBy(In, Out, 2);
  else if (!strcmp(Form, "partial"))
    sweepPartial(In, Out);
  else if (!strcmp(Form, "resident"))
    sweepResident(In, Out);
  else
    exit(2);
}

/* Seconds that all threads of the process have run. */
static double processTime(void) {
  struct timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return T.tv_sec + 1e-9 * T.tv_nsec;
}

static int less(const void *A, const void *B) {
  double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

int main(int Argc, char **Argv) {
  if (Argc < 3) {
    fprintf(stderr, "usage: stencil FORM N [planes [sweeps]]\n");
    return 2;
  }
  const char *Form = Argv[1];
  N = atoi(Argv[2]);
  Planes = Argc > 3 ? atoi(Argv[3]) : 64;
  int Sweeps = Argc > 4 ? atoi(Argv[4]) : 5;
  if (N < 2 || Planes < 3 || Sweeps < 1 || omp_get_num_devices() == 0) {
    fprintf(stderr, "stencil: needs N >= 2, planes >= 3 and a device\n");
    return 2;
  }
  Plane = (size_t)N * N;
  Cells = getenv("STENCIL_CELLS") != NULL;
  size_t All = Plane * Planes;
  float *In = malloc(All * sizeof(float));
  float *Out = malloc(All * sizeof(float));
  float *Expected = calloc(All, sizeof(float));
  double *Times = malloc(Sweeps * sizeof(double));
  double *Cpu = malloc(Sweeps * sizeof(double));
  if (!In || !Out || !Expected || !Times || !Cpu)
    return 2;
  for (size_t I = 0; I < All; ++I)
    In[I] = (float)(I * 2654435761u % 8191u) / 8191.0f;
  for (int K = 1; K < Planes - 1; ++K)
    for (int J = 0; J < N; ++J)
      row(In, Expected, N, K, J);

  /* The first sweep warms caches, pages and the runtime's pools. */
  for (int S = -1; S < Sweeps; ++S) {
    memset(Out, 0, All * sizeof(float));
    double Begin = omp_get_wtime(), CpuBegin = processTime();
    sweep(Form, In, Out);
    if (S >= 0) {
      Times[S] = omp_get_wtime() - Begin;
      Cpu[S] = processTime() - CpuBegin;
    }
    for (size_t I = 0; I < All; ++I) {
      float Error = Out[I] - Expected[I];
      if (!(Error <= 1e-5f && Error >= -1e-5f)) {
        printf("BAD,%s\n", Form);
        fprintf(stderr, "stencil: %s: cell %zu is %g, expected %g\n", Form, I,
                Out[I], Expected[I]);
        return 1;
      }
    }
  }
  qsort(Times, Sweeps, sizeof(double), less);
  printf("MEASURE,ms,%.6f\n", 1e3 * Times[Sweeps / 2]);
  qsort(Cpu, Sweeps, sizeof(double), less);
  printf("MEASURE,cpu,%.6f\n", 1e3 * Cpu[Sweeps / 2]);
  printf("MEASURE,best,%.6f\n", 1e3 * Times[0]);
  return 0;
}
