// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every row of Directives.def: each clause in each of its spellings and with
// each of its modifiers on each directive that allows it is accepted, on every
// other directive it is not.

#include "Rig.h"

#include <catch2/catch.hpp>

using namespace accx::frontend;
using namespace accx::test;

namespace {
struct Place {
  DirectiveKind Kind;
  bool WithLoop;
  std::string name() const { return spelling(Kind, WithLoop).str(); }
};
} // namespace

static std::vector<Place> places() {
  std::vector<Place> All;
  for (const DirectiveRow &R : directiveRows()) {
    All.push_back({R.Kind, false});
    if (isCompute(R.Kind))
      All.push_back({R.Kind, true});
  }
  return All;
}

/// Arguments, parentheses included, that the form accepts; with "" where the
/// parentheses may be left out.
static std::vector<std::string> arguments(const Place &P, ClauseKind C) {
  std::vector<std::string> List;
  switch (form(P.Kind, C)) {
  case ArgumentForm::None:
    return {""};
  case ArgumentForm::Variables: {
    List = {"(x[0])"}; // what cache takes, too
    bool Whole = has(C, NoSections);
    if (Whole)
      List = {"(x)", "(x, y)"};
    else
      List.push_back("(x[0:n], s.p[:m][i])");
    for (llvm::StringRef M : modifiers(P.Kind, C))
      List.push_back("(" + M.str() + (Whole ? ": x)" : ": x[0:n])"));
    return List;
  }
  case ArgumentForm::Reduction:
    for (llvm::StringRef M : modifiers(C))
      List.push_back("(" + M.str() + " : x, y[0:n])");
    return List;
  case ArgumentForm::Expression:
    return {"(n > 1 ? n : 2)", "(f(1, 2))"};
  case ArgumentForm::OptionalExpr:
    return {"", "(n + 1)"};
  case ArgumentForm::Expressions:
    return {"(n)", "(n, 2)", "(n, 2, 3)"};
  case ArgumentForm::Values:
    return {"(n)", "(n, 2, 3, 4)"};
  case ArgumentForm::Sizes:
    return {"(4)", "(*)", "(n, *, 2, 8)"};
  case ArgumentForm::GangLevel:
  case ArgumentForm::Level:
    List = {"", "(8)"};
    for (llvm::StringRef M : modifiers(C))
      List.push_back("(" + M.str() + ": 3)");
    return List;
  case ArgumentForm::GangDimension:
    return {"", "(dim: 2)"};
  case ArgumentForm::Wait:
    return {"",
            "(1)",
            "(1, n)",
            "(queues: 1, 2)",
            "(devnum: n ? 1 : 2 : 3)",
            "(devnum: 0 : queues: 1)"};
  case ArgumentForm::Collapse:
    return {"(2)", "(force: 2)"};
  case ArgumentForm::DefaultKind:
    if (C == ClauseKind::Schedule)
      return {"(owner)", "(block)"};
    return {"(none)", "(present)"};
  case ArgumentForm::DeviceTypes:
    return {"(*)", "(nvidia)", "(default)"};
  case ArgumentForm::Name:
    return {"(f)", "(\"f\")", "(ns::f)"};
  case ArgumentForm::Function:
    return {"(f)", "(ns::f)"};
  case ArgumentForm::FilePlace:
    return {"(f)", "(f, 2 * n)"};
  case ArgumentForm::MessagePeer:
    return {"(n + 1, 2, c)"};
  case ArgumentForm::Ranges:
    return {"(x[0:0:0])", "(x[n:1:2][0:0:f(1)], y[0:0:0:n:1:1])"};
  }
  return {};
}

static std::vector<std::string> spellings(const Place &P, ClauseKind C) {
  std::vector<std::string> Words = {row(C).Spelling.str()};
  for (const AliasRow &R : aliasRows())
    if (R.Kind == C && (!R.Only || *R.Only == P.Kind))
      Words.push_back(R.Spelling.str());
  return Words;
}

