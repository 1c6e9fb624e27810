// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs on devices of their own: matrix product and heat equation, split
// by hand over 1 to 4 devices, with `deviceid`, `wait device` and `update
// peer`.

// RUN: %accxcc -O2 %s -o %t
// RUN: %run %t
// RUN: env ACCX_DIRECTORY=fused %run %t
// RUN: env ACCX_HOST_DEVICES=7 %run %t

#include <math.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 97, LDA = 61, Steps = 30 };

static int product(int NumDevices) {
  float *A = malloc(sizeof(float) * N * N), *B = malloc(sizeof(float) * N * N),
        *C = calloc(N * N, sizeof(float));
  for (int I = 0; I < N * N; ++I) {
    A[I] = I % 7;
    B[I] = I % 5;
  }
  for (int D = 0; D < NumDevices; ++D) {
    const int Begin = N * D / NumDevices, End = N * (D + 1) / NumDevices;
#pragma acc data copyin(A[Begin * N : (End - Begin) * N]) copyin(B[0 : N * N]) \
    copyout(C[Begin * N : (End - Begin) * N]) deviceid(D)
    {
#pragma acc parallel deviceid(D) num_gangs(32) vector_length(32)
      {
#pragma acc loop gang
        for (int I = Begin; I < End; ++I) {
#pragma acc loop vector
          for (int J = 0; J < N; ++J) {
            float Sum = 0;
            for (int K = 0; K < N; ++K)
              Sum += A[I * N + K] * B[K * N + J];
            C[I * N + J] = Sum;
          }
        }
      }
    }
  }
  for (int D = 0; D < NumDevices; ++D) {
#pragma acc wait device(D)
  }
  int Bad = 0;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      float Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I * N + K] * B[K * N + J];
      Bad += C[I * N + J] != Sum;
    }
  free(A);
  free(B);
  free(C);
  return Bad;
}

static void step(int Rows, const float *In, float *Out) {
  for (int I = 1; I <= Rows; ++I)
    for (int J = 1; J < LDA - 1; ++J)
      Out[I * LDA + J] = In[I * LDA + J] +
                         0.1f * (In[(I - 1) * LDA + J] + In[(I + 1) * LDA + J] +
                                 In[I * LDA + J - 1] + In[I * LDA + J + 1] -
                                 4 * In[I * LDA + J]);
}

static int heat(int NumDevices) {
  const int Rows = 12, All = NumDevices * Rows;
  const size_t Bytes = sizeof(float) * (All + 2) * LDA;
  float *T1 = malloc(Bytes), *T2 = malloc(Bytes), *Want = malloc(Bytes),
        *Other = malloc(Bytes);
  for (int I = 0; I < (All + 2) * LDA; ++I)
    T1[I] = T2[I] = Want[I] = Other[I] = I % 13;
  for (int D = 0; D < NumDevices; ++D) {
#pragma acc enter data copyin(T1[D * Rows * LDA : (Rows + 2) * LDA]) deviceid(D)
#pragma acc enter data copyin(T2[D * Rows * LDA : (Rows + 2) * LDA]) deviceid(D)
  }
  float *In = T1, *Out = T2;
  for (int S = 0; S < Steps; ++S) {
    for (int D = 0; D < NumDevices; ++D) {
      const float *From = In + D * Rows * LDA;
      float *To = Out + D * Rows * LDA;
#pragma acc parallel loop collapse(2) deviceid(D)                              \
    present(From[0 : (Rows + 2) * LDA], To[0 : (Rows + 2) * LDA])
      for (int I = 1; I <= Rows; ++I)
        for (int J = 1; J < LDA - 1; ++J)
          To[I * LDA + J] =
              From[I * LDA + J] +
              0.1f * (From[(I - 1) * LDA + J] + From[(I + 1) * LDA + J] +
                      From[I * LDA + J - 1] + From[I * LDA + J + 1] -
                      4 * From[I * LDA + J]);
    }
    // Copies come after the kernels of both devices by themselves.
    for (int D = 0; D < NumDevices; ++D) {
      if (D > 0) {
#pragma acc update peer to(Out[D * Rows * LDA : LDA]) to_device(D)             \
    from(Out[D * Rows * LDA : LDA]) from_device(D - 1)
      }
      if (D < NumDevices - 1)
        acc_update_peer(&Out[((D + 1) * Rows + 1) * LDA], D,
                        &Out[((D + 1) * Rows + 1) * LDA], D + 1,
                        LDA * sizeof(float));
    }
    float *Swap = In;
    In = Out;
    Out = Swap;
  }
  for (int D = 0; D < NumDevices; ++D) {
#pragma acc exit data copyout(In[(D * Rows + 1) * LDA : Rows * LDA]) deviceid(D)
#pragma acc exit data delete (Out[D * Rows * LDA : (Rows + 2) * LDA])          \
    deviceid(D)
  }
#pragma acc wait device(0, NumDevices - 1)
  for (int D = 0; D < NumDevices; ++D)
    acc_wait_all_device(D);
  for (int S = 0; S < Steps; ++S) {
    step(All, Want, Other);
    float *Swap = Want;
    Want = Other;
    Other = Swap;
  }
  int Bad = 0;
  for (int I = LDA; I < (All + 1) * LDA; ++I)
    Bad += !(fabsf(In[I] - Want[I]) < 1e-3f); // GPUs fuse operations.
  free(T1);
  free(T2);
  free(Want);
  free(Other);
  return Bad;
}

