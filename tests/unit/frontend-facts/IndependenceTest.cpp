//===- IndependenceTest.cpp - Which loops are proven independent ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probing.h"

#include <catch2/catch.hpp>

using namespace accx::test;

namespace {

/// Why `loop` directive 0 in C function \p Body is not independent; empty if
/// it is.
std::string why(const std::string &Parameters, const std::string &Body,
                const std::string &Before = {}) {
  const Probed P =
      probeC(Before + "\nvoid f(" + Parameters + ") {\n" + Body + "\n}\n");
  if (!P.at(0).Known)
    return "unknown";
  CHECK(P.at(0).Independent == P.at(0).Dependence.empty());
  return P.at(0).Dependence;
}

const std::string Restrict =
    "int n, int m, float *restrict a, const float *restrict b";
const std::string Plain = "int n, int m, float *a, const float *b";

bool contains(const std::string &S, const std::string &Part) {
  INFO(S);
  return S.find(Part) != std::string::npos;
}

std::string loop(const std::string &Code, const std::string &Clauses = {}) {
  return "\n#pragma acc loop " + Clauses + "\n" + Code;
}

} // namespace

TEST_CASE("one subscript is the loop's variable", "[independence]") {
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = b[i];")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] += b[n - i];")) ==
        "");
  CHECK(why(Restrict, loop("for (int i = n; i-- > 0;) a[i] = 0;")) != "");
  CHECK(why(Restrict, loop("for (int i = n - 1; i >= 0; --i) a[i] = b[i];")) ==
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i += 2) "
                           "{ a[i] = b[i]; a[i] *= 2; }")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) *(a + i) = b[i];")) ==
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[n - i] = b[i];")) ==
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i + m] = b[i];")) ==
        "");
  CHECK(why(Restrict, "int i;" + loop("for (i = 0; i < n; i++) a[i] = 1;")) ==
        "");
  CHECK(why(Restrict, loop("for (unsigned i = 0; i < n; i++) a[i] = b[i];")) ==
        "");
  CHECK(why(Restrict, loop("for (long i = 0; i < n; i++) a[(int)i] = b[i];")) !=
        "");
}

TEST_CASE("an iteration meets another one's element", "[independence]") {
  CHECK(why(Restrict, loop("for (int i = 1; i < n; i++) a[i] = a[i - 1];")) ==
        "'a[i - 1]' (line 5) and 'a[i]' (line 5), which is written, may be one "
        "element in two iterations");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = a[i + 1];")) !=
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[0] = b[i];")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[m] = b[i];")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i / 2] = 1;")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i % m] = 1;")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i * i] = 1;")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i * m] = 1;")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = a[m];")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[n - i] = a[i];")) !=
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[-i] = a[i];")) != "");
  CHECK(why(Restrict + ", int *restrict p",
            loop("for (int i = 0; i < n; i++) a[p[i]] = b[i];")) ==
        "'a[p[i]]' (line 5) may be the same element in two iterations");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "for (int j = 0; j < m; j++) a[j] = b[i];")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "for (int j = 0; j < m; j++) a[i + j] = 1;")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { int k = i; k = 3; "
                           "a[k] = 1; }")) != "");
}

TEST_CASE("a loop is independent but for its reductions", "[independence]") {
  const auto Missing = [](const std::string &Type, const std::string &Code) {
    const Probed P = probeC(
        "void f(int n, double *restrict a, int *restrict k, long l) {\n" +
        Type + " s = 0;" + loop("for (int i = 0; i < n; i++) " + Code) + "}\n");
    CHECK(!P.at(0).Independent);
    std::string Text;
    for (const auto &M : P.at(0).Missing)
      Text += M.Operator + ":" + M.Name;
    return Text;
  };
  CHECK(Missing("double", "s += a[i];") == "+:s");
  CHECK(Missing("double", "s = a[i] > s ? a[i] : s;") == "max:s");
  CHECK(Missing("double", "if (s > a[i]) s = a[i];") == "min:s");
  CHECK(Missing("float", "s -= a[i];") == "+:s");
  CHECK(Missing("int", "s |= k[i];") == "|:s");
  CHECK(Missing("short", "s += k[i];") == "+:s");
  // Each step changes the value: what is cut off depends on what was before.
  CHECK(Missing("int", "s += a[i];") == "");
  CHECK(Missing("int", "if (s < l) s = l;") == "");
  CHECK(Missing("int", "s = s && k[i];") == "");
  CHECK(Missing("_Bool", "s ^= k[i];") == "");
  // It is used otherwise.
  CHECK(Missing("double", "{ s += a[i]; a[i] = s; }") == "");
  CHECK(Missing("double", "{ s += a[i]; s *= 2; }") == "");
  // And something else is in the way.
  CHECK(Missing("double", "{ s += a[i]; a[0] = 1; }") == "");
}

