// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and kernels on OpenACC's queues: what is queued on one is done in
// order, events order what is on several, and no thread waits in between.
// RUN: %accxcc -fopenacc %s -o %t
// RUN: %t
// RUN: env ACCX_HOST_UNIFIED=1 %t
// RUN: env ACC_DEVICE_TYPE=host %t
// RUN: env ACCX_FILE_PIECE=4096 ACCX_FILE_THREADS=3 %t
// RUN: env ACCX_FILE_PATH=direct ACCX_FILE_PIECE=65536 %t
// RUN: %late %t
// RUN: %far %t
// RUN: %far ACCX_FILE_PIECE=5000 ACCX_FILE_THREADS=3 %t
// RUN: %far ACCX_FILE_PATH=direct ACCX_FILE_PIECE=65536 %t
// RUN: %far ACCX_DIRECTORY=fused %t

#include "Inputs/files.h"

enum { N = 700001, Steps = 5 };
static double A[N], B[N], Back[N];

/// Kernel and write a step, each on a queue of its own.
static void checkpoints(int Fd) {
  accx_event_t Written[Steps];
#pragma acc enter data create(A)
  for (int S = 0; S < Steps; ++S) {
#pragma acc parallel loop async(1) present(A)
    for (int I = 0; I < N; ++I)
      A[I] = S ? A[I] * 2 + 1 : I;
    accx_event_t Computed;
    EXPECT(accx_event_of_queue(1, &Computed) == 0);
    EXPECT(accx_write(2, A, Fd, (off_t)S * (off_t)sizeof(A) + 8, sizeof(A), 1,
                      &Computed, &Written[S]) == 0);
    EXPECT(accx_event_release(Computed) == 0);
    // The next step must not change what is being written.
    EXPECT(accx_queue_wait(1, 1, &Written[S]) == 0);
  }
  EXPECT(accx_event_wait(Steps, Written) == 0);
  for (int S = 0; S < Steps; ++S) {
    uint64_t Times[4];
    EXPECT(accx_event_status(Written[S]) == 0);
    EXPECT(accx_event_times(Written[S], Times) == 0);
    EXPECT(Times[3] >= Times[1] && Times[1] >= Times[0] && Times[0]);
    EXPECT(accx_event_release(Written[S]) == 0);
    EXPECT(pread(Fd, Back, sizeof(Back), S * sizeof(A) + 8) == sizeof(Back));
    for (int I = 0; I < N; ++I)
      EXPECT(Back[I] == (I + 1.0) * (1 << S) - 1);
  }
#pragma acc wait
#pragma acc exit data delete (A)
}

/// Reads into device memory, between kernels.
static void reads(int Fd) {
#pragma acc enter data create(A, B)
  for (int S = 0; S < Steps; ++S) {
    EXPECT(accx_read(3, B, Fd, (off_t)S * (off_t)sizeof(A) + 8, sizeof(B), 0,
                     NULL, NULL) == 0);
#pragma acc parallel loop async(3) present(A, B)
    for (int I = 0; I < N; ++I)
      A[I] = S ? A[I] + B[I] : B[I];
  }
#pragma acc update self(A) async(3)
#pragma acc wait(3)
  for (int I = 0; I < N; ++I)
    EXPECT(A[I] == (I + 1.0) * ((1 << Steps) - 1) - Steps);
  // Parts, synchronously, and host memory.
  EXPECT(accx_read(acc_async_sync, B + 10, Fd, 8, 100 * sizeof(double), 0, NULL,
                   NULL) == 0);
  EXPECT(accx_read(acc_async_sync, Back, Fd, 8, sizeof(Back), 0, NULL, NULL) ==
         0);
#pragma acc update self(B)
  for (int I = 0; I < N; ++I) {
    EXPECT(Back[I] == I);
    EXPECT(B[I] == (I >= 10 && I < 110 ? I - 10 : (I + 1.0) * 16 - 1));
  }
#pragma acc exit data delete (A, B)
}

/// A device pointer, and the descriptor's position.
static void devicePointers(int Fd) {
  double *D = acc_malloc(sizeof(A));
  EXPECT(D);
  EXPECT(lseek(Fd, 0, SEEK_SET) == 0);
  EXPECT(accx_read(1, D, Fd, -1, 8, 0, NULL, NULL) == 0);
  EXPECT(accx_read(1, D, Fd, -1, sizeof(A), 0, NULL, NULL) == 0);
#pragma acc parallel loop deviceptr(D) async(1)
  for (int I = 0; I < N; ++I)
    D[I] += 1;
  EXPECT(accx_write(1, D, Fd, 0, sizeof(A), 0, NULL, NULL) == 0);
  acc_wait(1);
  EXPECT(pread(Fd, Back, sizeof(Back), 0) == sizeof(Back));
  acc_free(D);
}

int main(void) {
  const int Fd = emptyFile();
  EXPECT(pwrite(Fd, "header..", 8, 0) == 8);
  checkpoints(Fd);
  reads(Fd);
  const int Other = emptyFile();
  EXPECT(pwrite(Other, "header..", 8, 0) == 8);
  for (int I = 0; I < N; ++I)
    A[I] = I;
  EXPECT(pwrite(Other, A, sizeof(A), 8) == sizeof(A));
  devicePointers(Other);
  for (int I = 0; I < N; ++I)
    EXPECT(Back[I] == I + 1.0);
  return 0;
}
