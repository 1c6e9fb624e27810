// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Listings 3, 4 and 5 of the paper that accx/event.h names, in C with
// constructs: a send and a receive of devices; the Himeno benchmark's exchange
// of planes between two halves of a computation, on two queues, without a
// thread that waits; a message for the host as an event that a copy waits for.
//
// RUN: %build %s -lm -o %t
// RUN: %mpirun 4 %t serialized
// RUN: %mpirun 2 %t multiple
// RUN: %mpirun 3 %pieces %t multiple
// RUN: %mpirun 2 %share %t multiple

#include "Inputs/check.h"

enum { Size = 100000 };

/// Listing 3.
static void listing3(void) {
  int *Buffer = malloc(Size * sizeof(int));
  for (int I = 0; I < Size; ++I)
    Buffer[I] = -1;
#pragma acc enter data copyin(Buffer[0 : Size])
  if (Rank == 0) {
#pragma acc parallel loop present(Buffer[0 : Size]) async(1)
    for (int I = 0; I < Size; ++I)
      Buffer[I] = 3 * I;
    accx_send(1, Buffer, Size * sizeof(int), 1, 0, MPI_COMM_WORLD, 0, NULL,
              NULL);
#pragma acc wait(1)
  } else if (Rank == 1) {
    accx_recv(1, Buffer, Size * sizeof(int), 0, 0, MPI_COMM_WORLD, 0, NULL,
              NULL);
#pragma acc parallel loop present(Buffer[0 : Size]) async(1)
    for (int I = 0; I < Size; ++I)
      Buffer[I] += 1;
#pragma acc wait(1)
  }
#pragma acc exit data copyout(Buffer[0 : Size])
  for (int I = 0; I < Size; ++I)
    CHECK(Buffer[I] == (Rank > 1 ? -1 : 3 * I + Rank));
  free(Buffer);
}

/// Planes of N * N; each rank has Depth of them and one of either neighbour's.
enum { N = 64, Depth = 6, Steps = 12 };
#define AT(P, Z, Y, X) (P)[((Z) * N + (Y)) * N + (X)]

/// Planes \p Begin.. of the new from the old, on \p Queue.
static void jacobi(const float *Old, float *New, int Begin, int End, int Queue,
                   int NumWait, const accx_event_t *Wait, accx_event_t *Event) {
  const int All = (Depth + 2) * N * N;
  CHECK(accx_queue_wait(Queue, NumWait, Wait) == 0);
#pragma acc parallel loop collapse(3) present(Old[0 : All], New[0 : All])      \
    async(Queue)
  for (int Z = Begin; Z < End; ++Z)
    for (int Y = 1; Y < N - 1; ++Y)
      for (int X = 1; X < N - 1; ++X)
        AT(New, Z, Y, X) = (AT(Old, Z - 1, Y, X) + AT(Old, Z + 1, Y, X) +
                            AT(Old, Z, Y - 1, X) + AT(Old, Z, Y + 1, X) +
                            AT(Old, Z, Y, X - 1) + AT(Old, Z, Y, X + 1)) *
                           0.125f;
  if (Event)
    CHECK(accx_event_of_queue(Queue, Event) == 0);
}

static float initial(int Z, int Y, int X) {
  return (float)((Z * 7 + Y * 3 + X) % 11);
}

/// The same on the host, all ranks' planes in one array.
static float *reference(void) {
  const int All = NumRanks * Depth + 2;
  const size_t Bytes = (size_t)All * N * N * sizeof(float);
  float *Old = malloc(Bytes), *New = malloc(Bytes);
  for (int Z = 0; Z < All; ++Z)
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X)
        AT(Old, Z, Y, X) = AT(New, Z, Y, X) = initial(Z, Y, X);
  for (int Step = 0; Step < Steps; ++Step) {
    for (int Z = 1; Z < All - 1; ++Z)
      for (int Y = 1; Y < N - 1; ++Y)
        for (int X = 1; X < N - 1; ++X)
          AT(New, Z, Y, X) = (AT(Old, Z - 1, Y, X) + AT(Old, Z + 1, Y, X) +
                              AT(Old, Z, Y - 1, X) + AT(Old, Z, Y + 1, X) +
                              AT(Old, Z, Y, X - 1) + AT(Old, Z, Y, X + 1)) *
                             0.125f;
    float *Was = Old;
    Old = New;
    New = Was;
  }
  free(New);
  return Old;
}

/// Sends plane \p Out and receives plane \p In of \p P, with one neighbour.
static void swapPlanes(int Queue, float *P, int Out, int In, int Other, int Tag,
                       int NumWait, const accx_event_t *Wait,
                       accx_event_t *Event) {
  const size_t Plane = N * N * sizeof(float);
  CHECK(accx_sendrecv(Queue, &AT(P, Out, 0, 0), Plane, Other, Tag,
                      &AT(P, In, 0, 0), Plane, Other, Tag, MPI_COMM_WORLD,
                      NumWait, Wait, Event) == 0);
}

