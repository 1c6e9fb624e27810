/*===- filerivals.h - Files to a device and back, by hand -----------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What a program without events can do: threads that read into plain memory,
|* which is the most that any can reach; a copy from pinned memory; and
|* threads with two pinned buffers each, which read one while the other is
|* copied.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_BENCH_EVENTS_FILERIVALS_H
#define ACCX_BENCH_EVENTS_FILERIVALS_H

#include "copies.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { RivalThreads = 16 };

/** What the threads of a rival share; Device is null for plain memory. */
typedef struct {
  int File, Writes;
  size_t Size, Piece;
  char *Plain, *Device;
  char *Pinned[RivalThreads][2];
  atomic_size_t Next;
} Rival;

typedef struct {
  Rival *R;
  int Number;
} RivalThread;

static inline void rivalMove(int Writes, int File, char *Memory, size_t Size,
                             size_t At) {
  while (Size > 0) {
    const ssize_t Done = Writes ? pwrite(File, Memory, Size, (off_t)At)
                                : pread(File, Memory, Size, (off_t)At);
    if (Done <= 0) {
      perror("rival");
      exit(2);
    }
    Memory += Done;
    At += (size_t)Done;
    Size -= (size_t)Done;
  }
}

static inline void rivalPlain(Rival *R) {
  for (size_t At; (At = atomic_fetch_add(&R->Next, R->Piece)) < R->Size;) {
    const size_t Size = R->Size - At < R->Piece ? R->Size - At : R->Piece;
    rivalMove(R->Writes, R->File, R->Plain + At, Size, At);
  }
}

static inline void rivalStaged(Rival *R, int Number) {
  copiesThread();
  CopyStream S = copiesStream();
  CopyMark Marks[2] = {copiesMark(), copiesMark()};
  size_t Was[2], Bytes[2] = {0, 0};
  for (int B = 0;; B = !B) {
    const size_t At = atomic_fetch_add(&R->Next, R->Piece);
    char *Buffer = R->Pinned[Number][B];
    const int More = At < R->Size;
    const size_t Size = !More                     ? 0
                        : R->Size - At < R->Piece ? R->Size - At
                                                  : R->Piece;
    if (!R->Writes) {
      if (!More)
        break;
      if (Bytes[B])
        copyWaitMark(Marks[B]);
      rivalMove(0, R->File, Buffer, Size, At);
      copyIn(R->Device + At, Buffer, Size, S);
      copyMark(Marks[B], S);
      Bytes[B] = Size;
      continue;
    }
    /* The copy of this piece runs while the one before is written. */
    if (More) {
      copyOut(Buffer, R->Device + At, Size, S);
      copyMark(Marks[B], S);
    }
    if (Bytes[!B]) {
      copyWaitMark(Marks[!B]);
      rivalMove(1, R->File, R->Pinned[Number][!B], Bytes[!B], Was[!B]);
    }
    Was[B] = At;
    Bytes[B] = Size;
    Bytes[!B] = 0;
    if (!More)
      break;
  }
  copyWait(S);
  copiesForget(Marks[0]);
  copiesForget(Marks[1]);
  copiesEnd(S);
}

static inline void *rivalThread(void *Data) {
  const RivalThread *T = (RivalThread *)Data;
  if (T->R->Device)
    rivalStaged(T->R, T->Number);
  else
    rivalPlain(T->R);
  return NULL;
}

/** Milliseconds. */
static inline double rivalRun(Rival *R, int Threads) {
  pthread_t Handles[RivalThreads];
  RivalThread All[RivalThreads];
  atomic_store(&R->Next, 0);
  const double Begin = measureNow();
  for (int T = 0; T < Threads; ++T) {
    All[T] = (RivalThread){R, T};
    pthread_create(&Handles[T], NULL, rivalThread, &All[T]);
  }
  for (int T = 0; T < Threads; ++T)
    pthread_join(Handles[T], NULL);
  return measureNow() - Begin;
}

#endif /* ACCX_BENCH_EVENTS_FILERIVALS_H */
