//===- Ranges.cpp - Ranges of fcw -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of a list item of fcw's clauses:
//
//   item   := name ('::' name)* bracket+
//   bracket := '[' triple (':' triple)* ']'
//   triple := pivot ':' before ':' after
//
// One triple a dimension; one bracket may hold those of several.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Arguments.h"

using clang::Token;
namespace tok = clang::tok;

namespace accx::frontend {

/// Dimensions that markers have room for.
static constexpr size_t MaxDimensions = 3;

bool ArgumentParser::ranges() {
  if (R.empty())
    return fail(R.end(), "expected an array in '%0'");
  bool Good = true;
  for (TokenRange Part : splitAtCommas(R, Context.isCPlusPlus(), true))
    Good &= range(Part);
  return Good;
}

bool ArgumentParser::range(TokenRange Part) {
  const auto Missing = [&](const Token *At, const char *What) {
    fail(At, What);
    note(C.Loc, "write '%0(array[pivot:before:after])', with three expressions "
                "for each dimension");
    return false;
  };
  const Token *T = Part.begin();
  while (T != Part.end() && T->isOneOf(tok::identifier, tok::coloncolon))
    ++T;
  if (T == Part.begin())
    return Missing(T, "expected the name of an array in '%0'");
  Item I;
  I.Tokens = Part;
  I.Base = between(Part.begin(), T);
  if (T == Part.end())
    return Missing(T, "expected a range behind the array of '%0'");
  for (; T != Part.end(); T = skipGroup(T, Part.end())) {
    if (T->isNot(tok::l_square))
      return Missing(T, "expected '[' or the end of the item in '%0'");
    llvm::SmallVector<TokenRange, 9> Fields;
    TokenRange Rest = between(T + 1, skipGroup(T, Part.end()) - 1);
    for (;;) {
      const Token *Colon = findColon(Rest);
      Fields.push_back(between(Rest.begin(), Colon));
      if (Fields.back().empty())
        return Missing(Colon, "expected an expression in the range of '%0'");
      if (Colon == Rest.end())
        break;
      Rest = between(Colon + 1, Rest.end());
    }
    if (Fields.size() % 3)
      return Missing(T, "a range of '%0' has a pivot, the number of elements "
                        "before it and the number after it");
    for (size_t F = 0; F < Fields.size(); F += 3) {
      Section S;
      S.Lower = Fields[F];
      S.Length = Fields[F + 1];
      S.After = Fields[F + 2];
      I.Sections.push_back(S);
    }
  }
  if (I.Sections.size() > MaxDimensions)
    return Missing(Part.begin(), "'%0' takes at most three dimensions");
  C.Items.push_back(std::move(I));
  return true;
}

} // namespace accx::frontend
