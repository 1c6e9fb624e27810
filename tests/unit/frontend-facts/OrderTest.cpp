//===- OrderTest.cpp - What is assigned before, and read after ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probing.h"

#include <catch2/catch.hpp>

using namespace accx::test;
using namespace accx::frontend;

namespace {

/// Facts of `t` for the body of a loop.
Variable inBody(const std::string &Body, const std::string &After = {}) {
  const Probed P = probeC("int g(int *), h(int); void f(int n, int *a) {\n"
                          "int t, u = 0;\n#pragma acc parallel loop\n"
                          "for (int i = 0; i < n; i++) {\n" +
                          Body + "\n}\n" + After + "\n}\n");
  REQUIRE(P.at(0).Known);
  REQUIRE(P.at(0).find("t"));
  return P.var(0, "t");
}

bool first(const std::string &Body) { return inBody(Body).WrittenFirst; }

bool live(const std::string &Code) {
  const Probed P = probeC("int g(int *), h(int); void f(int n, int *a) {\n"
                          "int t = 0, i;\n" +
                          Code + "\n}\n");
  REQUIRE(P.at(0).Known);
  REQUIRE(P.at(0).find("t"));
  return P.var(0, "t").LiveAfter;
}

const std::string Here = "\n#pragma acc parallel\n{ t = a[0]; }\n";

} // namespace

TEST_CASE("assigned before it is used", "[order]") {
  CHECK(first("t = a[i]; a[i] = t;"));
  CHECK(first("t = a[i]; t += 1; t++; a[i] = t;"));
  CHECK(first("if (i) t = 1; else t = 2; a[i] = t;"));
  CHECK(first("if (i) { t = 1; a[i] = t; }"));
  CHECK(first("if (i) { t = 1; a[i] = t; } else { t = 2; }"));
  CHECK(first("for (t = 0; t < 3; t++) a[i] += t;"));
  CHECK(first("for (int j = 0; j < 3; j++) { t = j; a[i] += t; }"));
  CHECK(first("do { t = 1; } while (t < u); a[i] = t;"));
  CHECK(first("while ((t = h(i)) > 3) a[i] = t;"));
  CHECK(
      first("switch (i) { case 0: t = 1; break; default: t = 2; } a[i] = t;"));
  CHECK(first("a[i] = (t = 3, t);"));
  CHECK(first("u = i ? (t = 1) : (t = 2); a[i] = t;"));
  CHECK(first("if (i > 3) continue; t = i; a[i] = t;"));
  CHECK(first("t = sizeof(t); a[i] = t;"));
  CHECK(
      first("for (int j = 0; j < 3; j++) { if (j) break; t = j; a[i] = t; }"));
  CHECK(first("({ t = 1; }); a[i] = t;"));
  CHECK(first("for (;;) { t = 1; break; } a[i] = t;"));
}

TEST_CASE("used before it is assigned", "[order]") {
  CHECK_FALSE(first("a[i] = t; t = a[i];"));
  CHECK_FALSE(first("t += a[i];"));
  CHECK_FALSE(first("t++;"));
  CHECK_FALSE(first("if (i) t = 1; a[i] = t;"));
  CHECK_FALSE(first("i && (t = 1); a[i] = t;"));
  CHECK_FALSE(first("for (int j = 0; j < u; j++) t = j; a[i] = t;"));
  CHECK_FALSE(first("for (int j = 0; j < u; j++) { a[i] = t; t = j; }"));
  CHECK_FALSE(first("while (u--) t = 1; a[i] = t;"));
  CHECK_FALSE(first("switch (i) { case 0: t = 1; } a[i] = t;"));
  CHECK_FALSE(
      first("switch (i) { case 0: t = 1; break; default: ; } a[i] = t;"));
  CHECK_FALSE(first("do { if (i) break; t = 1; } while (0); a[i] = t;"));
  CHECK_FALSE(first("do { if (i) continue; t = 1; } while (t); "));
  CHECK_FALSE(first("t = t + 1;"));
  CHECK_FALSE(first("g(&t); a[i] = t;"));
  CHECK_FALSE(first("t = 1; { static int *p; p = &t; } a[i] = t;"));
  CHECK_FALSE(first("l: t = 1; if (h(t)) goto l;"));
  CHECK_FALSE(inBody("a[i] = t;").WrittenFirst);
}

TEST_CASE("an address kept elsewhere", "[order]") {
  const Probed P = probeC(R"(
int g(int *);
void f(int n, int *a) {
  int t, u; int *p = &t; g(&u);
#pragma acc parallel loop
  for (int i = 0; i < n; i++) { t = i; u = i; a[i] = t + u; }
})");
  CHECK_FALSE(P.var(0, "t").WrittenFirst);
  CHECK(P.var(0, "t").LiveAfter);
  CHECK(P.var(0, "u").WrittenFirst);
  CHECK_FALSE(P.var(0, "u").LiveAfter);
}

