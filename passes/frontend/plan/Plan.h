//===- Plan.h - What each directive becomes ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of the front end as values: which OpenMP directives and which
// runtime calls stand for an OpenACC directive. A plan can be printed;
// frontend/emit/Emit.h turns it into tokens.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_PLAN_H
#define ACCX_FRONTEND_PLAN_PLAN_H

#include "frontend/facts/Facts.h"
#include "frontend/parse/Tree.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// Text with tokens of the program in the middle: `map(to:` a[0:n] `)`.
struct Phrase {
  std::string Before;
  TokenRange Tokens;
  std::string After;
  clang::SourceLocation Loc;

  Phrase(std::string Before, TokenRange Tokens, std::string After,
         clang::SourceLocation Loc)
      : Before(std::move(Before)), Tokens(Tokens), After(std::move(After)),
        Loc(Loc) {}
  Phrase(std::string Text, clang::SourceLocation Loc)
      : Phrase(std::move(Text), {}, "", Loc) {}
};

/// A clause or a statement, pieced together.
struct Phrases : std::vector<Phrase> {
  using vector::vector;

  void add(std::string Before, TokenRange Tokens, std::string After,
           clang::SourceLocation Loc) {
    emplace_back(std::move(Before), Tokens, std::move(After), Loc);
  }
  void add(std::string Text, clang::SourceLocation Loc) {
    emplace_back(std::move(Text), Loc);
  }
  void append(const Phrases &Others) {
    insert(end(), Others.begin(), Others.end());
  }
  void prepend(const Phrases &Others) {
    insert(begin(), Others.begin(), Others.end());
  }
};

/// One `#pragma omp` line.
struct OmpDirective {
  std::string Name;
  Phrases Clauses;
  clang::SourceLocation Loc;

  explicit operator bool() const { return !Name.empty(); }
};

/// What stands for one directive and its statement:
///
///   { Before; #pragma omp Directives[0] #pragma omp Directives[1] ...
///     { Inside; statement InsideEnd; } After; }
///
/// with braces only where there is something to hold together.
struct Rewrite {
  /// One of the kernels that a loop is split into: `Directive Head { Inside
  /// Statement InsideEnd }`. Where there are any they stand for the statement.
  struct Kernel {
    OmpDirective Directive;
    Phrases Head;
    Phrases Inside;
    Span Statement;
    Phrases InsideEnd;
  };
  std::vector<Kernel> Kernels;
  Phrases Before;
  std::vector<OmpDirective> Directives;
  /// The head of a statement: `do`, `for (...)`.
  Phrases Head;
  Phrases Inside;
  Phrases InsideEnd;
  Phrases After;
  /// If not empty: where it does not hold, Otherwise with the statement alone,
  /// without what directives inside became, takes the place of Directives.
  std::string Condition;
  OmpDirective Otherwise;
  /// The statement to go on with; differs from the node's own where the loop
  /// directive inside it became part of Directives.
  Span Statement;
};

/// Tokens to put in front of the token at an index: what begins at one place
/// and ends at another (`declare`, `routine`).
struct Insertion {
  OmpDirective Directive;
  Phrases Statements;
  /// Plain tokens in front and behind.
  std::string Before, After;
};

struct Plan {
  /// A directive without an entry is left out.
  std::map<const Node *, Rewrite> Rewrites;
  std::multimap<size_t, Insertion> Insertions;

  void insert(size_t At, OmpDirective Directive, Phrases Statements = {}) {
    Insertions.emplace(
        At, Insertion{std::move(Directive), std::move(Statements), "", ""});
  }
  void insert(size_t At, std::string Text, Phrases Statements = {}) {
    Insertions.emplace(
        At, Insertion{{}, std::move(Statements), std::move(Text), ""});
  }
};

struct PlanOptions {
  /// Say what each construct became.
  bool Remarks = false;
  /// Say what could not be done.
  bool MissedRemarks = false;
  /// Loops are for a GPU: a team's threads are cheap to fork and many.
  bool ForGpu = false;
  /// Sums and the like without a clause become reductions.
  bool ImplicitReductions = false;
};

/// Decides for every directive of \p T. Reports what is wrong with the nesting
/// of directives, and remarks, through \p PP's diagnostics.
Plan makePlan(const Tree &T, const Facts &F, clang::Preprocessor &PP,
              const PlanOptions &Options);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_PLAN_H
