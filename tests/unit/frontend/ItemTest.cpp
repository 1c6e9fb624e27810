// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, members and sub-arrays of lists.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx::frontend;
using namespace accx::test;

/// `base|lower:length|element`, one item a line.
static std::string items(const Parsed &P, ClauseKind K) {
  std::string Text;
  for (const Item &I : P.clause(K).Items) {
    Text += P.text(I.Base);
    for (const Section &S : I.Sections) {
      Text += "|" + P.text(S.Lower);
      if (!S.IsElement)
        Text += ":" + P.text(S.Length);
    }
    Text += "\n";
  }
  return Text;
}

static std::string itemsOf(const std::string &List,
                           Language L = Language::CPlusPlus,
                           const std::string &Before = "") {
  Parsed P("enter data copyin(" + List + ")", L, Before);
  INFO(List << "\n" << P.report());
  CHECK(P.Good);
  if (!P.Good)
    return P.report();
  std::string Written;
  for (const Item &I : P.clause(ClauseKind::CopyIn).Items)
    Written += (Written.empty() ? "" : " , ") + P.text(I.Tokens);
  CHECK(Written == P.text(P.clause(ClauseKind::CopyIn).Arguments));
  return items(P, ClauseKind::CopyIn);
}

TEST_CASE("variables and members") {
  CHECK(itemsOf("a") == "a\n");
  CHECK(itemsOf("a, b ,c") == "a\nb\nc\n");
  CHECK(itemsOf("s.p, p->x, a.b->c.d") == "s . p\np -> x\na . b -> c . d\n");
  CHECK(itemsOf("this, this->x") == "this\nthis -> x\n");
  CHECK(itemsOf("(*p), (*p).x") == "( * p )\n( * p ) . x\n");
  CHECK(itemsOf("n::a, ::a, ::n::m::a") == "n :: a\n:: a\n:: n :: m :: a\n");
  CHECK(itemsOf("s.Base::x") == "s . Base :: x\n");
}

TEST_CASE("elements belong to the base") {
  CHECK(itemsOf("a[i]") == "a [ i ]\n");
  CHECK(itemsOf("a[i][j+1].p") == "a [ i ] [ j + 1 ] . p\n");
  CHECK(itemsOf("a[i].p[0:n]") == "a [ i ] . p|0:n\n");
  CHECK(itemsOf("a[i][0:n]") == "a [ i ]|0:n\n");
}

TEST_CASE("sub-arrays") {
  CHECK(itemsOf("a[0:n]") == "a|0:n\n");
  CHECK(itemsOf("a[:]") == "a|:\n");
  CHECK(itemsOf("a[n:]") == "a|n:\n");
  CHECK(itemsOf("a[:n]") == "a|:n\n");
  CHECK(itemsOf("a[0:n][:m][i]") == "a|0:n|:m|i\n");
  CHECK(itemsOf("a[0:n][i][:]") == "a|0:n|i|:\n");
  CHECK(itemsOf("s.p[0:n], p->q.r[1:2][3:4]") ==
        "s . p|0:n\np -> q . r|1:2|3:4\n");
  CHECK(itemsOf("this->x[0:n], this[0:1]") == "this -> x|0:n\nthis|0:1\n");
  CHECK(itemsOf("(*p)[0:n]") == "( * p )|0:n\n");
  CHECK(itemsOf("a[f(i, j):g(k)[2]]") == "a|f ( i , j ):g ( k ) [ 2 ]\n");
}

TEST_CASE("colons of conditions are no section's") {
  CHECK(itemsOf("a[c ? 0 : 1]") == "a [ c ? 0 : 1 ]\n");
  CHECK(itemsOf("a[c ? 0 : 1 : n]") == "a|c ? 0 : 1:n\n");
  CHECK(itemsOf("a[0 : c ? n : m]") == "a|0:c ? n : m\n");
  CHECK(itemsOf("a[c ? d ? 1 : 2 : 3 : e ?: n]") ==
        "a|c ? d ? 1 : 2 : 3:e ? : n\n");
}

TEST_CASE("template arguments and lambdas") {
  CHECK(itemsOf("Box<1, 2>::data[0:n], b") == "Box < 1 , 2 > :: data|0:n\nb\n");
  CHECK(itemsOf("v<int>, w<Pair<int, long>>[0:n]") ==
        "v < int >\nw < Pair < int , long >>|0:n\n");
  CHECK(itemsOf("a[f<1, 2>(n):m]") == "a|f < 1 , 2 > ( n ):m\n");
  CHECK(itemsOf("a[([&, n] { int i = 0, j = 1; return i; })():n]") ==
        "a|( [ & , n ] { int i = 0 , j = 1 ; return i ; } ) ( ):n\n");
  CHECK(itemsOf("a[T::x:U::y]") == "a|T :: x:U :: y\n");
}

TEST_CASE("C has no templates") {
  Parsed P("data copy(a<1, b>::c)", Language::C);
  CHECK_FALSE(P.Good);
  CHECK(itemsOf("a[i<n:m>k]", Language::C) == "a|i < n:m > k\n");
}

TEST_CASE("macros are expanded before") {
  CHECK(itemsOf("ALL(a), b RANGE", Language::C,
                "#define ALL(x) x[0:N], x##2[:N]\n#define N 100\n"
                "#define RANGE [1:N-1]\n") ==
        "a|0:100\na2|:100\nb|1:100 - 1\n");
}

TEST_CASE("name() is the variable's name") {
  Parsed P("data copy(a, b[0:n], s.p, (c))");
  REQUIRE(P.Good);
  const auto &Items = P.clause(ClauseKind::Copy).Items;
  REQUIRE(Items.size() == 4);
  CHECK(Items[0].name() == "a");
  CHECK(Items[1].name() == "b");
  CHECK(Items[2].name() == "");
  CHECK(Items[3].name() == "");
}

TEST_CASE("alternative tokens") {
  CHECK(itemsOf("a<:0:n:>", Language::C) == "a|0:n\n");
}

TEST_CASE("a long list") {
  std::string List = "v0[0:n]";
  for (int I = 1; I < 2000; ++I)
    List += ", v" + std::to_string(I) + "[0:n]";
  Parsed P("data copy(" + List + ")");
  REQUIRE(P.Good);
  CHECK(P.clause(ClauseKind::Copy).Items.size() == 2000);
}

TEST_CASE("deep nesting") {
  std::string Open, Close;
  for (int I = 0; I < 300; ++I) {
    Open += "a[";
    Close += "]";
  }
  CHECK(itemsOf(Open + "i" + Close).size() > 1200);
}