/// Rectangles, of arrays of other shapes, and lists.
static int rectangles(void) {
  static int A[40][30], B[20][50], Flat[10 * 7], Whole[3], Part[3];
  for (int I = 0; I < 1200; ++I)
    A[0][I] = I;
  memset(B, 0, sizeof(B));
#pragma acc enter data copyin(A) create(Whole) deviceid(1)
#pragma acc enter data copyin(B, Flat, Part) deviceid(0)
#pragma acc update peer to(B[5 : 10][40 : 7], Whole) to_device(0)              \
    from(A[20 : 10][3 : 7], Part) from_device(1) if (0)
  int Rows = 10;
#pragma acc update peer to(B[5 : Rows][40 : 7], Flat) to_device(0)             \
    from(A[20 : Rows][3 : 7], A[20 : 10][3 : 7]) from_device(1)
#pragma acc update peer to(B[0 : 0][40 : 7]) to_device(0)                      \
    from(A[20 : 0][3 : 7]) from_device(1)
#pragma acc update self(B, Flat) deviceid(0)
#pragma acc wait device(0)
  int Bad = 0;
  for (int I = 0; I < 20; ++I)
    for (int J = 0; J < 50; ++J) {
      const int In = I >= 5 && I < 15 && J >= 40 && J < 47;
      Bad += B[I][J] != (In ? A[20 + I - 5][3 + J - 40] : 0);
    }
  for (int I = 0; I < 70; ++I)
    Bad += Flat[I] != A[20 + I / 7][3 + I % 7];
#pragma acc exit data delete (A, Whole)deviceid(1)
#pragma acc exit data delete (B, Flat, Part)deviceid(0)
#pragma acc wait device(0, 1)
  return Bad;
}

/// What stands in a data construct on a device is where it says itself.
static int nested(void) {
  int A[100], B[100], OnB = -1, Waited = 0;
  for (int I = 0; I < 100; ++I)
    A[I] = B[I] = I;
#pragma acc data copy(A) deviceid(1)
  {
    OnB = acc_get_device_num(acc_device_not_host);
#pragma acc parallel loop copy(B)
    for (int I = 0; I < 100; ++I)
      B[I] += 1;
    Waited = B[7] == 8; // That one was waited for.
#pragma acc parallel loop deviceid(1)
    for (int I = 0; I < 100; ++I)
      A[I] += 2;
#pragma acc wait(acc_async_noval) device(1)
  }
#pragma acc wait device(1)
  return !Waited || A[50] != 52 || OnB != 0 ||
         acc_get_device_num(acc_device_not_host);
}

int main(void) {
  int Bad = 0;
  const int All = acc_get_num_devices(acc_device_not_host);
  for (int D = 1; D <= All && D <= 4; ++D) {
    const int P = product(D), H = heat(D);
    if (P || H)
      printf("%d devices: %d of product, %d of heat are wrong\n", D, P, H);
    Bad += P + H;
  }
  const int R = All > 1 ? rectangles() : 0, I = All > 1 ? nested() : 0;
  if (R || I)
    printf("%d of rectangles, %d of nested are wrong\n", R, I);
  return Bad + R + I != 0;
}
