//===- FlagsTest.cpp - Types of variables, and how they are written -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probing.h"

#include <catch2/catch.hpp>

using namespace accx::test;
using namespace accx::frontend;

TEST_CASE("types of variables", "[facts]") {
  const Probed P = probeC(R"(
typedef int T[3];
enum E { A };
struct S { int x; } g;
static double k;
void f(int n, float p[4], const int c, _Complex double z, enum E e) {
  int vla[n]; T t; struct S s; _Atomic int q; static int u; void (*fp)(void);
#pragma acc parallel
  { n; p; c; z; e; vla[0]; t[0]; s.x; q; u; g.x; k; fp; A; int inner; inner; }
})");
  REQUIRE(P.Ran);
  CHECK(P.Output == "");
  REQUIRE(P.at(0).Known);
  CHECK(P.var(0, "n").Class == TypeClass::Scalar);
  CHECK(P.var(0, "p").Class == TypeClass::Pointer);
  CHECK(P.var(0, "c").IsConst);
  CHECK(P.var(0, "z").Class == TypeClass::Scalar);
  CHECK(P.var(0, "e").Class == TypeClass::Scalar);
  CHECK(P.var(0, "vla").Class == TypeClass::Array);
  CHECK(P.var(0, "t").Class == TypeClass::Array);
  CHECK(P.var(0, "s").Class == TypeClass::Record);
  CHECK(P.var(0, "q").Class == TypeClass::Scalar);
  CHECK(P.var(0, "fp").Class == TypeClass::Pointer);
  CHECK(P.var(0, "u").IsGlobal);
  CHECK(P.var(0, "g").IsGlobal);
  CHECK(P.var(0, "k").IsGlobal);
  CHECK_FALSE(P.var(0, "n").IsGlobal);
  CHECK(P.var(0, "n").Line == 6);
  CHECK(P.at(0).find("inner") == nullptr);
  CHECK(P.at(0).find("A") == nullptr);
  CHECK(P.at(0).find("fp") != nullptr);
}

TEST_CASE("names in C++", "[facts]") {
  const Probed P = probeCxx(R"(
namespace ns { int x; struct S { static int c; }; }
template <class T, int N> void f(T t, T *p, T (&r)[N], const double &d) {
  T local[N];
#pragma acc parallel
  { ns::x = 1; ns::S::c = 2; t; p[0]; r[0]; d; local[0] = N; }
}
int y;
void g() {
  int y = 0; { int y = 1;
#pragma acc parallel
  { y = 2; int y; y = 3; } }
})");
  REQUIRE(P.at(0).Known);
  CHECK(P.var(0, "ns::x").Written);
  CHECK(P.var(0, "ns::S::c").IsGlobal);
  CHECK(P.var(0, "t").Class == TypeClass::Unknown);
  CHECK(P.var(0, "p").Class == TypeClass::Pointer);
  CHECK(P.var(0, "r").Class == TypeClass::Array);
  CHECK(P.var(0, "r").IsReference);
  CHECK(P.var(0, "d").Class == TypeClass::Scalar);
  CHECK(P.var(0, "d").IsReference);
  CHECK(P.var(0, "d").IsConst);
  CHECK(P.var(0, "local").Class == TypeClass::Array);
  CHECK(P.at(0).find("N") == nullptr);
  CHECK(P.at(1).Outer.size() == 1);
  CHECK(P.var(1, "y").Line == 10);
}

TEST_CASE("what counts as written", "[facts]") {
  const Probed P = probeC(R"(
void use(const int *), take(int *);
void f(int n) {
  int a = 0, b = 0, c = 0, d = 0, e = 0, h = 0, i = 0, v[4] = {0}, w[4];
  int *p = v; struct { int x, y; } s = {0}, r = {0}; const int *q = v; int k;
#pragma acc parallel
  { a = 1; b += 2; c++; take(&d); use(&e); h; i = i; w[1] = h; s.x = 1; r.y;
    p[0] = 1; q[0]; v[0]; sizeof(k = 1); }
})");
  REQUIRE(P.at(0).Known);
  for (const char *Name : {"a", "b", "c", "d", "i", "w", "s"}) {
    INFO(Name);
    CHECK(P.var(0, Name).Written);
  }
  for (const char *Name : {"e", "h", "v", "p", "q", "r"}) {
    INFO(Name);
    REQUIRE(P.at(0).find(Name));
    CHECK_FALSE(P.var(0, Name).Written);
  }
  CHECK(P.at(0).find("k") == nullptr);
  CHECK(P.var(0, "p").PointeeWritten);
  CHECK_FALSE(P.var(0, "q").PointeeWritten);
  CHECK(P.var(0, "a").Assigned);
  CHECK_FALSE(P.var(0, "b").Assigned);
  CHECK_FALSE(P.var(0, "w").Assigned);
}

