// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be proved is an error that says line, array, reason and cure.
//
// RUN: not %host-device -O2 -DKIND=1 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-LOOP
// RUN: not %host-device -O0 -DKIND=1 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-LOOP
// RUN: not %host-device -O2 -DKIND=2 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-SCHEDULE
// RUN: not %host-device -O2 -DKIND=3 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-DIVERGENT
// RUN: not %host-device -O2 -DKIND=4 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-SHAPE
// RUN: not %host-device -O2 -DKIND=5 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-ESCAPES
// RUN: not %host-device -O2 -DKIND=6 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-OUTLIVES
// RUN: not %host-device -O2 -DKIND=7 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-NOLOOP
// RUN: not %host-device -O2 -DKIND=8 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-FORM
// RUN: not %host-device -O2 -DKIND=9 %s -o - 2>&1 | FileCheck %s --check-prefix=CHECK-ENDS
void use(float *);
#pragma omp declare target to(use)
#if KIND == 2
#define SCHEDULE schedule(dynamic)
#elif KIND == 6
#define SCHEDULE reduction(+ : sum)
#else
#define SCHEDULE
#endif
#if KIND == 4
#define BLOCK 100000
#else
#define BLOCK 64
#endif
void f(int n, float *restrict a, const int *len, float *out) {
  float sum = 0;
#if KIND == 7
#pragma omp target map(a[ : n])
  for (int i = 0; i < n; ++i)
#else
#pragma omp target teams distribute parallel for SCHEDULE map(a[ : n],         \
                                                                  len[ : n])
  for (int i = 0; i < n; ++i)
#endif
  {
#if KIND == 3
    if (len[i])
#endif
// CHECK-ENDS: refused.c:[[#@LINE+8]]: 'a': {{.*}} elsewhere than at its end
// CHECK-LOOP: refused.c:[[#@LINE+7]]: 'a': the iterations of a block cannot run together: a write or barrier stands in a loop
// CHECK-SCHEDULE: refused.c:[[#@LINE+6]]: 'a': {{.*}} dealt out to threads
// CHECK-DIVERGENT: refused.c:[[#@LINE+5]]: 'a': {{.*}} may disagree on reaching it
// CHECK-SHAPE: refused.c:[[#@LINE+4]]: 'a': {{.*}} blocks of that shape
// CHECK-ESCAPES: refused.c:[[#@LINE+3]]: 'a': {{.*}} its address is given to a function
// CHECK-OUTLIVES: refused.c:[[#@LINE+2]]: 'a': {{.*}} outlives the loop's iterations
// CHECK-NOLOOP: refused.c:[[#@LINE+1]]: 'a': {{.*}} put the directive into the parallel loop
#pragma accx smc FETCH_CHANNEL_WB(a[i : 1 : 1]) block(BLOCK)
    {
#if KIND == 1
      for (int k = 0; k < len[i]; ++k)
        a[i] = a[i + 1];
#elif KIND == 5
      use(a + i);
#elif KIND == 6
      sum += a[i];
      a[i] = a[i + 1];
      sum += a[i];
#elif KIND == 8
      // CHECK-FORM: 'a': {{.*}} an access is not of the form
      float *p = i & 1 ? a : a + 1;
      *p = a[i];
#elif KIND == 9
      if (len[i] < 0)
        __builtin_trap();
      a[i] = a[i + 1];
#else
      a[i] = a[i + 1];
#endif
    }
  }
#if KIND == 6
  *out = sum;
#endif
}
