//===- OmpLine.cpp - A directive of OpenMP, by its tokens -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the tokens between the annotations of `#pragma omp`, and takes the
// reductions of a loop that is distributed from them.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/OmpLine.h"

#include "frontend/parse/Context.h"

using namespace clang;

namespace accx::frontend {

StringRef OmpClause::reductionOperator() const {
  const TokenRange R = between(Arguments.begin(), findColon(Arguments));
  if (R.size() != 1)
    return "";
  const char *Punctuator = tok::getPunctuatorSpelling(R.front().getKind());
  const StringRef Word = Punctuator ? Punctuator : wordOf(R.front());
  for (StringRef Known : modifiers(ClauseKind::Reduction))
    if (Known == Word)
      return Known;
  return Word == "-" ? "-" : "";
}

TokenRange OmpClause::reductionList() const {
  return between(findColon(Arguments) + 1, Arguments.end());
}

OmpLine::OmpLine(const UnitTokens &Tokens, size_t I) {
  static constexpr StringRef Names[] = {
      "target", "teams", "distribute", "parallel", "for", "simd", "loop"};
  End = I;
  while (!Tokens[End].isOneOf(tok::annot_pragma_openmp_end, tok::eof))
    ++End;
  const Token *T = &Tokens[I + 1], *const Last = &Tokens[End++];
  for (; T < Last && llvm::is_contained(Names, wordOf(*T)); ++T)
    Words.push_back(wordOf(*T));
  while (T < Last) {
    OmpClause C{wordOf(*T), T, T + 1, {}};
    if (C.End < Last && C.End->is(tok::l_paren)) {
      C.End = skipGroup(C.End, Last);
      C.Arguments = between(T + 2, std::max(T + 2, C.End - 1));
    }
    T = C.End;
    if (!C.Name.empty())
      Clauses.push_back(C);
  }
}

bool isDistribute(const Token &T) {
  return isDirective(T) && directiveOf(T)->Kind == DirectiveKind::Distribute;
}

void noteReductions(Unit &U, Preprocessor &PP) {
  for (size_t I = 0; I + 1 < U.Tokens.size(); ++I) {
    if (!isDistribute(U.Tokens[I]) ||
        U.Tokens[I + 1].isNot(tok::annot_pragma_openmp))
      continue;
    Directive &D = *directiveOf(U.Tokens[I]);
    for (const OmpClause &Of : OmpLine(U.Tokens, I + 1).Clauses) {
      if (Of.Name != "reduction" || Of.reductionOperator().empty())
        continue;
      // The unit's tokens move.
      TokenVector &List = D.Rewritten.emplace_back(Of.reductionList());
      Clause C = Clause::made(ClauseKind::Reduction, Of.Begin->getLocation());
      C.Arguments = List;
      C.Modifier = Of.reductionOperator();
      ParseContext Context(PP, D);
      for (TokenRange Part :
           splitAtCommas(List, PP.getLangOpts().CPlusPlus, true)) {
        Item Each;
        if (parseItem(Context, C, Part, Each))
          C.Items.push_back(std::move(Each));
      }
      D.Clauses.push_back(std::move(C));
    }
  }
}

} // namespace accx::frontend
