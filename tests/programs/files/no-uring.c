// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers often forbid io_uring: threads wait for reads and writes past the
// page cache then, and the reason is told.
// RUN: %accxcc -fopenacc %s -o %t
// RUN: env ACCX_NOTIFY=2 ACCX_FILE_PATH=direct %t 2>&1 | FileCheck %s

// CHECK: transfer write {{.*}}{{no io_uring|no O_DIRECT}}
// CHECK: transfer read {{.*}}{{no io_uring|no O_DIRECT}}

#include "Inputs/files.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { N = 8 << 20 };
static char A[N] __attribute__((aligned(4096)));

static void forbid(unsigned Call) {
  struct sock_filter Rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog Program = {4, Rules};
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program) == 0);
}

int main(void) {
  forbid(SYS_io_uring_setup);
  const int Fd = emptyFile();
#pragma acc data create(A)
  {
#pragma acc parallel loop present(A)
    for (int I = 0; I < N; ++I)
      A[I] = (char)(I / 100);
    EXPECT(accx_write(acc_async_sync, A, Fd, 0, N, 0, NULL, NULL) == 0);
#pragma acc parallel loop present(A)
    for (int I = 0; I < N; ++I)
      A[I] = 0;
    EXPECT(accx_read(acc_async_sync, A, Fd, 0, N, 0, NULL, NULL) == 0);
#pragma acc update self(A)
  }
  for (int I = 0; I < N; ++I)
    EXPECT(A[I] == (char)(I / 100));
  return 0;
}
