// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong uses of spread and replicate name the variable and what to write.
// RUN: %accx_syntax -ferror-limit=0 -Xclang -verify %s

// clang-format off
struct Pair { int a, b; };
#pragma accx enter spread(nowhere[0:1])
// expected-error@-1 {{'enter spread' must stand in a function}}

void f(int n, double *a, double **t, double (*c)[8], double m[4][8]) {
  double s = 0, w[10];
  struct Pair p = {0, 0};
#pragma accx spread
// expected-error@-1 {{expected '(' after 'spread'}}
// expected-note@-2 {{write 'spread(list)' with arrays, as in 'a[first:length]'}}
  ;
#pragma accx spread()
// expected-error@-1 {{expected a variable in the list of 'spread'}}
  ;
#pragma accx spread(s)
// expected-error@-1 {{'s' is no array, and 'spread' takes arrays alone; a scalar needs no directive}}
  ;
#pragma accx replicate(p)
// expected-error@-1 {{'p' is no array, and 'replicate' takes arrays alone; name what it holds by a pointer, as in 'p[0:n]'}}
  ;
#pragma accx enter spread(a)
// expected-error@-1 {{'a' is a pointer: 'enter spread' needs the array's part, as in 'a[first:length]'}}
#pragma accx exit spread(w, a)
// expected-error@-1 {{'a' is a pointer: 'exit spread' needs the array's part, as in 'a[first:length]'}}
#pragma accx exit spread(a[:])
// expected-error@-1 {{'a[:]' has no length, and 'a' is a pointer: write 'a[first:length]'}}
#pragma accx enter spread(t[0:n][0:n])
// expected-error@-1 {{'t' is a table of pointers, whose rows are no memory in one piece; 'enter spread' one row, or allocate them together}}
#pragma accx enter spread(a[0:-3])
// expected-error@-1 {{the length of 'a[0:-3]' is negative: -3 elements}}
#pragma accx enter spread(w[4:7])
// expected-error@-1 {{'w[4:7]' ends behind the array: 'w' has 10 elements, and the section is 7 elements from element 4 on, which counts from 0}}
#pragma accx enter spread(c[0:n][0:7])
// expected-error@-1 {{'c[0:n][0:7]' leaves parts of the rows of 'c' out: only memory in one piece can be in 'enter spread'; name all of the inner dimensions, as in '[:]'}}
#pragma accx enter spread(m[0:2][1:7])
// expected-error@-1 {{'m[0:2][1:7]' leaves parts of the rows of 'm' out}}
#pragma accx enter spread(m[0:2][1])
// expected-error@-1 {{'m[0:2][1]' leaves parts of the rows of 'm' out}}
#pragma accx enter spread(m[1:1][1:7], c[0:n][:])
#pragma accx spread(a[0:n]) copy(w)
// expected-error@-1 {{'copy' is not allowed on 'spread'}}
// expected-note@-2 {{'copy' may stand on}}
  ;
#pragma accx spread(a[0:n]) device(1)
// expected-error@-1 {{'device' is not allowed on 'spread'}}
// expected-note@-2 {{'device' may stand on}}
  ;
#pragma accx spread(a[0:n]) turns(1)
// expected-error@-1 {{unknown OpenACC clause 'turns' on 'spread'}}
  ;
#pragma accx spread(a[0:n]) block(0)
// expected-error@-1 {{the argument of 'block' must be 1 or more}}
  ;
#pragma accx spread(a[0:n]) block(1, 2)
// expected-error@-1 {{'block' takes}}
  ;
#pragma accx replicate(a[0:n]) block(2)
// expected-error@-1 {{'block' is not allowed on 'replicate'}}
// expected-note@-2 {{'block' may stand on}}
  ;
#pragma accx spread(readonly: a[0:n])
// expected-error@-1 {{'spread' takes no modifier: unexpected ':'}}
// expected-note@-2 {{a sub-array stands in brackets, as in 'a[first:length]'}}
  ;
#pragma accx spread(a[0:n], w, w[5:1])
// expected-error@-1 {{'w[5:1]' and 'w' overlap: an element is in one spread array; leave one of them out of 'spread'}}
  ;
#pragma accx spread(a[0:4], a[4:n], a[3:2])
// expected-error@-1 {{'a[3:2]' and 'a[0:4]' overlap}}
  ;
#pragma accx spread(a[0:n]) devices()
// expected-error@-1 {{expected an expression}}
  ;
#pragma acc spread(a[0:n])
// expected-error@-1 {{'spread' is no directive of OpenACC: write '#pragma accx spread'}}
  ;
#pragma accx enter data copyin(w)
// expected-error@-1 {{expected 'spread', 'replicate', 'enter' or 'exit' with one of them, 'distribute', 'read', 'write', 'send', 'recv', 'timetile', 'smc' or 'smc_barrier' after 'accx'}}
#pragma acc parallel
  {
#pragma accx spread(a[0:n])
// expected-error@-1 {{'spread' may not stand in a 'parallel' construct}}
    ;
  }
  {
#pragma accx spread(a[0:n])
// expected-error@-1 {{expected a statement or a block behind 'spread'; 'enter spread' and 'exit spread' stand alone}}
  }
}
