// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the first LEN elements back: LEN stands in a directive alone, so
// that nothing else of the text tells one LEN from another.

#include <stdio.h>
#ifdef LENGTH_IN_HEADER
#include "length.h"
#endif

#define N 64
#define IN_TEXT(X) #X
#define DIRECTIVE(X) _Pragma(IN_TEXT(acc X))
#define PASTE(X, Y) X##Y

int main(void) {
  int a[N], sum = 0;
  for (int i = 0; i < N; ++i)
    a[i] = 1;
#pragma acc data copyin(a[0 : PASTE(6, 4)]) /* gone */ // this, too
  {
    // clang-format off
#pragma acc parallel \
    present(a) \
    num_gangs(PASTE(1, 0))
    // clang-format on
    DIRECTIVE(loop gang vector)
    for (int i = 0; i < N; ++i)
      a[i] = 2;
#pragma acc update self(a[0 : LEN])
  }
  for (int i = 0; i < N; ++i)
    sum += a[i];
  printf("sum %d, line %d\n", sum, __LINE__);
  return 0;
}
