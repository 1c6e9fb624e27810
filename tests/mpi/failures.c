// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fails does so with a number and a line that says which message, and
// leaves later messages as they should be: arguments, ranks, memory that is too
// small for what comes, events that failed, devices that fail half way.
//
// RUN: %build %s -o %t
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t funneled
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %pieces %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %share %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %pieces ACCX_FAULT=copy_from:30 %t multiple half
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %pieces ACCX_FAULT=copy_to:30 %t multiple half

#include "Inputs/check.h"

#include <unistd.h>

static void arguments(void) {
  char Byte = 0;
  accx_event_t Event = (accx_event_t)&Byte;
  const MPI_Comm World = MPI_COMM_WORLD;
  CHECK(accx_send(1, NULL, 8, 0, 1, World, 0, NULL, &Event) == -EINVAL);
  CHECK(Event == NULL);
  CHECK(accx_send(1, &Byte, 1, -77, 1, World, 0, NULL, &Event) == -EINVAL);
  CHECK(accx_send(1, &Byte, 1, 0, -77, World, 0, NULL, &Event) == -EINVAL);
  CHECK(accx_send(1, &Byte, 1, 0, MPI_ANY_TAG, World, 0, NULL, &Event) ==
        -EINVAL);
  CHECK(accx_send(1, &Byte, 1, 0, 1, MPI_COMM_NULL, 0, NULL, &Event) ==
        -EINVAL);
  CHECK(accx_send(-77, &Byte, 1, 0, 1, World, 0, NULL, &Event) == -EINVAL);
  CHECK(accx_send(1, &Byte, 1, 0, 1, World, 1, NULL, &Event) == -EINVAL);
  CHECK(accx_recv(1, &Byte, 1, -77, 1, World, 0, NULL, &Event) == -EINVAL);
  CHECK(accx_bcast(1, &Byte, 1, 2, World, 0, NULL, &Event) == -EINVAL);
  CHECK(accx_bcast(-77, &Byte, 1, 0, World, 0, NULL, &Event) == -EINVAL);
  CHECK(accx_recv_result(NULL, NULL, NULL, NULL) == -EINVAL);
  CHECK(accx_event_create_user(&Event) == 0);
  CHECK(accx_recv_result(Event, NULL, NULL, NULL) == -EINVAL);
  accx_event_release(Event);

  CHECK(accx_send(1, &Byte, 1, 2, 9, World, 0, NULL, &Event) == 0);
  CHECK(accx_event_wait(1, &Event) == -EINVAL);
  CHECK(strstr(accx_event_message(Event),
               "send to 2, tag 9: the communicator has 2 ranks"));
  accx_event_release(Event);
  // The half that could wait for ever does not.
  CHECK(accx_sendrecv(acc_async_sync, &Byte, 1, 2, 9, &Byte, 1, 1 - Rank, 9,
                      World, 0, NULL, &Event) == -EINVAL);
  accx_event_release(Event);
}

/// A message for which there is no room, then one for which there is.
static void tooLong(size_t Size, size_t Room, int OnDevice) {
  accx_event_t Event;
  if (Rank == 0) {
    unsigned char *Data = make(Size, 1, OnDevice);
    CHECK(accx_send(1, Data, Size, 1, 4, MPI_COMM_WORLD, 0, NULL, NULL) == 0);
    CHECK(accx_send(1, Data, Size, 1, 4, MPI_COMM_WORLD, 0, NULL, NULL) == 0);
    acc_wait(1);
    drop(Data, Size, OnDevice);
    return;
  }
  unsigned char *Data = make(Size, 2, OnDevice);
  CHECK(accx_recv(1, Data, Room, 0, 4, MPI_COMM_WORLD, 0, NULL, &Event) == 0);
  CHECK(accx_event_wait(1, &Event) == -EMSGSIZE);
  char Text[200];
  snprintf(Text, sizeof(Text),
           "receive from 0, tag 4: the message has %zu bytes, there is room "
           "for %zu",
           Size, Room);
  CHECK(strstr(accx_event_message(Event), Text));
  size_t Came = 0;
  CHECK(accx_recv_result(Event, NULL, NULL, &Came) == 0 && Came == Size);
  accx_event_release(Event);
  fetch(Data, Size, OnDevice);
  for (size_t I = Room; I < Size; ++I)
    CHECK(Data[I] == byteOf(2, I));
  CHECK(accx_recv(acc_async_sync, Data, Size, 0, 4, MPI_COMM_WORLD, 0, NULL,
                  NULL) == 0);
  fetch(Data, Size, OnDevice);
  CHECK(firstWrong(Data, Size, 1) == Size);
  drop(Data, Size, OnDevice);
}

