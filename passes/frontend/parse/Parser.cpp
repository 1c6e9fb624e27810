//===- Parser.cpp - Tokens of a pragma to a Directive ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through a directive's line: its name, its own argument, its clauses.
// After a mistake it goes on at the next word that is a clause, so that one run
// of the compiler shows every mistake of the line.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Reader.h"

#include "frontend/parse/Arguments.h"

using clang::FixItHint;
using clang::SourceLocation;
using clang::Token;
using llvm::SmallVector;
using llvm::StringRef;
namespace tok = clang::tok;

namespace accx::frontend {

namespace {
class LineParser {
public:
  LineParser(clang::Preprocessor &PP, Directive &D)
      : Context(PP, D), D(D), T(D.Tokens.begin()), End(D.Tokens.end()) {}

  bool parse();

private:
  bool checkTokens();
  bool directive();
  void unknownDirective();
  bool suggest(StringRef Format, llvm::ArrayRef<StringRef> Words);
  void ownArgument();
  void clause();
  void unknownClause(StringRef Word);
  void notAllowed(StringRef Word, ClauseKind K);
  bool argument(Clause &C);
  bool beginsPart(ClauseKind K) const;
  void skipClause();
  void resume();
  bool allowedHere(StringRef Word, ClauseKind K) const;

