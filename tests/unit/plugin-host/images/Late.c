// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image with a name that nobody defines, in code that never runs.

extern int nobody_defines_this(int);
int late_value = 3;

void kernel_late(int *out, long never) {
  *out = never ? nobody_defines_this(1) : late_value;
}
