//===- Bind.cpp - The clause bind of a routine ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for the device calls another function in place of the routine: OpenMP's
// `declare variant`, for the devices' compilations alone. A string is a symbol,
// which gets a declaration of the routine's type to be called by:
//
//   routine bind("symbol")     double __accx_bind_f(double) __asm__("symbol");
//   double f(double x) {...}   declare variant(__accx_bind_f)
//                              double f(double x) {...}
//
// A function that is bound to may come later in the unit: then it is declared
// here, of the routine's type. Lambdas have no variants; their calls are bound
// (LambdaBinds.h), which wants every lambda in question on the device.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Functions.h"
#include "frontend/plan/LambdaBinds.h"
#include "frontend/plan/Planner.h"

#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace accx::frontend {

/// The index of the name in front of a declaration's first parentheses, or of
/// a lambda's, or \p S.End if that is no plain function.
static size_t nameAt(const UnitTokens &T, Span S) {
  for (size_t I = S.Begin; I < S.End && T[I].isNot(tok::l_brace); ++I) {
    if (T[I].isOneOf(tok::kw_operator, tok::kw_template, tok::coloncolon))
      break;
    if (T[I].is(tok::kw___attribute) && T[I + 1].is(tok::l_paren))
      I = skipBrackets(T, I + 1) - 1;
    else if (lambdaAt(T, I))
      return I;
    else if (T[I].is(tok::l_paren))
      return I > S.Begin && T[I - 1].is(tok::identifier) ? I - 1 : S.End;
  }
  return S.End;
}

/// The declaration of \p Function, whose name is at \p Name, under another
/// name: that of a symbol, or of a function of the program.
static void redeclare(const UnitTokens &T, Span Function, size_t Name,
                      const std::string &As, bool Symbol, const Clause &Bind,
                      Phrases &Out) {
  const TokenRange Tokens(T);
  for (size_t I = Function.Begin; I < Name; ++I)
    if (!Symbol ||
        (T[I].isNot(tok::kw_extern) && !tok::isStringLiteral(T[I].getKind())))
      Out.push_back(phrase("", Tokens.slice(I, 1), "", Bind.Loc));
  const size_t End = skipBrackets(T, Name + 1);
  Out.push_back(
      phrase(As, Tokens.slice(Name + 1, End - Name - 1), "", Bind.Loc));
  if (Symbol)
    Out.push_back(phrase("__asm__(", Bind.Values.front(), ")", Bind.Loc));
  Out.push_back(phrase(";", {}, "", Bind.Loc));
}

/// Whether the function called \p Name is first heard of behind \p At.
static bool comesLater(const UnitTokens &T, const IdentifierInfo *Name,
                       size_t At) {
  for (size_t I = 0; I + 1 < T.size(); ++I)
    if (T[I].is(tok::identifier) && T[I].getIdentifierInfo() == Name)
      return I > At && T[I + 1].is(tok::l_paren);
  return false;
}

/// Whether parameters have default arguments, which may be said once.
static bool hasDefaults(const UnitTokens &T, size_t Name) {
  const size_t End = skipBrackets(T, Name + 1);
  for (size_t I = Name; I < End; ++I)
    if (T[I].is(tok::equal))
      return true;
  return false;
}

void Planner::planLambdaBind(const Node &N, const Clause &Bind) {
  if (inFunction(N)) {
    report(Bind.Loc, DiagnosticsEngine::Error,
           "'bind' of a lambda is supported outside of functions only");
    return;
  }
  // What is called on the device is there, and no argument of a kernel.
  const std::string To = text(Bind.Values.front());
  for (const NamedCode &C : namedCode(T.tokens()))
    if (C.IsLambda && C.Name == To) {
      Insertion Declare;
      Declare.Directive = {"declare target", {}, Bind.Loc};
      Declare.Directive.Clauses.push_back(
          phrase("to(" + To + ")", {}, "", Bind.Loc));
      Result.Insertions.emplace(declarationAt(T.tokens(), C.At).End,
                                std::move(Declare));
      return;
    }
}

void Planner::planBind(const Node &N, const Clause &Bind, Span Function) {
  const UnitTokens &Tokens = T.tokens();
  const TokenRange To = Bind.Values.front();
  const bool Symbol = tok::isStringLiteral(To.front().getKind());
  const Clause *List = N.D->find(ClauseKind::Argument);
  TokenRange Named;
  size_t Name = 0;
  if (Function.empty()) {
    if (List && !List->Items.empty())
      Named = List->Items.front().Tokens;
    else if (List && !List->Values.empty())
      Named = List->Values.front();
  } else if (Name = nameAt(Tokens, Function); Name < Function.End) {
    Named = TokenRange(Tokens).slice(Name, 1);
  }
  if (Named.size() != 1 || Named.front().isNot(tok::identifier)) {
    report(Bind.Loc, DiagnosticsEngine::Error,
           "'bind' is not supported on members, operators, templates and "
           "functions with qualified names; call the device's function under "
           "its own name");
    return;
  }
  if (isLambdaBind(T.tokens(), Named.front(), To.front()))
    return planLambdaBind(N, Bind);
  if (!Symbol && To.size() == 1 &&
      To.front().getIdentifierInfo() == Named.front().getIdentifierInfo()) {
    report(Bind.Loc, DiagnosticsEngine::Error,
           "'bind' names the routine itself");
    return;
  }
  // Clang wants both functions to have one storage class.
  if (Symbol &&
      llvm::any_of(T.text({Function.Begin, std::max(Name, Function.Begin)}),
                   [](const Token &Tok) {
                     return Tok.isOneOf(tok::kw_static, tok::kw_inline,
                                        tok::kw_constexpr);
                   })) {
    report(Bind.Loc, DiagnosticsEngine::Error,
           "'bind' to a symbol is not supported on static and inline "
           "functions; bind to a function by its name, or take 'static' and "
           "'inline' away");
    return;
  }
  const std::string Routine = text(Named), Stand = "__accx_bind_" + Routine;
  const size_t At = Function.empty() ? N.At + 1 : Function.Begin;
  const bool Later = !Symbol && To.size() == 1 &&
                     comesLater(Tokens, To.front().getIdentifierInfo(), At) &&
                     (Function.empty() || !hasDefaults(Tokens, Name));
  if (Symbol || Later) {
    const std::string As = Symbol ? Stand : text(To);
    Insertion Declaration;
    if (Function.empty()) {
      Declaration.Statements.push_back(
          phrase("extern __typeof__(" + Routine + ") " + As +
                     (Symbol ? " __asm__(" : ""),
                 Symbol ? To : TokenRange(), Symbol ? ");" : ";", Bind.Loc));
    } else {
      redeclare(Tokens, Function, Name, As, Symbol, Bind,
                Declaration.Statements);
    }
    Result.Insertions.emplace(At, std::move(Declaration));
  }
  Insertion Variant;
  Variant.Directive = {"declare variant", {}, Bind.Loc};
  Variant.Directive.Clauses.push_back(
      phrase("(" + (Symbol ? Stand : ""), Symbol ? TokenRange() : To,
             ") match(device={kind(nohost)})", Bind.Loc));
  if (Function.empty())
    Variant.Statements.push_back(
        phrase("extern __typeof__(" + Routine + ") " + Routine + ";", {}, "",
               Bind.Loc));
  Result.Insertions.emplace(At, std::move(Variant));
}

} // namespace accx::frontend
