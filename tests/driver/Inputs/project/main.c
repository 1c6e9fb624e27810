// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

int sum_main(void);
int answer(void);

int main(void) {
  if (sum_main() != 0)
    return 1;
  printf("from C++: %d\n", answer());
  return 0;
}
