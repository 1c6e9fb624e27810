/*===- kernels.h - Kernels and programs of the mapping-cost benchmark -----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The kernels, each one target region on mapped arrays, and the interface by
|* which main.c runs the same programs in two implementations.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_KERNELS_H
#define ACCX_BENCH_KERNELS_H

void add(long N, const int *X, const int *Y, int *Sum);
void product(long N, const int *X, const int *Y, int *Out);

void eos(long N, const double *Rho, const double *E, double *P, double *C);
void impedance(long N, const double *Rho, const double *C, double *Q);
void nodes(long N, const double *U, const double *P, const double *Q,
           double *Us, double *Ps);
void lagrange(long N, double Dt, const double *X, const double *M,
              const double *Us, const double *Ps, double *Xs, double *U,
              double *E);
void fluxes(long N, double Length, const double *X, const double *Xs,
            const double *M, double *Flux);
void project(long N, const double *M, const double *U, const double *E,
             const double *Flux, double *Q, double *P, double *C);
void settle(long N, double Length, const double *X, const double *Q, double *P,
            double *C, double *M, double *U, double *E, double *Rho);

/** Operands and results of the chains C = A op B (device), D = C op A (host),
    E = D op C (device). N elements, or N * N for the product. */
struct Chain {
  long N;
  int *A, *B, *C, *D, *E;
};

/** The hydrodynamics program's twelve arrays of N cells: seven that travel to
    the device before a step and back after it, five that live there only. */
struct Hydro {
  long N;
  double Dt, Length;
  double *Rho, *U, *E, *M, *X, *P, *C;
  double *Q, *Us, *Ps, *Xs, *Flux;
};

/** The host's part of the chains; the same in both implementations. */
void hostAdd(long N, const int *X, const int *Y, int *Sum);
void hostProduct(long N, const int *X, const int *Y, int *Out);

/** \name What an implementation provides
    Each call allocates on the device, copies, computes, copies back, frees. */
/** @{ */
void implStart(int Argc, char **Argv);
void implVecadd(const struct Chain *V);
void implMatmul(const struct Chain *V);
void implHydro(const struct Hydro *H);
/** @} */

#endif /* ACCX_BENCH_KERNELS_H */
