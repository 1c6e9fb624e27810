//===- TokenText.h - Tokens made from text ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end writes new code as text; the parser wants tokens. Each token
// made here is spelled in a buffer of its own and stands, for diagnostics, at
// the directive it was made for.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_TOKENTEXT_H
#define ACCX_FRONTEND_PARSE_TOKENTEXT_H

#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/TokenKinds.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// Appends the tokens of \p Text, which seem to be expanded at \p Loc. Names
/// are looked up, macros are not expanded.
void lexText(clang::Preprocessor &PP, llvm::StringRef Text,
             clang::SourceLocation Loc,
             llvm::SmallVectorImpl<clang::Token> &Out);
void lexText(clang::Preprocessor &PP, llvm::StringRef Text,
             clang::SourceLocation Loc, std::vector<clang::Token> &Out);

/// A token of an annotation kind without a value, such as
/// tok::annot_pragma_openmp.
clang::Token makeAnnotation(clang::tok::TokenKind Kind,
                            clang::SourceLocation Loc);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_TOKENTEXT_H
