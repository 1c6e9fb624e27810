// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is asked in 128 bits is asked of numbers of 64: wider counters stay. A
// body may extend its place to more.
//
// RUN: %plainclang -O2 -fpass-plugin=%accx_plugin -Rpass=simd-join -S -emit-llvm %s -o - 2>&1 | FileCheck %s
// RUN: %plainclang -O2 -fpass-plugin=%accx_plugin %s -o %t
// RUN: %t
//
// CHECK: wide.c:[[@LINE+3]]:{{.*}}remark: ranges that follow each other are one loop
// CHECK-NOT: remark: ranges
__attribute__((noinline)) void place(__int128 *c, long items, long each) {
  for (long i = 0; i < items; i++)
    for (long k = i * each; k < (i + 1) * each; k++)
      c[k] = (__int128)k * 3 - 100;
}

__attribute__((noinline)) void counter(long *c, long items, __int128 each) {
  for (long i = 0; i < items; i++)
    for (__int128 k = i * each; k < (i + 1) * each; k++)
      c[k & 255] += 1;
}

int main(void) {
  __int128 c[100];
  long d[256] = {0};
  place(c, 10, 7);
  counter(d, 10, 9);
  for (int k = 0; k < 70; k++)
    if (c[k] != 3 * k - 100)
      return 1;
  for (int k = 0; k < 256; k++)
    if (d[k] != (k < 90))
      return 2;
  return 0;
}
