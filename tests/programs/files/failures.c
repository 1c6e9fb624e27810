// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fails says what, where and why; what waits for it does nothing; who was
// told goes on with the queue; what nobody asked for ends the program.
// RUN: %accxcc -fopenacc %s -o %t
// RUN: %t
// RUN: env ACC_DEVICE_TYPE=host %t
// RUN: %far %t
// RUN: not --crash %t unasked 2>&1 | FileCheck %s
// RUN: %far not --crash %t unasked 2>&1 | FileCheck %s

#include "Inputs/files.h"
#include <limits.h>
#include <stdint.h>

// CHECK: accx error: {{.*}}read of 4096 bytes at offset 12288 of /tmp/accx-files-{{.*}}: the file ends after 14000 bytes
// CHECK: accx_read: accx fatal error

enum { N = 4096 };
static char A[N], B[N];

static void arguments(int Fd) {
  accx_event_t E = NULL;
  EXPECT(accx_read(1, A, Fd, -2, N, 0, NULL, &E) == -EINVAL);
  EXPECT(E == NULL);
  EXPECT(accx_read(1, NULL, Fd, 0, N, 0, NULL, NULL) == -EINVAL);
  EXPECT(accx_read(1, A, Fd, 0, N, -1, NULL, NULL) == -EINVAL);
  EXPECT(accx_read(1, A, Fd, 0, N, 1, NULL, NULL) == -EINVAL);
  EXPECT(accx_write(-77, A, Fd, 0, N, 0, NULL, NULL) == -EINVAL);
  EXPECT(accx_fread(1, A, N, NULL, 0, NULL, NULL) == -EINVAL);
  EXPECT(accx_write(1, A, Fd, LLONG_MAX - N + 1, N, 0, NULL, NULL) ==
         -EOVERFLOW);
  EXPECT(accx_write(1, A, Fd, 0, SIZE_MAX, 0, NULL, NULL) == -EOVERFLOW);
  const accx_section Rows[2] = {{A, 16, 4, 8}, {A, SIZE_MAX / 2, 3, 0}};
  EXPECT(accx_readv(1, 1, Rows, Fd, 0, 0, NULL, NULL) == -EINVAL);
  EXPECT(accx_readv(1, 1, Rows + 1, Fd, 0, 0, NULL, NULL) == -EOVERFLOW);
  EXPECT(accx_readv(1, -1, Rows, Fd, 0, 0, NULL, NULL) == -EINVAL);
  EXPECT(accx_readv(1, 0, NULL, Fd, 0, 0, NULL, NULL) == 0);
  // No bytes of no file.
  EXPECT(accx_read(acc_async_sync, NULL, -1, 0, 0, 0, NULL, NULL) == 0);
}

static void synchronous(int Fd) {
  EXPECT(accx_read(acc_async_sync, A, Fd, 12288, N, 0, NULL, NULL) == -ENODATA);
  EXPECT(accx_read(acc_async_sync, A, -1, 0, N, 0, NULL, NULL) == -EBADF);
  accx_event_t E;
  EXPECT(accx_read(acc_async_sync, A, Fd, 14001, 10, 0, NULL, &E) == -ENODATA);
  EXPECT(accx_event_status(E) == -ENODATA);
  EXPECT(strstr(accx_event_message(E), "read of 10 bytes at offset 14001 of "));
  EXPECT(accx_event_release(E) == 0);
  EXPECT(accx_read(acc_async_sync, A, Fd, 0, N, 0, NULL, NULL) == 0);
}

static void chain(int Fd, int Full) {
  accx_event_t Failed, Behind, Waits, Write;
  // Where constructs run on the host they fail at once; events say the same.
  (void)accx_read(1, A, Fd, 12288, N, 0, NULL, &Failed);
  const int Code = accx_write(2, B, Full, 0, N, 1, &Failed, &Waits);
  EXPECT(Code == 0 || Code == -ECANCELED);
  EXPECT(accx_event_wait(1, &Waits) == -ECANCELED);
  EXPECT(strstr(accx_event_message(Waits), "the file ends after 14000 bytes"));
  EXPECT(accx_event_wait(1, &Failed) == -ENODATA);
  EXPECT(strstr(accx_event_message(Failed),
                "read of 4096 bytes at offset 12288 of /tmp/accx-files-"));
  // Both queues go on.
  EXPECT(accx_read(1, A, Fd, 0, N, 0, NULL, &Behind) == 0);
  EXPECT(accx_event_wait(1, &Behind) == 0);
  (void)accx_write(2, B, Full, 0, N, 0, NULL, &Write);
  EXPECT(accx_event_wait(1, &Write) == -ENOSPC);
  EXPECT(strstr(accx_event_message(Write),
                "write of 4096 bytes at offset 0 of /dev/full: No space left"));
  acc_wait_all();
  EXPECT(accx_event_release(Failed) == 0);
  EXPECT(accx_event_release(Behind) == 0);
  EXPECT(accx_event_release(Waits) == 0);
  EXPECT(accx_event_release(Write) == 0);
}

int main(int NumArguments, char **Arguments) {
  const int Fd = emptyFile(), Full = open("/dev/full", O_WRONLY);
  EXPECT(Full >= 0);
  EXPECT(ftruncate(Fd, 14000) == 0);
#pragma acc data create(A, B)
  {
    if (NumArguments > 1) {
      (void)accx_read(1, A, Fd, 12288, N, 0, NULL, NULL);
#pragma acc wait(1)
      _exit(0);
    }
    arguments(Fd);
    synchronous(Fd);
    chain(Fd, Full);
    // What was there before the end is in memory.
    memset(A, 7, N);
#pragma acc update device(A)
    EXPECT(pwrite(Fd, "the end", 7, 13993) == 7);
    EXPECT(accx_read(acc_async_sync, A, Fd, 13990, 100, 0, NULL, NULL) ==
           -ENODATA);
#pragma acc update self(A)
    EXPECT(memcmp(A, "\0\0\0the end\7\7", 12) == 0);
  }
  return 0;
}
