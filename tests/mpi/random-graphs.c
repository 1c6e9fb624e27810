// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random graphs over kernels, copies, files and messages: every rank draws the
// same graph, queues its own nodes on random queues with events for edges, and
// compares what it has in the end with the same steps one after the other.
//
// RUN: %build %s -o %t
// RUN: %mpirun 4 ACCX_MPI_CHUNK=32K %t multiple 1 150
// RUN: %mpirun 2 ACCX_MPI_CHUNK=32K %t serialized 2001 60
// RUN: %mpirun 3 ACCX_MPI_CHUNK=32K %t funneled 3001 60
// RUN: %mpirun 4 ACCX_MPI_CHUNK=32K %share %t multiple 4001 50

#include "Inputs/check.h"

#include <fcntl.h>
#include <unistd.h>

enum {
  MaxRanks = 8,
  NumArrays = 3,
  NumSlots = 3,
  NumQueues = 4,
  MaxNodes = 40
};

/// Of one graph, the same on all ranks.
typedef struct {
  size_t N;
  unsigned State;
  long Value[MaxRanks][NumArrays];
  long Slot[MaxRanks][NumSlots];
} Graph;

/// Of this rank: who touched what last.
typedef struct {
  long *Array[NumArrays];
  int File;
  accx_event_t Array_[NumArrays], Slot_[NumSlots];
  accx_event_t All[4 * MaxNodes];
  int NumAll;
} Own;

static unsigned pick(Graph *G, unsigned Below) {
  G->State = G->State * 1664525u + 1013904223u;
  return (G->State >> 8) % Below;
}

/// What a node waits for: up to three events, and now and then an old one.
typedef struct {
  accx_event_t Events[4];
  int Num;
} List;

static void follow(List *L, accx_event_t Event) {
  if (Event)
    L->Events[L->Num++] = Event;
}

static void note(Own *O, accx_event_t Event) { O->All[O->NumAll++] = Event; }

static void kernel(Graph *G, Own *O, int A, int B, long By, int Queue,
                   List *L) {
  const size_t N = G->N;
  long *X = O->Array[A], *Y = O->Array[B];
  accx_event_t Event;
  follow(L, O->Array_[B]);
  CHECK(accx_next_target(Queue, L->Num, L->Events, &Event) == 0);
  if (A == B) {
#pragma acc parallel loop present(X[0 : N])
    for (size_t I = 0; I < N; ++I)
      X[I] += By;
  } else {
#pragma acc parallel loop present(X[0 : N], Y[0 : N])
    for (size_t I = 0; I < N; ++I)
      X[I] += Y[I] - (long)I + By;
  }
  note(O, O->Array_[A] = Event);
  // The other array may not change before it was read.
  O->Array_[B] = Event;
}

static void copy(Graph *G, Own *O, int A, int B, int Queue, List *L) {
  accx_event_t Event;
  follow(L, O->Array_[B]);
  CHECK(accx_queue_wait(Queue, L->Num, L->Events) == 0);
  acc_memcpy_device_async(acc_deviceptr(O->Array[A]),
                          acc_deviceptr(O->Array[B]), G->N * sizeof(long),
                          Queue);
  CHECK(accx_event_of_queue(Queue, &Event) == 0);
  note(O, O->Array_[A] = O->Array_[B] = Event);
}

static void file(Graph *G, Own *O, int A, int S, int Writes, int Queue,
                 List *L) {
  const size_t Bytes = G->N * sizeof(long);
  const off_t At = (off_t)((size_t)S * Bytes);
  accx_event_t Event;
  follow(L, O->Slot_[S]);
  CHECK((Writes ? accx_write(Queue, O->Array[A], O->File, At, Bytes, L->Num,
                             L->Events, &Event)
                : accx_read(Queue, O->Array[A], O->File, At, Bytes, L->Num,
                            L->Events, &Event)) == 0);
  note(O, O->Array_[A] = O->Slot_[S] = Event);
}

static void message(Graph *G, Own *O, int A, int From, int To, int Tag,
                    int Queue, List *L) {
  const size_t Bytes = G->N * sizeof(long);
  accx_event_t Event;
  CHECK((Rank == From
             ? accx_send(Queue, O->Array[A], Bytes, To, Tag, MPI_COMM_WORLD,
                         L->Num, L->Events, &Event)
             : accx_recv(Queue, O->Array[A], Bytes, From, Tag, MPI_COMM_WORLD,
                         L->Num, L->Events, &Event)) == 0);
  note(O, O->Array_[A] = Event);
}

static void broadcast(Graph *G, Own *O, int A, int Root, int Queue, List *L) {
  accx_event_t Event;
  CHECK(accx_bcast(Queue, O->Array[A], G->N * sizeof(long), Root,
                   MPI_COMM_WORLD, L->Num, L->Events, &Event) == 0);
  note(O, O->Array_[A] = Event);
}