/// Clauses that make the directive complete without \p C.
static std::string complement(const Place &P, ClauseKind C) {
  std::string Text;
  if (needsArgument(P.Kind) && C != ClauseKind::Argument)
    Text += "(z[0])";
  for (const ClauseSetRow &R : requiredRows()) {
    if (R.Directive != P.Kind || R.Clauses.contains(C))
      continue;
    for (const ClauseRow &Other : clauseRows())
      if (R.Clauses.contains(Other.Kind)) {
        bool Whole = form(P.Kind, Other.Kind) == ArgumentForm::Variables;
        Text += " " + Other.Spelling.str() +
                (Whole ? "(z)" : arguments(P, Other.Kind).back());
        break;
      }
  }
  bool Level = C == ClauseKind::Gang || C == ClauseKind::Worker ||
               C == ClauseKind::Vector || C == ClauseKind::Seq;
  if (P.Kind == DirectiveKind::Routine && !Level)
    Text += " seq";
  return Text;
}

TEST_CASE("every clause parses on every directive that allows it") {
  unsigned Lines = 0;
  for (const Place &P : places())
    for (const ClauseRow &R : clauseRows()) {
      if (!allows(P.Kind, P.WithLoop, R.Kind))
        continue;
      for (const std::string &Word : spellings(P, R.Kind))
        for (const std::string &Argument : arguments(P, R.Kind)) {
          std::string Rest = complement(P, R.Kind);
          std::string Text = R.Kind == ClauseKind::Argument
                                 ? P.name() + Argument + Rest
                                 : P.name() + Rest + " " + Word + Argument;
          CAPTURE(Text);
          Parsed Result(Text);
          CHECK(Result.report() == "");
          REQUIRE(Result.Good);
          CHECK(Result.D.Kind == P.Kind);
          CHECK(Result.D.HasLoop == P.WithLoop);
          ++Lines;
          if (Word.empty() && Argument.empty())
            continue; // the directive's own argument, left out
          const Clause *C = Result.D.find(R.Kind);
          REQUIRE(C);
          CHECK(C->HasArguments == !Argument.empty());
          CHECK(C->Spelling ==
                (Word.empty() ? row(P.Kind).Spelling.str() : Word));
        }
    }
  // The table is not empty: a good tenth of what OpenACC 3.3 gives.
  CHECK(Lines > 500);
}

TEST_CASE("every clause is refused on every other directive") {
  unsigned Lines = 0;
  for (const Place &P : places())
    for (const ClauseRow &R : clauseRows()) {
      if (allows(P.Kind, P.WithLoop, R.Kind) || R.Spelling.empty())
        continue;
      for (const std::string &Word : spellings(P, R.Kind)) {
        std::string Argument = arguments(P, R.Kind).back();
        std::string Text =
            P.name() + complement(P, R.Kind) + " " + Word + Argument;
        CAPTURE(Text);
        Parsed Result(Text);
        CHECK_FALSE(Result.Good);
        REQUIRE(Result.errors().size() == 1);
        CHECK(Result.errors()[0] ==
              "'" + Word + "' is not allowed on '" + P.name() + "'");
        ++Lines;
      }
    }
  CHECK(Lines > 400);
}

TEST_CASE("an own argument is refused on every other directive") {
  for (const Place &P : places()) {
    if (allows(P.Kind, P.WithLoop, ClauseKind::Argument))
      continue;
    Parsed Result(P.name() + "(x)" + complement(P, ClauseKind::Argument));
    CAPTURE(P.name(), Result.report());
    CHECK_FALSE(Result.Good);
    REQUIRE(Result.errors().size() == 1);
    CHECK(llvm::StringRef(Result.errors()[0]).contains("takes no argument"));
  }
}

