// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A check that names its place and works whatever NDEBUG says.

#ifndef ACCX_TESTS_PROGRAMS_EXPECT_H
#define ACCX_TESTS_PROGRAMS_EXPECT_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(Condition)                                                      \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__,             \
              #Condition);                                                     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// Without an image there are no devices, and everything would be the host's.
static inline void expectDevices(void) {
#pragma omp target
  {
  }
  EXPECT(omp_get_num_devices() >= 2);
}

#endif
