//===- LambdaBinds.h - The clause bind of a lambda --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lambda's call operator can be no base and no variant of OpenMP's `declare
// variant`. Where a routine or what it is bound to is a lambda, the calls are
// bound instead:
//
//   routine bind(g)              in the compilation for devices:
//   auto f = [](int x) {...};    ... = f(1);    ->    ... = g(1);
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_LAMBDABINDS_H
#define ACCX_FRONTEND_PLAN_LAMBDABINDS_H

#include "frontend/parse/Tree.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace accx::frontend {

/// Whether \p Routine, bound to \p To, is a matter of calls: one of them is a
/// variable that holds a lambda.
bool isLambdaBind(const UnitTokens &Tokens, const clang::Token &Routine,
                  const clang::Token &To);

/// Binds the calls in \p Tokens, which \p T describes, if this is a
/// compilation for a device; that for the host reports what cannot be bound.
void bindLambdas(UnitTokens &Tokens, const Tree &T, clang::Preprocessor &PP);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_LAMBDABINDS_H
