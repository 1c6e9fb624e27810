/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stands in front of Clang's math.h for GPUs, which declares functions max and
 * min: a program's macros of these names wait outside.
 */
#pragma push_macro("max")
#pragma push_macro("min")
#undef max
#undef min
#include_next <math.h>
#pragma pop_macro("min")
#pragma pop_macro("max")
