// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of files share.
#ifndef FILES_H
#define FILES_H

#include <accx/event.h>
#include <errno.h>
#include <fcntl.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPECT(Condition)                                                      \
  do {                                                                         \
    if (!(Condition)) {                                                        \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__,             \
              #Condition);                                                     \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// An empty file that is gone with its descriptor.
static inline int emptyFile(void) {
  char Name[] = "/tmp/accx-files-XXXXXX";
  const int Fd = mkstemp(Name);
  EXPECT(Fd >= 0);
  EXPECT(unlink(Name) == 0);
  return Fd;
}

#endif // FILES_H
