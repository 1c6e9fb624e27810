//===- ItemsTest.cpp - What the variables in clauses are ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probing.h"

#include <catch2/catch.hpp>

using namespace accx::test;
using namespace accx::frontend;

TEST_CASE("items of clauses", "[items]") {
  const Probed P = probeC(R"(
struct S { float *p; int b : 3; } ; int g[]; int h(int);
void f(int n, float *a, struct S *s) {
  float m[4][4]; struct S o; register int r; int vla[n];
#pragma acc data copyin(a[0:n], m[1:2], o) copy(s->p[0:n], r, vla, g, o.b) create(a[n:1], zzz)
  { ; }
#pragma acc update self(m[1][0:3]) device(a[0], o.p[0:1])
#pragma acc wait(n)
#pragma acc cache(a[0:2])
})");
  CHECK(P.Output == "");
  auto Class = [&](unsigned O, unsigned C, unsigned I) {
    CHECK(P.Facts.item(O, C, I).Resolved);
    return P.Facts.item(O, C, I).Class;
  };
  CHECK(Class(0, 0, 0) == TypeClass::Pointer);
  CHECK(Class(0, 0, 1) == TypeClass::Array);
  CHECK(Class(0, 0, 2) == TypeClass::Record);
  CHECK(Class(0, 1, 0) == TypeClass::Pointer);
  CHECK(Class(0, 1, 1) == TypeClass::Scalar);
  CHECK(Class(0, 1, 2) == TypeClass::Array);
  CHECK(Class(0, 1, 3) == TypeClass::Array);
  CHECK(P.Facts.item(0, 1, 3).IsGlobal);
  CHECK_FALSE(P.Facts.item(0, 1, 2).IsGlobal);
  CHECK(Class(0, 1, 4) == TypeClass::Scalar);
  CHECK(Class(0, 2, 0) == TypeClass::Pointer);
  CHECK_FALSE(P.Facts.item(0, 2, 1).Resolved);
  CHECK(P.at(0).Known);
  CHECK(Class(1, 0, 0) == TypeClass::Array);
  CHECK(Class(1, 1, 0) == TypeClass::Scalar);
  CHECK(Class(1, 1, 1) == TypeClass::Pointer);
  CHECK(Class(3, 0, 0) == TypeClass::Pointer);
}

TEST_CASE("members, references and functions", "[items]") {
  const Probed P = probeCxx(R"(
int glob; void fun(int); void over(int), over(double);
#pragma acc routine(fun) seq
#pragma acc routine(over) seq
#pragma acc declare create(glob)
template <class T> struct B { T *q; };
template <class T> struct C : B<T> {
  T *p; int n; static int st; T arr[4]; T &ref;
  void f(T &r, T t) {
#pragma acc parallel copy(p[0:n], n, r, t, this[0:1]) copyin(this->n, st, arr, ref, this->q[0:n])
    { p[0] = t; }
  }
#pragma acc declare create(st)
};
void lambda(int *x, int n) {
  auto l = [=] {
#pragma acc enter data copyin(x[0:n])
  };
  auto m = [] {
#pragma acc enter data copyin(x[0:n])
  };
})");
  CHECK(P.Output == "");
  CHECK(P.Facts.item(0, 0, 0).IsFunction);
  // An overloaded name says nothing of which.
  CHECK_FALSE(P.Facts.item(1, 0, 0).Resolved);
  CHECK(P.Facts.item(2, 0, 0).IsGlobal);
  const auto Item = [&](unsigned C, unsigned I) {
    return P.Facts.item(3, C, I);
  };
  CHECK(P.at(3).Known);
  CHECK(Item(0, 0).IsMember);
  CHECK(Item(0, 0).Class == TypeClass::Pointer);
  CHECK(Item(0, 1).IsMember);
  CHECK(Item(0, 1).Class == TypeClass::Scalar);
  CHECK(Item(0, 2).IsReference);
  CHECK(Item(0, 2).Class == TypeClass::Unknown);
  CHECK_FALSE(Item(0, 3).IsReference);
  CHECK(Item(0, 3).Resolved);
  CHECK(Item(0, 4).Class == TypeClass::Pointer);
  CHECK_FALSE(Item(1, 0).IsMember);
  CHECK(Item(1, 0).Class == TypeClass::Scalar);
  CHECK(Item(1, 1).IsGlobal);
  CHECK_FALSE(Item(1, 1).IsMember);
  CHECK(Item(1, 2).Class == TypeClass::Array);
  CHECK(Item(1, 2).IsMember);
  CHECK(Item(1, 3).IsReference);
  CHECK(P.Facts.item(4, 0, 0).IsGlobal);
  CHECK(P.Facts.item(5, 0, 0).Class == TypeClass::Pointer);
}

TEST_CASE("what is not there is not known", "[items]") {
  const Facts F;
  CHECK_FALSE(F.item(0, 0, 0).Resolved);
  CHECK_FALSE(F.statement(7).Known);
  const Probed P = probeC("int x;\n#pragma acc declare create(x)\n");
  CHECK_FALSE(P.Facts.item(0, 0, 1).Resolved);
  CHECK_FALSE(P.Facts.item(0, 1, 0).Resolved);
  CHECK_FALSE(P.at(0).Known);
}
