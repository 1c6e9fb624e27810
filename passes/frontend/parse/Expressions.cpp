//===- Expressions.cpp - Expressions --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments that are expressions, with and without keys. What an expression
// means is left to Clang's parser.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Arguments.h"

#include "llvm/ADT/STLExtras.h"

using clang::Token;
using llvm::ArrayRef;
using llvm::StringRef;
namespace tok = clang::tok;

namespace accx::frontend {

/// Reports literals in \p Value below 1. False: the clause cannot stand.
static bool checkPositive(ParseContext &Context, const Clause &C,
                          TokenRange Value) {
  if (!has(C.Kind, Positive) || Value.empty() || Value.size() > 2)
    return true;
  bool Negative = Value.size() == 2 && Value.front().is(tok::minus);
  if (Value.back().isNot(tok::numeric_constant) ||
      (Value.size() == 2 && !Negative))
    return true;
  std::string Digits = Context.PP.getSpelling(Value.back());
  llvm::erase(Digits, '\'');
  uint64_t Number;
  if (StringRef(Digits).rtrim("uUlLzZ").getAsInteger(0, Number) ||
      (Number && !Negative))
    return true;
  // These are wishes, which a device need not grant anyway.
  const bool Wish = C.Kind == ClauseKind::NumGangs ||
                    C.Kind == ClauseKind::NumWorkers ||
                    C.Kind == ClauseKind::VectorLength;
  const clang::SourceLocation Loc = Context.locOf(Value.begin());
  (Wish ? Context.warning(
              Loc,
              "the argument of '%0' must be 1 or more; the clause is ignored")
        : Context.error(Loc, "the argument of '%0' must be 1 or more"))
      << Context.nameOf(C) << Context.rangeOf(Value);
  return false;
}

bool ArgumentParser::expression(TokenRange Value, bool StarAllowed) {
  if (Value.empty())
    return fail(Value.end(), "expected an expression in '%0'");
  // These begin or continue no expression, and what is left out of the
  // OpenMP directive no later parser looks at.
  bool Star = Value.size() == 1 && Value.front().is(tok::star);
  if (Star && !StarAllowed)
    return fail(Value.begin(), "'*' is no argument of '%0'");
  auto Operand = [](const Token &T) {
    return T.isOneOf(tok::identifier, tok::numeric_constant);
  };
  for (const Token *T = Value.begin(); T != Value.end();
       T = skipGroup(T, Value.end()))
    if (T->isOneOf(tok::semi, tok::hash, tok::at) ||
        (T != Value.begin() && Operand(*T) && Operand(T[-1])))
      return fail(T, "expected ')' or an operator in the argument of '%0'");
  const Token *Colon = findColon(Value);
  if (Colon != Value.end())
    return fail(Colon, "unexpected ':' in the argument of '%0'");
  return Star || checkPositive(Context, C, Value);
}

bool ArgumentParser::expressions(size_t AtMost, bool Stars) {
  bool Good = true;
  if (R.empty()) {
    Good = expression(R, Stars);
    if (form(Context.D.Kind, C.Kind) == ArgumentForm::OptionalExpr)
      note(C.Loc, "without an argument '%0' has no parentheses");
    return Good;
  }
  for (TokenRange Part : splitAtCommas(R, Context.isCPlusPlus(), false)) {
    if (C.Values.size() == AtMost) {
      Context.error(
          locOf(Part.begin()),
          "too many arguments: '%0' takes %plural{1:one|:at most %1}1 on '%2'")
          << Name << static_cast<unsigned>(AtMost) << Context.directiveName()
          << clang::SourceRange(locOf(Part.begin()), locOf(R.end()));
      return false;
    }
    Good &= expression(Part, Stars);
    C.Values.push_back(Part);
  }
  return Good;
}

/// The other side of an operation: \p AtLeast to \p AtMost values.
bool ArgumentParser::place(size_t AtLeast, size_t AtMost) {
  bool Good = expressions(AtMost, false);
  if (Good && C.Values.size() < AtLeast) {
    Context.error(locOf(R.end()), "too few arguments: '%0' takes %1 on '%2'")
        << Name << static_cast<unsigned>(AtLeast) << Context.directiveName();
    Good = false;
  }
  if (!Good)
    Context.note(C.Loc, "write '%0'") << usage(Context.D.Kind, C.Kind);
  return Good;
}

bool ArgumentParser::level(ArrayRef<StringRef> Keys) {
  if (R.empty()) {
    fail(R.end(), "expected an argument in '%0'");
    note(C.Loc, "without an argument '%0' has no parentheses");
    return false;
  }
  bool Good = true;
  for (TokenRange Part : splitAtCommas(R, Context.isCPlusPlus(), false))
    Good &= keyedValue(Part, Keys);
  if (!Good)
    return false;
  for (const KeyedValue &V : C.Keyed)
    C.Modifiers.push_back(V.Key);
  // How many is a value; what else is said, a modifier with its value.
  C.Modifier = C.Keyed.front().Key;
  for (StringRef Key : {"dim", "static"})
    if (const TokenRange *Value = C.keyed(Key)) {
      C.Modifier = Key;
      C.ModifierValue = *Value;
    }
  return true;
}

bool ArgumentParser::keyedValue(TokenRange Part, ArrayRef<StringRef> Keys) {
  // `gang(8)`: the first key is the one to leave out, except of a routine's
  // gang, whose only key has to be written.
  KeyedValue V{Keys.front(), Part};
  const Token *Colon = findColon(Part);
  bool MustName = form(Context.D.Kind, C.Kind) == ArgumentForm::GangDimension;
  if (Colon != Part.end()) {
    if (Colon - Part.begin() != 1 ||
        !llvm::is_contained(Keys, wordOf(Part.front()))) {
      if (Colon == Part.begin()) {
        Context.error(locOf(Colon), "expected %0 before ':' in '%1'")
            << listOf(Keys) << Name;
        return false;
      }
      return unknownWord(Part.begin(), "argument", Keys);
    }
    V = {wordOf(Part.front()), between(Colon + 1, Part.end())};
  } else if (MustName && !Part.empty())
    return fail(Part.begin(), "expected 'dim:' in '%0' of 'routine'");
  if (C.keyed(V.Key)) {
    Context.error(locOf(Part.begin()), "'%0' takes only one '%1' argument")
        << Name << V.Key;
    return false;
  }
  if (!expression(V.Value, V.Key == "static"))
    return false;
  if (V.Key == "dim" && V.Value.size() == 1 &&
      V.Value.front().is(tok::numeric_constant)) {
    unsigned Dimension;
    if (!StringRef(Context.textOf(V.Value)).getAsInteger(0, Dimension) &&
        Dimension > 3) {
      Context.error(locOf(V.Value.begin()), "'dim' of 'gang' is 1, 2 or 3");
      return false;
    }
  }
  C.Keyed.push_back(V);
  if (V.Key == "num" || V.Key == "length")
    C.Values.push_back(V.Value);
  return true;
}

bool ArgumentParser::wait() {
  TokenRange Rest = R;
  auto StartsWith = [&](StringRef Word) {
    return Rest.size() > 1 && wordOf(Rest[0]) == Word && Rest[1].is(tok::colon);
  };
  if (StartsWith("devnum")) {
    Rest = Rest.drop_front(2);
    const Token *Colon = findColon(Rest);
    if (Colon == Rest.end()) {
      fail(Colon, "expected ':' after the device number in '%0'");
      Context.note(C.Loc, "write 'wait(devnum: device : queues: list)'");
      return false;
    }
    C.setModifier(wordOf(R.front()));
    C.ModifierValue = between(Rest.begin(), Colon);
    if (!expression(C.ModifierValue, false))
      return false;
    Rest = between(Colon + 1, Rest.end());
  }
  if (StartsWith("queues"))
    Rest = Rest.drop_front(2);
  if (Rest.empty()) {
    fail(Rest.end(), "expected a queue in '%0'");
    Context.note(C.Loc, "to wait for every queue leave the parentheses out");
    return false;
  }
  bool Good = true;
  for (TokenRange Part : splitAtCommas(Rest, Context.isCPlusPlus(), false)) {
    Good &= expression(Part, false);
    C.Values.push_back(Part);
  }
  return Good;
}

bool ArgumentParser::collapse() {
  TokenRange Value = R;
  const Token *Colon = findColon(R);
  if (Colon != R.end()) {
    ArrayRef<StringRef> Words = modifiers(C.Kind);
    if (Colon == R.begin() || Colon - R.begin() > 1 ||
        !llvm::is_contained(Words, wordOf(R.front()))) {
      if (Colon != R.begin())
        return unknownWord(R.begin(), "modifier", Words);
      return fail(Colon, "expected 'force' before ':' in '%0'");
    }
    C.setModifier(wordOf(R.front()));
    Value = between(Colon + 1, R.end());
  }
  auto Parts = splitAtCommas(Value, Context.isCPlusPlus(), false);
  if (Parts.size() > 1)
    return fail(Parts[1].begin(),
                "too many arguments: '%0' takes one number of loops");
  C.Values.push_back(Value);
  return expression(Value, false);
}

} // namespace accx::frontend
