// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -accx-smc-check: reads and writes outside of what a block declares are
// reported with line and place, and go to the array; those inside are not.
//
// RUN: %simt %s %t -Xclang -mllvm -Xclang -accx-smc-check && %t | FileCheck %s --implicit-check-not=accx:
// RUN: %device %s | %smc-tile -accx-smc-check | FileCheck %s --check-prefix=CHECK-CODE
#include <stdio.h>

// CHECK: accx: {{.*}}check.c:[[#@LINE+10]]: 'a': element 66 of the 66 that the block's iterations declare is read
// CHECK-NEXT: read 1067 of 66
// CHECK-NEXT: accx: {{.*}}check.c:[[#@LINE+16]]: 'b': element 64 of the 64 that the block's iterations declare is written
// CHECK-NEXT: accx: {{.*}}check.c:[[#@LINE+15]]: 'b': element 64 of the 64 that the block's iterations declare is read
// CHECK-NEXT: wrote 5
// CHECK-CODE-COUNT-2: call i32 @vprintf(
static int read(int n, const int *a, int *b) {
#pragma omp target teams distribute parallel for map(to : a[ : n + 3])         \
    map(from : b[ : n])
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_ONLY(a[i : 0 : 2]) block(64)
    b[i] = a[i + 1] + (i == 63 ? a[i + 3] : 0);
  return b[63];
}
static int wrote(int n, int *restrict b, int *c) {
#pragma omp target teams distribute parallel for map(tofrom : b[ : n + 1],     \
                                                         c[ : n])
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_CHANNEL_WB(b[i : 0 : 0]) block(64)
  {
    if (i == 63)
      b[i + 1] = 5;
    c[i] = i == 63 ? b[i + 1] : b[i];
  }
  return c[63];
}
int main() {
  int a[67], b[65] = {0}, c[64];
  for (int i = 0; i < 67; ++i)
    a[i] = i == 66 ? 1003 : i;
  printf("read %d of 66\n", read(64, a, b));
  printf("wrote %d\n", wrote(64, b, c));
}
