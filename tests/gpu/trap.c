// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that writes where nothing is: the program must end with a message
// that names the driver's error and the kernel, not go on. The caller checks.

#include <stdint.h>
#include <stdio.h>

int main(void) {
  fprintf(stderr, "before\n");
#pragma omp target
  {
    volatile int *nowhere = (volatile int *)(uintptr_t)0x10;
    *nowhere = 1;
  }
  fprintf(stderr, "after\n");
  return 0;
}
