// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines, totals and traces say which way bytes of files went, and why.
// RUN: %accxcc -fopenacc %s -o %t
// RUN: env ACCX_STATS=1 %t 2>&1 | FileCheck %s --check-prefix=CHECK-STATS
// RUN: env ACCX_NOTIFY=2 %t 2>&1 | FileCheck %s --check-prefix=CHECK-NOTIFY
// RUN: env LIBOMPTARGET_INFO=32 %t 2>&1 | FileCheck %s --check-prefix=CHECK-INFO
// RUN: env ACCX_TRACE=%t.json ACCX_FILE_PATH=pool ACCX_FILE_PIECE=65536 %t
// RUN: FileCheck %s --check-prefix=CHECK-TRACE --input-file=%t.json
// RUN: env ACCX_TIME=1 %t 2>&1 | FileCheck %s --check-prefix=CHECK-TIME

#include "Inputs/files.h"

// CHECK-STATS: accx stats: file read (pool): operations=1 bytes=1048576 ms={{[0-9.]+}} gb_per_s=
// CHECK-STATS: accx stats: file write (ordered): operations=1 bytes=100 ms=
// CHECK-STATS: accx stats: file write (pool): operations=1 bytes=1048576 ms=

// CHECK-NOTIFY: transfer write 1048576 bytes (write of 1048576 bytes at offset 4096 of /tmp/accx-files-{{.*}}: pool 1048576 bytes at {{[0-9.]+}} GB/s ({{.*}})) {{[0-9.]+}} us
// CHECK-NOTIFY: transfer read 1048576 bytes (read of 1048576 bytes at offset 4096 of
// CHECK-NOTIFY: transfer write 100 bytes (write of 100 bytes of pipe:[{{[0-9]+}}]: ordered 100 bytes at {{[0-9.]+}} GB/s (in order))

// CHECK-INFO: omptarget device 0 info: write of 1048576 bytes at offset 4096 of /tmp/accx-files-{{.*}}: pool 1048576 bytes at
// CHECK-INFO: omptarget device 0 info: write of 100 bytes of pipe:

// CHECK-TRACE: "name":"write","cat":"transfer"{{.*}}"bytes":1048576,"detail":"write of 1048576 bytes at offset 4096 of {{.*}}: pool 1048576 bytes at {{.*}} GB/s (as ACCX_FILE_PATH says)"
// CHECK-TRACE: "name":"read","cat":"transfer"{{.*}}"detail":"read of 1048576 bytes

// CHECK-TIME: accx time: device 0: kernels 0.000 ms, transfers
// CHECK-TIME-DAG: write{{ .*}} 2 {{.*}} 1.049
// CHECK-TIME-DAG: read{{ .*}} 1 {{.*}} 1.049

static char A[1 << 20];

int main(void) {
  const int Fd = emptyFile();
  int Ends[2];
  EXPECT(pipe(Ends) == 0);
#pragma acc data copyin(A)
  {
    EXPECT(accx_write(1, A, Fd, 4096, sizeof(A), 0, NULL, NULL) == 0);
    EXPECT(accx_read(1, A, Fd, 4096, sizeof(A), 0, NULL, NULL) == 0);
    EXPECT(accx_write(1, A, Ends[1], -1, 100, 0, NULL, NULL) == 0);
#pragma acc wait(1)
  }
  return 0;
}
