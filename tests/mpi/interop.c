// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages up to ACCX_MPI_PLAIN_BYTES are MPI's own: MPI_Send and MPI_Recv are
// the other side. A longer one of MPI's is refused and leaves nothing behind.
// Events of requests of MPI.
//
// RUN: %build %s -o %t
// RUN: %mpirun 2 %t single
// RUN: %mpirun 2 %t multiple
// RUN: %mpirun 2 %share %t serialized

#include "Inputs/check.h"

static void plain(int Size, int OnDevice) {
  unsigned char *Data = make((size_t)Size, 3 + Rank, OnDevice);
  unsigned char *Host = make((size_t)Size, 8 + Rank, 0);
  const size_t Bytes = (size_t)Size;
  if (Rank == 0) {
    CHECK(accx_send(acc_async_sync, Data, Bytes, 1, 1, MPI_COMM_WORLD, 0, NULL,
                    NULL) == 0);
    MPI_Send(Host, Size, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
    // A program that is blocked in MPI itself: what is queued has to be done.
    CHECK(accx_recv(acc_async_sync, Data, Bytes, MPI_ANY_SOURCE, 3,
                    MPI_COMM_WORLD, 0, NULL, NULL) == 0);
    fetch(Data, Bytes, OnDevice);
    CHECK(firstWrong(Data, Bytes, 9) == Bytes);
  } else {
    MPI_Status Status;
    int Count = -1;
    MPI_Recv(Host, Size, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &Status);
    MPI_Get_count(&Status, MPI_BYTE, &Count);
    CHECK(Count == Size && firstWrong(Host, Bytes, 3) == Bytes);
    CHECK(accx_recv(acc_async_sync, Data, Bytes, 0, 2, MPI_COMM_WORLD, 0, NULL,
                    NULL) == 0);
    fetch(Data, Bytes, OnDevice);
    CHECK(firstWrong(Data, Bytes, 8) == Bytes);
    for (size_t I = 0; I < Bytes; ++I)
      Host[I] = byteOf(9, I);
    MPI_Ssend(Host, Size, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
  }
  drop(Data, Bytes, OnDevice);
  drop(Host, Bytes, 0);
}

/// Doubles are bytes, too.
static void typed(void) {
  double Values[100];
  for (int I = 0; I < 100; ++I)
    Values[I] = Rank ? 0 : I + 0.5;
  if (Rank == 0)
    MPI_Send(Values, 100, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
  else
    CHECK(accx_recv(acc_async_sync, Values, sizeof(Values), 0, 4,
                    MPI_COMM_WORLD, 0, NULL, NULL) == 0);
  for (int I = 0; I < 100; ++I)
    CHECK(Values[I] == I + 0.5);
}

static void tooLong(int Size) {
  unsigned char *Data = make((size_t)Size, 1, 0);
  accx_event_t Event;
  if (Rank == 0) {
    MPI_Request Request;
    MPI_Isend(Data, Size, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &Request);
    MPI_Wait(&Request, MPI_STATUS_IGNORE);
    MPI_Send(Data, 100, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
  } else {
    CHECK(accx_recv(1, Data, (size_t)Size, 0, 5, MPI_COMM_WORLD, 0, NULL,
                    &Event) == 0);
    CHECK(accx_event_wait(1, &Event) == -EPROTO);
    CHECK(strstr(accx_event_message(Event), "MPI_CL_MEM"));
    accx_event_release(Event);
    size_t Came = 0;
    CHECK(accx_recv(1, Data, (size_t)Size, 0, 5, MPI_COMM_WORLD, 0, NULL,
                    &Event) == 0);
    CHECK(accx_event_wait(1, &Event) == 0);
    CHECK(accx_recv_result(Event, NULL, NULL, &Came) == 0 && Came == 100);
    accx_event_release(Event);
  }
  drop(Data, (size_t)Size, 0);
}

/// Requests as events: of receives and sends, of barriers, persistent, null.
static void requests(void) {
  enum { N = 5 };
  int Out[N], In[N];
  MPI_Request Requests[N];
  accx_event_t Events[N], Queued;
  const int Other = 1 - Rank;
  for (int I = 0; I < N; ++I)
    Out[I] = 100 * Rank + I, In[I] = -1;
  MPI_Irecv(&In[0], 1, MPI_INT, Other, 10, MPI_COMM_WORLD, &Requests[0]);
  MPI_Isend(&Out[0], 1, MPI_INT, Other, 10, MPI_COMM_WORLD, &Requests[1]);
  MPI_Ibarrier(MPI_COMM_WORLD, &Requests[2]);
  MPI_Recv_init(&In[3], 1, MPI_INT, Other, 11, MPI_COMM_WORLD, &Requests[3]);
  MPI_Start(&Requests[3]);
  Requests[4] = MPI_REQUEST_NULL;
  for (int I = 0; I < N; ++I) {
    CHECK(accx_event_from_mpi_request(&Requests[I], &Events[I]) == 0);
    CHECK(Requests[I] == MPI_REQUEST_NULL);
  }
  CHECK(accx_event_complete(Events[0], 0) == -EINVAL);
  // A message waits for them all, and brings what lets the other's end.
  CHECK(accx_sendrecv(1, &Out[3], sizeof(int), Other, 11, &In[1], 0,
                      MPI_PROC_NULL, 0, MPI_COMM_WORLD, 3, Events,
                      &Queued) == 0);
  CHECK(accx_event_wait(N, Events) == 0);
  CHECK(finish(Queued) == 0);
  CHECK(In[0] == 100 * Other && In[3] == 100 * Other + 3);
  for (int I = 0; I < N; ++I)
    accx_event_release(Events[I]);
  CHECK(accx_event_from_mpi_request(NULL, &Events[0]) == -EINVAL);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  for (int OnDevice = 0; OnDevice < 2; ++OnDevice) {
    plain(0, OnDevice);
    plain(1, OnDevice);
    plain(5000, OnDevice);
    plain(E, OnDevice);
  }
  typed();
  tooLong(E + 1);
  tooLong(E + 64); // As long as a first message of accx_send.
  tooLong(300000);
  requests();
  end();
}
