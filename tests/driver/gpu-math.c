// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros max and min in front of math.h, whose form for GPUs has functions of
// these names.
// REQUIRES: cuda-toolkit
//
// RUN: %accxcc --accx-targets=host,sm_90 -O2 -Wall -Werror -fsyntax-only %s
// RUN: %accxcc -x c++ --accx-targets=host,sm_90 -O2 -Wall -Werror -fsyntax-only %s
// RUN: %accxcc --accx-show --accx-targets=host -c %s | FileCheck %s --implicit-check-not=accx/gpu
// CHECK: clang-19

#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
#include <math.h>

double length(int n, const double *a) {
  double s = 0;
#pragma acc parallel loop copyin(a[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += sqrt(max(a[i], 0.) * min(a[i], 9.));
  return s;
}