/// What waits for an event that failed is not done, and takes no message.
static void afterFailure(void) {
  accx_event_t User, Event;
  unsigned char *Data = make(200000, Rank, 1);
  if (Rank == 1) {
    CHECK(accx_event_create_user(&User) == 0);
    CHECK(accx_recv(1, Data, 200000, 0, 3, MPI_COMM_WORLD, 1, &User, &Event) ==
          0);
    CHECK(accx_event_complete(User, -EIO) == 0);
    CHECK(finish(Event) == -ECANCELED);
    accx_event_release(User);
    CHECK(accx_recv(1, Data, 200000, 0, 3, MPI_COMM_WORLD, 0, NULL, &Event) ==
          0);
    CHECK(finish(Event) == 0);
    fetch(Data, 200000, 1);
    CHECK(firstWrong(Data, 200000, 0) == 200000);
  } else {
    CHECK(accx_event_create_user(&User) == 0);
    CHECK(accx_send(2, Data, 200000, 1, 3, MPI_COMM_WORLD, 1, &User, &Event) ==
          0);
    CHECK(accx_event_complete(User, -EIO) == 0);
    CHECK(finish(Event) == -ECANCELED);
    accx_event_release(User);
    CHECK(accx_send(1, Data, 200000, 1, 3, MPI_COMM_WORLD, 0, NULL, &Event) ==
          0);
    CHECK(finish(Event) == 0);
  }
  drop(Data, 200000, 1);
}

/// One side's device fails in the middle: that side's event says so, the
/// other's, too, unless it had all it needs, and the next message is whole.
static void halfWay(void) {
  enum { Size = 4000000, Small = 1000 };
  accx_event_t Event;
  unsigned char *Data = make(Size, Rank, 1);
  unsigned char *Next = make(Small, 40 + Rank, 0);
  const int Other = 1 - Rank;
  CHECK((Rank ? accx_recv(1, Data, Size, Other, 3, MPI_COMM_WORLD, 0, NULL,
                          &Event)
              : accx_send(1, Data, Size, Other, 3, MPI_COMM_WORLD, 0, NULL,
                          &Event)) == 0);
  const int Status = accx_event_wait(1, &Event);
  CHECK(Status == 0 || Status == -EIO || Status == -ECONNABORTED);
  fprintf(stderr, "rank %d: %d %s\n", Rank, Status, accx_event_message(Event));
  int Both[2] = {Status, 0};
  if (Rank == 1) {
    CHECK(accx_recv(2, Next, Small, 0, 3, MPI_COMM_WORLD, 0, NULL, NULL) == 0);
    acc_wait(2);
    CHECK(firstWrong(Next, Small, 40) == Small);
  } else {
    CHECK(accx_send(2, Next, Small, 1, 3, MPI_COMM_WORLD, 0, NULL, NULL) == 0);
    acc_wait(2);
  }
  MPI_Allreduce(&Status, Both, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  CHECK(Both[0] < 0);
  accx_event_release(Event);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  if (Count > 2) {
    halfWay();
    MPI_Finalize();
    _exit(0); // The end of the program would tell of the device, too.
  } else {
    arguments();
    for (int OnDevice = 0; OnDevice < 2; ++OnDevice) {
      tooLong(1, 0, OnDevice);
      tooLong(E, E - 1, OnDevice);
      tooLong(E + 1, E, OnDevice);
      tooLong(E + 1, 100, OnDevice);
      tooLong(1000000, 999999, OnDevice);
      tooLong(1000000, E + 5, OnDevice);
    }
    afterFailure();
  }
  end();
}
