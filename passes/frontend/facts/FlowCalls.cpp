//===- FlowCalls.cpp - Accesses by calls ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of FlowFacts.h over what runs other code: calls with their
// arguments, and lambdas and blocks, whose code runs at an unknown time.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/FlowFacts.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace accx::frontend {

void FlowWalker::argument(const Expr *E, QualType Parameter) {
  if (!E)
    return;
  auto Lent = [&](const Expr *V) {
    const Use How = flow(V);
    return How == Use::Escape ? Use::Lend : Use::Read;
  };
  if (!Parameter.isNull())
    if (const auto *R = Parameter->getAs<ReferenceType>()) {
      const QualType To = R->getPointeeType();
      visit(E, To.isConstQualified() ? Use::Read : Use::Lend);
      return;
    }
  if (Parameter.isNull() && E->isGLValue())
    visit(E, Use::Lend);
  else
    visit(E, Lent(E));
}

void FlowWalker::call(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = M->getMethodDecl();
    if (const Expr *Object = M->getImplicitObjectArgument()) {
      const Use U = Method && Method->isConst() ? Use::Read : Use::Lend;
      member(Object, Object->getType()->isPointerType(), U);
    }
  } else if (!F) {
    const Expr *Callee = E->getCallee()->IgnoreParens();
    if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
      visit(M, Use::Lend);
    else
      visit(Callee, Use::Read);
  }
  const FunctionProtoType *Type = nullptr;
  if (F)
    Type = F->getType()->getAs<FunctionProtoType>();
  else if (const auto *P = E->getCallee()->getType()->getAs<PointerType>())
    Type = P->getPointeeType()->getAs<FunctionProtoType>();
  for (unsigned I = 0; I < E->getNumArgs(); ++I)
    argument(E->getArg(I), Type && I < Type->getNumParams()
                               ? Type->getParamType(I)
                               : QualType());
  calls(E, F);
}

void FlowWalker::construct(const CXXConstructExpr *E) {
  const CXXConstructorDecl *F = E->getConstructor();
  for (unsigned I = 0; I < E->getNumArgs(); ++I)
    argument(E->getArg(I), I < F->getNumParams() ? F->getParamDecl(I)->getType()
                                                 : QualType());
  if (!F->isTrivial())
    calls(E, F);
}

void FlowWalker::operatorCall(const CXXOperatorCallExpr *E) {
  const auto *F = dyn_cast_or_null<FunctionDecl>(E->getCalleeDecl());
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  const OverloadedOperatorKind Op = E->getOperator();
  const bool Assigns = CXXOperatorCallExpr::isAssignmentOp(Op) ||
                       Op == OO_PlusPlus || Op == OO_MinusMinus;
  const bool Stream = Op == OO_LessLess || Op == OO_GreaterGreater;
  auto Rest = [&](unsigned From) {
    for (unsigned I = From; I < E->getNumArgs(); ++I) {
      if (!F) {
        visit(E->getArg(I), Op == OO_Call || Stream ? Use::Lend : Use::Read);
        continue;
      }
      const unsigned P = Method && !Method->isStatic() ? I - 1 : I;
      argument(E->getArg(I), P < F->getNumParams()
                                 ? F->getParamDecl(P)->getType()
                                 : QualType());
    }
  };
  if (!E->getNumArgs())
    return;
  if (Assigns) {
    Rest(1);
    const bool Whole = Op == OO_Equal && (!Method || Method->isTrivial());
    visit(E->getArg(0), Whole ? Use::Write : Use::Update);
  } else if (Method && !Method->isStatic()) {
    part(E->getArg(0), Method->isConst() ? Use::Read : Use::Lend);
    Rest(1);
  } else if (!F && (Op == OO_Call || Op == OO_Subscript || Stream)) {
    part(E->getArg(0), Use::Lend);
    Rest(1);
  } else {
    Rest(0);
  }
  if (!F || !Method || !Method->isTrivial())
    calls(E, F);
}

void FlowWalker::lambda(const LambdaExpr *E) {
  auto Init = E->capture_init_begin();
  for (const LambdaCapture &C : E->captures()) {
    const Expr *From = Init != E->capture_init_end() ? *Init++ : nullptr;
    if (!C.capturesVariable()) {
      if (C.capturesThis())
        usesThis();
      continue;
    }
    if (E->isInitCapture(&C))
      declares(C.getCapturedVar());
    if (From)
      visit(From, C.getCaptureKind() == LCK_ByRef ? Use::Escape : Use::Read);
  }
  for (const ParmVarDecl *P : E->getCallOperator()->parameters())
    declares(P);
  later(E->getBody());
}

/// \p Body runs when it is called. What it assigns is not assigned here.
void FlowWalker::later(const Stmt *Body) {
  const State Before = std::exchange(Now, State());
  ++LambdaDepth;
  llvm::SmallVector<Jumps, 4> Outside;
  std::swap(Outside, Targets);
  statement(Body);
  std::swap(Outside, Targets);
  --LambdaDepth;
  Now = Before;
}

} // namespace accx::frontend
