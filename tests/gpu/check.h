/*===- check.h - What the GPU tests share ---------------------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Counting of wrong results. Included by C and C++ programs.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_TESTS_GPU_CHECK_H
#define ACCX_TESTS_GPU_CHECK_H

#include <stdio.h>
#include <stdlib.h>

static int Wrong;

/** Says which condition does not hold, for the first few. */
#define CHECK(Condition)                                                       \
  do {                                                                         \
    if (!(Condition) && ++Wrong <= 10)                                         \
      printf("%s:%d: wrong: %s\n", __FILE__, __LINE__, #Condition);            \
  } while (0)

/** What main returns. */
static inline int verdict(void) {
  printf(Wrong ? "%d wrong\n" : "ok\n", Wrong);
  return Wrong != 0;
}

#endif /* ACCX_TESTS_GPU_CHECK_H */
