//===- GangTokens.h - What statements do, by their tokens -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about plain statements, answered on the safe side.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_GANGTOKENS_H
#define ACCX_FRONTEND_PLAN_GANGTOKENS_H

#include "frontend/parse/Tree.h"

#include <set>
#include <string>

namespace accx::frontend {

using Names = std::set<std::string>;

/// The inside of \p S if that is one block, else \p S.
Span withoutBraces(const UnitTokens &T, Span S);
/// Whether the statement at \p I declares variables.
bool isDeclaration(const UnitTokens &T, size_t I);
/// The names that declarations in \p S, outside of inner blocks, declare.
Names declaredIn(const UnitTokens &T, Span S);
/// Whether a declaration reads memory, or sets one of \p Team.
bool initializes(const UnitTokens &T, Span S, const Names &Team);
/// Whether something else than plain variables that are not in \p Team is
/// read; written, by assignment or by a call.
bool readsMemory(const UnitTokens &T, Span S, const Names &Team);
bool writesMemory(const UnitTokens &T, Span S, const Names &Team);
/// A variable not of \p Team that \p S sets and does not declare; empty: none.
std::string setsOwn(const UnitTokens &T, Span S, const Names &Team);
/// Whether \p Name stands in \p S as a variable; and whether, where it does
/// first, it is set by a statement of its own.
bool mentions(const UnitTokens &T, Span S, llvm::StringRef Name);
bool setsFirst(const UnitTokens &T, Span S, llvm::StringRef Name);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_GANGTOKENS_H
