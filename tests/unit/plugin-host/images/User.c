// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image that uses what another image of the same device defines.

extern int device_counter;
extern int device_add(int by);
extern int late_value __attribute__((weak));
int *user_address = &device_counter;

void kernel_use(int *out) {
  out[0] = device_add(100);
  out[1] = device_counter;
  out[2] = user_address == &device_counter;
}
