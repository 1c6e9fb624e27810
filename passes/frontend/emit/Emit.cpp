//===- Emit.cpp - A plan as tokens ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the unit, recursive where a directive's statement begins.
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/Emit.h"

#include "frontend/parse/TokenText.h"

#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

namespace accx::frontend {
namespace {

class Emitter {
public:
  Emitter(const Tree &T, const Plan &P, Preprocessor &PP) : T(T), P(P), PP(PP) {
    Out.reserve(T.tokens().size() + T.tokens().size() / 8);
    for (const auto &N : T.nodes())
      NodeAt[N->At] = N.get();
  }

  UnitTokens run() {
    range({0, T.tokens().size()});
    return std::move(Out);
  }

private:
  void range(Span S) {
    for (size_t I = S.Begin; I < S.End;) {
      insertAt(I);
      const Token &Tok = T.tokens()[I];
      if (!isDirective(Tok)) {
        Out.push_back(Tok);
        ++I;
      } else {
        I = node(*NodeAt.lookup(I));
      }
    }
  }

  void insertAt(size_t I) {
    for (auto [It, End] = P.Insertions.equal_range(I); It != End; ++It) {
      const SourceLocation Loc = It->second.Directive
                                     ? It->second.Directive.Loc
                                     : T.tokens()[I].getLocation();
      text(It->second.Before, Loc);
      if (It->second.Directive)
        directive(It->second.Directive);
      phrases(It->second.Statements);
      text(It->second.After, Loc);
    }
  }

  /// Returns the index to go on at.
  size_t node(const Node &N) {
    const auto Found = P.Rewrites.find(&N);
    if (Found == P.Rewrites.end())
      return N.At + 1;
    const Rewrite &R = Found->second;
    const SourceLocation Loc = N.D->Loc;
    const bool Executable = row(N.D->Kind).Follows != Association::Declaration;
    const bool Alone = N.Statement.empty();
    // A directive that stands alone may be all there is behind an `if`.
    const bool Braces =
        !R.Before.empty() || !R.After.empty() || (Alone && Executable);
    const bool Inner = !R.Inside.empty() || !R.InsideEnd.empty() ||
                       !R.Head.empty() || R.Kernels.size() > 1;
    if (Braces)
      text("{", Loc);
    phrases(R.Before);
    if (!R.Condition.empty())
      text("if (" + R.Condition + ") {", Loc);
    for (const OmpDirective &D : R.Directives)
      directive(D);
    phrases(R.Head);
    if (Inner)
      text("{", Loc);
    phrases(R.Inside);
    for (const Rewrite::Kernel &K : R.Kernels)
      kernel(K, Loc);
    if (!Alone && R.Kernels.empty())
      range(R.Statement);
    phrases(R.InsideEnd);
    if (Inner)
      text("}", Loc);
    if (!R.Condition.empty()) {
      text("} else {", Loc);
      directive(R.Otherwise);
      for (const Token &Tok : T.text(R.Statement))
        if (!isDirective(Tok))
          Out.push_back(Tok);
      text("}", Loc);
    }
    phrases(R.After);
    if (Braces)
      text("}", Loc);
    return Alone ? N.At + 1 : N.Statement.End;
  }

  void kernel(const Rewrite::Kernel &K, SourceLocation Loc) {
    directive(K.Directive);
    phrases(K.Head);
    text("{", Loc);
    phrases(K.Inside);
    range(K.Statement);
    phrases(K.InsideEnd);
    text("}", Loc);
  }

  void directive(const OmpDirective &D) {
    Out.push_back(makeAnnotation(tok::annot_pragma_openmp, D.Loc));
    text(D.Name, D.Loc);
    phrases(D.Clauses);
    Out.push_back(makeAnnotation(tok::annot_pragma_openmp_end, D.Loc));
  }

  void phrases(const Phrases &All) {
    for (const Phrase &C : All) {
      text(C.Before, C.Loc);
      Out.insert(Out.end(), C.Tokens.begin(), C.Tokens.end());
      text(C.After, C.Loc);
    }
  }

  void text(const std::string &Text, SourceLocation Loc) {
    if (!Text.empty())
      lexText(PP, Text, Loc, Out);
  }

  const Tree &T;
  const Plan &P;
  Preprocessor &PP;
  llvm::DenseMap<size_t, const Node *> NodeAt;
  UnitTokens Out;
};

} // namespace

UnitTokens emit(const Tree &T, const Plan &P, Preprocessor &PP) {
  return Emitter(T, P, PP).run();
}

} // namespace accx::frontend
