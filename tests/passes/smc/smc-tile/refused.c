// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is refused is left as if there was no directive.
//
// RUN: %device %s | %smc-tile 2>&1 | FileCheck %s --implicit-check-not=barrier0 --implicit-check-not=stackmap --implicit-check-not=_accx_desc

// CHECK: 'a' is not cached: iterations of a block may disagree on reaching it
// CHECK: 'a' is not cached: its range is not constant or affine
// CHECK: 'a' is not cached: its extent, or the size of a block, is no constant
// CHECK: 'a' is not cached: it does not fit into shared memory
// CHECK: 'a' is not cached: blocks of that shape do not fit
// CHECK: 'a' is not cached: no grid-stride loop
// CHECK: 'a' is not cached: no grid-stride loop
// CHECK: define
void other(int *);
#pragma omp declare target to(other)

void f(int n, const int *k, const float *a, float *b) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
    if (k[i])
#pragma accx smc FETCH_ONLY(a[i : 0 : 0])
      b[i] = a[i];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_ONLY(a[n - i : 0 : 0])
    b[i] = a[n - i];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_ONLY(a[i : 0 : n])
    b[i] = a[i];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_ONLY(a[i : 0 : 20000])
    b[i] = a[i];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_ONLY(a[i : 0 : 0]) block(8, 8)
    b[i] = a[i];
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    int own = i;
#pragma accx smc FETCH_ONLY(a[i : 0 : 0])
    b[i] = a[i];
    other(&own);
  }
#pragma omp target
  {
    for (int i = 0; i < n; ++i)
#pragma accx smc FETCH_ONLY(a[i : 0 : 0])
      b[i] = a[i];
  }
}
