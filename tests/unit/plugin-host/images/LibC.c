// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image that calls the system's libraries.

#include <stdlib.h>
#include <string.h>

void kernel_copy(char *out, const char *in) {
  char *copy = strdup(in);
  strcpy(out, copy);
  free(copy);
}
