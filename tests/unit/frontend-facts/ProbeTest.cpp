//===- ProbeTest.cpp - The probe in odd surroundings ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probing.h"

#include <catch2/catch.hpp>

using namespace accx::test;
using namespace accx::frontend;

#include <cstdio>
#include <fstream>
#include <unistd.h>

namespace {

/// A file that goes with the test.
class File {
public:
  File(const std::string &Text, const std::string &Suffix) {
    static unsigned Count = 0;
    Name = "/tmp/accx-probe-" + std::to_string(getpid()) + "-" +
           std::to_string(Count++) + Suffix;
    std::ofstream(Name) << Text;
  }
  ~File() { std::remove(Name.c_str()); }
  std::string Name;
};

const std::string Loop = "\n#pragma acc parallel loop\n"
                         "for (int i = 0; i < n; i++) a[i] = i;\n";

} // namespace

TEST_CASE("every standard", "[probe]") {
  for (const char *Std : {"c89", "gnu89", "c99", "c11", "gnu17", "c23"}) {
    INFO(Std);
    const Probed P =
        probe("void f(int n, int *a) {" + Loop + "}\n",
              {"-x", "c", std::string("-std=") + Std, "-pedantic-errors"});
    CHECK(P.at(0).Known);
    CHECK(P.at(0).Independent);
    CHECK(P.Output == "");
  }
  for (const char *Std : {"c++98", "c++11", "c++14", "gnu++17", "c++23"}) {
    INFO(Std);
    const Probed P =
        probe("void f(int n, int *a) {" + Loop + "}\n",
              {"-x", "c++", std::string("-std=") + Std, "-Werror", "-Wall"});
    CHECK(P.at(0).Known);
    CHECK(P.at(0).Independent);
    CHECK(P.Output == "");
  }
}

TEST_CASE("code that is compiled in unusual ways", "[probe]") {
  const Probed P = probeCxx(R"(
constexpr int c(int n) { int s = 0;
#pragma acc parallel loop
  for (int i = 0; i < n; i++) s += i;
  return s; }
static_assert(c(3) == 3);
template <class T> concept X = requires(T t) { t + 1; };
template <X T> auto gen(T n) { int t;
#pragma acc parallel
  { t = 1; }
  return n; }
int use = gen(3);
struct In { int m; int f() { int t;
#pragma acc parallel
  { t = m; later(); }
  return t; } void later(); };
auto lam = [](auto n) { int t;
#pragma acc parallel
  { t = n; } };
template <> auto gen(long n) { int t;
#pragma acc parallel
  { t = 2; }
  return n; }
)");
  CHECK(P.Output == "");
  CHECK(P.var(0, "s").ReducedOnly);
  CHECK(P.var(1, "t").WrittenFirst);
  CHECK(P.var(2, "t").LiveAfter);
  CHECK(P.at(2).UsesThis);
  CHECK_FALSE(P.var(3, "t").LiveAfter);
  CHECK(P.at(4).Known);
}

TEST_CASE("broken programs", "[probe]") {
  const char *Programs[] = {
      "",
      "\n#pragma acc parallel",
      "void f() {\n#pragma acc parallel\n",
      "void f() {\n#pragma acc parallel loop\n for (",
      "void f() {\n#pragma acc parallel loop\n for (;;) }",
      "void f() {\n#pragma acc parallel copy(x[0:)\n{ x; }\n}",
      "void f() {\n#pragma acc parallel copy(undefined) if(also)\n{ x; y++; "
      "}\n}",
      "void f(int n) {\n#pragma acc parallel\n{ goto nowhere; break; n = ; "
      "}\n}",
      "struct S { int f() {\n#pragma acc parallel\n{ return q; }\n } ",
      "#pragma acc data copy(x)\nint x;\n",
      "#pragma acc nonsense\n#pragma acc parallel nonsense(1)\nint x;\n",
      "#error stop\nvoid f(int n) {\n#pragma acc parallel\n{ n = 1; }\n}",
      "#include \"not-there.h\"\nvoid f(int n) {\n#pragma acc parallel\n{ n; "
      "}\n}",
      "void f(int n) { if (n)\n#pragma acc wait\nelse n = 1; }",
      "int x = {\n#pragma acc wait\n};",
      "void f(int n) {\n#pragma acc parallel loop collapse(x)\nfor (int i = 0; "
      "i < n; i++) undeclared[i] = (n;\n}",
      "void f(int n) { int k = (\n#pragma acc parallel\n{ n; }\n); }",
      "#pragma acc atomic\n#pragma acc atomic\n#pragma acc loop\n",
      "void f(void) { __asm__(\n#pragma acc wait\n",
      "void f(int n) {\n#pragma acc parallel\nint y = n;\ny = 2;\n}",
      "void f(int n) { switch (n) {\n#pragma acc parallel\ncase 1: n = 2; } }",
      "void f(int n) {\n#pragma acc atomic capture\n{ n; n; n; }\n"
      "#pragma acc atomic capture\n;\n}",
      "}}}}\n#pragma acc parallel\n{{{{",
      "\"unterminated\n#pragma acc parallel copy(\"\n{ }",
  };
  for (const char *Text : Programs)
    for (const char *Language : {"c", "c++"}) {
      INFO(Text << " as " << Language);
      const Probed P = probe(Text, {"-x", Language});
      CHECK(P.Output == "");
    }
  // What is in order beside an error is known.
  const Probed P = probeC("int e = undeclared;\nvoid f(int n, int *a) {" +
                          Loop + "}\nvoid g() { 1 +; }\n");
  CHECK(P.at(0).Independent);
}

