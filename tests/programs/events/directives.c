// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `accx read` and `write`: data of devices and of the host, in order with
// kernels, with other queues and with events; rows, streams and members; and
// every failure with its line and variable.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %accxcc %s -o run
// RUN: %run ./run data | FileCheck %s --check-prefix=GOOD
// RUN: env OMP_TARGET_OFFLOAD=DISABLED ./run data | FileCheck %s --check-prefix=GOOD
// RUN: env ACCX_HOST_UNIFIED=1 OMP_TARGET_OFFLOAD=MANDATORY ./run data | FileCheck %s --check-prefix=GOOD
// RUN: env ACCX_DIRECTORY=fused OMP_TARGET_OFFLOAD=MANDATORY ./run data | FileCheck %s --check-prefix=GOOD
// RUN: %accxcc -O0 %s -o run0
// RUN: %run ./run0 data | FileCheck %s --check-prefix=GOOD
// RUN: not --crash %run ./run data now 2>&1 | FileCheck %s --check-prefix=NOW
// RUN: not --crash %run ./run data later 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: not --crash %run ./run data partly 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: not --crash %run ./run data queue 2>&1 | FileCheck %s --check-prefix=QUEUE
// clang-format off
#include <accx/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 20000 };
static int Failed;
#define CHECK(What) do { if (!(What)) { printf("line %d: " #What "\n", __LINE__); Failed = 1; } } while (0)

/// A kernel, a write behind it on another queue, a read, a kernel.
static void pipeline(int Fd) {
  double *A = malloc(N * sizeof(double)), *B = malloc(N * sizeof(double));
  for (int I = 0; I < N; ++I)
    A[I] = I, B[I] = -1;
#pragma acc enter data copyin(A[0:N], B[0:N])
#pragma acc parallel loop present(A[0:N]) async(1)
  for (int I = 0; I < N; ++I)
    A[I] += 1;
#pragma accx write(A[0:N]) file(Fd, 16) async(2) wait(1)
#pragma accx read(B[0:N]) file(Fd, 16) async(2)
#pragma acc parallel loop present(B[0:N]) async(2)
  for (int I = 0; I < N; ++I)
    B[I] *= 2;
#pragma acc update self(B[0:N]) async(2)
#pragma acc wait(2)
  int Bad = 0;
  for (int I = 0; I < N; ++I)
    Bad += B[I] != 2.0 * (I + 1);
  CHECK(Bad == 0);
  // One that waits, of the same data; what is after the default queue.
#pragma accx read(B[10:100]) file(Fd, 16) wait(2)
#pragma acc update self(B[0:N])
  CHECK(B[9] == 20 && B[10] == 1 && B[109] == 100 && B[110] == 222);
#pragma acc exit data delete(A[0:N], B[0:N])
  free(A);
  free(B);
}

/// Memory of the host alone, a chain of events, conditions.
static void events(int Fd) {
  int H[4] = {1, 2, 3, 4}, G[4] = {0, 0, 0, 0};
  struct { int Count; short S[3]; } M = {3, {7, 8, 9}};
  accx_event_t E = 0, First = 0;
#pragma accx write(H) file(Fd, 0) async event(First)
#pragma accx write(M.S[1:2]) file(Fd, 4) async(3) after(First) event(E)
  accx_event_t Chain = E;
#pragma accx read(G[0:4]) file(Fd, 0) async(4) after(First, E) event(E)
#pragma accx read(H[0]) file(Fd, 12) if (M.Count > 3) event(Chain)
  CHECK(accx_event_wait(1, &E) == 0 && accx_event_status(First) == 0);
  CHECK(G[0] == 1 && G[2] == 3 && G[3] == 4 && G[1] == (8 | (9 << 16)));
  CHECK(H[0] == 1);
  accx_event_release(First);
  accx_event_release(Chain);
  accx_event_release(E);
  // A failure that an event tells.
#pragma accx read(G) file(Fd, 1 << 30) event(E)
  CHECK(accx_event_status(E) < 0);
  printf("%s\n", accx_event_message(E));
  accx_event_release(E);
}

/// The position of a descriptor, a stream, rows of matrices.
static void forms(int Fd, const char *Name) {
  static int C[6][8], D[6][8];
  int Rows = 4;
  for (int I = 0; I < 48; ++I)
    C[0][I] = I;
  lseek(Fd, 0, SEEK_SET);
#pragma acc data copyin(C) copy(D)
  {
#pragma accx write(C[1:Rows][2:3]) file(Fd)
#pragma accx write(C[0]) file(Fd)
#pragma accx read(D[0:Rows][5:Rows-1]) file(Fd, 0)
  }
  int Bad = lseek(Fd, 0, SEEK_CUR) != (12 + 8) * (int)sizeof(int);
  for (int I = 0; I < 6; ++I)
    for (int J = 0; J < 8; ++J)
      Bad += D[I][J] != (I < 4 && J >= 5 ? C[I + 1][J - 3] : 0);
  CHECK(Bad == 0);
  FILE *F = fopen(Name, "r+");
  int X = 0, Y[8] = {0};
  CHECK(fseek(F, 12 * sizeof(int), SEEK_SET) == 0 && fread(&X, sizeof(X), 1, F) == 1 && X == 0);
#pragma accx read(Y[0:7]) file(F)
  CHECK(Y[0] == 1 && Y[6] == 7);
#pragma accx write(Y) file(F)
  CHECK(ftell(F) == 28 * (int)sizeof(int));
  fclose(F);
}

static void failures(int Fd, const char *What) {
  static float P[100];
  if (!strcmp(What, "now")) {
// NOW: directives.c:[[#@LINE+1]]:14: read(P[1:3]) failed: read of 12 bytes at offset 1073741824 of {{.*}}: the file ends
#pragma accx read(P[1:3]) file(Fd, 1 << 30)
  }
  if (!strcmp(What, "later")) {
// LATER: the file ends
// LATER-NEXT: directives.c:[[#@LINE+1]]:14: {{.*}}failure of read(P)
#pragma accx read(P) file(Fd, 1 << 30) async(5)
#pragma acc parallel async(5)
    {}
#pragma acc wait(5)
  }
  if (!strcmp(What, "partly")) {
#pragma acc enter data copyin(P[0:50])
// PARTLY: directives.c:[[#@LINE+1]]:14: write(P) failed: {{.*}}only a part of the data is on the device
#pragma accx write(P) file(Fd, 0)
  }
  if (!strcmp(What, "queue")) {
// QUEUE: directives.c:[[#@LINE+1]]:{{[0-9]+}}: wait(-9) failed: there is no such queue
#pragma accx write(P) file(Fd, 0) wait(-9)
  }
}

int main(int Count, char **Args) {
  const int Fd = open(Args[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (Count > 2)
    failures(Fd, Args[2]);
  pipeline(Fd);
  events(Fd);
  forms(Fd, Args[1]);
  close(Fd);
  // GOOD: read of 16 bytes at offset 1073741824 of {{.*}}data: the file ends after
  // GOOD-NEXT: good
  puts(Failed ? "bad" : "good");
  return Failed;
}
