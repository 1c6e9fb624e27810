//===- StatementFacts.h - What a statement does with variables --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags of struct Variable, from the walk over one statement and the walk
// over the function around it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_STATEMENTFACTS_H
#define ACCX_FRONTEND_FACTS_STATEMENTFACTS_H

#include "frontend/facts/Facts.h"
#include "frontend/facts/FlowFacts.h"

#include "clang/AST/ASTContext.h"

namespace accx::frontend {

TypeClass classify(clang::QualType T);

/// Facts of one marked statement, while they are being gathered.
struct StatementReading {
  unsigned Ordinal = 0;
  StatementFacts Facts;
  /// Of Facts.Outer, in the same order.
  std::vector<const clang::ValueDecl *> Declarations;
};

/// All but LiveAfter, which stays true. \p S is what stands behind the
/// directive's operands.
StatementReading readStatement(unsigned Ordinal, const clang::Stmt *S,
                               const UnitMarks &Marks,
                               clang::ASTContext &Context);

/// TimeTiles.cpp: why the steps of \p S, a loop that \p D has tiled, must stay
/// apart; empty if they need not.
std::string whyNotTiled(const clang::Stmt *S, const Directive &D,
                        clang::ASTContext &Context);

/// LiveAfter of all \p Readings, whose statements stand in \p Body, the body of
/// \p Function; and what follows from addresses taken elsewhere in it.
void readLiveness(const clang::Stmt *Body, const clang::DeclContext *Function,
                  const UnitMarks &Marks,
                  std::vector<StatementReading> &Readings);

/// InstanceFacts.cpp: completes \p Pattern, a statement of a template, by the
/// same statement of all \p Instances.
void addInstances(StatementFacts &Pattern,
                  llvm::ArrayRef<StatementFacts> Instances);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_STATEMENTFACTS_H
