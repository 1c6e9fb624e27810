//===- ReductionTest.cpp - What is seen as a reduction --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probing.h"

#include <catch2/catch.hpp>

using namespace accx::test;
using namespace accx::frontend;

namespace {

std::string reduced(const std::string &Body, bool Cxx = false) {
  const std::string Code =
      "double fmax(double, double); float fminf(float, float);\n"
      "void f(int n, const int *a) { int s = 0, u = 0; double d = 0;\n"
      "#pragma acc parallel loop\nfor (int i = 0; i < n; i++) {\n" +
      Body + "\n}\n}\n";
  const Probed P = Cxx ? probeCxx(Code) : probeC(Code);
  REQUIRE(P.at(0).Known);
  const char *Name = P.at(0).find("d") ? "d" : "s";
  const Variable V = P.var(0, Name);
  CHECK(V.ReducedOnly == !V.ReductionOperator.empty());
  return V.ReductionOperator;
}

} // namespace

TEST_CASE("forms of a reduction", "[reduction]") {
  CHECK(reduced("s += a[i];") == "+");
  CHECK(reduced("s -= a[i];") == "+");
  CHECK(reduced("s++;") == "+");
  CHECK(reduced("--s;") == "+");
  CHECK(reduced("s = s + a[i];") == "+");
  CHECK(reduced("s = a[i] + s;") == "+");
  CHECK(reduced("s = a[i] + s + u;") == "+");
  CHECK(reduced("s = s - a[i] - u;") == "+");
  CHECK(reduced("s = u - (a[i] - s);") == "+");
  CHECK(reduced("s *= a[i];") == "*");
  CHECK(reduced("s = 2 * s;") == "*");
  CHECK(reduced("s &= a[i];") == "&");
  CHECK(reduced("s |= a[i];") == "|");
  CHECK(reduced("s = s ^ a[i];") == "^");
  CHECK(reduced("s = s && a[i];") == "&&");
  CHECK(reduced("s = a[i] || s;") == "||");
  CHECK(reduced("if (a[i] > s) s = a[i];") == "max");
  CHECK(reduced("if (s > a[i]) { s = a[i]; }") == "min");
  CHECK(reduced("s = s < a[i] ? a[i] : s;") == "max");
  CHECK(reduced("s = a[i] < s ? a[i] : s;") == "min");
  CHECK(reduced("d = fmax(d, a[i]);") == "max");
  CHECK(reduced("d = fminf(a[i], d);") == "min");
  CHECK(reduced("d += a[i]; d += 2; d = d - 3;") == "+");
  CHECK(reduced("if (a[i]) s += 1; else s += 2;") == "+");
  CHECK(reduced("for (int j = 0; j < n; s++, j++) ;") == "+");
  CHECK(reduced("(void)(s += 1);") == "+");
}

TEST_CASE("what only looks like a reduction", "[reduction]") {
  CHECK(reduced("s = a[i] - s;") == "");
  CHECK(reduced("s = s * 2 + 1;") == "");
  CHECK(reduced("s += s;") == "");
  CHECK(reduced("s += a[s];") == "");
  CHECK(reduced("s += 1; s *= 2;") == "");
  CHECK(reduced("u = s += 1;") == "");
  CHECK(reduced("u = s++;") == "");
  CHECK(reduced("s += 1; u = s;") == "");
  CHECK(reduced("if (s > 3) s += 1;") == "");
  CHECK(reduced("s /= 2;") == "");
  CHECK(reduced("s <<= 1;") == "");
  CHECK(reduced("s = 0; s += 1;") == "");
  CHECK(reduced("if (a[i] > s) s = u;") == "");
  CHECK(reduced("if (a[i] > s) s = a[i]; else u = 1;") == "");
  CHECK(reduced("if (a[i] > s) { s = a[i]; u = i; }") == "");
  CHECK(reduced("s = s < a[i] ? s : u;") == "");
  CHECK(reduced("d = fmax(d, d);") == "");
}

TEST_CASE("assigned only by reductions in templates", "[reduction]") {
  const Probed P = probeCxx(R"(
namespace std { template <class T> const T &max(const T &a, const T &b); }
template <class T> T f(int n, const T *a) {
  T s{}, m{}, k{};
#pragma acc parallel loop
  for (int i = 0; i < n; i++) { s += a[i]; m = a[i] > m ? a[i] : m; k = a[i]; }
  return s;
}
int g(int n, const int *a) { int m = 0;
#pragma acc parallel loop
  for (int i = 0; i < n; i++) m = std::max(m, a[i]);
  return m; })");
  REQUIRE(P.at(0).Known);
  CHECK(P.var(0, "s").ReductionOperator == "+");
  CHECK(P.var(0, "s").LiveAfter);
  CHECK(P.var(0, "m").ReductionOperator == "max");
  CHECK_FALSE(P.var(0, "m").LiveAfter);
  CHECK_FALSE(P.var(0, "k").ReducedOnly);
  CHECK(P.var(0, "k").Written);
  CHECK(P.var(1, "m").ReductionOperator == "max");
}
