// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What moves messages: with MPI_THREAD_MULTIPLE the runtime's thread, while the
// program does something else; with less nobody but the program's own thread
// that may call MPI, when it waits or asks. Many threads at once.
//
// RUN: %build %s -pthread -o %t
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t single
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t funneled
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t serialized
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %pieces %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %share %t multiple

#include "Inputs/check.h"

#include <pthread.h>
#include <time.h>

enum { Size = 500000 };

static void noteEnd(accx_event_t Event, int Status, void *Data) {
  (void)Event;
  __atomic_store_n((int *)Data, 1 + !!Status, __ATOMIC_RELEASE);
}

/// Whether \p Flag is set within \p Seconds, without a call of accx or MPI.
static int comes(const int *Flag, double Seconds) {
  struct timespec Begin, Now;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  do {
    if (__atomic_load_n(Flag, __ATOMIC_ACQUIRE))
      return 1;
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &Now);
  } while ((double)(Now.tv_sec - Begin.tv_sec) +
               1e-9 * (double)(Now.tv_nsec - Begin.tv_nsec) <
           Seconds);
  return 0;
}

static void byItself(void) {
  unsigned char *Data = make(Size, Rank, 1);
  accx_event_t Event;
  int HasEnded = 0;
  CHECK((Rank ? accx_recv(1, Data, Size, 0, 1, MPI_COMM_WORLD, 0, NULL, &Event)
              : accx_send(1, Data, Size, 1, 1, MPI_COMM_WORLD, 0, NULL,
                          &Event)) == 0);
  CHECK(accx_event_callback(Event, noteEnd, &HasEnded) == 0);
  // With less than MULTIPLE a thread of the runtime's would break MPI's rules.
  if (Level == MPI_THREAD_MULTIPLE)
    CHECK(comes(&HasEnded, 60));
  else
    CHECK(!comes(&HasEnded, 0.1));
  // Asking is enough.
  while (accx_event_status(Event) == 1)
    ;
  CHECK(comes(&HasEnded, 60) && HasEnded == 1);
  accx_event_release(Event);
  fetch(Data, Size, 1);
  CHECK(firstWrong(Data, Size, 0) == Size);
  drop(Data, Size, 1);
}

/// Waits of OpenACC move messages on as well.
static void byWait(void) {
  unsigned char *Data = make(Size, Rank, 1);
  CHECK((Rank ? accx_recv(3, Data, Size, 0, 2, MPI_COMM_WORLD, 0, NULL, NULL)
              : accx_send(3, Data, Size, 1, 2, MPI_COMM_WORLD, 0, NULL,
                          NULL)) == 0);
  acc_wait(3);
  fetch(Data, Size, 1);
  CHECK(firstWrong(Data, Size, 0) == Size);
  drop(Data, Size, 1);
}

static void *exchange(void *Of) {
  const int Number = (int)(size_t)Of, Other = 1 - Rank;
  acc_set_device_num(Number % 2, acc_device_not_host);
  for (int Round = 0; Round < 6; ++Round) {
    const size_t Bytes = Round % 2 ? Size : 700;
    unsigned char *Out = make(Bytes, 10 * Rank + Number, 1),
                  *In = make(Bytes, 99, 1);
    accx_event_t Event;
    if (Round % 3 == 2) {
      MPI_Request Requests[2];
      fetch(Out, Bytes, 1);
      MPI_Irecv(In, (int)Bytes, MPI_CL_MEM, Other, Number, MPI_COMM_WORLD,
                &Requests[0]);
      MPI_Isend(Out, (int)Bytes, MPI_CL_MEM, Other, Number, MPI_COMM_WORLD,
                &Requests[1]);
      MPI_Waitall(2, Requests, MPI_STATUSES_IGNORE);
    } else {
      CHECK(accx_sendrecv(Number, Out, Bytes, Other, Number, In, Bytes, Other,
                          Number, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
      CHECK(finish(Event) == 0);
      fetch(In, Bytes, 1);
    }
    CHECK(firstWrong(In, Bytes, 10 * Other + Number) == Bytes);
    drop(Out, Bytes, 1);
    drop(In, Bytes, 1);
  }
  return NULL;
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  byItself();
  byWait();
  pthread_t Threads[6];
  const int Num = Level == MPI_THREAD_MULTIPLE ? 6 : 0;
  for (int I = 0; I < Num; ++I)
    CHECK(!pthread_create(&Threads[I], NULL, exchange, (void *)(size_t)I));
  for (int I = 0; I < Num; ++I)
    pthread_join(Threads[I], NULL);
  end();
}
