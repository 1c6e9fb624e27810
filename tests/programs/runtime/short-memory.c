// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that come and go at ever other addresses, together far larger than the
// device: pages that nothing uses any more are given back, and the map that
// found no memory is done. What really does not fit is the documented failure.
//
// RUN: %clang -g %s -o %t
// RUN: %run ACCX_HOST_MEMORY=64M ACCX_HOST_DEVICES=1 ACCX_NOTIFY=16 %t 24 16 > %t.out 2>&1
// RUN: FileCheck %s --input-file %t.out
// RUN: %run ACCX_HOST_MEMORY=64M ACCX_HOST_DEVICES=1 ACCX_DIRECTORY=fused %t 24 16 2>&1 | FileCheck %s --check-prefix=CHECK-FUSED
// RUN: %run LIBOMPTARGET_PLUGIN=%accx_lib/test-plugins/libaccx.rtl.fault.so ACCX_FAULT_OPTIONS=async ACCX_HOST_MEMORY=64M ACCX_HOST_DEVICES=1 %t 24 16 2>&1 | FileCheck %s --check-prefix=CHECK-FUSED
// RUN: %run ACCX_HOST_MEMORY=64M ACCX_HOST_DEVICES=1 not --crash %t 80 1 2>&1 | FileCheck %s --check-prefix=CHECK-FAIL
// RUN: %run ACCX_HOST_MEMORY=64M ACCX_HOST_DEVICES=1 ACCX_DIRECTORY=fused not --crash %t 80 1 2>&1 | FileCheck %s --check-prefix=CHECK-FAIL
//
// Kept while something else stays mapped.
// RUN: %run ACCX_HOST_MEMORY=64M ACCX_HOST_DEVICES=1 %t 24 16 keep 2>&1 | FileCheck %s --check-prefix=CHECK-FUSED

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static int kept[1 << 20];

int main(int argc, char **argv) {
  const size_t bytes = (size_t)atoi(argv[1]) << 20;
  const int rounds = atoi(argv[2]);
  const size_t n = bytes / sizeof(int);
  // A new address each time.
  char *space = mmap(0, bytes * rounds, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (argc > 3) {
    for (int i = 0; i < 1 << 20; ++i)
      kept[i] = i;
#pragma omp target enter data map(to : kept)
  }
  for (int r = 0; r < rounds; ++r) {
    int *a = (int *)(space + r * bytes);
    for (size_t i = 0; i < n; i += 512)
      a[i] = r;
#pragma omp target map(tofrom : a[0 : n])
    for (size_t i = 0; i < n; i += 512)
      a[i] += 1;
    for (size_t i = 0; i < n; i += 512)
      if (a[i] != r + 1) {
        printf("round %d: a[%zu] is %d\n", r, i, a[i]);
        return 1;
      }
    madvise(a, bytes, MADV_DONTNEED);
  }
  if (argc > 3) {
    for (int i = 0; i < 1 << 20; ++i)
      kept[i] = 0;
#pragma omp target exit data map(from : kept)
    for (int i = 0; i < 1 << 20; ++i)
      if (kept[i] != i) {
        printf("kept[%d] is %d\n", i, kept[i]);
        return 1;
      }
  }
  printf("done\n");
  return 0;
}

// CHECK: release idle memory
// CHECK-NOT: error
// CHECK: done
// CHECK-FUSED-NOT: error
// CHECK-FUSED: done
// CHECK-FAIL: omptarget error: 'a[0:n]' at short-memory.c:{{[0-9]+}}:{{[0-9]+}}: mapping 83886080 bytes failed: {{.*}}no device memory
// CHECK-FAIL: short-memory.c:{{[0-9]+}}:{{[0-9]+}}: omptarget fatal error 1: failure of target construct while offloading is mandatory
