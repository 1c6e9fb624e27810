// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Finalize waits for messages that are under way and fails those that
// nobody answers; before MPI_Init and after MPI_Finalize calls are refused.
// Nothing hangs, also without any message.
//
// RUN: %build %s -o %t
// RUN: %mpirun 2 %t single none
// RUN: %mpirun 2 %t multiple waits
// RUN: %mpirun 2 %share %t multiple waits
// RUN: %mpirun 2 %t multiple fails
// RUN: %mpirun 2 %t funneled fails

#include "Inputs/check.h"

#include <unistd.h>

static int Status[3] = {1, 1, 1};

static void note(accx_event_t Event, int Code, void *Data) {
  (void)Event;
  __atomic_store_n((int *)Data, Code, __ATOMIC_RELEASE);
}

int main(int Count, char **Arguments) {
  enum { Size = 3000000 };
  char Byte = 0, Other = 0;
  accx_event_t Event;
  CHECK(accx_send(1, &Byte, 1, 0, 1, MPI_COMM_WORLD, 0, NULL, &Event) ==
        -EINVAL);
  begin(Count, Arguments);
  CHECK(Count == 3);
  unsigned char *Data = make(Size, Rank, 1);
  const int Waits = !strcmp(Arguments[2], "waits"),
            Fails = !strcmp(Arguments[2], "fails");
  if (Waits) {
    CHECK((Rank
               ? accx_recv(1, Data, Size, 0, 1, MPI_COMM_WORLD, 0, NULL, &Event)
               : accx_send(1, Data, Size, 1, 1, MPI_COMM_WORLD, 0, NULL,
                           &Event)) == 0);
    accx_event_callback(Event, note, &Status[0]);
    // Begun, but perhaps not ended, on both sides.
    int Moves = 0;
    while (!Moves) {
      uint64_t Times[4];
      accx_event_times(Event, Times);
      Moves = Times[2] != 0;
    }
    usleep(20000);
  } else if (Fails) {
    CHECK(accx_recv(1, &Byte, 1, 1 - Rank, 1, MPI_COMM_WORLD, 0, NULL,
                    &Event) == 0);
    accx_event_callback(Event, note, &Status[0]);
    accx_event_release(Event);
    CHECK(accx_recv(2, &Other, 1, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, 0, NULL,
                    &Event) == 0);
    accx_event_callback(Event, note, &Status[1]);
    usleep(20000);
  }
  MPI_Finalize();
  if (Waits) {
    CHECK(finish(Event) == 0);
    fetch(Data, Size, 1);
    CHECK(firstWrong(Data, Size, 0) == Size);
  } else if (Fails) {
    CHECK(accx_event_wait(1, &Event) == -ECANCELED);
    CHECK(strstr(accx_event_message(Event), "MPI_Finalize was called"));
    accx_event_release(Event);
    // Callbacks come when the status is there, on another thread.
    while (__atomic_load_n(&Status[0], __ATOMIC_ACQUIRE) == 1 ||
           __atomic_load_n(&Status[1], __ATOMIC_ACQUIRE) == 1)
      ;
    CHECK(Status[0] == -ECANCELED && Status[1] == -ECANCELED);
  }
  CHECK(accx_send(1, &Byte, 1, 0, 1, MPI_COMM_WORLD, 0, NULL, &Event) ==
        -EINVAL);
  MPI_Request Request = MPI_REQUEST_NULL;
  CHECK(accx_event_from_mpi_request(&Request, &Event) == -EINVAL);
  drop(Data, Size, 1);
}
