//===- Arguments.cpp - Which kind of argument -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the table's form to the function that parses it; arguments that are
// words.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Arguments.h"

#include "llvm/ADT/STLExtras.h"

using clang::Token;
using llvm::ArrayRef;
using llvm::StringRef;
namespace tok = clang::tok;

namespace accx::frontend {

bool ArgumentParser::parse(ArgumentForm F) {
  switch (F) {
  case ArgumentForm::None:
    return true;
  case ArgumentForm::Variables:
    return variables();
  case ArgumentForm::Reduction:
    return reduction();
  case ArgumentForm::Expression:
  case ArgumentForm::OptionalExpr:
    return expressions(1, false);
  case ArgumentForm::Expressions:
    return expressions(3, false);
  case ArgumentForm::Values:
    // No expression: the word means more than any list.
    if (C.Kind == ClauseKind::Devices && R.size() == 1 &&
        wordOf(R.front()) == "all")
      return true;
    return expressions(SIZE_MAX, false);
  case ArgumentForm::Sizes:
    return expressions(SIZE_MAX, true);
  case ArgumentForm::GangLevel:
  case ArgumentForm::Level:
    return level(modifiers(C.Kind));
  case ArgumentForm::GangDimension:
    return level({"dim"});
  case ArgumentForm::Wait:
    return wait();
  case ArgumentForm::Collapse:
    return collapse();
  case ArgumentForm::DefaultKind:
    return defaultKind();
  case ArgumentForm::DeviceTypes:
    return deviceTypes();
  case ArgumentForm::Name:
    return functionName(/*StringAllowed=*/true);
  case ArgumentForm::Function:
    return functionName(/*StringAllowed=*/false);
  case ArgumentForm::Ranges:
    return ranges();
  case ArgumentForm::FilePlace:
    return place(1, 2);
  case ArgumentForm::MessagePeer:
    return place(3, 3);
  }
  return false;
}

bool ArgumentParser::unknownWord(const Token *T, StringRef Kind,
                                 ArrayRef<StringRef> Words) {
  StringRef Near = nearest(wordOf(*T), Words);
  Context.error(locOf(T),
                "unknown %0 '%1' of '%2'%select{|; did you mean '%4'?}3")
      << Kind << Context.textOf(*T) << Name << !Near.empty() << Near
      << (Near.empty() ? clang::FixItHint()
                       : clang::FixItHint::CreateReplacement(locOf(T), Near));
  Context.note(locOf(T), "'%0' takes %1") << Name << listOf(Words);
  return false;
}

bool ArgumentParser::defaultKind() {
  static constexpr StringRef OfDefault[] = {"none", "present"};
  const ArrayRef<StringRef> Kinds =
      C.Kind == ClauseKind::Default ? OfDefault : modifiers(C.Kind);
  if (R.empty()) {
    Context.error(locOf(R.end()), "expected %0 in '%1'")
        << listOf(Kinds) << Name;
    return false;
  }
  if (!llvm::is_contained(Kinds, wordOf(R.front())))
    return unknownWord(R.begin(), "argument", Kinds);
  if (R.size() > 1)
    return fail(R.begin() + 1, "expected ')' after the argument of '%0'");
  C.setModifier(wordOf(R.front()));
  C.Values.push_back(R);
  return true;
}

bool ArgumentParser::deviceTypes() {
  auto Parts = splitAtCommas(R, false, false);
  if (R.empty())
    Parts.push_back(R);
  for (TokenRange Part : Parts) {
    bool Star = !Part.empty() && Part.front().is(tok::star);
    if (Part.empty() || (!Star && wordOf(Part.front()).empty())) {
      fail(Part.begin(), "expected a device type in '%0'");
      note(C.Loc,
           "name device types, as in '%0(nvidia, host)', or all with '%0(*)'");
      return false;
    }
    if (Part.size() > 1)
      return fail(Part.begin() + 1,
                  "expected ',' or ')' after a device type of '%0'");
    if ((Star && Parts.size() > 1) ||
        (Context.D.Kind == DirectiveKind::Set && Parts.size() > 1)) {
      Context.error(locOf(Parts[1].begin()),
                    Star ? "'*' stands alone in '%0'"
                         : "'%0' takes one device type on 'set'")
          << Name;
      return false;
    }
    C.Values.push_back(Part);
  }
  return true;
}

bool ArgumentParser::functionName(bool StringAllowed) {
  if (StringAllowed && !R.empty() &&
      tok::isStringLiteral(R.front().getKind())) {
    for (const Token &T : R)
      if (T.isNot(tok::string_literal)) {
        Context.error(T.getLocation(), "expected ')' after the string of '%0'")
            << Name;
        return false;
      }
    C.Values.push_back(R);
    return true;
  }
  const Token *T = R.begin();
  if (T != R.end() && T->is(tok::coloncolon))
    ++T;
  for (;;) {
    if (T == R.end() || T->isNot(tok::identifier)) {
      Context.error(
          locOf(T),
          "expected the name of a function%select{| or a string}1 in '%0'")
          << Name << StringAllowed;
      return false;
    }
    if (++T == R.end())
      break;
    if (T->isNot(tok::coloncolon))
      return fail(T, "expected ')' after the name of a function in '%0'");
    ++T;
  }
  Item I;
  I.Tokens = I.Base = R;
  C.Items.push_back(std::move(I));
  C.Values.push_back(R);
  return true;
}

} // namespace accx::frontend
