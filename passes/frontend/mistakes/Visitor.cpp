//===- Visitor.cpp - A walk that knows its constructs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits statements in the order of the text and keeps count of the directives,
// conditions and `try` blocks around them. All searches of this room but the
// one in Omp.cpp derive from it.
//
//===----------------------------------------------------------------------===//

#include "frontend/mistakes/Visitor.h"

using namespace clang;

namespace accx::frontend {

void MistakeVisitor::parts(const Stmt *S) {
  for (const Stmt *Child : S->children())
    walk(Child);
}

void MistakeVisitor::marked(const AttributedStmt *S, const Directive &D) {
  Around.push_back(&D);
  enters(D, markedStatement(S));
  walk(S->getSubStmt());
  leaves(D);
  Around.pop_back();
}

void MistakeVisitor::walk(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    expression(E);
  switch (S->getStmtClass()) {
  case Stmt::AttributedStmtClass: {
    const auto *A = cast<AttributedStmt>(S);
    const std::optional<ProbeMark> M = markOf(A);
    if (const Directive *D = M ? U.Marks.find(M->Ordinal) : nullptr)
      marked(A, *D);
    else
      walk(A->getSubStmt());
    return;
  }
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls()) {
      if (const std::optional<MarkedOperand> Op = operandOf(D))
        operand(*Op);
      if (const auto *V = dyn_cast<VarDecl>(D))
        variable(V);
    }
    return parts(S);
  case Stmt::ForStmtClass:
    return loop(cast<ForStmt>(S));
  case Stmt::IfStmtClass:
    ++Conditions;
    branch(cast<IfStmt>(S));
    --Conditions;
    return;
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::SwitchStmtClass:
  case Stmt::CXXForRangeStmtClass:
  case Stmt::ConditionalOperatorClass:
    ++Conditions;
    parts(S);
    --Conditions;
    return;
  case Stmt::BinaryOperatorClass: {
    const bool Logical = cast<BinaryOperator>(S)->isLogicalOp();
    Conditions += Logical;
    parts(S);
    Conditions -= Logical;
    return;
  }
  case Stmt::CXXTryStmtClass: {
    const auto *T = cast<CXXTryStmt>(S);
    ++Tries;
    walk(T->getTryBlock());
    --Tries;
    for (unsigned I = 0; I < T->getNumHandlers(); ++I)
      walk(T->getHandler(I)->getHandlerBlock());
    return;
  }
  case Stmt::LambdaExprClass:
    ++Lambdas;
    walk(cast<LambdaExpr>(S)->getBody());
    --Lambdas;
    return;
  case Stmt::CapturedStmtClass: // what OpenMP captures is not a child
    return walk(cast<CapturedStmt>(S)->getCapturedStmt());
  case Stmt::UnaryExprOrTypeTraitExprClass: // not evaluated
  case Stmt::CXXNoexceptExprClass:
    return;
  default:
    parts(S);
  }
}

} // namespace accx::frontend
