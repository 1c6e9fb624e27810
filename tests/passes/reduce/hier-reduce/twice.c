// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second run finds nothing to do.
//
// RUN: %device %s | %hier-reduce -o %t.once.ll 2>/dev/null
// RUN: %alone < %t.once.ll -o %t.twice.ll 2> %t.remarks
// RUN: sed -e "s/; preds.*//" %t.once.ll > %t.once
// RUN: sed -e "s/; preds.*//" %t.twice.ll > %t.twice
// RUN: diff %t.once %t.twice
// RUN: not grep . %t.remarks
long sum(int n, const int *x) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)              \
    map(to : x[ : n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
