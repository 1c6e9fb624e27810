/*===- order.c - Kernels behind work that takes long ----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The device may start a kernel while what was queued before it ends. What it
|* reads must be what that wrote: a kernel, one of another queue, a copy from
|* and to the host, a copy on the device, and chains of them. One element of
|* what is waited for takes some milliseconds, and who reads it reads elements
|* that others wrote.
|*
\*===----------------------------------------------------------------------===*/

#include "../check.h"

#include <openacc.h>

enum { Rounds = 20, Most = 1 << 20 };

static int *X, *Y, *Z;

/** Fills \p A with \p V, the last element after \p Spin steps in a row. */
static void slow(int *A, int N, int V, long Spin, int Queue) {
#pragma acc parallel loop present(A[0 : N]) async(Queue)
  for (int I = 0; I < N; ++I) {
    unsigned S = I;
    for (long K = 0; I == N - 1 && K < Spin; ++K)
      S = (S ^ S >> 7) * 1664525u + 1013904223u;
    A[I] = V + (S == 0x12345u && Spin < 0);
  }
}

static void next(const int *restrict From, int *restrict To, int N, int Queue) {
#pragma acc parallel loop present(From[0 : N], To[0 : N]) async(Queue)
  for (int I = 0; I < N; ++I)
    To[I] = From[N - 1 - I] + 1;
}

static void all(const char *What, const int *A, int N, int Wanted) {
  int Bad = 0;
  for (int I = 0; I < N; ++I)
    Bad += A[I] != Wanted;
  if (Bad)
    printf("%s: %d of %d, %d and not %d\n", What, Bad, N, A[0], Wanted);
  CHECK(!Bad);
}

static void round_(int N, int V, long Spin) {
  slow(X, N, V, Spin, 1);
  next(X, Y, N, 1);
#pragma acc update self(Y[0 : N]) async(1)
#pragma acc wait(1)
  all("kernel", Y, N, V + 1);

  slow(X, N, V + 10, Spin, 2);
#pragma acc wait(2) async(1)
  next(X, Y, N, 1);
  next(Y, Z, N, 1);
#pragma acc update self(Z[0 : N]) async(1)
#pragma acc wait(1)
  all("other queue", Z, N, V + 12);

  slow(X, N, V, Spin, 1);
  acc_memcpy_device_async(acc_deviceptr(Y), acc_deviceptr(X), 4ul * N, 1);
  next(Y, Z, N, 1);
#pragma acc update self(Z[0 : N]) async(1)
#pragma acc wait(1)
  all("copy on the device", Z, N, V + 1);

  for (int I = 0; I < N; ++I)
    X[I] = V + 30;
  slow(Y, N, V, Spin, 1);
#pragma acc update device(X[0 : N]) async(1)
  next(X, Z, N, 1);
#pragma acc update self(Z[0 : N]) async(1)
#pragma acc wait(1)
  all("copy to the device", Z, N, V + 31);

  // A result that a later kernel overwrites once the copy is done.
  slow(X, N, V + 40, Spin, 1);
#pragma acc update self(X[0 : N]) async(1)
  slow(X, N, V + 50, 0, 1);
  next(X, Y, N, 1);
#pragma acc wait(1)
  all("copy from the device", X, N, V + 40);
#pragma acc update self(Y[0 : N])
  all("behind a copy from the device", Y, N, V + 51);

  slow(X, N, V, Spin, 1);
  for (int K = 0; K < 100; ++K) {
    next(X, Y, N, 1);
    next(Y, X, N, 1);
  }
#pragma acc update self(X[0 : N]) async(1)
#pragma acc wait(1)
  all("chain", X, N, V + 200);

  // Kernels that many threads combine a result of.
  long Sum = 0;
  slow(X, N, 3, Spin, 1);
#pragma acc parallel loop present(X[0 : N]) reduction(+ : Sum) copy(Sum)       \
    async(1)
  for (int I = 0; I < N; ++I)
    Sum += X[I];
#pragma acc wait(1)
  CHECK(Sum == 3l * N);
}

int main(void) {
  X = malloc(4ul * Most), Y = malloc(4ul * Most), Z = malloc(4ul * Most);
#pragma acc enter data create(X[0 : Most], Y[0 : Most], Z[0 : Most])
  for (int R = 0; R < Rounds; ++R) {
    round_(1000, R, 100000);
    round_(65537, R, 100000);
    round_(Most, R, 100000);
    round_(1, R, 100000);
  }
#pragma acc exit data delete (X[0 : Most], Y[0 : Most], Z[0 : Most])
  return verdict();
}
