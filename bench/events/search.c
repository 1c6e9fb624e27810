/*===- search.c - A search in a database of sequences ---------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The program of the paper's section 5.2.2 with a database of our own: scores
|* of local alignments (Smith and Waterman's, with linear gaps) of one query
|* with every sequence of a file that is read chunk by chunk. Sequences have
|* records of one size; a zero ends a shorter one.
|*
|*     read-then-copy   fread to the host, copy to the device, one by one
|*     accx             accx_fread to the device
|*     ...-overlapped   the same with two chunks: one is read while the other
|*                      is searched
|*
|* `transfers` leaves the kernels out, as the paper does. `mixed` does, too, and
|* has chunks of all sizes from 512 bytes to the one that is given, as many
small
|* ones as large ones.
|*
|* Usage: search transfers|mixed|all [sequences [sequences of a chunk [folder
|*               [repeats]]]]
|*
\*===----------------------------------------------------------------------===*/

#include "copies.h"

#include <accx/event.h>
#include <unistd.h>

enum { Record = 256, Query = 64, Gap = 2, MaxRepeats = 64 };
enum { Load = 1, Compute };

typedef struct {
  FILE *Stream;
  long Sequences, Chunk;
  int WithKernels, IsMixed;
  long Last;      /**< Sequences of the last chunk. */
  char *Slots[2]; /**< On the device. */
  char *Host;     /**< Of a chunk; pinned. */
  int *Scores;    /**< Present. */
} Search;

static char Letters[Query];

/* The best local alignment of a sequence and the query. */
#pragma acc routine seq
static int scoreOf(const char *Sequence, const char *Of) {
  int Row[Query + 1], Best = 0;
  for (int J = 0; J <= Query; ++J)
    Row[J] = 0;
  for (int I = 0; I < Record && Sequence[I]; ++I) {
    int Corner = 0;
    for (int J = 1; J <= Query; ++J) {
      int H = Corner + (Sequence[I] == Of[J - 1] ? 3 : -3);
      Corner = Row[J];
      if (H < Row[J] - Gap)
        H = Row[J] - Gap;
      if (H < Row[J - 1] - Gap)
        H = Row[J - 1] - Gap;
      if (H < 0)
        H = 0;
      Row[J] = H;
      if (H > Best)
        Best = H;
    }
  }
  return Best;
}

static void score(const Search *S, const char *Slot, long First, long Count) {
  int *Scores = S->Scores;
  const char *Of = Letters;
  const long All = S->Sequences;
#pragma acc parallel loop deviceptr(Slot) present(Scores[0 : All])             \
    present(Of[0 : Query]) async(Compute)
  for (long I = 0; I < Count; ++I)
    Scores[First + I] = scoreOf(Slot + I * Record, Of);
}

/* Sequences of the chunk that begins at First. */
static long chunkAt(Search *S, long First) {
  long Count = S->Chunk;
  if (S->IsMixed) {
    int Doublings = 0;
    while (4L << Doublings <= S->Chunk)
      ++Doublings;
    Count = 2L << measureWord((uint64_t)First, 11) % ((uint64_t)Doublings + 1);
  }
  const long Left = S->Sequences - First;
  S->Last = Left < Count ? Left : Count;
  return S->Last;
}

static void readThenCopy(Search *S, int Overlapped) {
  CopyStream Stream = copiesStream();
  int Slot = 0;
  for (long First = 0, Count; First < S->Sequences; First += Count) {
    Count = chunkAt(S, First);
    if (fread(S->Host, Record, (size_t)Count, S->Stream) != (size_t)Count)
      exit(2);
    copyIn(S->Slots[Slot], S->Host, (size_t)Count * Record, Stream);
    copyWait(Stream);
    if (!S->WithKernels)
      continue;
    /* Of the chunk before: the one before that is done by then. */
    acc_wait(Compute);
    score(S, S->Slots[Slot], First, Count);
    if (Overlapped)
      Slot = !Slot;
    else
      acc_wait(Compute);
  }
  acc_wait(Compute);
  copiesEnd(Stream);
}

static void withEvents(Search *S, int Overlapped) {
  accx_event_t Used[2] = {NULL, NULL}, Loaded = NULL, Last = NULL;
  int Slot = 0;
  for (long First = 0, Count; First < S->Sequences; First += Count) {
    Count = chunkAt(S, First);
    accx_event_release(Loaded);
    MUST(accx_fread(Load, S->Slots[Slot], (size_t)Count * Record, S->Stream,
                    Used[Slot] != NULL, &Used[Slot], &Loaded));
    if (!S->WithKernels)
      continue;
    MUST(accx_queue_wait(Compute, 1, &Loaded));
    score(S, S->Slots[Slot], First, Count);
    accx_event_release(Used[Slot]);
    MUST(accx_event_of_queue(Compute, &Used[Slot]));
    Slot = Overlapped && !Slot;
  }
  MUST(accx_event_of_queue(S->WithKernels ? Compute : Load, &Last));
  if (accx_event_wait(1, &Last)) {
    fprintf(stderr, "search: %s\n", accx_event_message(Last));
    exit(2);
  }
  accx_event_release(Last);
  accx_event_release(Loaded);
  accx_event_release(Used[0]);
  accx_event_release(Used[1]);
}

static char letter(uint64_t I) { return "ACGT"[measureWord(I, 5) >> 62]; }

