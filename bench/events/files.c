/*===- files.c - Files to a device and back -------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* accx_read and accx_write of a file in the page cache beside what can be done
|* by hand (filerivals.h), in turns. `all` compares at one size, `sizes` shows
|* accx at sizes from 64 KiB, beside a read and a copy one after the other: with
|* ACCX_FILE_PIECE set, one curve of the paper's figure 3.
|*
|* Usage: files all|sizes [MiB [folder [repeats]]]
|*
\*===----------------------------------------------------------------------===*/

#include "filerivals.h"

#include <accx/event.h>
#include <fcntl.h>

enum { MaxRepeats = 64 };

static size_t Size;
static int Repeats, In, Out, Wrong;
static char *Plain, *Device;

static int openNew(const char *Folder, const char *Name) {
  char Path[4096];
  snprintf(Path, sizeof(Path), "%s/%s", Folder, Name);
  const int File = open(Path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (File < 0) {
    perror(Path);
    exit(2);
  }
  unlink(Path);
  return File;
}

static void fillPlain(uint64_t Seed) {
  uint64_t *W = (uint64_t *)Plain;
  for (size_t I = 0; I < Size / 8; ++I)
    W[I] = measureWord(I, Seed);
}

/* Words of the device that are not those of Seed. */
static size_t wrongOnDevice(size_t Bytes, uint64_t Seed) {
  const uint64_t *W = (const uint64_t *)Device;
  const size_t Words = Bytes / 8;
  size_t Bad = 0;
#pragma acc parallel loop deviceptr(W) reduction(+ : Bad)
  for (size_t I = 0; I < Words; ++I)
    Bad += W[I] != measureWord(I, Seed);
  return Bad;
}

static void fillDevice(uint64_t Seed) {
  uint64_t *W = (uint64_t *)Device;
  const size_t Words = Size / 8;
#pragma acc parallel loop deviceptr(W)
  for (size_t I = 0; I < Words; ++I)
    W[I] = measureWord(I, Seed);
}

static size_t wrongInFile(int File, uint64_t Seed) {
  Rival R = {.File = File, .Size = Size, .Piece = 4 << 20, .Plain = Plain};
  memset(Plain, 0, Size);
  rivalRun(&R, 4);
  size_t Bad = 0;
  for (size_t I = 0; I < Size / 8; ++I)
    Bad += ((uint64_t *)Plain)[I] != measureWord(I, Seed);
  return Bad;
}

static double accx(int Writes, size_t Bytes) {
  const double Begin = measureNow();
  if (Writes)
    MUST(accx_write(acc_async_sync, Device, Out, 0, Bytes, 0, NULL, NULL));
  else
    MUST(accx_read(acc_async_sync, Device, In, 0, Bytes, 0, NULL, NULL));
  return measureNow() - Begin;
}

/* The best number of threads: its median of a few runs. */
static double best(Rival *R, int *Threads) {
  double Best = 1e30;
  const int Runs = Repeats < 3 ? Repeats : 3;
  for (int N = 1; N <= RivalThreads; N *= 2) {
    double T[3];
    for (int I = 0; I < Runs; ++I)
      T[I] = rivalRun(R, N);
    const double M = measureMedian(T, Runs);
    if (M < Best)
      Best = M, *Threads = N;
  }
  return Best;
}

/* Threads that accx has for large files; docs/environment.md. */
static int threadsOfAccx(void) {
  const char *Given = getenv("ACCX_FILE_THREADS");
  const long Cores = sysconf(_SC_NPROCESSORS_ONLN);
  const int Threads = Given ? atoi(Given) : (int)(Cores * 3 / 4);
  const int Most = Given ? RivalThreads : 12;
  return Threads < 1 ? 1 : Threads < Most ? Threads : Most;
}

static void compare(int Writes, char *Pinned) {
  const char *Bench = Writes ? "write" : "read";
  char Name[64];
  int Threads = 1;
  Rival R = {.File = Writes ? Out : In,
             .Writes = Writes,
             .Size = Size,
             .Piece = 4 << 20,
             .Plain = Plain};
  fillPlain(Writes ? 1 : 0);
  double Ms = best(&R, &Threads);
  snprintf(Name, sizeof(Name), "plain-memory-%d-threads", Threads);
  measureBandwidth(Bench, Name, Size, Ms, 1);

  /* A copy alone, from and to pinned memory of one piece. */
  const size_t Part = (size_t)RivalThreads * 2 * (16 << 20);
  const size_t Copied = Part < Size ? Part : Size;
  CopyStream S = copiesStream();
  double T[MaxRepeats];
  for (int I = 0; I < Repeats; ++I) {
    const double Begin = measureNow();
    if (Writes)
      copyOut(Pinned, Device, Copied, S);
    else
      copyIn(Device, Pinned, Copied, S);
    copyWait(S);
    T[I] = measureNow() - Begin;
  }
  measureBandwidth(Bench, "pinned-copy-alone", Copied,
                   measureMedian(T, Repeats), 1);
  copiesEnd(S);

  /* By hand: the best piece and number of threads. */
  double Best = 1e30;
  size_t BestPiece = 0;
  int BestThreads = 0;
  R.Device = Device;
  for (size_t Piece = 1 << 20; Piece <= 16 << 20; Piece *= 4) {
    R.Piece = Piece;
    for (int N = 0; N < RivalThreads; ++N)
      for (int B = 0; B < 2; ++B)
        R.Pinned[N][B] = Pinned + (size_t)(2 * N + B) * (16 << 20);
    Ms = best(&R, &Threads);
    if (Ms < Best)
      Best = Ms, BestPiece = Piece, BestThreads = Threads;
  }
  R.Piece = BestPiece;

  /* In turns, so that both meet the same machine. */
  double Hand[MaxRepeats], Same[MaxRepeats], Ours[MaxRepeats];
  size_t BadHand = 0, BadOurs = 0;
  const int SameThreads = threadsOfAccx();
  for (int I = 0; I < Repeats; ++I) {
    const uint64_t Seed = Writes ? 2 * (uint64_t)I + 1 : 0;
    fillDevice(Writes ? Seed : 7);
    Hand[I] = rivalRun(&R, BestThreads);
    BadHand += Writes ? wrongInFile(Out, Seed) : wrongOnDevice(Size, 0);
    Same[I] = rivalRun(&R, SameThreads);
    fillDevice(Writes ? Seed + 1 : 7);
    Ours[I] = accx(Writes, Size);
    BadOurs += Writes ? wrongInFile(Out, Seed + 1) : wrongOnDevice(Size, 0);
  }
  snprintf(Name, sizeof(Name), "by-hand-%d-threads-%zuMiB", BestThreads,
           BestPiece >> 20);
  Wrong |= measureBandwidth(Bench, Name, Size, measureMedian(Hand, Repeats),
                            BadHand == 0);
  snprintf(Name, sizeof(Name), "by-hand-%d-threads-as-accx", SameThreads);
  Wrong |= measureBandwidth(Bench, Name, Size, measureMedian(Same, Repeats),
                            BadHand == 0);
  Wrong |= measureBandwidth(Bench, "accx", Size, measureMedian(Ours, Repeats),
                            BadOurs == 0);
}

static void sizes(void) {
  const char *Piece = getenv("ACCX_FILE_PIECE");
  char Name[64];
  snprintf(Name, sizeof(Name), "accx-piece-%s", Piece ? Piece : "default");
  for (size_t Bytes = 64 << 10; Bytes <= Size; Bytes *= 4) {
    double T[MaxRepeats], Serial[MaxRepeats];
    size_t Bad = 0;
    CopyStream S = copiesStream();
    for (int I = -1; I < Repeats; ++I) {
      const double Begin = measureNow();
      rivalMove(0, In, Plain, Bytes, 0);
      copyIn(Device, Plain, Bytes, S);
      copyWait(S);
      const double Middle = measureNow();
      fillDevice(7);
      const double Ms = accx(0, Bytes);
      Bad += wrongOnDevice(Bytes, 0);
      if (I >= 0)
        Serial[I] = Middle - Begin, T[I] = Ms;
    }
    copiesEnd(S);
    if (!Piece)
      measureBandwidth("read-sizes", "read-then-copy", Bytes,
                       measureMedian(Serial, Repeats), 1);
    Wrong |= measureBandwidth("read-sizes", Name, Bytes,
                              measureMedian(T, Repeats), Bad == 0);
  }
}

int main(int Argc, char **Argv) {
  const int All = Argc < 2 || strcmp(Argv[1], "sizes") != 0;
  Size = (size_t)measureArgument(Argc, Argv, 2, 64) << 20;
  const char *Folder = Argc > 3 ? Argv[3] : ".";
  Repeats = (int)measureArgument(Argc, Argv, 4, 5);
  if (Repeats < 1 || Repeats > MaxRepeats || Size == 0)
    return 2;
  copiesBegin(0);
  In = openNew(Folder, "events-files.in");
  Out = openNew(Folder, "events-files.out");
  Plain = (char *)measureAlloc(Size);
  Device = (char *)acc_malloc(Size);
  if (!Device) {
    fprintf(stderr, "no device memory\n");
    return 2;
  }
  fillPlain(0);
  rivalMove(1, In, Plain, Size, 0);
  if (All) {
    char *Pinned = (char *)copiesPinned((size_t)RivalThreads * 2 * (16 << 20));
    compare(0, Pinned);
    compare(1, Pinned);
    copiesFree(Pinned);
  } else {
    sizes();
  }
  acc_free(Device);
  free(Plain);
  return Wrong;
}
