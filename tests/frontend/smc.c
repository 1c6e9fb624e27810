// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fcw, cache and accx smc: the host mentions what device code uses, in the same
// order; -E keeps the directives.
//
// RUN: %accx_print %s | FileCheck %s
// RUN: %plainclang -fopenmp -fplugin=%accx_plugin -E %s | FileCheck %s --check-prefix=CHECK-E
// RUN: %plainclang -fplugin=%accx_plugin -fsyntax-only -Wall -Werror -Wno-unknown-pragmas -Wno-source-uses-openacc %s

// CHECK-E: #pragma acc fcw FETCH_ONLY ( a [ i : 1 : 2 ] ) block ( 64 )
// CHECK-E: #pragma acc fcw_barrier
// CHECK-E: #pragma acc cache ( a [ i : 1 ] )
// CHECK-E: #pragma accx smc CHANNEL_WB ( b [ i : 0 : 0 ] )
// clang-format off
#define ROWS 8
// CHECK-LABEL: void f(
void f(int n, float *a, float *restrict b, float c[ROWS][ROWS]) {
// CHECK: long __accx_extent_[[E:[0-9]+]]_high = 0L + (long)(n)
// CHECK: firstprivate(__accx_extent_[[E]]_high)
// CHECK: if (0)
// CHECK-NEXT: __accx_smc_mention("{{.*}}smc.c:[[#@LINE+3]]: 'a'", (const void *)(a), 1, {{.*}} 1, (long)sizeof ((a)[0]), (long)(i) - (long)(1), 1 + (long)(1) + (long)(2), 0L, __accx_extent_{{[0-9]+}}_high, {{.*}} 1, (long)(64), 0, 0)
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
  for (int i = 0; i < n; ++i) {
#pragma acc fcw FETCH_ONLY(a[i:1:2]) block(64)
    b[i] = a[i];
#pragma acc fcw_barrier
#pragma acc cache(a[i:1])
    b[i] += a[i];
  }
// CHECK: __accx_smc_unavailable("{{.*}}'b'");
// CHECK-NEXT: if (0)
// CHECK-NEXT: __accx_smc_mention("{{.*}}'b'", (const void *)(b), 6,
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i)
#pragma accx smc CHANNEL_WB(b[i:0:0])
    b[i] = a[i];
// CHECK: __accx_smc_mention("{{.*}}'c'", (const void *)(c), 1, (long)sizeof ((c)[0][0]), {{.*}}, 2, (long)sizeof ((c)[0]), (long)(i) - (long)(0), {{.*}}0, (long)sizeof ((c)[0]) / (long)sizeof ((c)[0][0])
#pragma acc parallel loop
  for (int i = 0; i < n; ++i)
#pragma acc fcw FETCH_ONLY(c[i:0:0:i:0:0])
    b[i] = c[i][i];
}