static void writeDatabase(const char *Path, long Sequences) {
  FILE *F = fopen(Path, "w");
  char Buffer[Record];
  for (long I = 0; F && I < Sequences; ++I) {
    const int Length = 32 + (int)(measureWord((uint64_t)I, 3) % (Record - 31));
    memset(Buffer, 0, Record);
    for (int J = 0; J < Length; ++J)
      Buffer[J] = letter((uint64_t)I * Record + (uint64_t)J);
    if (fwrite(Buffer, Record, 1, F) != 1)
      exit(2);
  }
  if (!F || fclose(F))
    exit(2);
}

/* Some of the scores, which are spread over all chunks, are computed here. */
static int right(const Search *S, const char *Path) {
  FILE *F = fopen(Path, "r");
  char Buffer[Record];
  int *Scores = S->Scores, Good = F != NULL;
  const long All = S->Sequences, Apart = All > 20000 ? All / 20000 : 1;
#pragma acc update self(Scores[0 : All])
  for (long I = 0; Good && I < All; I += Apart) {
    Good = fseek(F, I * Record, SEEK_SET) == 0 &&
           fread(Buffer, Record, 1, F) == 1 &&
           scoreOf(Buffer, Letters) == Scores[I];
  }
  if (F)
    fclose(F);
  memset(Scores, 0, (size_t)All * sizeof(int));
#pragma acc update device(Scores[0 : All])
  return Good;
}

/* The last chunk is on the device as it is in the file. */
static int arrived(const Search *S, const char *Path) {
  const long Count = S->Last;
  const size_t Bytes = (size_t)Count * Record;
  char *Expected = (char *)measureAlloc(Bytes);
  FILE *F = fopen(Path, "r");
  int Good = F && fseek(F, (S->Sequences - Count) * Record, SEEK_SET) == 0 &&
             fread(Expected, 1, Bytes, F) == Bytes;
  CopyStream Stream = copiesStream();
  copyOut(S->Host, S->Slots[0], Bytes, Stream);
  copyWait(Stream);
  copiesEnd(Stream);
  Good = Good && memcmp(S->Host, Expected, Bytes) == 0;
  if (F)
    fclose(F);
  free(Expected);
  return Good;
}

int main(int Argc, char **Argv) {
  Search S = {.IsMixed = Argc > 1 && strcmp(Argv[1], "mixed") == 0};
  S.WithKernels = Argc < 2 || strcmp(Argv[1], "all") == 0;
  S.Sequences = measureArgument(Argc, Argv, 2, 20000);
  S.Chunk = measureArgument(Argc, Argv, 3, 4096);
  const int Repeats = (int)measureArgument(Argc, Argv, 5, 5);
  if (Repeats < 1 || Repeats > MaxRepeats || !S.Sequences || !S.Chunk)
    return 2;
  copiesBegin(0);
  char Path[4096], Size[64];
  snprintf(Path, sizeof(Path), "%s/events-search.data",
           Argc > 4 ? Argv[4] : ".");
  writeDatabase(Path, S.Sequences);
  snprintf(Size, sizeof(Size), S.IsMixed ? "%s in 512B to %s" : "%s in %s",
           measureSize((size_t)S.Sequences * Record),
           measureSize((size_t)S.Chunk * Record));
  for (int J = 0; J < Query; ++J)
    Letters[J] = letter((uint64_t)(S.Sequences / 2 * Record + J));
  const char *Of = Letters;
  S.Scores = (int *)measureAlloc((size_t)S.Sequences * sizeof(int));
  int *Scores = S.Scores;
  const size_t All = (size_t)S.Sequences;
#pragma acc enter data copyin(Of[0 : Query], Scores[0 : All])
  S.Host = (char *)copiesPinned((size_t)S.Chunk * Record);
  for (int I = 0; I < 2; ++I)
    S.Slots[I] = (char *)acc_malloc((size_t)S.Chunk * Record);
  S.Stream = fopen(Path, "r");
  if (!S.Stream || !S.Slots[0] || !S.Slots[1])
    return 2;

  const char *Names[] = {"read-then-copy", "accx", "read-then-copy-overlapped",
                         "accx-overlapped"};
  const int Forms = S.WithKernels ? 4 : 2;
  double T[4][MaxRepeats], Kernels[MaxRepeats];
  int Good[4] = {1, 1, 1, 1}, Wrong = 0;
  for (int R = -1; R < Repeats; ++R) {
    for (int F = 0; F < Forms; ++F) {
      rewind(S.Stream);
      const double Begin = measureNow();
      (F % 2 ? withEvents : readThenCopy)(&S, F / 2);
      if (R >= 0)
        T[F][R] = measureNow() - Begin;
      Good[F] &= S.WithKernels ? right(&S, Path) : arrived(&S, Path);
    }
    const double Begin = measureNow();
    for (long At = 0; S.WithKernels && At < S.Sequences; At += S.Chunk)
      score(&S, S.Slots[0], At,
            S.Sequences - At < S.Chunk ? S.Sequences - At : S.Chunk);
    acc_wait(Compute);
    if (R >= 0)
      Kernels[R] = measureNow() - Begin;
  }
  const char *Bench = S.WithKernels ? "search" : "search-transfers";
  for (int F = 0; F < Forms; ++F)
    Wrong |= measureResult(Bench, Names[F], Size, measureMedian(T[F], Repeats),
                           "ms", Good[F]);
  if (S.WithKernels)
    measureResult(Bench, "kernels-alone", Size, measureMedian(Kernels, Repeats),
                  "ms", 1);
#pragma acc exit data delete (Of[0 : Query], Scores[0 : All])
  fclose(S.Stream);
  unlink(Path);
  copiesFree(S.Host);
  acc_free(S.Slots[0]);
  acc_free(S.Slots[1]);
  free(S.Scores);
  return Wrong;
}
