// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `accx send` and `recv`: halos of a device's data between two ranks, in order
// with kernels by queues alone; host data with events; a failure with its line.
//
// REQUIRES: openmpi
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %openmpi_cc %s -o run %openmpi_flags
// RUN: %openmpi_run -n 2 ./run | FileCheck %s
// RUN: not %openmpi_run -n 2 ./run short 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %openmpi_cc -x c++ %s -o run++ -x none %openmpi_flags -lstdc++
// RUN: %openmpi_run -n 2 ./run++ | FileCheck %s
// CHECK-NOT: wrong
// CHECK: good
// clang-format off
#include <accx/mpi.h>
#include <stdio.h>

enum { N = 1000, M = 64, Steps = 20 };
static double A[N][M], B[N][M];

/// Two halves of a plate; the last row of one is the first of the other's halo.
static double plate(int Rank) {
  const int Peer = 1 - Rank, Out = Rank ? 1 : N - 2, In = Rank ? 0 : N - 1;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < M; ++J)
      A[I][J] = B[I][J] = Rank * (N - 2) + I;
  double Sum = 0;
#pragma acc data copyin(A, B)
  {
    for (int S = 0; S < Steps; ++S) {
#pragma accx send(A[Out]) to(Peer, S, MPI_COMM_WORLD) async(1) wait(2)
#pragma accx recv(A[In][0:M]) from(Peer, MPI_ANY_TAG, MPI_COMM_WORLD) async(2)
#pragma acc parallel loop collapse(2) present(A, B) async(2) wait(1)
      for (int I = 1; I < N - 1; ++I)
        for (int J = 0; J < M; ++J)
          B[I][J] = 0.5 * (A[I - 1][J] + A[I + 1][J]);
#pragma acc parallel loop collapse(2) present(A, B) async(2)
      for (int I = 1; I < N - 1; ++I)
        for (int J = 0; J < M; ++J)
          A[I][J] = B[I][J] + 1;
    }
#pragma acc wait
#pragma acc update self(A[Out:1])
    Sum = A[Out][M / 2];
  }
  return Sum;
}

static int events(int Rank) {
  int H[4] = {Rank, 1, 2, 3};
  accx_event_t E = 0;
  if (Rank == 0) {
#pragma accx send(H) to(1, 99, MPI_COMM_WORLD) async event(E)
  } else {
    H[0] = -1;
#pragma accx recv(H[0:4]) from(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD) async(3) event(E)
  }
  const int Code = accx_event_wait(1, &E);
  accx_event_release(E);
  return Code || H[0] != 0;
}

int main(int Count, char **Args) {
  int Rank = 0, Given = 0;
  MPI_Init_thread(&Count, &Args, MPI_THREAD_MULTIPLE, &Given);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  if (Count > 1) {
    int H[4] = {0};
    if (Rank == 0) {
#pragma accx send(H) to(1, 1, MPI_COMM_WORLD)
    } else {
// SHORT: directives-messages.c:[[#@LINE+1]]:14: recv(H[0:2]) failed:
#pragma accx recv(H[0:2]) from(0, 1, MPI_COMM_WORLD)
    }
  }
  // Far from the plate's ends a linear field grows by 1 a step.
  const double Sum = plate(Rank), Right = Rank * (N - 2) + (Rank ? 1 : N - 2) + Steps;
  if (Sum != Right)
    printf("wrong on rank %d: %g, not %g\n", Rank, Sum, Right);
  if (events(Rank))
    printf("wrong events on rank %d\n", Rank);
  MPI_Finalize();
  if (Rank == 0)
    puts("good");
  return 0;
}
