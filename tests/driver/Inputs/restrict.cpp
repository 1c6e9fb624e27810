// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C's keyword in C++, as nvc++ --restrict has it.
#include <cstring>
double first(const double *restrict A) { return *A; }
