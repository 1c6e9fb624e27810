// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bind cannot do is said where it stands, once.
//
// RUN: %accx_syntax -std=c++20 -Xclang -verify %s

int other(int);
struct S {
#pragma acc routine seq bind(other)
  // expected-error@-1 {{'bind' is not supported on members, operators, templates and functions with qualified names}}
  int operator()(int X) const { return X; }
};
#pragma acc routine seq bind(other)
// expected-error@-1 {{'bind' is not supported on members, operators, templates and functions with qualified names}}
template <class T> T any(T X) { return X; }
#pragma acc routine seq bind("symbol")
// expected-error@-1 {{'bind' to a symbol is not supported on static and inline functions}}
static int two(int X) { return X; }
#pragma acc routine seq bind(missing)
// expected-error@-1 {{use of undeclared identifier 'missing'}}
int one(int X) { return X; }
