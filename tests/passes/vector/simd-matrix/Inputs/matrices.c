/*===- matrices.c - Operations on small matrices, 2x2 to 8x8 --------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* T is the elements' type, TABLE the name of this build.
|*
\*===----------------------------------------------------------------------===*/

#include "matrices.h"

#define PASTE(X, Y) X##_##Y
#define NAME(X, Y) PASTE(X, Y)

#define N 2
#include "kinds.h"
#undef N
#define N 3
#include "kinds.h"
#undef N
#define N 4
#include "kinds.h"
#undef N
#define N 5
#include "kinds.h"
#undef N
#define N 6
#include "kinds.h"
#undef N
#define N 7
#include "kinds.h"
#undef N
#define N 8
#include "kinds.h"
#undef N

const struct Entry *const TABLE[SizeCount] = {
    table_2, table_3, table_4, table_5, table_6, table_7, table_8};
