/*===- peer.c - What copies between devices cost --------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The caller's time for `update peer`, for rectangles of 1,024 rows and for
|* acc_memcpy_d2d_async, and the time of small copies both ways one after the
|* other, between devices 0 and 1 of the current type.
|*
|* Usage: peer [MiB of the large copy]
|*
\*===----------------------------------------------------------------------===*/

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { Repeats = 9, Calls = 500, Small = 16384, Pitch = 32768, Rows = 1024 };
static size_t Large = (size_t)256 << 20;
static char LargeName[32];

static double now(void) {
  struct timespec T;
  timespec_get(&T, TIME_UTC);
  return 1e3 * (double)T.tv_sec + 1e-6 * (double)T.tv_nsec;
}

static int less(const void *A, const void *B) {
  const double X = *(const double *)A, Y = *(const double *)B;
  return (X > Y) - (X < Y);
}

static double median(double *T) {
  qsort(T, Repeats, sizeof(double), less);
  return T[Repeats / 2];
}

static void result(const char *What, const char *Size, double Ms,
                   const char *Metric, int Good) {
  printf("RESULT,peer,accx-%s,%s,%.6f,%s,%s\n", What, Size, Ms, Metric,
         Good ? "ok" : "BAD");
}

static char *A;

static void sync(void) {
#pragma acc wait device(0, 1)
}

/* Milliseconds of a pair: for the caller, and until both are done. */
static void pairs(void) {
  double Queued[Repeats], All[Repeats];
  for (int R = 0; R < Repeats; ++R) {
    sync();
    const double Begin = now();
    for (int I = 0; I < Calls; ++I) {
#pragma acc update peer to(A[0 : Small]) to_device(1) from(A[0 : Small])       \
    from_device(0)
#pragma acc update peer to(A[Small : Small]) to_device(0)                      \
    from(A[Small : Small]) from_device(1)
    }
    Queued[R] = (now() - Begin) / Calls;
    sync();
    All[R] = (now() - Begin) / Calls;
  }
  result("queue", "16KiB", median(Queued) / 2, "ms of the caller a copy", 1);
  result("pair", "16KiB", median(All), "ms both ways", 1);
}

/* A pair that nobody queued ahead: with a wait behind it. */
static void alone(void) {
  double One[Repeats];
  for (int R = 0; R < Repeats; ++R) {
    double Sum = 0;
    for (int I = 0; I < Calls / 10; ++I) {
      sync();
      const double Begin = now();
      acc_update_peer(A, 1, A, 0, Small);
      acc_update_peer(A + Small, 0, A + Small, 1, Small);
      sync();
      Sum += now() - Begin;
    }
    One[R] = Sum / (Calls / 10);
  }
  result("pair-waited", "16KiB", median(One), "ms both ways and two waits", 1);
}

static void rectangle(int Width) {
  char(*M)[Pitch] = (char(*)[Pitch])A;
  char Name[32];
  snprintf(Name, sizeof(Name), "%dx%d", (int)Rows, Width);
  double Queued[Repeats], All[Repeats];
  for (int R = -1; R < Repeats; ++R) {
    sync();
    const double Begin = now();
#pragma acc update peer to(M[0 : Rows][0 : Width]) to_device(1)                \
    from(M[0 : Rows][0 : Width]) from_device(0)
    const double End = now();
    sync();
    if (R < 0)
      continue;
    Queued[R] = End - Begin;
    All[R] = now() - Begin;
  }
  result("rectangle-queue", Name, median(Queued), "ms of the caller", 1);
  result("rectangle", Name, median(All), "ms until it is done", 1);
}

static void large(void) {
  double Queued[Repeats], All[Repeats];
  for (int R = 0; R < Repeats; ++R) {
    sync();
    const double Begin = now();
    acc_memcpy_d2d_async(A, A, Large, 1, 0, 3);
    Queued[R] = now() - Begin;
    acc_wait(3);
    All[R] = now() - Begin;
  }
  result("d2d-async-queue", LargeName, median(Queued), "ms of the caller", 1);
  result("d2d-async", LargeName, median(All), "ms until it is done", 1);
  for (int R = 0; R < Repeats; ++R) {
    sync();
    const double Begin = now();
    acc_update_peer(A, 1, A, 0, Large);
    sync();
    All[R] = now() - Begin;
  }
  result("large", LargeName, median(All), "ms until it is done", 1);
}

int main(int Argc, char **Argv) {
  if (Argc > 1)
    Large = strtoull(Argv[1], NULL, 10) << 20;
  if (Large < (size_t)Rows * Pitch)
    return 2;
  snprintf(LargeName, sizeof(LargeName), "%zuMiB", Large >> 20);
  if (acc_get_num_devices(acc_get_device_type()) < 2) {
    printf("RESULT,peer,accx,none,0,skipped=one device,ok\n");
    return 0;
  }
  A = (char *)malloc(Large);
  if (!A)
    return 2;
  memset(A, 1, Large);
#pragma acc enter data copyin(A[0 : Large]) deviceid(0)
  sync();
  memset(A, 0, Large);
#pragma acc enter data copyin(A[0 : Large]) deviceid(1)
  sync();
  pairs();
  alone();
  rectangle(64);
  rectangle(1024);
  rectangle(16384);
  large();
  /* The large copy came last: device 1 has what device 0 has, and that has a
     part of what device 1 had. */
#pragma acc exit data delete (A[0 : Large])deviceid(0)
#pragma acc exit data copyout(A[0 : Large]) deviceid(1)
  sync();
  size_t Bad = 0;
  for (size_t I = 0; I < Large; ++I)
    Bad += A[I] != (I >= Small && I < 2 * Small ? 0 : 1);
  result("data", LargeName, 0, "right", Bad == 0);
  free(A);
  return Bad != 0;
}
