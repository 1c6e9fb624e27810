//===- Lists.cpp - Lists of variables -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modifiers and operators in front of a colon, and the list behind it.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Arguments.h"

#include "llvm/ADT/STLExtras.h"

using clang::Token;
using llvm::ArrayRef;
using llvm::StringRef;
namespace tok = clang::tok;

namespace accx::frontend {

bool ArgumentParser::variables() {
  // Outside of brackets a list has no colon of its own.
  const Token *Colon = findColon(R);
  if (Colon == R.end())
    return items(R);
  return dataModifiers(Colon) && items(between(Colon + 1, R.end()));
}

bool ArgumentParser::dataModifiers(const Token *Colon) {
  ArrayRef<StringRef> Words = modifiers(Context.D.Kind, C.Kind);
  if (Words.empty()) {
    fail(Colon, "'%0' takes no modifier: unexpected ':'");
    Context.note(locOf(Colon),
                 "a sub-array stands in brackets, as in 'a[first:length]'");
    return false;
  }
  TokenRange Before = between(R.begin(), Colon);
  if (Before.empty()) {
    fail(Colon, "expected a modifier before ':' in '%0'");
    Context.note(locOf(Colon), "'%0' takes %1") << Name << listOf(Words);
    return false;
  }
  for (TokenRange Part : splitAtCommas(Before, false, false)) {
    if (Part.size() != 1) {
      Context.error(locOf(Part.begin() + !Part.empty()),
                    Part.empty()
                        ? "expected a modifier in '%0'"
                        : "expected ',' or ':' after a modifier of '%0'")
          << Name;
      return false;
    }
    StringRef Word = wordOf(Part.front());
    if (!llvm::is_contained(Words, Word))
      return unknownWord(Part.begin(), "modifier", Words);
    if (C.hasModifier(Word)) {
      Context.error(locOf(Part.begin()), "modifier '%0' is repeated") << Word;
      return false;
    }
    C.Modifiers.push_back(Word);
  }
  C.Modifier = C.Modifiers.front();
  return true;
}

bool ArgumentParser::items(TokenRange List) {
  if (List.empty())
    return fail(List.end(), "expected a variable in the list of '%0'");
  bool Good = true;
  for (TokenRange Part : splitAtCommas(List, Context.isCPlusPlus(), true)) {
    Item I;
    if (parseItem(Context, C, Part, I))
      C.Items.push_back(std::move(I));
    else
      Good = false;
  }
  return Good;
}

bool ArgumentParser::reduction() {
  ArrayRef<StringRef> Operators = modifiers(C.Kind);
  auto Help = [&] {
    Context.note(C.Loc,
                 "write 'reduction(operator: list)', where the operator is %0")
        << listOf(Operators);
    return false;
  };
  const Token *Colon = findColon(R);
  TokenRange Operator = between(R.begin(), Colon);
  StringRef Word;
  if (!Operator.empty()) {
    const Token &T = Operator.front();
    const char *Punctuator = tok::getPunctuatorSpelling(T.getKind());
    Word = Punctuator ? StringRef(Punctuator) : wordOf(T);
  }
  // Not OpenACC's, but programs have it from OpenMP, where it combines as '+'.
  if (Word == "-" && Operator.size() == 1 && Colon != R.end()) {
    Context.warning(Context.locOf(R.begin()),
                    "'-' is no operator of OpenACC's 'reduction'; '+' is "
                    "assumed, which combines differences as well");
    Word = "+";
  }
  bool Known = llvm::is_contained(Operators, Word);
  if (Colon == R.end()) {
    if (!Known) {
      Context.error(locOf(R.begin()), "missing operator in 'reduction'");
      return Help();
    }
    const Token *Behind = R.begin() + 1;
    Context.error(locOf(Behind),
                  "expected ':' after the operator of 'reduction'");
    return Help();
  }
  if (Operator.empty()) {
    Context.error(locOf(Colon), "missing operator before ':' in 'reduction'");
    return Help();
  }
  if (!Known || Operator.size() > 1) {
    Context.error(locOf(R.begin()), "'%0' is no operator of 'reduction'")
        << Context.textOf(Operator) << Context.rangeOf(Operator);
    return Help();
  }
  C.setModifier(Word);
  return items(between(Colon + 1, R.end()));
}

} // namespace accx::frontend
