/*===- openmp.c - The programs with OpenMP directives ---------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "kernels.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void implStart(int Argc, char **Argv) {
  (void)Argc, (void)Argv;
  if (omp_get_num_devices() == 0) {
    fprintf(stderr, "mapcost: no device\n");
    exit(2);
  }
}

void implVecadd(const struct Chain *V) {
  long N = V->N;
  int *A = V->A, *B = V->B, *C = V->C, *D = V->D, *E = V->E;
#pragma omp target data map(to : A[0 : N], B[0 : N])                           \
    map(alloc : C[0 : N], D[0 : N]) map(from : E[0 : N])
  {
    add(N, A, B, C);
#pragma omp target update from(C[0 : N])
    hostAdd(N, C, A, D);
#pragma omp target update to(D[0 : N])
    add(N, D, C, E);
  }
}

void implMatmul(const struct Chain *V) {
  long N = V->N, All = N * N;
  int *A = V->A, *B = V->B, *C = V->C, *D = V->D, *E = V->E;
#pragma omp target data map(to : A[0 : All], B[0 : All])                       \
    map(alloc : C[0 : All], D[0 : All]) map(from : E[0 : All])
  {
    product(N, A, B, C);
#pragma omp target update from(C[0 : All])
    hostProduct(N, C, A, D);
#pragma omp target update to(D[0 : All])
    product(N, D, C, E);
  }
}

void implHydro(const struct Hydro *H) {
  long N = H->N;
  double *Rho = H->Rho, *U = H->U, *E = H->E, *M = H->M, *X = H->X, *P = H->P,
         *C = H->C;
  double *Q = H->Q, *Us = H->Us, *Ps = H->Ps, *Xs = H->Xs, *Flux = H->Flux;
#pragma omp target data map(tofrom : Rho[0 : N], U[0 : N], E[0 : N], M[0 : N], \
                                X[0 : N], P[0 : N], C[0 : N])                  \
    map(alloc : Q[0 : N], Us[0 : N], Ps[0 : N], Xs[0 : N], Flux[0 : N])
  {
    eos(N, Rho, E, P, C);
    impedance(N, Rho, C, Q);
    nodes(N, U, P, Q, Us, Ps);
    lagrange(N, H->Dt, X, M, Us, Ps, Xs, U, E);
    fluxes(N, H->Length, X, Xs, M, Flux);
    project(N, M, U, E, Flux, Q, P, C);
    settle(N, H->Length, X, Q, P, C, M, U, E, Rho);
  }
}
