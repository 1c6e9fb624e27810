// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes that look different from those in tests/programs/mistakes.
// RUN: %accx_syntax -Wno-source-uses-openmp -Xclang -verify %s

// clang-format off
double Buffer[8];
static double called(int I) {
  return Buffer[I];
// expected-error@-1 {{'Buffer' is used in a function for a device (the construct in line 27), but no device has it}}
}

void host_writes(double *P, int N) {
#pragma acc data copyin(P[0:N])
  {
    P[0] = 1;
// expected-warning@-1 {{'P' is written on the host here, but the device has a copy of its own, which line 20 reads: add '#pragma acc update device(P)' in between}}
    double S = 0;
#pragma acc parallel loop reduction(+:S)
    for (int I = 0; I < N; ++I)
      S += P[I];
  }
}

void calls(void) {
  double A[8];
// The construct below is in the line that the first message names.
#pragma acc parallel loop copyout(A)
  for (int I = 0; I < 8; ++I)
    A[I] = called(I);
}

void below(void) {
  double A[8];
#pragma acc parallel loop copy(A)
  for (int I = 0; I <= 6; I++)
    A[I - 1] = 1;
// expected-warning@-1 {{subscript -1 of 'A' is outside of its 8 elements}}
}

void rows(void) {
  double A[4][8];
#pragma acc parallel loop collapse(2) copyout(A)
  for (int J = 0; J < 8; J++)
    for (int I = 0; I < 4; I++)
      A[J][I] = 1;
// expected-warning@-1 {{subscript 7 of 'A' is outside of its 4 elements}}
}

void loop_private(double *P, int N) {
  double Scale = 2;
#pragma acc parallel copy(P[0:N])
#pragma acc loop gang private(Scale)
  for (int I = 0; I < N; ++I)
    P[I] *= Scale;
// expected-warning@-1 {{'Scale' is read before it is set, but 'private' in line 52 gives it no value}}
}
