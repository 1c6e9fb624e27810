//===- Tree.cpp - Directives and the statements they stand on -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds statements by their tokens.
//
//===----------------------------------------------------------------------===//
//
// A statement's end needs little grammar: blocks and parentheses nest, `for`,
// `while`, `switch` and `if` have a head and one statement, `do` has one and a
// tail, `try` has blocks, labels and attributes stand in front, and everything
// else ends at the next semicolon outside of brackets.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Tree.h"

#include "frontend/parse/Tokens.h"

#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace accx::frontend {

// An annotation that the parser itself never sees.
static constexpr tok::TokenKind DirectiveToken = tok::annot_pragma_attribute;

bool isDirective(const Token &T) {
  return T.is(DirectiveToken) && T.getFlag(Token::HasUDSuffix);
}

Directive *directiveOf(const Token &T) {
  return static_cast<Directive *>(T.getAnnotationValue());
}

void makeDirectiveToken(Token &T, Directive *D) {
  T.startToken();
  T.setKind(DirectiveToken);
  T.setLocation(D->Begin);
  T.setAnnotationEndLoc(D->End);
  T.setAnnotationValue(D);
  // No literal's flag means anything on an annotation: it tells ours from
  // those of `#pragma clang attribute`.
  T.setFlag(Token::HasUDSuffix);
}

namespace {

class Scanner {
public:
  explicit Scanner(const UnitTokens &T) : T(T) {}

  /// Past the bracket that matches the one at \p I; at the end of the file if
  /// there is none.
  size_t skipBrackets(size_t I) const {
    unsigned Depth = 0;
    for (;; ++I) {
      if (T[I].is(tok::eof))
        return I;
      if (isOpenBracket(T[I]))
        ++Depth;
      else if (isCloseBracket(T[I]) && --Depth == 0)
        return I + 1;
    }
  }

  /// Past a pragma of another kind, whose tokens end with an annotation.
  size_t skipPragma(size_t I) const {
    if (T[I].isOneOf(tok::annot_pragma_openmp, tok::annot_attr_openmp)) {
      while (!T[I].isOneOf(tok::annot_pragma_openmp_end, tok::eof))
        ++I;
      return T[I].is(tok::eof) ? I : I + 1;
    }
    return I + 1;
  }

  /// Past directives, pragmas, attributes and labels in front of a statement.
  size_t skipPrefix(size_t I) const {
    for (;;) {
      if (T[I].isAnnotation())
        I = skipPragma(I);
      else if (T[I].is(tok::l_square) && T[I + 1].is(tok::l_square))
        I = skipBrackets(I);
      else if (T[I].is(tok::kw___attribute) && T[I + 1].is(tok::l_paren))
        I = skipBrackets(I + 1);
      else if (T[I].is(tok::kw___extension__))
        ++I;
      else if (T[I].is(tok::identifier) && T[I + 1].is(tok::colon))
        I += 2;
      else
        return I;
    }
  }

  /// Past the statement that begins at \p I.
  size_t statementEnd(size_t I) const {
    I = skipPrefix(I);
    const Token &First = T[I];
    if (First.is(tok::eof) || isCloseBracket(First))
      return I;
    if (First.is(tok::l_brace))
      return skipBrackets(I);
    if (First.isOneOf(tok::kw_for, tok::kw_while, tok::kw_switch))
      return statementEnd(skipHead(I + 1));
    if (First.is(tok::kw_if)) {
      I = statementEnd(skipHead(I + 1));
      return T[I].is(tok::kw_else) ? statementEnd(I + 1) : I;
    }
    if (First.is(tok::kw_do)) {
      I = statementEnd(I + 1);
      return T[I].is(tok::kw_while) ? simpleEnd(I) : I;
    }
    if (First.is(tok::kw_try)) {
      I = statementEnd(I + 1);
      while (T[I].is(tok::kw_catch))
        I = statementEnd(skipHead(I + 1));
      return I;
    }
    return simpleEnd(I);
  }

  /// Past the parentheses of a statement's head (`constexpr` of an `if` too).
  size_t skipHead(size_t I) const {
    while (T[I].isOneOf(tok::kw_constexpr, tok::kw_consteval, tok::exclaim))
      ++I;
    return T[I].is(tok::l_paren) ? skipBrackets(I) : I;
  }

  /// Past the next semicolon outside of brackets.
  size_t simpleEnd(size_t I) const {
    for (;;) {
      if (T[I].is(tok::eof) || isCloseBracket(T[I]))
        return I;
      if (T[I].is(tok::semi))
        return I + 1;
      I = isOpenBracket(T[I]) ? skipBrackets(I) : I + 1;
    }
  }

private:
  const UnitTokens &T;
};

} // namespace

bool isWhole(const UnitTokens &Tokens, Span S, const Node &N) {
  while (S.Begin < N.At && Tokens[S.Begin].is(tok::l_brace) &&
         Tokens[S.End - 1].is(tok::r_brace)) {
    ++S.Begin;
    --S.End;
  }
  return S.Begin == N.At && S.End == N.Statement.End;
}

std::vector<const Node *> Tree::inside(const Node &N) const {
  std::vector<const Node *> All;
  for (const auto &Each : Nodes)
    if (N.At < Each->At && Each->At < N.Statement.End)
      All.push_back(Each.get());
  return All;
}

size_t statementEnd(const UnitTokens &Tokens, size_t I) {
  return Scanner(Tokens).statementEnd(I);
}

size_t skipBrackets(const UnitTokens &Tokens, size_t I) {
  return Scanner(Tokens).skipBrackets(I);
}

/// `atomic capture` may stand on a block; every other kind on one statement.
static bool hasStatement(const Directive &D) {
  const Association Follows = row(D.Kind).Follows;
  return Follows != Association::None && Follows != Association::Declaration;
}

Tree::Tree(const UnitTokens &Tokens) : Tokens(Tokens) {
  const Scanner Scan(Tokens);
  std::vector<size_t> Blocks;    // open braces
  std::vector<Node *> Enclosing; // statements not yet left
  for (size_t I = 0; I < Tokens.size(); ++I) {
    while (!Enclosing.empty() && I >= Enclosing.back()->Statement.End)
      Enclosing.pop_back();
    const Token &T = Tokens[I];
    if (T.is(tok::l_brace))
      Blocks.push_back(I);
    else if (T.is(tok::r_brace) && !Blocks.empty())
      Blocks.pop_back();
    if (!isDirective(T))
      continue;
    auto N = std::make_unique<Node>();
    N->D = directiveOf(T);
    N->At = I;
    if (!Blocks.empty())
      N->Block = {Blocks.back(), Scan.skipBrackets(Blocks.back())};
    if (hasStatement(*N->D)) {
      N->Statement = {I + 1, Scan.statementEnd(I + 1)};
      size_t For = Scan.skipPrefix(I + 1);
      if (For < N->Statement.End && Tokens[For].is(tok::kw_for)) {
        const size_t Body = Scan.skipHead(For + 1);
        if (Body > For + 2)
          N->LoopHeader = {For + 2, Body - 1};
        N->LoopBody = {Body, N->Statement.End};
      }
    }
    if (!Enclosing.empty()) {
      N->Parent = Enclosing.back();
      N->Parent->Children.push_back(N.get());
    } else {
      Roots.push_back(N.get());
    }
    if (!N->Statement.empty())
      Enclosing.push_back(N.get());
    Nodes.push_back(std::move(N));
  }
}

} // namespace accx::frontend
