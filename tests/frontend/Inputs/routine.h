// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A routine that every unit sees.
#ifndef ROUTINE_H
#define ROUTINE_H

#pragma acc routine seq
static inline int inHeader(int X) { return X * 2; }

#endif
