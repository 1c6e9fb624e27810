// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each second element is added up, the mask of a remainder is repeated
// for those between, by an instruction right behind the comparison that becomes
// the mask: both go.
//
// RUN: %plainclang --target=x86_64-linux-gnu -march=icelake-server -O3 -fplugin=%accx_plugin -fpass-plugin=%accx_plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %plainclang -O3 -march=native -fplugin=%accx_plugin -fpass-plugin=%accx_plugin %s -o %t && %t
// CHECK-LABEL: @rows(
// CHECK: llvm.masked.load
// CHECK-LABEL: @main(
__attribute__((noinline)) void rows(long n, long m, const unsigned long *x,
                                    unsigned long *z) {
  for (long i = 0; i < n; i += 2)
    for (const unsigned long *k = &x[i * m]; k < &x[i * m + m]; k += 2)
      z[i] += *k;
}

int main(void) {
  static unsigned long x[40 * 40], z[40];
  int bad = 0;
  for (long i = 0; i < 40 * 40; i++)
    x[i] = i * 2654435761u;
  for (long m = 0; m < 40; m++) {
    for (long i = 0; i < 40; i++)
      z[i] = i;
    rows(40, m, x, z);
    for (long i = 0; i < 40; i++) {
      unsigned long right = i;
      for (long k = 0; i % 2 == 0 && k < m; k += 2)
        right += x[i * m + k];
      bad |= z[i] != right;
    }
  }
  return bad;
}
