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

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// The tokens of \p Text, which seem to be expanded at \p Loc. Names are looked
/// up, macros are not expanded.
llvm::SmallVector<clang::Token, 16> lexText(clang::Preprocessor &PP,
                                            llvm::StringRef Text,
                                            clang::SourceLocation Loc);
/// Appends them.
template <typename Vector>
void lexText(clang::Preprocessor &PP, llvm::StringRef Text,
             clang::SourceLocation Loc, Vector &Out) {
  for (const clang::Token &T : lexText(PP, Text, Loc))
    Out.push_back(T);
}

/// A token of an annotation kind without a value, such as
/// tok::annot_pragma_openmp.
clang::Token makeAnnotation(clang::tok::TokenKind Kind,
                            clang::SourceLocation Loc);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_TOKENTEXT_H
