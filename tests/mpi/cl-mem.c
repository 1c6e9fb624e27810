// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's own functions with MPI_CL_MEM, of any size, against accx_send and
// accx_recv and against each other: blocking and not, waited for in every way,
// mixed with other requests, and their statuses.
//
// RUN: %build %s -o %t
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t single
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t funneled
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t serialized
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %pieces %t multiple
// RUN: %mpirun 2 ACCX_MPI_CHUNK=64K %share %t funneled

#include "Inputs/check.h"

static const MPI_Comm World = MPI_COMM_WORLD;

static void checkStatus(const MPI_Status *Status, int Source, int Tag,
                        int Size) {
  int Count = -1;
  MPI_Get_count(Status, MPI_BYTE, &Count);
  CHECK(Status->MPI_SOURCE == Source && Status->MPI_TAG == Tag &&
        Count == Size);
  MPI_Get_count(Status, MPI_CL_MEM, &Count);
  CHECK(Count == Size);
}

/// Rank 0's device, rank 1's MPI.
static void device(int Size) {
  const size_t Bytes = (size_t)Size;
  unsigned char *Data = make(Bytes, 1 + Rank, Rank == 0);
  MPI_Status Status;
  MPI_Request Request;
  if (Rank == 0) {
    for (int I = 0; I < 2; ++I) {
      CHECK(accx_send(1, Data, Bytes, 1, I, World, 0, NULL, NULL) == 0);
      acc_wait(1);
    }
    for (int I = 0; I < 2; ++I) {
      CHECK(accx_recv(1, Data, Bytes, 1, I, World, 0, NULL, NULL) == 0);
      acc_wait(1);
      fetch(Data, Bytes, 1);
      CHECK(firstWrong(Data, Bytes, 50 + I) == Bytes);
    }
  } else {
    MPI_Recv(Data, Size, MPI_CL_MEM, 0, 0, World, &Status);
    checkStatus(&Status, 0, 0, Size);
    CHECK(firstWrong(Data, Bytes, 1) == Bytes);
    memset(Data, 0, Bytes);
    MPI_Irecv(Data, Size, MPI_CL_MEM, MPI_ANY_SOURCE, MPI_ANY_TAG, World,
              &Request);
    MPI_Wait(&Request, &Status);
    CHECK(Request == MPI_REQUEST_NULL);
    checkStatus(&Status, 0, 1, Size);
    CHECK(firstWrong(Data, Bytes, 1) == Bytes);
    for (size_t I = 0; I < Bytes; ++I)
      Data[I] = byteOf(50, I);
    MPI_Send(Data, Size, MPI_CL_MEM, 0, 0, World);
    for (size_t I = 0; I < Bytes; ++I)
      Data[I] = byteOf(51, I);
    MPI_Isend(Data, Size, MPI_CL_MEM, 0, 1, World, &Request);
    MPI_Wait(&Request, MPI_STATUS_IGNORE);
  }
  drop(Data, Bytes, Rank == 0);
}

enum { Num = 6 };

/// Ends \p Num requests in the manner \p How, statuses in place.
static void await(int How, MPI_Request *Requests, MPI_Status *Statuses) {
  int Done = 0, Index = -1, Left = Num, Indices[Num];
  MPI_Status Some[Num];
  switch (How) {
  case 0:
    for (int I = Num - 1; I >= 0; --I)
      MPI_Wait(&Requests[I], &Statuses[I]);
    break;
  case 1:
    MPI_Waitall(Num, Requests, Statuses);
    break;
  case 2:
    for (; Left; --Left) {
      MPI_Waitany(Num, Requests, &Index, Some);
      Statuses[Index] = Some[0];
    }
    MPI_Waitany(Num, Requests, &Index, Some);
    CHECK(Index == MPI_UNDEFINED);
    break;
  case 3:
    while (Left) {
      MPI_Waitsome(Num, Requests, &Done, Indices, Some);
      CHECK(Done > 0);
      for (int I = 0; I < Done; ++I)
        Statuses[Indices[I]] = Some[I];
      Left -= Done;
    }
    MPI_Waitsome(Num, Requests, &Done, Indices, Some);
    CHECK(Done == MPI_UNDEFINED);
    break;
  case 4:
    for (int I = 0; I < Num; ++I)
      for (Done = 0; !Done;)
        MPI_Test(&Requests[I], &Done, &Statuses[I]);
    break;
  case 5:
    while (!Done)
      MPI_Testall(Num, Requests, &Done, Statuses);
    break;
  case 6:
    while (Left) {
      MPI_Testany(Num, Requests, &Index, &Done, Some);
      if (!Done)
        continue;
      Statuses[Index] = Some[0];
      --Left;
    }
    break;
  default:
    while (Left) {
      MPI_Testsome(Num, Requests, &Done, Indices, Some);
      for (int I = 0; I < Done; ++I)
        Statuses[Indices[I]] = Some[I];
      Left -= Done;
    }
  }
  for (int I = 0; I < Num; ++I)
    CHECK(Requests[I] == MPI_REQUEST_NULL);
}