TEST_CASE("globals and functions that may use them", "[order]") {
  const Probed P = probeC(R"(
int t, v; int h(int); volatile int w; float sqrtf(float);
void f(int n, int *a) {
#pragma acc parallel loop
  for (int i = 0; i < n; i++) { t = i; a[i] = h(t); w = i; a[i] = w; }
#pragma acc parallel loop
  for (int i = 0; i < n; i++) { t = i; a[i] = sqrtf(t); }
})");
  CHECK_FALSE(P.var(0, "t").WrittenFirst);
  CHECK_FALSE(P.var(0, "w").WrittenFirst);
  CHECK(P.var(1, "t").WrittenFirst);
  CHECK(P.var(1, "t").LiveAfter);
}

TEST_CASE("the loop's own variables", "[order]") {
  const Probed P = probeC(R"(
void f(int n, int m, int *a) {
  int i, j, k = 0;
#pragma acc parallel loop
  for (i = k; i < n; i++) for (j = 0; j < m; j++) { a[i * m + j] = i; k = j; }
#pragma acc parallel
  {
#pragma acc loop private(j)
    for (i = 0; i < n; i++) { for (j = 0; j < m; j++) a[i * m + j] = i; }
  }
})");
  CHECK(P.var(0, "i").WrittenFirst);
  CHECK(P.var(0, "j").WrittenFirst);
  CHECK_FALSE(P.var(0, "k").WrittenFirst);
  CHECK_FALSE(P.var(0, "n").Written);
  CHECK(P.at(0).CanonicalDepth == 2);
  CHECK(P.at(1).find("j") == nullptr);
  CHECK(P.var(2, "j").WrittenFirst);
}

TEST_CASE("read afterwards", "[order]") {
  CHECK_FALSE(live(Here));
  CHECK(live(Here + "a[1] = t;"));
  CHECK_FALSE(live("a[1] = t;" + Here));
  CHECK_FALSE(live(Here + "t = 1; a[1] = t;"));
  CHECK(live(Here + "if (n) t = 1; a[1] = t;"));
  CHECK(live("for (i = 0; i < n; i++) { a[1] = t;" + Here + "}"));
  CHECK_FALSE(live("for (i = 0; i < n; i++) { t = 0; a[1] = t;" + Here + "}"));
  CHECK(live("while (n--) { while (n--) {" + Here + "} a[1] = t; }"));
  CHECK(live("for (; n; n--) { for (; t; n--) {" + Here + "} t = 0; }"));
  CHECK_FALSE(live("if (n) {" + Here + "} else { a[1] = t; }"));
  CHECK(live("do {" + Here + "} while (t);"));
  CHECK(live("switch (n) { case 1:" + Here + "default: a[1] = t; }"));
  CHECK_FALSE(
      live("switch (n) { case 1:" + Here + "break; default: a[1] = t; }"));
  CHECK_FALSE(live(Here + "return; a[1] = t;"));
  CHECK(live(Here + "return t;"));
  CHECK(live("again:" + Here + "if (n--) goto again;"));
  CHECK(live(Here + "g(&t);"));
  CHECK(live("int *p = &t;" + Here + "a[1] = *p;"));
  CHECK(live(Here + "\n#pragma acc parallel loop async(t)\nfor (i = 0; i < n; "
                    "i++) a[i] = 1;"));
  CHECK(live(Here + "\n#pragma acc update self(a[0:t])\n"));
  CHECK(live(Here + "\n#pragma acc parallel loop reduction(+:t)\nfor (i = 0; i "
                    "< n; i++) t += a[i];"));
  CHECK_FALSE(live(Here + "\n#pragma acc parallel loop private(t)\nfor (i = 0; "
                          "i < n; i++) { t = 1; a[i] = t; }"));
  CHECK(live(Here + "\n#pragma acc parallel loop firstprivate(t)\nfor (i = 0; "
                    "i < n; i++) { a[i] = t; }"));
}

TEST_CASE("lambdas and references", "[order]") {
  const Probed P = probeCxx(R"(
void f(int n, int *a, int &r) {
  int t, u, v; const int &c = u;
  auto l = [&](int p) {
    int w, x;
#pragma acc parallel loop
    for (int i = 0; i < n; i++) { t = i; w = t; x = w; p = x; a[i] = p; r = i; }
    return x;
  };
#pragma acc parallel
  { u = 1; v = 2; t = 3; r = 1; }
})");
  REQUIRE(P.at(0).Known);
  CHECK(P.var(0, "t").WrittenFirst);
  CHECK(P.var(0, "t").LiveAfter);
  CHECK(P.var(0, "w").WrittenFirst);
  CHECK_FALSE(P.var(0, "w").LiveAfter);
  CHECK(P.var(0, "x").LiveAfter);
  CHECK_FALSE(P.var(0, "p").LiveAfter);
  CHECK_FALSE(P.var(0, "r").WrittenFirst);
  CHECK(P.var(0, "r").LiveAfter);
  REQUIRE(P.at(1).Known);
  CHECK(P.var(1, "u").LiveAfter);
  CHECK_FALSE(P.var(1, "v").LiveAfter);
  CHECK(P.var(1, "t").LiveAfter);
}
