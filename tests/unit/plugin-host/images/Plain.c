// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image of which nothing runs when it is loaded or unloaded: data of every
// kind of relocation, a library function, thread-local data.

extern int printf(const char *, ...);
extern int nobody_has_this __attribute__((weak));
int plain_value = 1;
int plain_table[10];
int *plain_pointer = &plain_value;
int *plain_missing = &nobody_has_this;
void *plain_self = &plain_self;
_Thread_local int plain_thread = 4;

int kernel_plain(int x) {
  plain_thread++;
  return x + plain_value + plain_table[x & 7] +
         (plain_missing ? *plain_missing : 0) + printf("%d", x);
}
