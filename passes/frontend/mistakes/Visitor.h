//===- Visitor.h - A walk that knows its constructs -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over a function's code in the order of the text, with the directives
// around the place it is at. Clang's own visitor is a template that costs every
// class made from it half a megabyte.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_MISTAKES_VISITOR_H
#define ACCX_FRONTEND_MISTAKES_VISITOR_H

#include "frontend/mistakes/Mistakes.h"

namespace accx::frontend {

class MistakeVisitor {
public:
  explicit MistakeVisitor(MistakeUnit &U) : U(U) {}
  virtual ~MistakeVisitor() = default;
  MistakeVisitor(const MistakeVisitor &) = delete;
  MistakeVisitor &operator=(const MistakeVisitor &) = delete;

  void walk(const clang::Stmt *S);

protected:
  /// Around the statement of a directive, which Around has as its last.
  virtual void enters(const Directive &D, const clang::Stmt *S) {}
  virtual void leaves(const Directive &D) {}
  /// An expression in a clause.
  virtual void operand(const MarkedOperand &Op) {}

  /// Before what they consist of.
  virtual void variable(const clang::VarDecl *V) {}
  virtual void expression(const clang::Expr *E) {}
  /// By default its parts in order.
  virtual void loop(const clang::ForStmt *F) { parts(F); }
  virtual void branch(const clang::IfStmt *S) { parts(S); }

  void parts(const clang::Stmt *S);
  /// The compute construct around this place; null on the host.
  const Directive *compute() const {
    for (const Directive *D : Around)
      if (isCompute(D->Kind))
        return D;
    return nullptr;
  }

  MistakeUnit &U;
  llvm::SmallVector<const Directive *, 8> Around;
  /// Conditions, `try` blocks and lambdas around this place.
  unsigned Conditions = 0, Tries = 0, Lambdas = 0;

private:
  void marked(const clang::AttributedStmt *S, const Directive &D);
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_MISTAKES_VISITOR_H
