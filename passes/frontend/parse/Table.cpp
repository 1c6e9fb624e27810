//===- Table.cpp - The table of OpenACC directives and clauses --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-ups in the rows of Directives.def.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Table.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

using llvm::ArrayRef;
using llvm::StringRef;

namespace accx::frontend {

using enum ClauseKind;

static constexpr DirectiveRow Directives[] = {
#define ACC_DIRECTIVE(Name, Spelling, Follows, Becomes)                        \
  {DirectiveKind::Name, Spelling, Association::Follows, Becomes},
#include "frontend/parse/Directives.def"
};

static constexpr DirectiveRow CombinedDirectives[] = {
#define ACC_COMBINED(Name, Spelling, Becomes)                                  \
  {DirectiveKind::Name, Spelling, Association::Loop, Becomes},
#include "frontend/parse/Directives.def"
};

static constexpr ClauseRow Clauses[] = {
#define ACC_CLAUSE(Name, Spelling, Form, Flags, Becomes)                       \
  {ClauseKind::Name, Spelling, ArgumentForm::Form, Flags, Becomes},
#include "frontend/parse/Directives.def"
};
static_assert(std::size(Clauses) <= ClauseSet::Most);

static constexpr AliasRow Aliases[] = {
#define ACC_ALIAS(Spelling, Clause) {Spelling, ClauseKind::Clause, {}},
#define ACC_ALIAS_ON(Spelling, Clause, Directive)                              \
  {Spelling, ClauseKind::Clause, DirectiveKind::Directive},
#include "frontend/parse/Directives.def"
};

namespace {
struct FormRow {
  DirectiveKind Directive;
  ClauseKind Clause;
  ArgumentForm Form;
};
} // namespace

static constexpr FormRow Forms[] = {
#define ACC_FORM(Directive, Clause, Form)                                      \
  {DirectiveKind::Directive, ClauseKind::Clause, ArgumentForm::Form},
#include "frontend/parse/Directives.def"
};

#define ACC_SET(Directive, ...) {DirectiveKind::Directive, {__VA_ARGS__}},

static constexpr ClauseSetRow Allowed[] = {
#define ACC_ALLOW ACC_SET
#include "frontend/parse/Directives.def"
};

static constexpr ClauseSetRow Required[] = {
#define ACC_REQUIRE ACC_SET
#include "frontend/parse/Directives.def"
};

static constexpr ClauseSetRow Exclusive[] = {
#define ACC_EXCLUSIVE ACC_SET
#include "frontend/parse/Directives.def"
};

ArrayRef<DirectiveRow> directiveRows() { return Directives; }
ArrayRef<ClauseRow> clauseRows() { return Clauses; }
ArrayRef<AliasRow> aliasRows() { return Aliases; }
ArrayRef<ClauseSetRow> requiredRows() { return Required; }
ArrayRef<ClauseSetRow> exclusiveRows() { return Exclusive; }

const DirectiveRow &row(DirectiveKind K) {
  return Directives[static_cast<size_t>(K)];
}

const ClauseRow &row(ClauseKind K) { return Clauses[static_cast<size_t>(K)]; }

StringRef spelling(DirectiveKind K, bool WithLoop) {
  if (WithLoop)
    for (const DirectiveRow &R : CombinedDirectives)
      if (R.Kind == K)
        return R.Spelling;
  return row(K).Spelling;
}

bool isCompute(DirectiveKind K) {
  return llvm::any_of(CombinedDirectives,
                      [K](const DirectiveRow &R) { return R.Kind == K; });
}

std::optional<ClauseKind> findClause(StringRef Spelling) {
  if (Spelling.empty())
    return std::nullopt;
  for (const ClauseRow &R : Clauses)
    if (R.Spelling == Spelling)
      return R.Kind;
  for (const AliasRow &R : Aliases)
    if (R.Spelling == Spelling)
      return R.Kind;
  return std::nullopt;
}

bool allows(DirectiveKind D, bool WithLoop, ClauseKind C) {
  return llvm::any_of(Allowed, [&](const ClauseSetRow &R) {
    return (R.Directive == D ||
            (WithLoop && R.Directive == DirectiveKind::Loop)) &&
           R.Clauses.contains(C);
  });
}

bool repeatable(ClauseKind C) { return has(C, Repeats); }

bool repeatable(DirectiveKind D, ClauseKind C) {
  return repeatable(C) || form(D, C) == ArgumentForm::Variables;
}

bool spreads(DirectiveKind K) {
  return K >= DirectiveKind::Spread && K <= DirectiveKind::ExitReplicate;
}

bool isOperation(DirectiveKind K) {
  return K >= DirectiveKind::ReadFile && K <= DirectiveKind::Recv;
}

bool hasTypedValues(DirectiveKind D, ClauseKind C) {
  return isOperation(D) &&
         (C == File || C == To || C == From || C == After || C == Event);
}

StringRef usage(DirectiveKind D, ClauseKind C) {
  if (!isOperation(D))
    return {};
  switch (C) {
  case File:
    return "file(descriptor, offset)";
  case To:
    return "to(rank, tag, communicator)";
  case From:
    return "from(rank, tag, communicator)";
  default:
    return {};
  }
}

bool needsArgument(DirectiveKind K) {
  return K == DirectiveKind::Cache || K == DirectiveKind::TimeTile ||
         spreads(K) || isOperation(K);
}

bool isOwn(DirectiveKind K) {
  return spreads(K) || K == DirectiveKind::Distribute ||
         K == DirectiveKind::TimeTile || isOperation(K);
}

ArgumentForm form(DirectiveKind D, ClauseKind C) {
  for (const FormRow &R : Forms)
    if (R.Directive == D && R.Clause == C)
      return R.Form;
  return row(C).Form;
}

ArrayRef<StringRef> modifiers(ClauseKind C) {
  switch (C) {
#define ACC_MODIFIER(Clause, ...)                                              \
  case ClauseKind::Clause: {                                                   \
    static constexpr StringRef Words[] = {__VA_ARGS__};                        \
    return Words;                                                              \
  }
#include "frontend/parse/Directives.def"
  default:
    return {};
  }
}

ArrayRef<StringRef> modifiers(DirectiveKind D, ClauseKind C) {
  return C == Argument && D != DirectiveKind::Cache ? ArrayRef<StringRef>()
                                                    : modifiers(C);
}

} // namespace accx::frontend
