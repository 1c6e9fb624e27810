//===- Context.h - What the parser's parts share ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One directive on its way through the parser: where its mistakes are
// reported, and the steps that the parser's files hand to each other.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_CONTEXT_H
#define ACCX_FRONTEND_PARSE_CONTEXT_H

#include "frontend/parse/Report.h"
#include "frontend/parse/Tokens.h"

#include "clang/Lex/Preprocessor.h"

#include <string>

namespace accx::frontend {

class ParseContext {
public:
  ParseContext(clang::Preprocessor &PP, Directive &D) : PP(PP), D(D) {}

  clang::Preprocessor &PP;
  Directive &D;

  /// Reports in Clang's format language. An error makes the directive fail.
  clang::DiagnosticBuilder error(clang::SourceLocation Loc,
                                 llvm::StringRef Format) {
    Failed = true;
    return reportError(PP.getDiagnostics(), Loc, Format);
  }
  clang::DiagnosticBuilder warning(clang::SourceLocation Loc,
                                   llvm::StringRef Format) {
    return report(PP.getDiagnostics(), Loc, clang::DiagnosticIDs::Warning,
                  Format);
  }
  clang::DiagnosticBuilder note(clang::SourceLocation Loc,
                                llvm::StringRef Format) {
    return report(PP.getDiagnostics(), Loc, clang::DiagnosticIDs::Note, Format);
  }
  bool failed() const { return Failed; }

  bool isCPlusPlus() const { return PP.getLangOpts().CPlusPlus; }
  const clang::Token *end() const { return D.Tokens.end(); }
  /// Of a token of the directive, or the end of the line.
  clang::SourceLocation locOf(const clang::Token *T) const;
  static clang::SourceRange rangeOf(TokenRange R) {
    return {R.front().getLocation(), R.back().getLocation()};
  }
  /// The tokens' text, one blank between words.
  std::string textOf(TokenRange R) const;

  llvm::StringRef directiveName() const { return spelling(D.Kind, D.HasLoop); }
  /// What messages call a clause: the directive for its own argument.
  llvm::StringRef nameOf(const Clause &C) const {
    return C.Kind == ClauseKind::Argument ? directiveName() : C.Spelling;
  }

private:
  bool Failed = false;
};

/// `'a', 'b' or 'c'`.
std::string listOf(llvm::ArrayRef<llvm::StringRef> Words,
                   llvm::StringRef Conjunction = "or");

/// The word of \p Words that \p Word is a misspelling of; empty if none is
/// near enough.
llvm::StringRef nearest(llvm::StringRef Word,
                        llvm::ArrayRef<llvm::StringRef> Words);

/// Parses list item \p R of \p C, behind which a separator follows.
bool parseItem(ParseContext &Context, const Clause &C, TokenRange R,
               Item &Result);

/// Rules between the clauses of one directive: repetition, conflicts, clauses
/// that must be there.
void checkClauses(ParseContext &Context);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_CONTEXT_H
