//===- Context.cpp - What the parser's parts share ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reporting in Clang's manner, and the words in messages.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Context.h"

#include <algorithm>

using clang::DiagnosticBuilder;
using clang::DiagnosticIDs;
using clang::SourceLocation;
using clang::Token;
using llvm::ArrayRef;
using llvm::StringRef;

namespace accx::frontend {

SourceLocation ParseContext::locOf(const Token *T) const {
  if (T != end())
    return T->getLocation();
  if (D.End.isValid())
    return D.End;
  return D.Tokens.empty() ? D.Begin : D.Tokens.back().getLocation();
}

std::string ParseContext::textOf(TokenRange R) const {
  std::string Text;
  bool AfterWord = false;
  for (const Token &T : R) {
    if (T.isAnnotation())
      continue;
    bool Word = T.isLiteral() || !wordOf(T).empty();
    if (Word && AfterWord)
      Text += ' ';
    Text += PP.getSpelling(T);
    AfterWord = Word;
  }
  return Text;
}

std::string listOf(ArrayRef<StringRef> Words, StringRef Conjunction) {
  std::string Text;
  for (size_t I = 0; I < Words.size(); ++I) {
    if (I && I + 1 == Words.size())
      Text += (" " + Conjunction + " ").str();
    else if (I)
      Text += ", ";
    Text += ("'" + Words[I] + "'").str();
  }
  return Text;
}

StringRef nearest(StringRef Word, ArrayRef<StringRef> Words) {
  StringRef Best;
  // One mistake in three letters, as Clang has it: more is another word.
  unsigned Least = (Word.size() + 2) / 3 + 1;
  for (StringRef W : Words) {
    // A word of one letter is near everything short.
    unsigned Distance =
        Word.edit_distance(W, /*AllowReplacements=*/true, Least);
    if (Distance < Least && Distance < W.size()) {
      Least = Distance;
      Best = W;
    }
  }
  return Best;
}

} // namespace accx::frontend