/// Both ranks send and receive, long, short and MPI's own, all at once.
static void together(int How) {
  const int Other = 1 - Rank, Sizes[] = {400000, 30, E + 1};
  unsigned char *Out[3], *In[3];
  MPI_Request Requests[Num];
  MPI_Status Statuses[Num];
  for (int I = 0; I < 3; ++I) {
    Out[I] = make((size_t)Sizes[I], 10 * Rank + I, 0);
    In[I] = make((size_t)Sizes[I], 99, 0);
    const MPI_Datatype Type = I == 1 ? MPI_BYTE : MPI_CL_MEM;
    MPI_Irecv(In[I], Sizes[I], Type, Other, I, World, &Requests[2 * I]);
    MPI_Isend(Out[I], Sizes[I], Type, Other, I, World, &Requests[2 * I + 1]);
  }
  await(How, Requests, Statuses);
  for (int I = 0; I < 3; ++I) {
    const size_t Bytes = (size_t)Sizes[I];
    CHECK(firstWrong(In[I], Bytes, 10 * Other + I) == Bytes);
    checkStatus(&Statuses[2 * I], Other, I, Sizes[I]);
    drop(Out[I], Bytes, 0);
    drop(In[I], Bytes, 0);
  }
}

static void exchange(void) {
  const int Other = 1 - Rank, Size = 700001;
  unsigned char *Out = make((size_t)Size, Rank, 0),
                *In = make((size_t)Size + 9, 7, 0);
  MPI_Status Status;
  MPI_Sendrecv(Out, Size, MPI_CL_MEM, Other, 3, In, Size + 9, MPI_CL_MEM, Other,
               3, World, &Status);
  checkStatus(&Status, Other, 3, Size);
  CHECK(firstWrong(In, (size_t)Size, Other) == (size_t)Size);
  MPI_Sendrecv(Out, 10, MPI_CL_MEM, MPI_PROC_NULL, 3, In, 10, MPI_CL_MEM,
               MPI_PROC_NULL, 3, World, &Status);
  CHECK(Status.MPI_SOURCE == MPI_PROC_NULL);
  drop(Out, (size_t)Size, 0);
  drop(In, (size_t)Size, 0);
}

/// No room; MPI_Cancel; MPI_Request_free.
static void otherEnds(void) {
  unsigned char *Data = make(100000, Rank, 0);
  MPI_Request Request;
  MPI_Status Status;
  MPI_Comm_set_errhandler(World, MPI_ERRORS_RETURN);
  if (Rank == 0) {
    MPI_Send(Data, 100000, MPI_CL_MEM, 1, 1, World);
    MPI_Isend(Data, 100000, MPI_CL_MEM, 1, 1, World, &Request);
    MPI_Request_free(&Request);
    MPI_Recv(Data, 0, MPI_BYTE, 1, 1, World, &Status);
  } else {
    int Class = MPI_SUCCESS, WasCancelled = 0;
    MPI_Error_class(MPI_Recv(Data, 1000, MPI_CL_MEM, 0, 1, World, &Status),
                    &Class);
    CHECK(Class == MPI_ERR_TRUNCATE);
    CHECK(MPI_Recv(Data, 100000, MPI_CL_MEM, 0, 1, World, &Status) ==
          MPI_SUCCESS);
    CHECK(firstWrong(Data, 100000, 0) == 100000);
    MPI_Send(Data, 0, MPI_BYTE, 0, 1, World);
    MPI_Irecv(Data, 1000, MPI_CL_MEM, 0, 77, World, &Request);
    MPI_Cancel(&Request);
    MPI_Wait(&Request, &Status);
    MPI_Test_cancelled(&Status, &WasCancelled);
    CHECK(WasCancelled);
  }
  MPI_Comm_set_errhandler(World, MPI_ERRORS_ARE_FATAL);
  drop(Data, 100000, 0);
}

/// A request of ours as an event.
static void asEvent(void) {
  unsigned char *Data = make(100000, Rank, 0);
  MPI_Request Request;
  accx_event_t Event;
  if (Rank == 0)
    MPI_Irecv(Data, 100000, MPI_CL_MEM, 1, 2, World, &Request);
  else
    MPI_Isend(Data, 100000, MPI_CL_MEM, 0, 2, World, &Request);
  CHECK(accx_event_from_mpi_request(&Request, &Event) == 0);
  CHECK(finish(Event) == 0);
  CHECK(firstWrong(Data, 100000, 1) == 100000);
  drop(Data, 100000, 0);
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  device(0);
  device(E);
  device(E + 1);
  device(E + 65536);
  device(1000000);
  for (int How = 0; How < 8; ++How)
    together(How);
  exchange();
  otherEnds();
  asEvent();
  end();
}