TEST_CASE("a directive alone is complete or says what it needs") {
  for (const Place &P : places()) {
    Parsed Result(P.name());
    size_t Needs = needsArgument(P.Kind);
    // Without its own argument nothing more is told to be missing.
    if (!Needs)
      for (const ClauseSetRow &R : requiredRows())
        Needs += R.Directive == P.Kind;
    // Other compilers take a data construct without data: a warning.
    if (P.Kind == DirectiveKind::Data)
      Needs = 0;
    CAPTURE(P.name(), Result.report());
    CHECK(Result.Good == (Needs == 0));
    CHECK(Result.errors().size() == Needs);
  }
}

TEST_CASE("exclusive clauses exclude each other") {
  for (const ClauseSetRow &R : exclusiveRows())
    for (const ClauseRow &A : clauseRows())
      for (const ClauseRow &B : clauseRows()) {
        if (A.Kind == B.Kind || !R.Clauses.contains(A.Kind) ||
            !R.Clauses.contains(B.Kind))
          continue;
        Parsed Result(row(R.Directive).Spelling.str() + " " + A.Spelling.str() +
                      " " + B.Spelling.str());
        CAPTURE(Result.report());
        CHECK_FALSE(Result.Good);
        REQUIRE(Result.errors().size() == 1);
        CHECK(Result.errors()[0] == "'" + B.Spelling.str() + "' and '" +
                                        A.Spelling.str() +
                                        "' exclude each other on '" +
                                        row(R.Directive).Spelling.str() + "'");
      }
}

TEST_CASE("a clause is repeated only where the table says so") {
  for (const Place &P : places())
    for (const ClauseRow &R : clauseRows()) {
      if (!allows(P.Kind, P.WithLoop, R.Kind) || R.Spelling.empty())
        continue;
      std::string Argument = arguments(P, R.Kind).back();
      bool List = form(P.Kind, R.Kind) == ArgumentForm::Variables;
      std::string Second = List ? "(other)" : Argument;
      Parsed Result(P.name() + complement(P, R.Kind) + " " + R.Spelling.str() +
                    Argument + ", " + R.Spelling.str() + Second);
      CAPTURE(P.name(), Result.report());
      bool Selects = P.Kind != DirectiveKind::Init &&
                     P.Kind != DirectiveKind::Shutdown &&
                     P.Kind != DirectiveKind::Set;
      bool May = repeatable(P.Kind, R.Kind) &&
                 (Selects || R.Kind != ClauseKind::DeviceType);
      CHECK(Result.Good == May);
      if (!May)
        CHECK(llvm::StringRef(Result.errors()[0]).contains("only once on"));
    }
}

TEST_CASE("clauses behind device_type") {
  for (const Place &P : places()) {
    if (!allows(P.Kind, P.WithLoop, ClauseKind::DeviceType))
      continue;
    bool Selects = P.Kind != DirectiveKind::Init &&
                   P.Kind != DirectiveKind::Shutdown &&
                   P.Kind != DirectiveKind::Set;
    for (const ClauseRow &R : clauseRows()) {
      if (!allows(P.Kind, P.WithLoop, R.Kind) || R.Spelling.empty() ||
          R.Kind == ClauseKind::DeviceType)
        continue;
      std::string C = R.Spelling.str() + arguments(P, R.Kind).front();
      std::string Rest = complement(P, R.Kind);
      if (llvm::StringRef(Rest).contains("device_type"))
        continue; // set takes only one
      Parsed Result(P.name() + Rest + " device_type(host) " + C);
      CAPTURE(P.name(), Result.report());
      CHECK(Result.Good == (!Selects || has(R.Kind, PerDevice)));
      if (!Result.Good || !Selects)
        continue;
      CHECK(Result.clause(R.Kind).DevicePart == (Selects ? 1 : 0));
      CHECK(Result.clause(ClauseKind::DeviceType).DevicePart == 1);
      // Once in each part.
      if (R.Kind == ClauseKind::Seq && P.Kind == DirectiveKind::Routine)
        continue;
      Parsed Thrice(P.name() + Rest + " " + C + " device_type(host) " + C +
                    " dtype(nvidia) " + C);
      CAPTURE(Thrice.report());
      CHECK(Thrice.Good);
    }
  }
}
