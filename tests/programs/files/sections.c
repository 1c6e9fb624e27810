// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of device arrays in one file, one after the other.
// RUN: %accxcc -fopenacc %s -o %t
// RUN: %t
// RUN: env ACCX_HOST_UNIFIED=1 %t
// RUN: env ACCX_FILE_PIECE=1000 %t
// RUN: %late %t
// RUN: %far %t
// RUN: %far ACCX_FILE_PIECE=1000 %t

#include "Inputs/files.h"

enum { Height = 500, Width = 300, Inner = 200 };
static float A[Height][Width], B[1000], Packed[Height * Inner + 1000];

int main(void) {
  const int Fd = emptyFile();
#pragma acc data create(A, B)
  {
#pragma acc parallel loop collapse(2) async(1) present(A)
    for (int I = 0; I < Height; ++I)
      for (int J = 0; J < Width; ++J)
        A[I][J] = I * 1000 + J;
#pragma acc parallel loop async(1) present(B)
    for (int I = 0; I < 1000; ++I)
      B[I] = -I;
    const accx_section Parts[3] = {
        {B, sizeof(B), 1, 0},
        {NULL, 0, 7, 0},
        {&A[0][50], Inner * sizeof(float), Height, Width * sizeof(float)}};
    EXPECT(accx_writev(1, 3, Parts, Fd, 12, 0, NULL, NULL) == 0);
    // Into other places.
    const accx_section Others[2] = {
        {&A[0][0], 1000 * sizeof(float), 1, 0},
        {&A[4][100], Inner * sizeof(float), Height - 4, Width * sizeof(float)}};
    EXPECT(accx_readv(1, 2, Others, Fd, 12, 0, NULL, NULL) == 0);
#pragma acc update self(A) async(1)
    acc_wait(1);
    EXPECT(pread(Fd, Packed, sizeof(Packed), 12) == sizeof(Packed));
    for (int I = 0; I < 1000; ++I)
      EXPECT(Packed[I] == -I && (&A[0][0])[I] == -I);
    for (int I = 0; I < Height; ++I)
      for (int J = 0; J < Inner; ++J)
        EXPECT(Packed[1000 + I * Inner + J] == I * 1000 + J + 50);
    for (int I = 4; I < Height; ++I)
      for (int J = 0; J < Width; ++J)
        EXPECT(A[I][J] == (J >= 100               ? (I - 4) * 1000 + J - 50
                           : I * Width + J < 1000 ? -(I * Width + J)
                                                  : I * 1000 + J));
  }
  return 0;
}
