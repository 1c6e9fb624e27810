// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second run finds nothing to do.
//
// RUN: %device %s | %grid-loop 2>/dev/null > %t.once
// RUN: %grid-loop < %t.once > %t.twice 2> %t.remarks
// RUN: sed -e "s/; preds.*//" %t.once > %t.once.ll
// RUN: sed -e "s/; preds.*//" %t.twice > %t.twice.ll
// RUN: diff %t.once.ll %t.twice.ll
// RUN: not grep . %t.remarks

void add(int n, float *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[ : n])
  for (int i = 0; i < n; i++)
    x[i] += 1;
}
