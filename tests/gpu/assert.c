// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion that fails in a kernel ends the program with its words and the
// place of the region; what the device printed before comes out. The caller
// checks.

#include <assert.h>
#include <stdio.h>

int main(void) {
  fprintf(stderr, "before\n");
  int limit = 3;
#pragma omp target map(tofrom : limit)
  {
    for (int i = 0; i < 10; ++i) {
      printf("at %d\n", i);
      assert(i < limit);
    }
  }
  fprintf(stderr, "after\n");
  return 0;
}