TEST_CASE("the unit's own surroundings", "[probe]") {
  const File Header("#define SIZE 3\nstatic int table[SIZE];\n", ".h");
  const std::string Base = Header.Name.substr(5);
  const File Main("#include \"" + Base +
                      "\"\n#if defined(INJECTED) && defined(GIVEN) && "
                      "defined(_OPENMP)\nvoid f(int n) {\n#pragma acc parallel "
                      "copy(table)\n{ table[0] = n; }\n}\n#endif\n",
                  ".c");
  const File Dependencies("untouched", ".d"), Object("untouched", ".o");
  const Probed P =
      probe("", {"-x", "c", "-DGIVEN", Main.Name, "-dependency-file",
                 Dependencies.Name, "-MT", "x", "-o", Object.Name, "-H",
                 "-fdump-record-layouts", "-v"});
  CHECK(P.Ran);
  CHECK(P.at(0).Known);
  CHECK(P.Output == "");
  CHECK(P.Facts.item(0, 0, 0).Class == TypeClass::Array);
}

TEST_CASE("for a device, with a host beside it", "[probe]") {
  const Probed P =
      probe("void f(int n, int *a) {" + Loop + "}\n",
            {"-x", "c", "-fopenmp-is-target-device", "-aux-triple",
             "x86_64-pc-linux-gnu", "-fopenmp-targets=x86_64-pc-linux-gnu"});
  CHECK(P.at(0).Independent);
  CHECK(P.Output == "");
}

TEST_CASE("OpenMP of the program's own", "[probe]") {
  const Probed P = probeC(R"(
void f(int n, int *a) {
  int t = 0, s = 0, u;
#pragma omp parallel for private(u) reduction(+:s)
  for (int i = 0; i < n; i++) { u = i; s += u; }
#pragma acc parallel
  { t = 1; }
#pragma omp parallel
  { a[0] = t; }
#pragma omp parallel num_threads(s)
  {
#pragma acc parallel
    { u = 1; }
#pragma omp barrier
  }
})");
  CHECK(P.Output == "");
  CHECK(P.var(0, "t").LiveAfter);
  CHECK(P.var(1, "u").WrittenFirst);
}

TEST_CASE("canonical loops", "[probe]") {
  auto Depth = [](const std::string &Code) {
    const Probed P = probeC("void f(int n, int m, int *a, int *p) { int i; int "
                            "*q;\n#pragma acc loop\n" +
                            Code + "\n}\n");
    REQUIRE(P.at(0).Known);
    return P.at(0).CanonicalDepth;
  };
  CHECK(Depth("for (i = 0; i < n; i++) ;") == 1);
  CHECK(Depth("for (i = n; i > 0; i -= 2) ;") == 1);
  CHECK(Depth("for (i = 0; n > i; i = 1 + i) ;") == 1);
  CHECK(Depth("for (i = 0; i != n; ++i) ;") == 1);
  CHECK(Depth("for (q = a; q < p; q++) *q = 1;") == 1);
  CHECK(Depth("for (i = 0; i < n; i--) ;") == 0);
  CHECK(Depth("for (i = 0; i < n; i *= 2) ;") == 0);
  CHECK(Depth("for (i = 0; i < n; ) i++;") == 0);
  CHECK(Depth("for (i = 0; i < n; i++) i += a[i];") == 0);
  CHECK(Depth("for (i = 0; i < n; i++) n--;") == 0);
  CHECK(Depth("for (i = 0; a[i]; i++) ;") == 0);
  CHECK(Depth("for (;;) ;") == 0);
  CHECK(Depth("for (i = 0; i < n; i++) for (int j = 0; j < m; j++) ;") == 2);
  CHECK(Depth("for (i = 0; i < n; i++) { { for (int j = 0; j < m; j++) { ; } } "
              "}") == 2);
  CHECK(Depth("for (i = 0; i < n; i++) { a[i] = 1; for (int j = 0; j < m; j++) "
              "; }") == 1);
  CHECK(Depth("for (i = 0; i < n; i++) for (int j = 0; j < i; j++) ;") == 1);
  CHECK(Depth("for (i = 0; i < n; i++) {\n#pragma acc loop vector\nfor (int j "
              "= 0; j < m; j++) ; }") == 2);
  CHECK(Depth("while (n--) ;") == 0);
}