TEST_CASE("constant strides leave room", "[independence]") {
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "{ a[2 * i] = 1; a[2 * i + 1] = a[i * 2]; }")) ==
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "{ a[2 * i] = 1; a[2 * i + 2] = 2; }")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "{ a[(i << 1)] = 1; }")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "for (int k = 0; k < 4; k++) a[4 * i + k] = 1;")) ==
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "for (int k = 0; k <= 4; k++) a[4 * i + k] = 1;")) !=
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) "
                           "for (int k = 0; k < m; k++) a[4 * i + k] = 1;")) !=
        "");
  CHECK(why(Restrict,
            loop("for (int i = 0; i < n; i++) for (int k = 0; k < 4; "
                 "k++) { a[8*i + 2*k] = 1; a[8*i + 2*k + 1] = 1; }")) == "");
  CHECK(why(Restrict,
            loop("for (int i = 0; i < n; i++) for (int k = 0; k < 4; "
                 "k++) { a[8*i + 2*k] = 1; a[8*i + 2*k + 2] = 1; }")) != "");
}

TEST_CASE("linearized arrays", "[independence]") {
  const std::string Two =
      "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ";
  CHECK(why(Restrict, loop(Two + "a[i * m + j] = b[j * n + i];")) == "");
  CHECK(why(Restrict, loop(Two + "a[j + m * i] += 1;")) == "");
  CHECK(why(Restrict, loop(Two + "a[(long)i * m + j] += 1;")) == "");
  CHECK(why(Restrict, loop(Two + "{ int k = i * m + j; a[k] = b[k]; }")) == "");
  CHECK(why(Restrict, loop(Two + "{ float *row = a + i * m; row[j] = 1; }")) ==
        "");
  CHECK(why(Restrict, loop(Two + "{ float *row = &a[i * m]; row[j] = 1; }")) ==
        "");
  CHECK(why(Restrict, loop(Two + "a[i * n + j] = 1;")) != "");
  CHECK(why(Restrict, loop(Two + "a[i * m + j + 1] = 1;")) != "");
  CHECK(why(Restrict, loop(Two + "a[i * m + 2 * j] = 1;")) != "");
  CHECK(why(Restrict, loop(Two + "a[i * m + j - 1] = a[i * m + j];")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) for (int j = 1; j < m "
                           "- 1; j++) a[i * m + j] = a[i * m + j - 1] + a[i * "
                           "m + j + 1];")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) for (int j = 0; j <= "
                           "m; j++) a[i * m + j] = 1;")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) for (int j = 0; j <= "
                           "m; j++) a[i * (m + 1) + j] = 1;")) != "unknown");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) for (int j = m - 1; j "
                           ">= 0; j--) a[i * m + j] = 1;")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) for (int j = 0; j < i; "
                           "j++) a[i * m + j] = 1;")) != "");
  // j stands for something else once its loop is over.
  CHECK(why(Restrict, "int j;" + loop("for (int i = 0; i < n; i++) { for (j = "
                                      "0; j < m; j++) a[i * m + j] = 1; a[i * "
                                      "m + j] = 2; }")) != "");
  CHECK(why(Restrict + ", int l",
            loop("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for "
                 "(int k = 0; k < l; k++) a[(i * m + j) * l + k] = 1;")) == "");
  CHECK(why(Restrict + ", int l",
            loop("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for "
                 "(int k = 0; k < l; k++) a[(i * l + j) * m + k] = 1;")) != "");
  // m may be 0: every j would write the same.
  CHECK(why(Restrict + ", int l",
            loop("for (int i = 0; i < n; i++) for (int j = 0; j < l; j++) "
                 "a[i * l * m + j * m] = 1;")) != "");
  // 32 bits may wrap around.
  CHECK(why("unsigned n, unsigned m, float *restrict a",
            loop("for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; "
                 "j++) a[i * m + j] = 1;")) != "");
  CHECK(why("unsigned long n, unsigned long m, float *restrict a",
            loop("for (unsigned long i = 0; i < n; i++) for (unsigned long j = "
                 "0; j < m; j++) a[i * m + j] = 1;")) == "");
}

