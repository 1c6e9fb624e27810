// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are collapsed are read one by one: what is asked about pointers of
// one loop is not asked again of the next.
//
// RUN: %accxcc -fsyntax-only -Wall -Werror %s

double *State, *Flux, *Tend, *Left, *Right;

void step(double *In, double *Out, double *F, double *T, int N, int M) {
#pragma acc parallel loop collapse(3) default(present)
  for (int L = 0; L < 4; ++L)
    for (int K = 0; K < M; ++K)
      for (int I = 0; I < N; ++I) {
        const int At = L * M * N + K * N + I;
        T[At] = -(F[At + 1] - F[At]) / 2;
        Out[At] = In[At] + T[At];
      }
#pragma acc parallel loop collapse(3) default(present)
  for (int L = 0; L < 4; ++L)
    for (int K = 0; K < M; ++K)
      for (int S = 0; S < 2; ++S) {
        Left[L * M * 2 + K * 2 + S] = State[L * M * N + K * N + 2 + S];
        Right[L * M * 2 + K * 2 + S] = State[L * M * N + K * N + N + S];
      }
#pragma acc parallel loop collapse(2) default(present)
  for (int K = 0; K < M; ++K)
    for (int I = 0; I < N; ++I) {
      Tend[K * N + I] = Flux[K * N + I];
      State[K * N + I] += Tend[K * N + I];
    }
}
