/*===- cells.h - What one cell of the hydrodynamics program computes ------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* One time step of the one-dimensional Euler equations, a Lagrangian phase
|* (acoustic Riemann solver) followed by a projection onto the old grid, as the
|* data-directory paper's mini-application does it. Host reference and kernels
|* share these functions.
|*
|* Node I is the left side of cell I; the walls are node 0 and node N.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_CELLS_H
#define ACCX_BENCH_CELLS_H

#include <math.h>

#define GAMMA 1.4

#pragma omp begin declare target

/* Pressure and speed of sound of an ideal gas. */
static inline void eosCell(long I, const double *Rho, const double *E,
                           double *P, double *C) {
  P[I] = (GAMMA - 1) * Rho[I] * E[I];
  C[I] = sqrt(GAMMA * P[I] / Rho[I]);
}

static inline void impedanceCell(long I, const double *Rho, const double *C,
                                 double *Q) {
  Q[I] = Rho[I] * C[I];
}

/* Velocity and pressure of a node between two cells. */
static inline void nodeCell(long I, const double *U, const double *P,
                            const double *Q, double *Us, double *Ps) {
  if (I == 0) {
    Us[0] = 0;
    Ps[0] = P[0] - Q[0] * U[0];
    return;
  }
  double Sum = Q[I - 1] + Q[I];
  Us[I] = (Q[I - 1] * U[I - 1] + Q[I] * U[I] + P[I - 1] - P[I]) / Sum;
  Ps[I] = (Q[I] * P[I - 1] + Q[I - 1] * P[I] +
           Q[I - 1] * Q[I] * (U[I - 1] - U[I])) /
          Sum;
}

/* Moves the nodes and changes momentum and energy by the pressure's work. */
static inline void lagrangeCell(long I, long N, double Dt, const double *X,
                                const double *M, const double *Us,
                                const double *Ps, double *Xs, double *U,
                                double *E) {
  double UsRight = I + 1 < N ? Us[I + 1] : 0;
  double PsRight = I + 1 < N ? Ps[I + 1] : Ps[I];
  double Step = Dt / M[I];
  double Old = U[I];
  U[I] = Old - Step * (PsRight - Ps[I]);
  double Total = -Step * (PsRight * UsRight - Ps[I] * Us[I]);
  E[I] += Total - 0.5 * (U[I] * U[I] - Old * Old);
  Xs[I] = X[I] + Dt * Us[I];
}

/* Mass that a moved node swept, counted to the right. */
static inline void fluxCell(long I, long N, double Length, const double *X,
                            const double *Xs, const double *M, double *Flux) {
  double Swept = Xs[I] - X[I];
  if (I == 0) {
    Flux[0] = 0;
    return;
  }
  long Donor = Swept > 0 ? I - 1 : I;
  double Right = Donor + 1 < N ? Xs[Donor + 1] : Length;
  Flux[I] = M[Donor] / (Right - Xs[Donor]) * Swept;
}

/* Mass, velocity and energy on the old grid, into Q, P and C. */
static inline void projectCell(long I, long N, const double *M, const double *U,
                               const double *E, const double *Flux, double *Q,
                               double *P, double *C) {
  double In = Flux[I], Out = I + 1 < N ? Flux[I + 1] : 0;
  long Left = In > 0 ? I - 1 : I, Right = Out > 0 || I + 1 == N ? I : I + 1;
  double Mass = M[I] + In - Out;
  Q[I] = Mass;
  P[I] = (M[I] * U[I] + In * U[Left] - Out * U[Right]) / Mass;
  C[I] = (M[I] * E[I] + In * E[Left] - Out * E[Right]) / Mass;
}

static inline void settleCell(long I, long N, double Length, const double *X,
                              const double *Q, double *P, double *C, double *M,
                              double *U, double *E, double *Rho) {
  double Right = I + 1 < N ? X[I + 1] : Length;
  M[I] = Q[I];
  U[I] = P[I];
  E[I] = C[I];
  Rho[I] = Q[I] / (Right - X[I]);
  eosCell(I, Rho, E, P, C);
}

#pragma omp end declare target

#endif /* ACCX_BENCH_CELLS_H */