TEST_CASE("arrays of arrays", "[independence]") {
  CHECK(why("int n, int m, float a[restrict n][m]",
            loop("for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) "
                 "a[i][j] = a[i][j - 1];")) == "");
  CHECK(why("int n, int m, float a[restrict n][m]",
            loop("for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) "
                 "a[i][j] = a[i - 1][j];")) != "");
  CHECK(why("int n",
            loop("for (int i = 0; i < n; i++) for (int j = 0; j < 9; "
                 "j++) g[j][i] = h[i][j];"),
            "double g[9][9], h[9][9];") == "");
  CHECK(why("int n",
            loop("for (int i = 0; i < n; i++) { double *r = g[i]; "
                 "r[0] = r[1]; }"),
            "double g[9][9], h[9][9];") == "");
  CHECK(why("int n, float **a", loop("for (int i = 0; i < n; i++) for (int j = "
                                     "0; j < n; j++) a[i][j] = 1;")) != "");
  CHECK(why("int n", loop("for (int i = 0; i < n; i++) s[i].x = s[i].v[3];"),
            "struct { int x, v[9]; } s[99];") == "");
  CHECK(why("int n", loop("for (int i = 0; i < n; i++) s[0].v[i] = 1;"),
            "struct { int x, v[9]; } s[99];") != "");
}

TEST_CASE("collapsed loops", "[independence]") {
  const std::string Row = "for (int i = 0; i < n; i++) for (int j = 0; j < m; "
                          "j++) a[i * m + j] = b[j];";
  CHECK(why(Restrict, loop(Row, "collapse(2)")) == "");
  CHECK(why(Restrict, loop(Row, "collapse(TWO)"), "enum { TWO = 2 };") == "");
  const std::string Scan = "for (int i = 0; i < n; i++) for (int j = 1; j < m; "
                           "j++) a[i * m + j] = a[i * m + j - 1];";
  CHECK(why(Restrict, loop(Scan)) == "");
  CHECK(why(Restrict, loop(Scan, "collapse(2)")) != "");
  CHECK(why(Restrict, loop(Scan, "collapse(TWO)"), "enum { TWO = 2 };") != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = 1;",
                           "collapse(2)")) != "");
}

