// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int empty(void) { return 0; }
