//===- Tree.h - Directives and the statements they stand on -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translation unit's tokens, with each directive's statement found: how
// far it reaches, and which directives stand inside it. Made from tokens alone,
// before anything is parsed, so that every directive is rewritten with its
// whole surroundings known.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_TREE_H
#define ACCX_FRONTEND_PARSE_TREE_H

#include "frontend/parse/Directive.h"

#include <memory>
#include <vector>

namespace accx::frontend {

/// The whole translation unit, macro-expanded. A directive is one annotation
/// token (isDirective()).
using UnitTokens = std::vector<clang::Token>;

/// Whether \p T stands for a directive, and which.
bool isDirective(const clang::Token &T);
Directive *directiveOf(const clang::Token &T);
void makeDirectiveToken(clang::Token &T, Directive *D);

/// Past the statement that begins at token \p I.
size_t statementEnd(const UnitTokens &Tokens, size_t I);
/// Past the bracket that matches the opening one at token \p I; the end of the
/// file if there is none.
size_t skipBrackets(const UnitTokens &Tokens, size_t I);

/// Half-open range of indices into the unit's tokens.
struct Span {
  size_t Begin = 0;
  size_t End = 0;
  bool empty() const { return Begin == End; }
};

/// A directive with its place.
struct Node {
  Directive *D = nullptr;
  Node *Parent = nullptr;
  /// Index of the directive's own token.
  size_t At = 0;
  /// The statement it stands on, directives before that statement included:
  /// `loop` directly behind `parallel` begins the statement of `parallel`.
  /// Empty for directives that stand alone.
  Span Statement;
  /// The block, braces included, that directly contains the directive; empty
  /// at namespace or class scope.
  Span Block;
  /// If the statement, past directives, is a `for`: what its parentheses hold,
  /// and its body.
  Span LoopHeader, LoopBody;
  /// The directives inside the statement, in order, outermost only.
  std::vector<Node *> Children;

  bool isLoop() const { return D->Kind == DirectiveKind::Loop || D->HasLoop; }
};

/// Whether \p N with its statement is all there is in \p S, braces apart.
bool isWhole(const UnitTokens &Tokens, Span S, const Node &N);

/// Every directive of a unit, as a forest in source order.
class Tree {
public:
  explicit Tree(const UnitTokens &Tokens);

  const std::vector<Node *> &roots() const { return Roots; }
  /// In source order.
  const std::vector<std::unique_ptr<Node>> &nodes() const { return Nodes; }
  /// Those in \p N's statement, in source order.
  std::vector<const Node *> inside(const Node &N) const;
  const UnitTokens &tokens() const { return Tokens; }
  TokenRange text(Span S) const {
    return TokenRange(Tokens).slice(S.Begin, S.End - S.Begin);
  }

private:
  const UnitTokens &Tokens;
  std::vector<std::unique_ptr<Node>> Nodes;
  std::vector<Node *> Roots;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_TREE_H
