//===- Parser.h - Tokens of a pragma to a Directive -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grammar of directives and clauses, driven by the table.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_PARSER_H
#define ACCX_FRONTEND_PARSE_PARSER_H

#include "frontend/parse/Directive.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// Fills Kind, HasLoop, Loc and Clauses of \p D from D.Tokens (macro-expanded,
/// without the end of line). Reports every mistake at its token and returns
/// false if there was an error; \p D must not be used then.
bool parseDirective(clang::Preprocessor &PP, Directive &D);

/// From now on `a[n]` in a data clause is `a[0:n]`.
void takeBareLengths();

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_PARSER_H
