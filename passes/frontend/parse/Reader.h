//===- Reader.h - Reads a translation unit ahead of the parser --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes `#pragma acc` over from Clang, lexes the whole translation unit and
// returns its tokens with each directive as one token.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_READER_H
#define ACCX_FRONTEND_PARSE_READER_H

#include "frontend/parse/Tree.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// What reading a unit yields.
struct Unit {
  UnitTokens Tokens; // ends with tok::eof
  std::vector<std::unique_ptr<Directive>> Directives;
};

/// Reads the rest of \p PP's main file. Call it in InitializeSema: the parser
/// has registered its own handler for `acc` by then, which is replaced.
/// Malformed directives are diagnosed and left out. Loops of kernels constructs
/// are marked.
Unit readUnit(clang::Preprocessor &PP);

/// A part of that: puts `loop` in front of every `for` statement of a kernels
/// construct that stands under no loop directive. \p Ordinal: the next
/// directive's.
void markKernelLoops(Unit &U, unsigned Ordinal);

/// Fills Kind, HasLoop, Loc and Clauses of \p D from D.Tokens (macro-expanded,
/// without the end of line). Reports every mistake at its token and returns
/// false if there was an error; \p D must not be used then.
bool parseDirective(clang::Preprocessor &PP, Directive &D);

/// From now on `a[n]` in a data clause is `a[0:n]`.
void takeBareLengths();

/// Makes \p Tokens what the parser of \p PP sees next.
void replayTokens(clang::Preprocessor &PP, const UnitTokens &Tokens);

/// For compilations without OpenMP: no `#pragma accx` means anything.
void ignoreOwnPragmas(clang::Preprocessor &PP);

/// For preprocessing only (-E): prints directives with macros expanded, as
/// Clang does for `omp`.
void registerPreprocessOnlyHandler();

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_READER_H
