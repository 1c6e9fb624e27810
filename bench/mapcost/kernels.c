/*===- kernels.c - The target regions of the mapping-cost benchmark -------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Compiled once for both implementations: byhand.c launches the very same
|* kernels out of this file's device image.
|*
\*===----------------------------------------------------------------------===*/

#include "kernels.h"

#include "cells.h"

void add(long N, const int *X, const int *Y, int *Sum) {
#pragma omp target teams distribute parallel for map(to : X[0 : N], Y[0 : N])  \
    map(from : Sum[0 : N])
  for (long I = 0; I < N; ++I)
    Sum[I] = X[I] + Y[I];
}

void product(long N, const int *X, const int *Y, int *Out) {
#pragma omp target teams distribute parallel for map(                          \
        to : X[0 : N * N], Y[0 : N * N]) map(from : Out[0 : N * N])
  for (long I = 0; I < N; ++I) {
    for (long J = 0; J < N; ++J)
      Out[I * N + J] = 0;
    for (long K = 0; K < N; ++K)
      for (long J = 0; J < N; ++J)
        Out[I * N + J] += X[I * N + K] * Y[K * N + J];
  }
}

void eos(long N, const double *Rho, const double *E, double *P, double *C) {
#pragma omp target teams distribute parallel for map(                          \
        to : Rho[0 : N], E[0 : N]) map(from : P[0 : N], C[0 : N])
  for (long I = 0; I < N; ++I)
    eosCell(I, Rho, E, P, C);
}

void impedance(long N, const double *Rho, const double *C, double *Q) {
#pragma omp target teams distribute parallel for map(                          \
        to : Rho[0 : N], C[0 : N]) map(from : Q[0 : N])
  for (long I = 0; I < N; ++I)
    impedanceCell(I, Rho, C, Q);
}

void nodes(long N, const double *U, const double *P, const double *Q,
           double *Us, double *Ps) {
#pragma omp target teams distribute parallel for map(                          \
        to : U[0 : N], P[0 : N], Q[0 : N]) map(from : Us[0 : N], Ps[0 : N])
  for (long I = 0; I < N; ++I)
    nodeCell(I, U, P, Q, Us, Ps);
}

void lagrange(long N, double Dt, const double *X, const double *M,
              const double *Us, const double *Ps, double *Xs, double *U,
              double *E) {
#pragma omp target teams distribute parallel for map(to : X[0 : N], M[0 : N],  \
                                                         Us[0 : N], Ps[0 : N]) \
    map(from : Xs[0 : N]) map(tofrom : U[0 : N], E[0 : N])
  for (long I = 0; I < N; ++I)
    lagrangeCell(I, N, Dt, X, M, Us, Ps, Xs, U, E);
}

void fluxes(long N, double Length, const double *X, const double *Xs,
            const double *M, double *Flux) {
#pragma omp target teams distribute parallel for map(                          \
        to : X[0 : N], Xs[0 : N], M[0 : N]) map(from : Flux[0 : N])
  for (long I = 0; I < N; ++I)
    fluxCell(I, N, Length, X, Xs, M, Flux);
}

void project(long N, const double *M, const double *U, const double *E,
             const double *Flux, double *Q, double *P, double *C) {
#pragma omp target teams distribute parallel for map(                          \
        to : M[0 : N], U[0 : N], E[0 : N], Flux[0 : N])                        \
    map(from : Q[0 : N], P[0 : N], C[0 : N])
  for (long I = 0; I < N; ++I)
    projectCell(I, N, M, U, E, Flux, Q, P, C);
}

void settle(long N, double Length, const double *X, const double *Q, double *P,
            double *C, double *M, double *U, double *E, double *Rho) {
#pragma omp target teams distribute parallel for map(to : X[0 : N], Q[0 : N])  \
    map(tofrom : P[0 : N], C[0 : N])                                           \
    map(from : M[0 : N], U[0 : N], E[0 : N], Rho[0 : N])
  for (long I = 0; I < N; ++I)
    settleCell(I, N, Length, X, Q, P, C, M, U, E, Rho);
}
