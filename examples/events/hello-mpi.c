/*===- hello-mpi.c - A message from one device to another -----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Each rank fills an array on its device and sends it to the next rank's; the
|* kernel behind comes after what arrives. After listing 3 of Takizawa et al.
|*
|* Usage: mpirun -n 4 hello-mpi
|*
\*===----------------------------------------------------------------------===*/

#include <accx/mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20 };

int main(int Argc, char **Argv) {
  int Rank, Ranks, Threads;
  MPI_Init_thread(&Argc, &Argv, MPI_THREAD_MULTIPLE, &Threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Ranks);
  float *A = malloc(N * sizeof(float)), *B = malloc(N * sizeof(float));

#pragma acc enter data create(A[0 : N], B[0 : N])
#pragma acc parallel loop present(A[0 : N]) async(1)
  for (int I = 0; I < N; ++I)
    A[I] = (float)Rank;
  accx_sendrecv(1, A, N * sizeof(float), (Rank + 1) % Ranks, 0, B,
                N * sizeof(float), (Rank + Ranks - 1) % Ranks, 0,
                MPI_COMM_WORLD, 0, NULL, NULL);
  float Sum = 0;
#pragma acc parallel loop present(B[0 : N]) reduction(+ : Sum) async(1)
  for (int I = 0; I < N; ++I)
    Sum += B[I];
#pragma acc wait(1)
#pragma acc exit data delete (A[0 : N], B[0 : N])

  const int Good = Sum == (float)N * (float)((Rank + Ranks - 1) % Ranks);
  printf("rank %d has the numbers of rank %.0f\n", Rank, Sum / N);
  free(A);
  free(B);
  MPI_Finalize();
  return !Good;
}
