// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of several devices fails: a kernel there writes where nothing is. What
// the other devices have queued behind it by copies must not pass as done, and
// the program ends with the kernel's line and the device's number. The caller
// checks.
//
// Usage: fault-devices [kernel|copies|spread]; without an argument all is
// right.

#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4 << 20 };

int main(int Argc, char **Argv) {
  const char *How = Argc > 1 ? Argv[1] : "";
  const int Devices = acc_get_num_devices(acc_get_device_type());
  const int Bad = Devices - 1;
  const size_t Far = *How ? (size_t)1 << 40 : 0;
  int *A = malloc(N * sizeof(int));
  if (!A || Devices < 1)
    return 2;
  memset(A, 0, N * sizeof(int));
  if (strcmp(How, "spread") != 0) {
    for (int D = 0; D < Devices; ++D) {
#pragma acc enter data copyin(A[0 : N]) deviceid(D)
    }
    for (int D = 0; D < Devices; ++D) {
#pragma acc wait device(D)
    }
    fprintf(stderr, "before\n");
#pragma acc parallel loop deviceid(Bad) present(A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I == N - 1 ? I + Far : I] += 1;
    if (strcmp(How, "kernel") != 0) {
      /* From the one that fails to each of the others. */
      for (int D = 0; D < Bad; ++D) {
#pragma acc update peer to(A[0 : N]) to_device(D) from(A[0 : N])               \
    from_device(Bad)
#pragma acc parallel loop deviceid(D) present(A[0 : N])
        for (int I = 0; I < N; ++I)
          A[I] += 1;
      }
#pragma acc update self(A[0 : N]) deviceid(0)
#pragma acc wait device(0)
    } else {
#pragma acc wait device(Bad)
    }
  } else {
#pragma accx enter spread(A[0 : N]) devices(all)
    fprintf(stderr, "before\n");
#pragma accx distribute schedule(block)
#pragma acc parallel loop present(A[0 : N])
    for (int I = 0; I < N; ++I)
      A[I == N - 1 ? I + Far : I] += 1;
#pragma accx exit spread(A[0 : N])
  }
  fprintf(stderr, "after\n");
  const int Want = Devices > 1 && strcmp(How, "spread") != 0 ? 2 : 1;
  const int Wrong = *How || A[0] != Want || A[N - 1] != Want;
  free(A);
  puts(Wrong ? "wrong" : "right");
  return Wrong;
}
