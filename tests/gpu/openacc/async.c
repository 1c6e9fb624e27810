/*===- async.c - What a region on an OpenACC queue costs ------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* A chain of 1,000 regions over present data on one queue, to be compared with
|* driver.cpp's chain of launches on a stream. "issue" is the part of the time
|* before the wait.
|*
\*===----------------------------------------------------------------------===*/

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { Links = 1000, Batches = 21 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static int less(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int x[4] = {0};
  double issue[Batches], total[Batches];
#pragma acc enter data copyin(x)
  for (int b = -2; b < Batches; ++b) {
    double begin = now();
    for (int i = 0; i < Links; ++i) {
#pragma acc serial present(x) async(1)
      x[0] += 1;
    }
    double issued = now();
#pragma acc wait(1)
    if (b >= 0) {
      issue[b] = issued - begin;
      total[b] = now() - begin;
    }
  }
#pragma acc exit data copyout(x)
  qsort(issue, Batches, sizeof(double), less);
  qsort(total, Batches, sizeof(double), less);
  const char *right = x[0] == (Batches + 2) * Links ? "ok" : "BAD";
  printf("RESULT,async-issue,accx,%d,%.6f,%.3f us,%s\n", Links,
         issue[Batches / 2] / 1e3, issue[Batches / 2] / Links, right);
  printf("RESULT,stream-chain,accx,%d,%.6f,%.3f us,%s\n", Links,
         total[Batches / 2] / 1e3, total[Batches / 2] / Links, right);
  return right[0] != 'o';
}
