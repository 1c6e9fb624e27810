//===- ProbeTokens.cpp - A unit in the form that the probe parses ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why static assertions: a declaration may stand wherever a directive that is
// no statement's head may, at namespace and class scope included, and its
// operand, under sizeof, is neither evaluated nor captured by a lambda. The
// cast to void takes what `&` and `sizeof` refuse: bit-fields, register
// variables, functions and arrays of unknown bound.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/ProbeTokens.h"

#include "frontend/parse/TokenText.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

static constexpr llvm::StringLiteral Prefix = "accx:";

std::optional<ProbeMark> parseProbeMark(llvm::StringRef Text) {
  ProbeMark M;
  unsigned Number;
  if (!Text.consume_front(Prefix) || Text.consumeInteger(10, M.Ordinal))
    return std::nullopt;
  for (std::optional<unsigned> *Part : {&M.Clause, &M.Item, &M.Bound}) {
    if (Text.empty())
      return M;
    if (!Text.consume_front(":") || Text.consumeInteger(10, Number))
      return std::nullopt;
    *Part = Number;
  }
  return Text.empty() ? std::optional(M) : std::nullopt;
}

namespace {

class ProbeWriter {
public:
  ProbeWriter(Preprocessor &PP, const Tree &T) : PP(PP), T(T) {}

  UnitTokens write() {
    const UnitTokens &In = T.tokens();
    Closers.resize(In.size() + 1);
    Out.reserve(In.size() + T.nodes().size() * 32);
    auto Next = T.nodes().begin();
    for (size_t I = 0; I < In.size(); ++I) {
      for (SourceLocation Loc : Closers[I])
        lexText(PP, "}", Loc, Out);
      if (isDirective(In[I]))
        writeDirective(**Next++);
      else
        Out.push_back(In[I]);
    }
    return std::move(Out);
  }

private:
  void text(const llvm::Twine &S, SourceLocation Loc) {
    llvm::SmallString<64> Buffer;
    lexText(PP, S.toStringRef(Buffer), Loc, Out);
  }

  void writeDirective(const Node &N) {
    const Directive &D = *N.D;
    if (!N.Statement.empty()) {
      text("[[clang::suppress(\"" + Prefix + Twine(D.Ordinal) + "\")]] {",
           D.Loc);
      writeOperands(D);
      Closers[N.Statement.End].push_back(D.Loc);
    } else if (D.Kind == DirectiveKind::Wait || isSubstatement(N)) {
      // What comes before a wait is done, whether it has operands or not.
      if (D.Kind == DirectiveKind::Wait)
        text("[[clang::suppress(\"" + Prefix + Twine(D.Ordinal) + "\")]]",
             D.Loc);
      text("{", D.Loc);
      writeOperands(D);
      text("}", D.Loc);
    } else {
      writeOperands(D);
    }
  }

  /// Whether a directive that stands alone is where only a statement may
  /// stand, such as the branch of an `if`, and a declaration may not.
  bool isSubstatement(const Node &N) const {
    if (row(N.D->Kind).Follows != Association::None || N.At == 0)
      return false;
    const Token &Before = T.tokens()[N.At - 1];
    return Before.isOneOf(tok::r_paren, tok::kw_else, tok::kw_do, tok::colon);
  }

  void writeOperands(const Directive &D) {
    for (size_t C = 0; C < D.Clauses.size(); ++C) {
      const Clause &Of = D.Clauses[C];
      const std::string Mark =
          (Prefix + Twine(D.Ordinal) + ":" + Twine(C)).str();
      for (size_t I = 0; I < Of.Items.size(); ++I) {
        const Item &It = Of.Items[I];
        writeOperand(It.Base, Mark + ":" + std::to_string(I), Of.Loc);
        for (size_t S = 0; S < It.Sections.size(); ++S) {
          const auto Bound = [&](size_t Which) {
            return Mark + ":" + std::to_string(I) + ":" +
                   std::to_string(2 * S + Which);
          };
          writeOperand(It.Sections[S].Lower, Bound(0), Of.Loc);
          writeOperand(It.Sections[S].Length, Bound(1), Of.Loc);
          writeOperand(It.Sections[S].After, Mark, Of.Loc);
        }
      }
      writeOperand(Of.ModifierValue, Mark, Of.Loc);
      if (hasExpressions(form(D.Kind, Of.Kind)))
        for (size_t V = 0; V < Of.Values.size(); ++V)
          writeOperand(Of.Values[V],
                       hasTypedValues(D.Kind, Of.Kind)
                           ? Mark + ":" + std::to_string(V)
                           : Mark,
                       Of.Loc);
    }
  }

  static bool hasExpressions(ArgumentForm F) {
    static constexpr ArgumentForm Others[] = {
        ArgumentForm::None,      ArgumentForm::Variables,
        ArgumentForm::Reduction, ArgumentForm::DefaultKind,
        ArgumentForm::Name,      ArgumentForm::DeviceTypes,
        ArgumentForm::Function,  ArgumentForm::Ranges};
    return !llvm::is_contained(Others, F);
  }

  void writeOperand(TokenRange E, const std::string &Mark, SourceLocation Loc) {
    if (E.empty() || (E.size() == 1 && E[0].is(tok::star)))
      return;
    text("_Static_assert(sizeof((void)(", Loc);
    Out.insert(Out.end(), E.begin(), E.end());
    text("), 1) != 0, \"" + Twine(Mark) + "\");", Loc);
  }

  Preprocessor &PP;
  const Tree &T;
  UnitTokens Out;
  /// Of each token, the directives whose statements end in front of it.
  std::vector<llvm::SmallVector<SourceLocation, 1>> Closers;
};

} // namespace

UnitTokens makeProbeTokens(Preprocessor &PP, const Tree &T) {
  return ProbeWriter(PP, T).write();
}

} // namespace accx::frontend
