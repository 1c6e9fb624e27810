// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes in fcw and accx smc name the variable and what is missing.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
void f(int n, float *a, float **t, float *restrict r) {
  float s = 0;
  for (int i = 0; i < n; ++i) {
#pragma acc fcw
// expected-error-re@-1 {{'fcw' needs {{.*}}}}
// expected-note@-2 0+ {{}}
    s += a[i];
#pragma acc fcw FETCH_ONLY(a)
// expected-error@-1 {{expected a range behind the array of 'FETCH_ONLY'}}
// expected-note@-2 {{write 'FETCH_ONLY(array[pivot:before:after])', with three expressions for each dimension}}
    s += a[i];
#pragma acc fcw FETCH_ONLY(a[i:1])
// expected-error@-1 {{a range of 'FETCH_ONLY' has a pivot, the number of elements before it and the number after it}}
// expected-note@-2 {{write 'FETCH_ONLY}}
    s += a[i];
#pragma acc fcw FETCH_ONLY(a[i: :1])
// expected-error@-1 {{expected an expression in the range of 'FETCH_ONLY'}}
// expected-note@-2 {{write 'FETCH_ONLY}}
    s += a[i];
#pragma acc fcw FETCH_CHANNEL(a[i:0:0])
// expected-error@-1 {{'a' in 'FETCH_CHANNEL' must be 'restrict': writes through another pointer would be missed}}
    s += a[i];
#pragma acc fcw FETCH_CHANNEL(r[i:0:0])
    s += r[i];
#pragma acc fcw FETCH_ONLY(s[i:0:0])
// expected-error@-1 {{'s' in 'FETCH_ONLY' is no array}}
    s += a[i];
#pragma acc fcw FETCH_ONLY(t[i:0:0][i:0:0])
// expected-error@-1 {{'t' in 'FETCH_ONLY' is a table of pointers, not an array of more than one dimension}}
    s += a[i];
#pragma acc fcw FETCH_ONLY(a[i:0:0]) block(0)
// expected-error@-1 {{the argument of 'block' must be 1 or more}}
    s += a[i];
#pragma accx cache(a[i:1])
// expected-error@-1 {{'smc' or 'smc_barrier' after 'accx'}}
    s += a[i];
  }
}
