//===- TokenText.cpp - Tokens made from text ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lexes text into a buffer of its own and gives the tokens the place of a
// directive. All parts of the front end that write code write it as text and
// come here for the tokens.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/TokenText.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;

namespace accx::frontend {

llvm::SmallVector<Token, 16> lexText(Preprocessor &PP, llvm::StringRef Text,
                                     SourceLocation Loc) {
  llvm::SmallVector<Token, 16> Out;
  SourceManager &SM = PP.getSourceManager();
  // A directive may come out of a macro; what is made for it stands where that
  // macro is used, because an expansion must begin and end in a file.
  SourceLocation At = SM.getExpansionLoc(Loc);
  // As from a system's macro: warnings of style, and of what a language
  // standard lacks, are for what the user wrote.
  FileID Buffer =
      SM.createFileID(llvm::MemoryBuffer::getMemBufferCopy(Text, "<openacc>"),
                      SrcMgr::C_System, /*LoadedID=*/0, /*LoadedOffset=*/0, At);
  Lexer Raw(Buffer, SM.getBufferOrFake(Buffer), SM, PP.getLangOpts());
  Token T;
  for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T)) {
    if (T.is(tok::raw_identifier))
      PP.LookUpIdentifierInfo(T);
    T.clearFlag(Token::StartOfLine);
    T.setLocation(
        SM.createExpansionLoc(T.getLocation(), At, At, T.getLength()));
    Out.push_back(T);
  }
  return Out;
}

Token makeAnnotation(tok::TokenKind Kind, SourceLocation Loc) {
  Token T;
  T.startToken();
  T.setKind(Kind);
  T.setLocation(Loc);
  T.setAnnotationEndLoc(Loc);
  T.setAnnotationValue(nullptr);
  return T;
}

} // namespace accx::frontend
