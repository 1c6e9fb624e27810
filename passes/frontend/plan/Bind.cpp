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

/// The declaration of \p Function, whose name is at \p Name, under another
/// name: that of a symbol, or of a function of the program.
static void redeclare(const UnitTokens &T, Span Function, size_t Name,
                      const std::string &As, bool Symbol, const Clause &Bind,
                      Phrases &Out) {
  const TokenRange Tokens(T);
  for (size_t I = Function.Begin; I < Name; ++I)
    if (!Symbol ||
        (T[I].isNot(tok::kw_extern) && !tok::isStringLiteral(T[I].getKind())))
      Out.add("", Tokens.slice(I, 1), "", Bind.Loc);
  const size_t End = skipBrackets(T, Name + 1);
  Out.add(As, Tokens.slice(Name + 1, End - Name - 1), "", Bind.Loc);
  if (Symbol)
    Out.add("__asm__(", Bind.Values.front(), ")", Bind.Loc);
  Out.add(";", Bind.Loc);
}

/// Whether the function called \p Name is first heard of behind \p At.
static bool comesLater(const UnitTokens &T, const IdentifierInfo *Name,
                       size_t At) {
  const size_t I = firstMention(T, Name);
  return I > At && I + 1 < T.size() && T[I + 1].is(tok::l_paren);
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
    error(Bind.Loc,
          "'bind' of a lambda is supported outside of functions only");
    return;
  }
  // What is called on the device is there, and no argument of a kernel.
  const std::string To = text(Bind.Values.front());
  for (const NamedCode &C : namedCode(T.tokens()))
    if (C.IsLambda && C.Name == To) {
      return Result.insert(
          declarationAt(T.tokens(), C.At).End,
          {"declare target", {Phrase("to(" + To + ")", Bind.Loc)}, Bind.Loc});
    }
}

void Planner::planBind(const Node &N, const Clause &Bind, Span Function) {
  const UnitTokens &Tokens = T.tokens();
  const TokenRange To = Bind.Values.front();
  const bool Symbol = tok::isStringLiteral(To.front().getKind());
  const TokenRange Named = routineName(Tokens, N);
  const size_t Name = Function.empty() ? 0 : nameAt(Tokens, Function);
  if (Named.size() != 1 || Named.front().isNot(tok::identifier)) {
    error(Bind.Loc, "'bind' is not supported on members, operators, templates "
                    "and functions with qualified names; call the device's "
                    "function under its own name");
    return;
  }
  if (isLambdaBind(T.tokens(), Named.front(), To.front()))
    return planLambdaBind(N, Bind);
  if (!Symbol && To.size() == 1 &&
      To.front().getIdentifierInfo() == Named.front().getIdentifierInfo()) {
    error(Bind.Loc, "'bind' names the routine itself");
    return;
  }
  // Clang wants both functions to have one storage class.
  if (Symbol &&
      llvm::any_of(T.text({Function.Begin, std::max(Name, Function.Begin)}),
                   [](const Token &Tok) {
                     return Tok.isOneOf(tok::kw_static, tok::kw_inline,
                                        tok::kw_constexpr);
                   })) {
    error(Bind.Loc,
          "'bind' to a symbol is not supported on static and inline functions; "
          "bind to a function by its name, or take 'static' and 'inline' away");
    return;
  }
  const std::string Routine = text(Named), Stand = "__accx_bind_" + Routine;
  const size_t At = Function.empty() ? N.At + 1 : Function.Begin;
  const bool Later = !Symbol && To.size() == 1 &&
                     comesLater(Tokens, To.front().getIdentifierInfo(), At) &&
                     (Function.empty() || !hasDefaults(Tokens, Name));
  if (Symbol || Later) {
    const std::string As = Symbol ? Stand : text(To);
    Phrases Declaration;
    if (Function.empty()) {
      Declaration.add("extern __typeof__(" + Routine + ") " + As +
                          (Symbol ? " __asm__(" : ""),
                      Symbol ? To : TokenRange(), Symbol ? ");" : ";",
                      Bind.Loc);
    } else {
      redeclare(Tokens, Function, Name, As, Symbol, Bind, Declaration);
    }
    Result.insert(At, "", std::move(Declaration));
  }
  OmpDirective Variant{"declare variant", {}, Bind.Loc};
  Variant.Clauses.add("(" + (Symbol ? Stand : ""), Symbol ? TokenRange() : To,
                      ") match(device={kind(nohost)})", Bind.Loc);
  Phrases Again;
  if (Function.empty())
    Again.add("extern __typeof__(" + Routine + ") " + Routine + ";", Bind.Loc);
  Result.insert(At, std::move(Variant), std::move(Again));
}

} // namespace accx::frontend
