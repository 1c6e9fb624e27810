//===- Items.cpp - Variables and sub-arrays -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of a list item:
//
//   item    := base section*
//   base    := ( name | 'this' | '(' expression ')' ) part*
//   part    := ( '.' | '->' ) name | '[' expression ']'
//   section := '[' expression? ':' expression? ']' | '[' expression ']'
//
// where the first section has a colon. A name may be qualified and have
// template arguments. What the expressions mean is left to Clang's parser.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Context.h"
#include "frontend/parse/Reader.h"
#include "frontend/parse/TokenText.h"

using clang::SourceLocation;
using clang::Token;
using llvm::StringRef;
namespace tok = clang::tok;

namespace accx::frontend {

namespace {
class ItemParser {
public:
  ItemParser(ParseContext &Context, const Clause &C, TokenRange R,
             const Token *Behind, Item &Result)
      : Context(Context), C(C), R(R), Behind(Behind), T(R.begin()),
        Result(Result) {}

  bool parse();

private:
  bool at(tok::TokenKind K) const { return T != R.end() && T->is(K); }
  /// Where \p P is, or what follows the item if \p P is its end.
  SourceLocation locOf(const Token *P) const {
    return Context.locOf(P == R.end() ? Behind : P);
  }
  /// Reports \p Format, of which '%0' is the clause, and returns false.
  bool fail(const Token *At, StringRef Format) const {
    Context.error(locOf(At), Format) << Context.nameOf(C);
    return false;
  }
  bool primary();
  bool name();
  bool part();
  bool brackets();
  bool checkSections() const;

  ParseContext &Context;
  const Clause &C;
  TokenRange R;
  const Token *Behind;
  const Token *T;
  Item &Result;
};
} // namespace

bool ItemParser::parse() {
  Result.Tokens = R;
  if (!primary())
    return false;
  while (T != R.end())
    if (!part())
      return false;
  if (Result.Sections.empty())
    Result.Base = R;
  return checkSections();
}

bool ItemParser::primary() {
  if (at(tok::kw_this)) {
    ++T;
    return true;
  }
  if (at(tok::identifier) || at(tok::coloncolon))
    return name();
  if (at(tok::l_paren)) {
    const Token *Past = skipGroup(T, R.end());
    if (Past - T > 2) {
      T = Past;
      return true;
    }
    ++T; // the missing expression is where the parenthesis closes
  } else if (at(tok::star) && T + 1 != R.end()) {
    fail(T, "expected a variable or sub-array in '%0'");
    Context.note(locOf(T),
                 "write '%0[0:1]' for the object that a pointer points to")
        << Context.textOf(R.drop_front());
    return false;
  }
  return fail(T, "expected a variable or sub-array in '%0'");
}

/// `a`, `n::a`, `::n::a<int>::b`.
bool ItemParser::name() {
  if (at(tok::coloncolon))
    ++T;
  for (;;) {
    if (at(tok::kw_template))
      ++T;
    if (!at(tok::identifier))
      return fail(T, "expected a name in the list of '%0'");
    ++T;
    if (Context.isCPlusPlus() && at(tok::less))
      if (const Token *Past = skipTemplateArguments(T, R.end(), true))
        T = Past;
    if (!at(tok::coloncolon))
      return true;
    ++T;
  }
}

bool ItemParser::part() {
  if (at(tok::l_square))
    return brackets();
  if (!at(tok::period) && !at(tok::arrow)) {
    fail(T, "expected ',' or ')' after a list item of '%0'");
    if (at(tok::l_paren))
      Context.note(locOf(T), "a list item is a variable, a member or a "
                             "sub-array, not the result of a call");
    return false;
  }
  if (!Result.Sections.empty()) {
    Context.error(locOf(T), "a sub-array has no members")
        << Context.rangeOf(between(R.begin(), T));
    Context.note(locOf(T), "name an element, as in 'a[i].m', or put the "
                           "sub-array last, as in 's.a[0:n]'");
    return false;
  }
  ++T;
  return name();
}

bool ItemParser::brackets() {
  const Token *Open = T;
  const Token *Past = skipGroup(T, R.end());
  TokenRange Inner = between(Open + 1, Past - 1);
  T = Past;
  const Token *Colon = findColon(Inner);
  bool IsElement = Colon == Inner.end();
  if (Inner.empty()) {
    Context.error(locOf(Open + 1), "expected an index or '[first:length]'");
    Context.note(locOf(Open),
                 "'[:]' is the whole of a dimension whose length is known");
    return false;
  }
  Section S;
  S.IsElement = IsElement;
  S.Lower = between(Inner.begin(), Colon);
  if (!IsElement) {
    S.Length = between(Colon + 1, Inner.end());
    const Token *Second = findColon(S.Length);
    if (Second != S.Length.end()) {
      Context.error(locOf(Second), "a sub-array has no stride: expected ']'");
      Context.note(locOf(Colon), "what follows the first ':' is the length");
      return false;
    }
    if (Result.Sections.empty())
      Result.Base = between(R.begin(), Open);
  } else if (Result.Sections.empty()) {
    return true; // part of the base
  }
  Result.Sections.push_back(S);
  return true;
}

bool ItemParser::checkSections() const {
  if (!Result.Sections.empty() && has(C.Kind, NoSections)) {
    Context.error(locOf(R.begin()), "'%0' takes no sub-array")
        << Context.nameOf(C) << Context.rangeOf(R);
    Context.note(locOf(R.begin()), "name the variable: '%0'")
        << Context.textOf(Result.Base);
    return false;
  }
  if (Context.D.Kind == DirectiveKind::Cache && Result.Sections.empty() &&
      R.back().isNot(tok::r_square)) {
    // A hint, which other compilers take like this: it is not followed.
    Context.warning(
        locOf(R.begin()),
        "'cache' takes array elements and sub-arrays; '%0' is not cached")
        << Context.textOf(R) << Context.rangeOf(R);
    Context.note(locOf(R.begin()),
                 "name the part that an iteration uses, as in '%0[i:1]'")
        << Context.textOf(R);
  }
  return true;
}

static bool BareLengths = false;

void takeBareLengths() { BareLengths = true; }

/// `a[n]` as `a[0:n]`, where all the brackets that \p R ends with are bare.
static TokenRange withBareLengths(ParseContext &Context, TokenRange R) {
  const Token *First = nullptr;
  for (const Token *T = R.begin(); T != R.end();) {
    const bool Opens = T->is(tok::l_square);
    const Token *Past =
        Opens || T->is(tok::l_paren) ? skipGroup(T, R.end()) : T + 1;
    if (!Opens || !First)
      First = Opens ? T : nullptr;
    if (Opens &&
        (Past - T <= 2 || findColon(between(T + 1, Past - 1)) != Past - 1))
      return R;
    T = Past;
  }
  if (!First)
    return R;
  TokenVector &New = Context.D.Rewritten.emplace_back();
  New.append(R.begin(), First);
  for (const Token *T = First; T != R.end();) {
    const Token *Past = skipGroup(T, R.end());
    New.push_back(*T);
    lexText(Context.PP, "0:", T->getLocation(), New);
    New.append(T + 1, Past);
    T = Past;
  }
  return New;
}

bool parseItem(ParseContext &Context, const Clause &C, TokenRange R,
               Item &Result) {
  const Token *Behind = R.end();
  if (BareLengths &&
      (has(C.Kind, Mapping) || Context.D.Kind == DirectiveKind::Update))
    R = withBareLengths(Context, R);
  return ItemParser(Context, C, R, Behind, Result).parse();
}

} // namespace accx::frontend