/// Draws a node, does it where this rank takes part, and in the model.
static void step(Graph *G, Own *O, int Node) {
  const int A = (int)pick(G, NumArrays), B = (int)pick(G, NumArrays);
  const int R = (int)pick(G, (unsigned)NumRanks),
            Other = (R + 1 + (int)pick(G, (unsigned)NumRanks - 1)) % NumRanks;
  const int S = (int)pick(G, NumSlots), Kind = (int)pick(G, 12);
  const int Queues[2] = {1 + (int)pick(G, NumQueues),
                         1 + (int)pick(G, NumQueues)};
  const unsigned Old = pick(G, 3 * MaxNodes);
  const long By = (long)pick(G, 100);
  const int Mine = R == Rank;
  // A receiver's array is B.
  const int Touched = Kind >= 7 && Kind <= 10 && !Mine ? B : A;
  List L = {{0}, 0};
  if (Old < (unsigned)O->NumAll)
    follow(&L, O->All[Old]);
  follow(&L, O->Array_[Touched]);
  long(*V)[NumArrays] = G->Value;
  if (Kind <= 2) {
    if (Mine)
      kernel(G, O, A, B, By, Queues[0], &L);
    V[R][A] += A == B ? By : V[R][B] + By;
  } else if (Kind == 3 && A != B) {
    if (Mine)
      copy(G, O, A, B, Queues[0], &L);
    V[R][A] = V[R][B];
  } else if (Kind == 4 || Kind == 5) {
    if (Mine)
      file(G, O, A, S, 1, Queues[0], &L);
    G->Slot[R][S] = V[R][A];
  } else if (Kind == 6) {
    if (Mine)
      file(G, O, A, S, 0, Queues[0], &L);
    V[R][A] = G->Slot[R][S];
  } else if (Kind <= 10) {
    if (Mine || Rank == Other)
      message(G, O, Touched, R, Other, Node, Queues[!Mine], &L);
    V[Other][B] = V[R][A];
  } else if (Kind == 11) {
    broadcast(G, O, A, R, Queues[0], &L);
    for (int I = 0; I < NumRanks; ++I)
      V[I][A] = V[R][A];
  }
}

static void set(Graph *G, Own *O) {
  const size_t N = G->N;
  for (int R = 0; R < NumRanks; ++R) {
    for (int A = 0; A < NumArrays; ++A)
      G->Value[R][A] = 10 * R + A;
    for (int S = 0; S < NumSlots; ++S)
      G->Slot[R][S] = 1000 + S;
  }
  for (int A = 0; A < NumArrays; ++A) {
    O->Array[A] = malloc(N * sizeof(long));
    for (size_t I = 0; I < N; ++I)
      O->Array[A][I] = G->Value[Rank][A] + (long)I;
    acc_copyin(O->Array[A], N * sizeof(long));
  }
  long *Slot = malloc(N * sizeof(long));
  for (int S = 0; S < NumSlots; ++S) {
    for (size_t I = 0; I < N; ++I)
      Slot[I] = 1000 + S + (long)I;
    CHECK(pwrite(O->File, Slot, N * sizeof(long),
                 (off_t)((size_t)S * N * sizeof(long))) ==
          (ssize_t)(N * sizeof(long)));
  }
  free(Slot);
}

static void graph(unsigned Seed, int File) {
  static const size_t Sizes[] = {1, 100, 2048, 2049, 5000, 20000};
  Graph G = {0};
  Own O = {.File = File};
  G.State = Seed * 2654435761u;
  G.N = Sizes[pick(&G, 6)];
  set(&G, &O);
  const int Nodes = 5 + (int)pick(&G, MaxNodes - 5);
  for (int Node = 0; Node < Nodes; ++Node)
    step(&G, &O, Node);
  if (accx_event_wait(O.NumAll, O.All) != 0)
    for (int I = 0; I < O.NumAll; ++I)
      fprintf(stderr, "rank %d, seed %u: %s\n", Rank, Seed,
              accx_event_message(O.All[I]));
  CHECK(accx_event_wait(O.NumAll, O.All) == 0);
  for (int I = 0; I < O.NumAll; ++I)
    accx_event_release(O.All[I]);
  for (int A = 0; A < NumArrays; ++A) {
    acc_copyout(O.Array[A], G.N * sizeof(long));
    for (size_t I = 0; I < G.N; ++I)
      if (O.Array[A][I] != G.Value[Rank][A] + (long)I) {
        fprintf(stderr, "rank %d, seed %u, array %d[%zu]: %ld, not %ld\n", Rank,
                Seed, A, I, O.Array[A][I], G.Value[Rank][A] + (long)I);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
    free(O.Array[A]);
  }
}

int main(int Count, char **Arguments) {
  begin(Count, Arguments);
  CHECK(NumRanks <= MaxRanks && NumRanks > 1 && Count > 3);
  char Name[] = "/tmp/accx-graphs-XXXXXX";
  const int File = mkstemp(Name);
  CHECK(File >= 0);
  unlink(Name);
  const unsigned First = (unsigned)atoi(Arguments[2]);
  for (unsigned I = 0; I < (unsigned)atoi(Arguments[3]); ++I)
    graph(First + I, File);
  close(File);
  if (Rank == 0)
    printf("%s graphs from seed %u: right\n", Arguments[3], First);
  end();
  return 0;
}
