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
#pragma acc routine seq bind(itself)
// expected-error@-1 {{'bind' names the routine itself}}
int itself(int X) { return X; }

#pragma acc routine seq bind("symbol")
auto toSymbol = [](int X) { return X; };
#pragma acc routine seq bind(later)
auto toLater = [](int X) { return X; };

void calls(int *R) {
#pragma acc serial copyout(R[0 : 1])
  R[0] = toSymbol(1);
  // expected-error@-1 {{'toSymbol' is bound to a symbol, which is not supported where one of them is a lambda}}
#pragma acc serial copyout(R[0 : 1])
  R[0] = toLater(1);
  // expected-error@-1 {{'toLater' is bound to 'later', which is declared later}}
#pragma acc routine seq bind(other)
  // expected-error@-1 {{'bind' of a lambda is supported outside of functions only}}
  auto Local = [](int X) { return X; };
}

auto later = [](int X) { return X; };