/// Listing 4. The upper half A and the lower half B; even ranks begin with A
/// and odd ones with B, and each exchanges the other half's plane meanwhile.
static void listing4(void) {
  enum { Cmd1 = 1, Cmd2 = 2, Half = Depth / 2 };
  const int All = (Depth + 2) * N * N;
  float *Old = malloc((size_t)All * sizeof(float)),
        *New = malloc((size_t)All * sizeof(float));
  for (int Z = 0; Z < Depth + 2; ++Z)
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X)
        AT(Old, Z, Y, X) = AT(New, Z, Y, X) = initial(Z + Rank * Depth, Y, X);
  const int Up = Rank + 1 < NumRanks ? Rank + 1 : MPI_PROC_NULL,
            Down = Rank > 0 ? Rank - 1 : MPI_PROC_NULL;
#pragma acc enter data copyin(Old[0 : All], New[0 : All])
  for (int Step = 0; Step < Steps; ++Step) {
    accx_event_t Done[2];
    if (Step) { // Swap the pointers, as in the paper.
      float *Was = Old;
      Old = New;
      New = Was;
    }
    if (Rank % 2 == 0) {
      // The plane below belongs to the step before: its exchange is now.
      jacobi(Old, New, Half + 1, Depth + 1, Cmd1, 0, NULL, &Done[0]);
      swapPlanes(Cmd2, Old, 1, 0, Down, 2 * Step, 0, NULL, &Done[1]);
      jacobi(Old, New, 1, Half + 1, Cmd2, 1, &Done[1], NULL);
      swapPlanes(Cmd1, New, Depth, Depth + 1, Up, 2 * Step + 1, 1, &Done[0],
                 NULL);
    } else {
      jacobi(Old, New, 1, Half + 1, Cmd2, 0, NULL, &Done[0]);
      swapPlanes(Cmd1, Old, Depth, Depth + 1, Up, 2 * Step, 0, NULL, &Done[1]);
      jacobi(Old, New, Half + 1, Depth + 1, Cmd1, 1, &Done[1], NULL);
      swapPlanes(Cmd2, New, 1, 0, Down, 2 * Step + 1, 1, &Done[0], NULL);
    }
#pragma acc wait(Cmd1, Cmd2)
    accx_event_release(Done[0]);
    accx_event_release(Done[1]);
  }
#pragma acc exit data copyout(New[0 : All]) delete (Old[0 : All])
  float *Expected = reference();
  for (int Z = 1; Z <= Depth; ++Z)
    for (int Y = 0; Y < N; ++Y)
      for (int X = 0; X < N; ++X)
        CHECK(AT(New, Z, Y, X) == AT(Expected, Z + Rank * Depth, Y, X));
  free(Expected);
  free(Old);
  free(New);
}

/// Listing 5: the host receives, a kernel runs meanwhile, a copy waits for
/// both.
static void listing5(void) {
  const size_t Bytes = Size * sizeof(int);
  int *Received = malloc(Bytes), *Buffer = malloc(Bytes);
  for (int I = 0; I < Size; ++I)
    Buffer[I] = Rank * 1000 + I, Received[I] = 0;
#pragma acc enter data copyin(Buffer[0 : Size])
  if (Rank == 0) {
    MPI_Request Request;
    accx_event_t Events[2];
    MPI_Irecv(Received, (int)Bytes, MPI_CL_MEM, 1, 0, MPI_COMM_WORLD, &Request);
    CHECK(accx_event_from_mpi_request(&Request, &Events[0]) == 0);
#pragma acc parallel loop present(Buffer[0 : Size]) async(1)
    for (int I = 0; I < Size; ++I)
      Buffer[I] = 7;
    CHECK(accx_event_of_queue(1, &Events[1]) == 0);
    CHECK(accx_queue_wait(2, 2, Events) == 0);
    acc_memcpy_to_device_async(acc_deviceptr(Buffer), Received, Bytes, 2);
#pragma acc wait(2)
    accx_event_release(Events[0]);
    accx_event_release(Events[1]);
  } else if (Rank == 1) {
    CHECK(accx_send(acc_async_sync, Buffer, Bytes, 0, 0, MPI_COMM_WORLD, 0,
                    NULL, NULL) == 0);
  }
#pragma acc exit data copyout(Buffer[0 : Size])
  for (int I = 0; I < Size; ++I)
    CHECK(Buffer[I] == (Rank > 1 ? Rank : 1) * 1000 + I);
  free(Received);
  free(Buffer);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  listing3();
  listing4();
  listing5();
  end();
}
