// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP: files before and after target regions, by events, by queues, and by
// tasks that depend on a detached one.
// RUN: %accxcc -fopenmp %s -o %t
// RUN: env OMP_TARGET_OFFLOAD=MANDATORY %t
// RUN: env OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %far OMP_TARGET_OFFLOAD=MANDATORY %t
// RUN: %far OMP_TARGET_OFFLOAD=MANDATORY ACCX_FILE_PIECE=4097 %t

#include "Inputs/files.h"
#include <omp.h>

enum { N = 300000 };
static int A[N], Back[N];

int main(void) {
  const int In = emptyFile(), Out = emptyFile();
  for (int I = 0; I < N; ++I)
    A[I] = I;
  EXPECT(write(In, A, sizeof(A)) == sizeof(A));
  memset(A, 0, sizeof(A));

#pragma omp target enter data map(alloc : A)
  accx_event_t Read, Doubled, Written;
  EXPECT(accx_read(1, A, In, 0, sizeof(A), 0, NULL, &Read) == 0);
  EXPECT(accx_next_target(2, 1, &Read, &Doubled) == 0);
#pragma omp target teams distribute parallel for
  for (int I = 0; I < N; ++I)
    A[I] *= 2;
  EXPECT(accx_write(3, A, Out, 0, sizeof(A), 1, &Doubled, &Written) == 0);

  omp_event_handle_t Handle = 0;
  int Done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task detach(Handle) depend(out : Done)
    Done = 1;
    EXPECT(accx_event_fulfill(Written, (uintptr_t)Handle) == 0);
#pragma omp task depend(in : Done)
    EXPECT(pread(Out, Back, sizeof(Back), 0) == sizeof(Back));
#pragma omp taskwait
  }
  for (int I = 0; I < N; ++I)
    EXPECT(Back[I] == 2 * I);
  EXPECT(accx_event_wait(1, &Written) == 0);
  EXPECT(accx_event_release(Read) == 0);
  EXPECT(accx_event_release(Doubled) == 0);
  EXPECT(accx_event_release(Written) == 0);
#pragma omp target exit data map(delete : A)
  return 0;
}
