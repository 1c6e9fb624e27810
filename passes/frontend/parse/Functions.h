//===- Functions.h - Functions and lambdas among tokens ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives are planned before anything is parsed. Here the functions, and the
// lambdas that a variable holds, are found from the tokens alone.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_FUNCTIONS_H
#define ACCX_FRONTEND_PARSE_FUNCTIONS_H

#include "frontend/parse/Tree.h"

#include <string>

namespace accx::frontend {

/// Whether `name = [` of a lambda begins at \p I.
bool lambdaAt(const UnitTokens &T, size_t I);

/// The index of the name in a declaration of a variable that holds a lambda;
/// \p S.End if it is none.
size_t lambdaIn(const UnitTokens &T, Span S);

/// The declaration or definition that begins at \p I: up to its body's end or
/// its semicolon.
Span declarationAt(const UnitTokens &T, size_t I);

/// The name in front of a declaration's first parentheses, or that of a
/// variable that is a lambda; empty if there is none.
std::string functionName(const UnitTokens &T, Span S);

/// The index of the name in front of a declaration's first parentheses, or of
/// a lambda's; \p S.End if that is no plain function.
size_t nameAt(const UnitTokens &T, Span S);

/// The function or lambda that a routine directive names, or stands in front
/// of, if that is a plain one.
TokenRange routineName(const UnitTokens &T, const Node &Routine);

/// The index of the first identifier \p Name; the number of tokens if there is
/// none.
size_t firstMention(const UnitTokens &T, const clang::IdentifierInfo *Name);

/// A function, or a variable that holds a lambda, where it is defined.
struct NamedCode {
  std::string Name;
  /// Of a lambda the variable's name, else the declaration's first token.
  size_t At;
  Span Body; // braces included
  bool IsLambda;
};

/// In the order of the text. Members count by their last name alone.
std::vector<NamedCode> namedCode(const UnitTokens &T);

/// The functions and lambdas around \p At, outermost first.
std::vector<std::string> namesAround(const UnitTokens &T, size_t At);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_FUNCTIONS_H
