/*===- queueing.c - What it costs to queue an event -----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The caller's time for the functions of accx/event.h, on a queue that a user
|* event holds back, so that nothing is done meanwhile; and the processor time
|* of the program while queues wait.
|*
|* Usage: queueing [calls [queues [seconds [folder]]]]
|*
\*===----------------------------------------------------------------------===*/

#include "measure.h"

#include <accx/event.h>
#include <fcntl.h>
#include <openacc.h>
#include <sys/resource.h>
#include <unistd.h>

enum { Rounds = 9, Largest = 4096 };

static int Calls, File, Wrong;
static char *A;
static accx_event_t *Events;

/* The event that holds queue 1 back. */
static accx_event_t hold(void) {
  accx_event_t Go;
  MUST(accx_event_create_user(&Go));
  MUST(accx_queue_wait(1, 1, &Go));
  return Go;
}

static void letGo(accx_event_t Go, int Count) {
  MUST(accx_event_complete(Go, 0));
  MUST(accx_event_wait(Count, Events));
  for (int I = 0; I < Count; ++I)
    accx_event_release(Events[I]);
  accx_event_release(Go);
  acc_wait(1);
}

/* The median call, in milliseconds, of all rounds. */
static double reads(size_t Size) {
  double *T = (double *)measureAlloc((size_t)(Calls * Rounds) * sizeof(double));
  for (int R = 0; R < Rounds; ++R) {
    const accx_event_t Go = hold();
    for (int I = 0; I < Calls; ++I) {
      const double Begin = measureNow();
      MUST(accx_read(1, A + (size_t)I * Largest, File,
                     (off_t)I * (off_t)Largest, Size, 0, NULL, &Events[I]));
      T[R * Calls + I] = measureNow() - Begin;
    }
    Wrong |= accx_event_status(Events[0]) != 1;
    letGo(Go, Calls);
  }
  const double Ms = measureMedian(T, Calls * Rounds);
  free(T);
  return Ms;
}

static size_t wrongBytes(void) {
  const size_t Bytes = (size_t)Calls * Largest;
  const char *P = A;
  size_t Bad = 0;
#pragma acc parallel loop present(P[0 : Bytes]) reduction(+ : Bad)
  for (size_t I = 0; I < Bytes / 8; ++I)
    Bad += ((const uint64_t *)P)[I] != measureWord(I, 0);
  return Bad;
}

enum { OfQueue, QueueWait, CreateUser };

static double others(int What) {
  double *T = (double *)measureAlloc((size_t)(Calls * Rounds) * sizeof(double));
  for (int R = 0; R < Rounds; ++R) {
    const accx_event_t Go = hold();
    for (int I = 0; I < Calls; ++I) {
      Events[I] = NULL;
      const double Begin = measureNow();
      if (What == OfQueue)
        MUST(accx_event_of_queue(1, &Events[I]));
      else if (What == QueueWait)
        MUST(accx_queue_wait(1, 1, &Go));
      else
        MUST(accx_event_create_user(&Events[I]));
      T[R * Calls + I] = measureNow() - Begin;
    }
    for (int I = 0; What == CreateUser && I < Calls; ++I)
      MUST(accx_event_complete(Events[I], 0));
    letGo(Go, What == QueueWait ? 0 : Calls);
  }
  const double Ms = measureMedian(T, Calls * Rounds);
  free(T);
  return Ms;
}

static double processorMs(void) {
  struct rusage U;
  getrusage(RUSAGE_SELF, &U);
  return 1e3 * (double)(U.ru_utime.tv_sec + U.ru_stime.tv_sec) +
         1e-3 * (double)(U.ru_utime.tv_usec + U.ru_stime.tv_usec);
}

/* Processor time while queues with work wait for the program. */
static double waiting(int Queues, double Seconds) {
  accx_event_t Go;
  MUST(accx_event_create_user(&Go));
  for (int Q = 0; Q < Queues; ++Q)
    MUST(accx_read(Q, A + (size_t)Q * Largest, File, (off_t)Q * (off_t)Largest,
                   Largest, 1, &Go, &Events[Q]));
  const double Before = processorMs();
  const struct timespec Pause = {(time_t)Seconds,
                                 (long)(1e9 * (Seconds - (long)Seconds))};
  nanosleep(&Pause, NULL);
  const double Used = processorMs() - Before;
  letGo(Go, Queues);
  return Used;
}

int main(int Argc, char **Argv) {
  Calls = (int)measureArgument(Argc, Argv, 1, 500);
  const int Queues = (int)measureArgument(Argc, Argv, 2, 16);
  const double Seconds = Argc > 3 ? atof(Argv[3]) : 2;
  char Path[4096], Name[64];
  snprintf(Path, sizeof(Path), "%s/events-queueing.data",
           Argc > 4 ? Argv[4] : ".");
  if (Calls < Queues)
    return 2;
  const size_t Bytes = (size_t)Calls * Largest;
  A = (char *)measureAlloc(Bytes);
  Events = (accx_event_t *)measureAlloc((size_t)Calls * sizeof(accx_event_t));
  for (size_t I = 0; I < Bytes / 8; ++I)
    ((uint64_t *)A)[I] = measureWord(I, 0);
  File = open(Path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (File < 0 || write(File, A, Bytes) != (ssize_t)Bytes)
    return 2;
  unlink(Path);
  memset(A, 0, Bytes);
#pragma acc enter data copyin(A[0 : Bytes])
  const size_t Sizes[] = {0, 8, Largest};
  for (int I = 0; I < 3; ++I) {
    const double Ms = reads(Sizes[I]);
    const int Good = Sizes[I] != Largest || wrongBytes() == 0;
    Wrong |= measureResult("queueing", "accx_read", measureSize(Sizes[I]), Ms,
                           "ms of the caller", Good && !Wrong);
  }
  const char *Names[] = {"accx_event_of_queue", "accx_queue_wait",
                         "accx_event_create_user"};
  for (int I = 0; I < 3; ++I)
    Wrong |= measureResult("queueing", Names[I], "-", others(I),
                           "ms of the caller", 1);
  snprintf(Name, sizeof(Name), "%d queues", Queues);
  const double Used = waiting(Queues, Seconds);
  char Metric[64];
  snprintf(Metric, sizeof(Metric), "ms of the processor in %.1f s of waiting",
           Seconds);
  Wrong |= measureResult("waiting", "accx", Name, Used, Metric, 1);
#pragma acc exit data delete (A[0 : Bytes])
  close(File);
  free(Events);
  free(A);
  return Wrong;
}