TEST_CASE("what may be the same memory", "[independence]") {
  const std::string Copy = loop("for (int i = 0; i < n; i++) a[i] = b[i];");
  CHECK(contains(why(Plain, Copy), "'b[i]' (line 5) may be what 'a[i]'"));
  CHECK(why(Plain, loop("for (int i = 0; i < n; i++) a[i] = 2 * a[i];")) == "");
  CHECK(why("int n, float *restrict a, float *b", Copy) == "");
  CHECK(why("int n, float *a, float *restrict b", Copy) == "");
  CHECK(why("int n, float *a, double *b", Copy) == "");
  CHECK(why("int n, float *a, char *b", Copy) != "");
  CHECK(why("int n, unsigned *a, int *b", Copy) != "");
  CHECK(why("int n", Copy, "float a[9], b[9];") == "");
  CHECK(why("int n, float *b", Copy, "float a[9];") != "");
  CHECK(why("int n", Copy, "float *a, b[9];") != "");
  CHECK(why("int n, float *restrict a", "float *b = a + 1;" + Copy) != "");
  CHECK(why("int n, float *restrict a, float *b", "b = a + 1;" + Copy) != "");
  CHECK(why("int n, float *restrict a, float *b",
            loop("for (int i = 0; i < n; i++) { float *p = b + i; a[i] = p[1]; "
                 "}")) == "");
  CHECK(why("int n, float *restrict a",
            loop("for (int i = 0; i < n; i++) { float *p = a + i; a[i] = p[1]; "
                 "}")) != "");
  CHECK(why("int n, float *restrict a, float **b",
            loop("for (int i = 0; i < n; i++) a[i] = b[i][0];")) != "");
  CHECK(why("int n, float *restrict a, struct S *s",
            loop("for (int i = 0; i < n; i++) a[i] = s->x;"),
            "struct S { float x; };") == "");
  CHECK(why("int n, float *restrict a, struct S *s",
            loop("for (int i = 0; i < n; i++) s->a[i] = a[i];"),
            "struct S { float *a; };") != "");
  CHECK(why("int n, float *restrict a, int *restrict c",
            loop("for (int i = 0; i < n; i++) ((int *)a)[i] = c[i];")) != "");
  CHECK(why("int n, volatile float *restrict a",
            loop("for (int i = 0; i < n; i++) a[i] = 1;")) != "");
  CHECK(why("int n, _Atomic int *restrict a",
            loop("for (int i = 0; i < n; i++) a[i] = 1;")) != "");
  CHECK(why("int n, union U *restrict a",
            loop("for (int i = 0; i < n; i++) a[i].x = 1;"),
            "union U { float x; int y; };") != "");
  CHECK(why("int n, float *restrict a, struct S *s",
            loop("for (int i = 0; i < n; i++) a[i] = s->t->x;"),
            "struct T { float x; }; struct S { struct T *t; };") != "");
  CHECK(why("int n, float *restrict a, struct S *s",
            "s = (struct S *)a;" +
                loop("for (int i = 0; i < n; i++) a[i] = s->x;"),
            "struct S { float x; };") != "");
  // A temporary: the loop's iterations have their own.
  CHECK(why("int n, float *restrict a",
            "float *p;" + loop("for (int i = 0; i < n; i++) { p = a; p[i] = 1; "
                               "}")) == "");
  CHECK(why("int n, float *restrict a",
            "float *p;" + loop("for (int i = 0; i < n; i++) { p = a; p[n - i] "
                               "= p[i]; }")) != "");
}

TEST_CASE("variables that an iteration assigns", "[independence]") {
  CHECK(why(Restrict, "float t;" + loop("for (int i = 0; i < n; i++) "
                                        "{ t = b[i]; a[i] = t; }")) == "");
  CHECK(contains(
      why(Restrict, "float s = 0;" + loop("for (int i = 0; i < n; i++) s += "
                                          "b[i];")),
      "'s' (line 3)"));
  CHECK(why(Restrict, "float s = 0;" + loop("for (int i = 0; i < n; i++) s += "
                                            "b[i];",
                                            "reduction(+:s)")) == "");
  CHECK(why(Restrict, "float s = 0;" + loop("for (int i = 0; i < n; i++) { if "
                                            "(i == 0) s = 1; a[i] = s; }")) !=
        "");
  CHECK(why(Restrict, "float s = 0;" + loop("for (int i = 0; i < n; i++) { if "
                                            "(i == 0) s = 1; a[i] = s; }",
                                            "private(s)")) == "");
  CHECK(why(Restrict, "float t[3];" + loop("for (int i = 0; i < n; i++) { t[0] "
                                           "= b[i]; a[i] = t[0]; }")) != "");
  CHECK(why(Restrict, "float t[3];" + loop("for (int i = 0; i < n; i++) { t[0] "
                                           "= b[i]; a[i] = t[0]; }",
                                           "private(t)")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { float t[3]; t[0] = "
                           "b[i]; a[i] = t[0]; }")) == "");
  CHECK(why(Restrict, "int k = 0;" + loop("for (int i = 0; i < n; i++) a[k++] "
                                          "= b[i];")) != "");
  CHECK(why(Restrict, "int j;" + loop("for (int i = 0; i < n; i++) for (j = 0; "
                                      "j < m; j++) a[i * m + j] = 1;")) == "");
  CHECK(why(Restrict,
            loop("for (int i = 0; i < n; i++) {\n float s = 0;\n"
                 "#pragma acc loop reduction(+:s)\n"
                 "for (int j = 0; j < m; j++) s += b[i * m + j];\n a[i] = s; "
                 "}")) == "");
}

