//===- Clauses.cpp - Clauses of launches of several steps -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/timetile/TimeLoop.h"

#include "frontend/parse/LoopDim.h"
#include "frontend/parse/OmpLine.h"
#include "frontend/parse/Tokens.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend::timetile {
namespace {

class Keeper {
public:
  Keeper(TimeLoop &L, Preprocessor &PP) : L(L), PP(PP) {}

  std::string Kept;

  bool keep(const Directive &Of);
  bool keep(const OmpLine &Of);

private:
  TimeLoop &L;
  Preprocessor &PP;
};

bool Keeper::keep(const Directive &Of) {
  for (const Clause &C : Of.Clauses) {
    switch (C.Kind) {
    case ClauseKind::NumGangs:
    case ClauseKind::NumWorkers:
    case ClauseKind::VectorLength:
    case ClauseKind::Gang:
    case ClauseKind::Worker:
    case ClauseKind::Vector:
    case ClauseKind::Independent:
    case ClauseKind::Auto:
    case ClauseKind::Collapse:
    case ClauseKind::Tile:
    case ClauseKind::Default:
      continue;
    case ClauseKind::Copy:
    case ClauseKind::CopyIn:
    case ClauseKind::CopyOut:
    case ClauseKind::Create:
    case ClauseKind::Present:
      if (!C.Modifiers.empty())
        break;
      // The two have names of their own.
      for (const Item &I : C.Items)
        if (I.name() != L.In && I.name() != L.Out)
          Kept += " " + C.Spelling.str() + "(" + spell(PP, I.Tokens) + ")";
      continue;
    case ClauseKind::Private:
    case ClauseKind::FirstPrivate:
    case ClauseKind::Async:
    case ClauseKind::Wait:
      if (llvm::any_of(C.Arguments, [&](const Token &T) {
            return wordOf(T) == wordOf(L.Time.Variable);
          }))
        break;
      Kept += " " + C.Spelling.str();
      if (C.HasArguments)
        Kept += "(" + spell(PP, C.Arguments) + ")";
      continue;
    default:
      break;
    }
    L.Why = "the construct has '" + C.Spelling.str() + "'";
    return false;
  }
  return true;
}

bool Keeper::keep(const OmpLine &Of) {
  static constexpr StringRef Dropped[] = {
      "collapse",   "schedule",     "dist_schedule", "num_teams", "num_threads",
      "simdlen",    "thread_limit", "safelen",       "order",     "proc_bind",
      "defaultmap", "shared",       "default"};
  for (const OmpClause &C : Of.Clauses) {
    if (llvm::is_contained(Dropped, C.Name))
      continue;
    if (C.Name == "private" || C.Name == "firstprivate") {
      Kept += " " + C.Name.str() + "(" + spell(PP, C.Arguments) + ")";
      continue;
    }
    if (C.Name == "map" && llvm::none_of(C.Arguments, [](const Token &T) {
          return wordOf(T) == "always";
        })) {
      // The arrays are there, which is asked; a variable's value need not be
      // the host's.
      const TokenRange List =
          between(findColon(C.Arguments), C.Arguments.end());
      bool Sections = true;
      for (TokenRange Item :
           splitAtCommas(List.size() > 1 ? List.drop_front() : C.Arguments,
                         PP.getLangOpts().CPlusPlus, true))
        Sections &=
            llvm::any_of(Item,
                         [](const Token &T) { return T.is(tok::l_square); }) ||
            llvm::is_contained(L.Others, wordOf(Item.front())) ||
            wordOf(Item.front()) == L.In || wordOf(Item.front()) == L.Out;
      if (Sections)
        continue;
    }
    L.Why = "the construct has '" + C.Name.str() + "'";
    return false;
  }
  return true;
}

} // namespace

std::string TimeLoop::keptClauses(const UnitTokens &Tokens, Preprocessor &PP) {
  Keeper K(*this, PP);
  for (size_t I = Construct; I < Cell.Begin; ++I)
    if (isDirective(Tokens[I]) ? !K.keep(*directiveOf(Tokens[I]))
                               : Tokens[I].is(tok::annot_pragma_openmp) &&
                                     !K.keep(OmpLine(Tokens, I)))
      break;
  return std::move(K.Kept);
}

} // namespace accx::frontend::timetile
