// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenACC program built against an installed accx: saxpy in a data region,
// asynchronously on two queues, one half of the vector each.

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20 };

int main(void) {
  float *X = malloc(N * sizeof *X);
  float *Y = malloc(N * sizeof *Y);
  if (!X || !Y)
    return 2;
  for (int I = 0; I < N; ++I) {
    X[I] = (float)I;
    Y[I] = 1.0f;
  }

  int OnDevice = 0;
#pragma acc data copyin(X[0 : N]) copy(Y[0 : N])
  {
    for (int Half = 0; Half < 2; ++Half) {
      int Begin = Half * (N / 2);
#pragma acc parallel loop present(X[0 : N], Y[0 : N]) async(Half)
      for (int I = Begin; I < Begin + N / 2; ++I)
        Y[I] += 2.0f * X[I];
    }
#pragma acc wait
#pragma acc parallel copyout(OnDevice)
    OnDevice = acc_on_device(acc_device_not_host);
  }

  long Wrong = 0;
  for (int I = 0; I < N; ++I)
    Wrong += Y[I] != 2.0f * (float)I + 1.0f;
  printf("OpenACC saxpy of %d elements, %ld wrong, ran on the %s\n", N, Wrong,
         OnDevice ? "device" : "host");
  free(X);
  free(Y);
  return Wrong || !OnDevice;
}
