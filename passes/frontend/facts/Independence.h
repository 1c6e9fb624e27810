//===- Independence.h - Proves that iterations do not interact --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical loops, functions without effects, and the proof that no iteration
// of a loop uses what another one writes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_INDEPENDENCE_H
#define ACCX_FRONTEND_FACTS_INDEPENDENCE_H

#include "frontend/facts/Facts.h"
#include "frontend/facts/FlowFacts.h"

#include "clang/AST/ASTContext.h"

#include <string>

namespace accx::frontend {

/// The loop that \p S is, behind marks, attributes and the blocks of marks;
/// null if it is none.
const clang::ForStmt *loopOf(const clang::Stmt *S);

/// The variable that a `for` statement's first part declares or assigns.
const clang::ValueDecl *loopVariable(const clang::ForStmt *F);

/// How a canonical loop runs: Variable from Lower, by Step, while Variable
/// Relation Upper.
struct CanonicalLoop {
  const clang::ForStmt *Statement = nullptr;
  const clang::ValueDecl *Variable = nullptr;
  const clang::Expr *Lower = nullptr, *Upper = nullptr;
  const clang::Expr *Step = nullptr; // null: 1
  bool Down = false;
  clang::BinaryOperatorKind Relation = clang::BO_LT;
};
/// Nothing if \p F is not canonical.
std::optional<CanonicalLoop> canonicalLoop(const clang::ForStmt *F);

/// Loops nested tightly from \p F on that are canonical, with bounds that none
/// of the outer ones changes.
unsigned canonicalDepth(const clang::ForStmt *F);

/// The loop that the body of \p F consists of; null if there is more in it.
const clang::ForStmt *tightlyNested(const clang::ForStmt *F);

/// Whether \p S assigns \p D or gives its address away.
bool writesTo(const clang::ValueDecl *D, const clang::Stmt *S);

/// Whether calling \p F only computes a value from its arguments.
bool isPure(const clang::FunctionDecl *F);

/// Sets what \p Facts say of the independence of the iterations of the
/// \p Depth loops from \p F on. \p Named: what clauses make private, or reduce.
void readIndependence(const clang::ForStmt *F, unsigned Depth,
                      llvm::ArrayRef<const clang::ValueDecl *> Named,
                      const UnitMarks &Marks, clang::ASTContext &Context,
                      bool StrictAliasing, StatementFacts &Facts);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_INDEPENDENCE_H