TEST_CASE("references and members write, too", "[facts]") {
  const Probed P = probeCxx(R"(
void take(int &), look(const int &), give(int *), show(const int *);
struct S { int m, n[3]; static int st; void set(); int get() const;
  void f(int x, int y, int z, S o, S o2, int k) {
    int arr[3], arr2[3];
#pragma acc parallel
    { take(x); look(y); int &r = z; m = 1; o.set(); o2.get(); give(arr);
      show(arr2); st = 1; auto l = [&] { k = 1; }; }
  } };)");
  REQUIRE(P.at(0).Known);
  CHECK(P.at(0).UsesThis);
  for (const char *Name : {"x", "z", "o", "arr", "st", "k"}) {
    INFO(Name);
    CHECK(P.var(0, Name).Written);
  }
  for (const char *Name : {"y", "o2", "arr2"}) {
    INFO(Name);
    REQUIRE(P.at(0).find(Name));
    CHECK_FALSE(P.var(0, Name).Written);
  }
  CHECK_FALSE(P.var(0, "k").WrittenFirst);
  CHECK(P.at(0).find("m") == nullptr);
}

TEST_CASE("writes under atomic", "[facts]") {
  const Probed P = probeC(R"(
void f(int n) {
  int a = 0, b = 0, c = 0, d = 0, v = 0, w = 0, u = 0, x[4], y[4];
#pragma acc parallel
  {
#pragma acc atomic
    a++;
#pragma acc atomic update
    b += n;
    b = 1;
#pragma acc atomic capture
    v = c++;
#pragma acc atomic capture
    { w = d; d += 2; }
#pragma acc atomic read
    u = a;
#pragma acc atomic
    x[n] += 1;
#pragma acc atomic
    y[n] += 1;
    y[0] = 1;
  }
})");
  REQUIRE(P.at(0).Known);
  for (const char *Name : {"a", "c", "d", "x"}) {
    INFO(Name);
    CHECK(P.var(0, Name).Written);
    CHECK(P.var(0, Name).WrittenAtomically);
  }
  for (const char *Name : {"b", "v", "w", "u", "y"}) {
    INFO(Name);
    CHECK(P.var(0, Name).Written);
    CHECK_FALSE(P.var(0, Name).WrittenAtomically);
  }
}

TEST_CASE("macros, _Pragma and odd places", "[facts]") {
  const Probed P = probeC(R"(
#define PAR(x) _Pragma(#x)
#define BODY { s = q; t = s; }
void f(int n, int q) {
  int s, t, u;
  PAR(acc parallel copy(t))
  BODY
  if (n)
#pragma acc parallel
    s = 1;
  else
#pragma acc update host(t)
    ;
  switch (n) {
  case 1:
#pragma acc parallel
    u = 1;
    break;
  }
  goto out;
out:
#pragma acc parallel
  { l: u = 2; }
}
#pragma acc declare create(z)
int z;
)");
  CHECK(P.Output == "");
  CHECK(P.at(0).Known);
  CHECK(P.var(0, "s").WrittenFirst);
  CHECK(P.Facts.item(0, 0, 0).Resolved);
  CHECK(P.at(1).Known);
  CHECK(P.Facts.item(2, 0, 0).Resolved);
  CHECK(P.at(3).Known);
  CHECK(P.at(4).Known);
  CHECK(P.var(4, "u").Written);
  // A jump may go anywhere.
  CHECK_FALSE(P.var(4, "u").WrittenFirst);
  CHECK(P.var(4, "u").LiveAfter);
}