TEST_CASE("loops in C++", "[independence]") {
  auto Why = [](const std::string &Code) {
    const Probed P = probeCxx(
        "namespace std { template <class T> const T &max(const T &, const T &);"
        "template <class T, class C> const T &max(const T &, const T &, C); "
        "float sqrt(float); }\n"
        "struct S { float x; float operator[](int) const; float &at(int); "
        "~S(); };\nstruct M { float *p, q[9]; int k; void f(int n, float "
        "*__restrict a, const float *__restrict b) {\n#pragma acc loop\n" +
        Code + "\n} };\n");
    REQUIRE(P.at(0).Known);
    return P.at(0).Dependence;
  };
  CHECK(Why("for (int i = 0; i < n; ++i) a[i] = std::sqrt(std::max(b[i], "
            "0.f));") == "");
  CHECK(Why("for (int i = 0; i < n; ++i) a[i] = std::max(b[i], 0.f, [](float, "
            "float) { return true; });") != "");
  CHECK(Why("for (int i = 0; i < n; ++i) { auto &r = a[i]; r = b[i]; }") == "");
  CHECK(Why("for (int i = 1; i < n; ++i) { auto &r = a[i - 1]; r = a[i]; }") !=
        "");
  CHECK(Why("for (int i = 1; i < n; ++i) { const auto &r = a[i - 1]; a[i] = r; "
            "}") != "");
  CHECK(Why("for (int i = 0; i < n; ++i) p[i] = b[i];") != "");
  CHECK(Why("for (int i = 0; i < n; ++i) q[i] = b[i];") != "");
  CHECK(Why("for (int i = 0; i < n; ++i) k = i;") != "");
  CHECK(Why("for (int i = 0; i < n; ++i) a[i] = k;") == "");
  CHECK(Why("for (int i = 0; i < n; ++i) { S s; a[i] = 1; }") != "");
  CHECK(Why("for (int i = 0; i < n; ++i) { throw 1; }") != "");
  CHECK(Why("for (int i = 0; i < n; ++i) { [&] { a[0] = i; }(); }") != "");
  const Probed P = probeCxx("template <class T> void f(int n, T *__restrict a) "
                            "{\n#pragma acc loop\nfor (int i = 0; i < n; ++i) "
                            "a[i] = 1;\n}");
  CHECK(P.at(0).Dependence == "the loop depends on a template parameter");
}

TEST_CASE("code with effects or jumps", "[independence]") {
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = sqrtf(b[i]);"),
            "float sqrtf(float);") == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = "
                           "__builtin_fabsf(b[i]);")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = g(b[i]);"),
            "float g(float);") != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = g(b[i]);"),
            "float g(float) __attribute__((const));") == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = g(b[i]);"),
            "float g(float) __attribute__((pure));") != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n--; i++) a[i] = 1;")) != "");
  CHECK(why(Restrict, "typedef float V __attribute__((ext_vector_type(4))); V "
                      "v;" +
                          loop("for (int i = 0; i < n; i++) { v.x = v.x + 1; "
                               "a[i] = 1; }")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = g(b[i]);"),
            "static float g(float x) { float y = x; y *= x; return y; }") ==
        "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = g(b[i]);"),
            "static float g(float x) { static int k; return k++; }") != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = g(b[i]);"),
            "int k; static float g(float x) { return x + k; }") != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) a[i] = g(i);"),
            "static int g(int x) { return x < 2 ? x : g(x - 1); }") != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { if (b[i] > 0) break; "
                           "a[i] = 1; }")) == "the loop may end early");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { if (b[i] > 0) "
                           "continue; a[i] = 1; }")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { while (1) { break; } "
                           "a[i] = 1; }")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { switch (i) { case 1: "
                           "a[i] = 1; break; default: a[i] = 2; } }")) == "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { if (b[i] > 0) "
                           "return; a[i] = 1; }")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { if (b[i] > 0) goto "
                           "e; a[i] = 1; }") +
                          "e:;") != "");
  CHECK(
      why(Restrict, loop("for (int i = 0; i < n; i++) { __asm__ volatile(\"\" "
                         "::: \"memory\"); a[i] = 1; }")) != "");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { a[i] = 1; if (b[i] > "
                           "0) i++; }")) ==
        "the loop is not in canonical form");
  CHECK(why(Restrict, loop("for (int i = 0; i < n; i++) { a[i] = 1; n--; }")) !=
        "");
}
