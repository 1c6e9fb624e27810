// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events and OpenMP's tasks: a file in front of a target construct by detach
// and depend, a file behind one by a user event, chains of both, and failures.
// LLVM's libomp does not always wait for a detached task in a team of one.
//
// RUN: %accxcc -Wextra %s -o %t
// RUN: %run OMP_NUM_THREADS=2 %t %t.data | FileCheck %s
// RUN: %run OMP_NUM_THREADS=4 %t %t.data | FileCheck %s
// RUN: %run OMP_NUM_THREADS=8 %t %t.data | FileCheck %s
// CHECK: 0 wrong

#include <accx/event.h>
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 50000, Rounds = 20 };
static const size_t Bytes = N * sizeof(int);

static int wrong;
#define EXPECT(c)                                                              \
  do {                                                                         \
    if (!(c))                                                                  \
      printf("line %d: %s\n", __LINE__, #c), ++wrong;                          \
  } while (0)

/* One read, one target region, one write; returns the write's event. */
static accx_event_t chain(int File, int *A, int Round) {
  accx_event_t Loaded, Squared, Written;
  omp_event_handle_t Handle = 0;
  const off_t At = (off_t)Round * (off_t)Bytes;
  EXPECT(accx_read(1, A, File, At, Bytes, 0, NULL, &Loaded) == 0);
#pragma omp task detach(Handle) depend(out : A[0])
  {
    accx_event_fulfill(Loaded, (uintptr_t)Handle);
    accx_event_release(Loaded);
  }
#pragma omp target teams distribute parallel for nowait depend(inout : A[0])   \
    map(present, alloc : A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] = A[I] * 2 + 1;
  EXPECT(accx_event_create_user(&Squared) == 0);
  EXPECT(accx_event_retain(Squared) == 0);
#pragma omp task depend(inout : A[0])
  {
    accx_event_complete(Squared, 0);
    accx_event_release(Squared);
  }
  EXPECT(accx_write(2, A, File, At + (off_t)Bytes, Bytes, 1, &Squared,
                    &Written) == 0);
  accx_event_release(Squared);
  return Written;
}

int main(int Argc, char **Argv) {
  const char *Path = Argc > 1 ? Argv[1] : "omp-tasks.data";
  const int File = open(Path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  int *A = (int *)malloc(Bytes), *Got = (int *)malloc(Bytes);
  for (int I = 0; I < N; ++I)
    A[I] = I % 97;
  EXPECT(write(File, A, Bytes) == (ssize_t)Bytes);
#pragma omp target enter data map(alloc : A[0 : N])
#pragma omp parallel
#pragma omp single
  for (int R = 0; R < Rounds; ++R) {
    accx_event_t Written = chain(File, A, R);
#pragma omp taskwait
    EXPECT(accx_event_wait(1, &Written) == 0);
    accx_event_release(Written);
  }
  EXPECT(pread(File, Got, Bytes, (off_t)Rounds * (off_t)Bytes) ==
         (ssize_t)Bytes);
  int Bad = 0;
  for (int I = 0; I < N; ++I) {
    int Expected = I % 97;
    for (int R = 0; R < Rounds; ++R)
      Expected = (int)((unsigned)Expected * 2 + 1);
    Bad += Got[I] != Expected;
  }
  EXPECT(Bad == 0);
#pragma omp target exit data map(delete : A[0 : N])

  /* A read that fails ends the task, too, and tells who asks. */
#pragma omp parallel
#pragma omp single
  {
    accx_event_t Failed;
    omp_event_handle_t Handle = 0;
    int After = 1;
    EXPECT(accx_read(1, A, File, (off_t)1 << 40, Bytes, 0, NULL, &Failed) == 0);
#pragma omp task detach(Handle) depend(out : After)
    accx_event_fulfill(Failed, (uintptr_t)Handle);
#pragma omp task depend(in : After) shared(After)
    After = accx_event_status(Failed);
#pragma omp taskwait
    EXPECT(After == -ENODATA);
    accx_event_release(Failed);
  }
  close(File);
  unlink(Path);
  free(A);
  free(Got);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
