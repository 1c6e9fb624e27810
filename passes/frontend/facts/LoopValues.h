//===- LoopValues.h - What a loop's temporaries hold ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `k = i * n + j; a[k] = ...`: where a variable is assigned once in a loop, and
// ahead of its use in every iteration that gets there, the use is the value.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_FACTS_LOOPVALUES_H
#define ACCX_FRONTEND_FACTS_LOOPVALUES_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

namespace accx::frontend {

class LoopValues {
public:
  /// \p Name stands where \p D is assigned, updated or lent.
  void noteWrite(const clang::ValueDecl *D, const clang::Expr *Name);
  /// Once, of all of the loop.
  void readParents(const clang::Stmt *Loop);

  /// The expression whose value the variable \p Name has there: of its
  /// declaration or its assignment; null if it has no such value. Names in it
  /// mean what they mean where it stands.
  const clang::Expr *valueOf(const clang::DeclRefExpr *Name) const;

  bool isInside(const clang::Stmt *S, const clang::Stmt *Of) const;

private:
  const clang::Expr *assigned(const clang::DeclRefExpr *Name,
                              const clang::Expr *Where) const;

  /// Null for those with several.
  llvm::DenseMap<const clang::ValueDecl *, const clang::Expr *> Writes;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parents;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_FACTS_LOOPVALUES_H
