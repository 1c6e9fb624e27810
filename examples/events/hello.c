/*===- hello.c - A file, a kernel and a file, queued at once --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Numbers go from a file to the device, a kernel squares them, and they go to
|* another file. The program waits once (docs/events.md).
|*
|* Usage: hello
|*
\*===----------------------------------------------------------------------===*/

#include <accx/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 1 << 20 };

int main(void) {
  float *A = malloc(N * sizeof(float));
  for (int I = 0; I < N; ++I)
    A[I] = (float)(I % 1000);
  int In = open("numbers.in", O_RDWR | O_CREAT | O_TRUNC, 0600);
  int Out = open("numbers.out", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (In < 0 || Out < 0 || write(In, A, N * sizeof(float)) < 0)
    return 2;

#pragma acc enter data create(A[0 : N])
  accx_event_t Written;
  accx_read(1, A, In, 0, N * sizeof(float), 0, NULL, NULL);
#pragma acc parallel loop present(A[0 : N]) async(1)
  for (int I = 0; I < N; ++I)
    A[I] *= A[I];
  accx_write(1, A, Out, 0, N * sizeof(float), 0, NULL, &Written);

  /* Here the host is free. */

  if (accx_event_wait(1, &Written))
    fprintf(stderr, "hello: %s\n", accx_event_message(Written));
  accx_event_release(Written);
#pragma acc exit data delete (A[0 : N])

  float Last = 0;
  if (pread(Out, &Last, sizeof(float), 999 * sizeof(float)) < 0)
    return 2;
  printf("999 squared is %.0f\n", Last);
  close(In);
  close(Out);
  free(A);
  return Last != 998001;
}