  ParseContext Context;
  Directive &D;
  const Token *T;
  const Token *const End;
  unsigned DevicePart = 0;
};
} // namespace

bool LineParser::parse() {
  D.Loc = Context.locOf(T);
  if (!checkTokens() || !directive())
    return false;
  ownArgument();
  bool AfterComma = false;
  while (T != End) {
    // A comma may stand before each clause, the first one included.
    if (T->is(tok::comma) && !AfterComma) {
      AfterComma = true;
      ++T;
      continue;
    }
    AfterComma = false;
    clause();
  }
  if (AfterComma)
    Context.error(Context.locOf(End), "expected an OpenACC clause after ','");
  checkClauses(Context);
  return !Context.failed();
}

/// A pragma inside the line, by _Pragma, leaves tokens that are no text.
bool LineParser::checkTokens() {
  for (const Token &Each : D.Tokens) {
    if (!Each.isAnnotation() && !Each.isOneOf(tok::eof, tok::eod))
      continue;
    Context.error(Each.getLocation(),
                  "a pragma cannot stand inside an OpenACC directive");
    return false;
  }
  return true;
}

static bool isDirective(StringRef Spelling) {
  return llvm::any_of(directiveRows(), [=](const DirectiveRow &R) {
    return R.Spelling == Spelling;
  });
}

/// Whether \p First and the word at \p T are one.
static bool isDirective(StringRef First, const Token *T, const Token *End) {
  return T != End && isDirective((First + " " + wordOf(*T)).str());
}

/// The rows' spellings are one or two words; of two that match, the longer one
/// is meant.
bool LineParser::directive() {
  if (T == End) {
    Context.error(Context.locOf(T), "expected an OpenACC directive");
    return false;
  }
  for (const DirectiveRow &R : directiveRows()) {
    auto [First, Second] = R.Spelling.split(' ');
    if (wordOf(*T) != First)
      continue;
    if (!Second.empty()) {
      const bool Matches = T + 1 != End && wordOf(T[1]) == Second;
      // The first word may be a directive of its own, or the first of another.
      if (!Matches && (isDirective(First) || isDirective(First, T + 1, End)))
        continue;
      if (!Matches) {
        Context.error(Context.locOf(T + 1), "expected '%0' after '%1'")
            << Second << First;
        return false;
      }
      ++T;
    }
    ++T;
    D.Kind = R.Kind;
    D.HasLoop = false;
    if (T != End && isCompute(D.Kind) &&
        wordOf(*T) == row(DirectiveKind::Loop).Spelling) {
      D.HasLoop = true;
      ++T;
    }
    return true;
  }
  unknownDirective();
  return false;
}

void LineParser::unknownDirective() {
  StringRef Word = wordOf(*T);
  SmallVector<StringRef, 32> Words;
  for (const DirectiveRow &R : directiveRows())
    if (!isOwn(R.Kind) || D.IsOwn)
      Words.push_back(R.Spelling.split(' ').first);
  if (Word.empty())
    Context.error(Context.locOf(T), "expected an OpenACC directive");
  else if (!suggest("unknown OpenACC directive '%0'; did you mean '%1'?",
                    Words))
    Context.error(Context.locOf(T), "unknown OpenACC directive '%0'") << Word;
}

/// Reports the word at T as a misspelling of the nearest of \p Words, if there
/// is one.
bool LineParser::suggest(StringRef Format, llvm::ArrayRef<StringRef> Words) {
  const SourceLocation Loc = Context.locOf(T);
  const StringRef Word = wordOf(*T), Near = nearest(Word, Words);
  if (!Near.empty())
    Context.error(Loc, Format)
        << Word << Near << FixItHint::CreateReplacement(Loc, Near);
  return !Near.empty();
}

void LineParser::ownArgument() {
  bool Takes = allows(D.Kind, D.HasLoop, ClauseKind::Argument);
  if (T == End || T->isNot(tok::l_paren)) {
    if (!needsArgument(D.Kind))
      return;
    Context.error(Context.locOf(T), "expected '(' after '%0'")
        << Context.directiveName();
    const bool IsSteps = D.Kind == DirectiveKind::TimeTile;
    Context.note(D.Loc, "write '%0(%select{list|data|n}1)' with %2")
        << Context.directiveName() << (IsSteps ? 2 : int(isOperation(D.Kind)))
        << (D.Kind == DirectiveKind::Cache ? "array elements or sub-arrays"
            : IsSteps                      ? "the number of steps of a launch"
            : isOperation(D.Kind)
                ? "a variable or a part of an array, as in 'a[first:length]'"
                : "arrays, as in 'a[first:length]'");
    resume();
    return;
  }
  Clause C;
  C.Kind = ClauseKind::Argument;
  C.Loc = Context.locOf(T);
  C.Spelling = row(D.Kind).Spelling;
  if (!Takes) {
    Context.error(
        C.Loc,
        "'%0' takes no argument: expected a clause or the end of the line")
        << Context.directiveName();
    T = skipGroup(T, End);
    resume();
    return;
  }
  if (argument(C))
    D.Clauses.push_back(std::move(C));
}

void LineParser::clause() {
  StringRef Word = wordOf(*T);
  if (Word.empty()) {
    Context.error(Context.locOf(T), "expected an OpenACC clause before '%0'")
        << Context.textOf(*T);
    T = skipGroup(T, End);
    resume();
    return;
  }
  std::optional<ClauseKind> Kind = findClause(Word);
  if (!Kind) {
    unknownClause(Word);
    return;
  }
  if (!allowedHere(Word, *Kind)) {
    notAllowed(Word, *Kind);
    return;
  }
  Clause C;
  C.Kind = *Kind;
  C.Loc = C.EndLoc = Context.locOf(T);
  C.Spelling = Word;
  if (beginsPart(C.Kind))
    ++DevicePart;
  C.DevicePart = DevicePart;
  ++T;
  static constexpr ArgumentForm MayStandAlone[] = {
      ArgumentForm::None,  ArgumentForm::OptionalExpr,  ArgumentForm::GangLevel,
      ArgumentForm::Level, ArgumentForm::GangDimension, ArgumentForm::Wait};
  if (T != End && T->is(tok::l_paren)) {
    if (argument(C))
      D.Clauses.push_back(std::move(C));
  } else if (llvm::is_contained(MayStandAlone, form(D.Kind, C.Kind))) {
    D.Clauses.push_back(std::move(C));
  } else {
    Context.error(Context.locOf(T), "expected '(' after '%0'") << Word;
    Context.note(C.Loc, "'%0' takes an argument in parentheses") << Word;
    resume();
  }
}

bool LineParser::allowedHere(StringRef Word, ClauseKind K) const {
  for (const AliasRow &R : aliasRows())
    if (R.Spelling == Word && R.Only && *R.Only != D.Kind)
      return false;
  return allows(D.Kind, D.HasLoop, K);
}

void LineParser::unknownClause(StringRef Word) {
  SmallVector<StringRef, 48> Words;
  for (const ClauseRow &R : clauseRows())
    if (!R.Spelling.empty() && allowedHere(R.Spelling, R.Kind))
      Words.push_back(R.Spelling);
  for (const AliasRow &R : aliasRows())
    if (allowedHere(R.Spelling, R.Kind))
      Words.push_back(R.Spelling);
  if (!suggest("unknown OpenACC clause '%0'; did you mean '%1'?", Words))
    Context.error(Context.locOf(T), "unknown OpenACC clause '%0' on '%1'")
        << Word << Context.directiveName();
  skipClause();
}

void LineParser::notAllowed(StringRef Word, ClauseKind K) {
  Context.error(Context.locOf(T), "'%0' is not allowed on '%1'")
      << Word << Context.directiveName();
  SmallVector<StringRef, 16> Places, OwnPlaces;
  for (const DirectiveRow &R : directiveRows()) {
    bool Elsewhere = false;
    for (const AliasRow &A : aliasRows())
      Elsewhere |= A.Spelling == Word && A.Only && *A.Only != R.Kind;
    if (!Elsewhere && allows(R.Kind, false, K))
      (isOwn(R.Kind) ? OwnPlaces : Places).push_back(R.Spelling);
  }
  // Of OpenACC's clauses only its own directives help in its lines.
  if (D.IsOwn || Places.empty())
    Places.append(OwnPlaces);
  Context.note(Context.locOf(T), "'%0' may stand on %1")
      << Word << listOf(Places);
  skipClause();
}

/// Parses the parenthesis at T, and goes past it.
bool LineParser::argument(Clause &C) {
  const Token *Open = T;
  Closing Close = findClose(Open, End);
  if (!Close.Found) {
    const char *Missing = Close.Open->is(tok::l_paren)    ? "expected ')'"
                          : Close.Open->is(tok::l_square) ? "expected ']'"
                                                          : "expected '}'";
    Context.error(Context.locOf(Close.At), Missing);
    Context.note(Context.locOf(Close.Open), "to match this '%0'")
        << Context.textOf(*Close.Open);
    T = Close.At;
    resume();
    return false;
  }
  T = Close.At + 1;
  C.HasArguments = true;
  C.EndLoc = Context.locOf(Close.At);
  C.Arguments = between(Open + 1, Close.At);
  if (form(D.Kind, C.Kind) == ArgumentForm::None) {
    Context.error(Context.locOf(Open), "'%0' takes no argument on '%1'")
        << Context.nameOf(C) << Context.directiveName()
        << FixItHint::CreateRemoval(
               clang::SourceRange(Context.locOf(Open), C.EndLoc));
    return false;
  }
  return ArgumentParser(Context, C).parse(form(D.Kind, C.Kind));
}

/// On the directives that set devices up device_type is an argument like
/// others; elsewhere it begins a part of the directive.
bool LineParser::beginsPart(ClauseKind K) const {
  return K == ClauseKind::DeviceType && D.Kind != DirectiveKind::Init &&
         D.Kind != DirectiveKind::Shutdown && D.Kind != DirectiveKind::Set;
}

/// Goes past the word at T and what it has in parentheses.
void LineParser::skipClause() {
  if (++T != End && T->is(tok::l_paren))
    T = skipGroup(T, End);
}

/// Goes to the next clause, which is the next word outside of brackets that
/// is one anywhere.
void LineParser::resume() {
  while (T != End && T->isNot(tok::comma) && !findClause(wordOf(*T)))
    T = skipGroup(T, End);
}

bool parseDirective(clang::Preprocessor &PP, Directive &D) {
  return LineParser(PP, D).parse();
}

} // namespace accx::frontend
