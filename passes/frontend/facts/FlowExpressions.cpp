//===- FlowExpressions.cpp - Accesses in expressions ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of FlowFacts.h over expressions; FlowCalls.cpp has calls.
//
//===----------------------------------------------------------------------===//
//
// visit(E, U): U says what E's surroundings do to the object that E denotes
// or, if E is a pointer's value, points to. In code of a known type a read is a
// conversion (lvalue to rvalue) in the tree; in a template it is not, so the
// surroundings have to tell.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/FlowFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace accx::frontend {

Use FlowWalker::flow(const Expr *E) {
  const QualType T = E->getType();
  if (T.isNull() || !T->isPointerType())
    return Use::Read;
  return T->getPointeeType().isConstQualified() ? Use::Bind : Use::Escape;
}

/// Whether \p E denotes a part of something, or what is pointed to.
static bool isPlace(const Expr *E) {
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return isa<FieldDecl>(M->getMemberDecl());
  return isa<ArraySubscriptExpr, CXXDependentScopeMemberExpr>(E);
}

void FlowWalker::value(const Expr *E) {
  if (E)
    visit(E, flow(E));
}

bool FlowWalker::isPrivate(const ValueDecl *D) const {
  return llvm::is_contained(Private, D);
}

bool FlowWalker::isCounter(const ValueDecl *D) const {
  return llvm::is_contained(Counters, D);
}

bool FlowWalker::isReduced(const ValueDecl *D) const {
  return llvm::is_contained(Reduced, D);
}

void FlowWalker::name(const ValueDecl *D, Use U, bool Part, const Expr *E) {
  if (!isa<VarDecl, BindingDecl>(D))
    return;
  D = cast<ValueDecl>(D->getCanonicalDecl());
  if (isPrivate(D))
    return;
  if (LambdaDepth && U == Use::Write)
    U = Use::Escape; // nobody knows when
  access(D, U, Part, E);
}

void FlowWalker::visit(const Expr *E, Use U) {
  if (!E)
    return;
  E = E->IgnoreParens();
  const bool Inner = std::exchange(InPath, false);
  if (!Inner && isPlace(E))
    touches(E, U);
  switch (E->getStmtClass()) {
  case Stmt::DeclRefExprClass:
    return name(cast<DeclRefExpr>(E)->getDecl(), U, /*Part=*/false, E);
  case Stmt::ArraySubscriptExprClass: {
    const auto *S = cast<ArraySubscriptExpr>(E);
    visit(S->getIdx(), Use::Read);
    element(S->getBase(), U);
    return;
  }
  case Stmt::MemberExprClass: {
    const auto *M = cast<MemberExpr>(E);
    if (const auto *Static = dyn_cast<VarDecl>(M->getMemberDecl())) {
      name(Static, U, /*Part=*/false, E);
      return;
    }
    const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
    const bool Indirect = Field && Field->getType()->isReferenceType();
    member(M->getBase(), M->isArrow(), Indirect ? Use::Read : U);
    return;
  }
  case Stmt::CXXDependentScopeMemberExprClass: {
    const auto *M = cast<CXXDependentScopeMemberExpr>(E);
    if (M->isImplicitAccess())
      usesThis();
    else
      member(M->getBase(), M->isArrow(), U);
    return;
  }
  case Stmt::CXXThisExprClass:
    return usesThis();
  case Stmt::UnaryOperatorClass:
    return unary(cast<UnaryOperator>(E), U);
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(cast<BinaryOperator>(E), U);
  case Stmt::ConditionalOperatorClass: {
    const auto *C = cast<ConditionalOperator>(E);
    conditional(C->getCond(), C->getTrueExpr(), C->getFalseExpr(), U);
    return;
  }
  case Stmt::BinaryConditionalOperatorClass: {
    const auto *C = cast<BinaryConditionalOperator>(E);
    conditional(C->getCommon(), nullptr, C->getFalseExpr(), U);
    return;
  }
  case Stmt::CXXOperatorCallExprClass:
    return operatorCall(cast<CXXOperatorCallExpr>(E));
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::UserDefinedLiteralClass:
  case Stmt::CUDAKernelCallExprClass:
    return call(cast<CallExpr>(E));
  case Stmt::LambdaExprClass:
    return lambda(cast<LambdaExpr>(E));
  case Stmt::BlockExprClass:
    return later(cast<BlockExpr>(E)->getBody());
  case Stmt::StmtExprClass:
    return statement(cast<StmtExpr>(E)->getSubStmt());
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return construct(cast<CXXConstructExpr>(E));
  default:
    wrapped(E, U);
  }
}

/// What is around other expressions, or is not evaluated.
void FlowWalker::wrapped(const Expr *E, Use U) {
  switch (E->getStmtClass()) {
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return visit(cast<CXXRewrittenBinaryOperator>(E)->getSemanticForm(), U);
  case Stmt::PseudoObjectExprClass:
    return visit(cast<PseudoObjectExpr>(E)->getSyntacticForm(), Use::Lend);
  // Not evaluated, or evaluated elsewhere.
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::CXXTypeidExprClass:
  case Stmt::OpaqueValueExprClass:
  case Stmt::CXXDefaultArgExprClass:
  case Stmt::CXXDefaultInitExprClass:
    return;
  case Stmt::ConstantExprClass:
  case Stmt::ExprWithCleanupsClass:
    return visit(cast<FullExpr>(E)->getSubExpr(), U);
  case Stmt::MaterializeTemporaryExprClass:
    return visit(cast<MaterializeTemporaryExpr>(E)->getSubExpr(), U);
  case Stmt::CXXBindTemporaryExprClass:
    return visit(cast<CXXBindTemporaryExpr>(E)->getSubExpr(), U);
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return;
  case Stmt::RecoveryExprClass:
    return children(E, /*Unsure=*/true);
  default:
    if (const auto *C = dyn_cast<CastExpr>(E))
      cast(C, U);
    else
      children(E, /*Unsure=*/writes(U) || E->isTypeDependent());
  }
}

void FlowWalker::children(const Stmt *S, bool Unsure) {
  for (const Stmt *Child : S->children()) {
    const auto *E = dyn_cast_or_null<Expr>(Child);
    if (!E)
      statement(Child);
    else if (Unsure && E->isGLValue())
      visit(E, Use::Escape);
    else
      value(E);
  }
}

void FlowWalker::cast(const CastExpr *E, Use U) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getCastKind()) {
  case CK_LValueToRValue: {
    visit(Sub, Use::Read);
    if (!E->getType()->isPointerType())
      return;
    if (const ValueDecl *P = namedVariable(Sub))
      pointee(P, U, Sub);
    return;
  }
  case CK_ArrayToPointerDecay:
    if (isa<DeclRefExpr>(Sub->IgnoreParens()))
      part(Sub, U);
    else
      visit(Sub, U); // a row of an array goes its own way
    return;
  case CK_Dependent:
    return visit(Sub, E->isGLValue() ? Use::Escape : Use::Read);
  case CK_ToVoid:
    return visit(Sub, Use::Read);
  default:
    break;
  }
  // A pointer to const only reads, whoever gets it.
  if (E->getType()->isPointerType() && U == Use::Escape &&
      E->getType()->getPointeeType().isConstQualified())
    U = Use::Bind;
  const bool Refers = E->isGLValue() || E->getType()->isPointerType();
  if (Refers && (Sub->isGLValue() || Sub->getType()->isPointerType()))
    visit(Sub, U);
  else
    value(Sub);
}

void FlowWalker::unary(const UnaryOperator *E, Use U) {
  const Expr *Sub = E->getSubExpr();
  switch (E->getOpcode()) {
  case UO_AddrOf:
    return visit(Sub, U);
  case UO_Deref:
    return element(Sub, U);
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec:
    visit(Sub, Use::Update);
    if (Sub->getType()->isPointerType())
      if (const ValueDecl *P = namedVariable(Sub))
        pointee(P, U, Sub);
    if (U != Use::Read && E->isGLValue())
      visit(Sub, U);
    return;
  case UO_Real:
  case UO_Imag:
    if (E->isGLValue())
      part(Sub, U);
    else
      visit(Sub, Use::Read);
    return;
  case UO_Extension:
    return visit(Sub, U);
  default:
    visit(Sub, Use::Read);
  }
}

void FlowWalker::binary(const BinaryOperator *E, Use U) {
  const Expr *L = E->getLHS(), *R = E->getRHS();
  if (E->isAssignmentOp()) {
    value(R);
    const bool WasAtomic = Atomic;
    Atomic &= L != Captured;
    visit(L, E->isCompoundAssignmentOp() ? Use::Update : Use::Write);
    Atomic = WasAtomic;
    if (U != Use::Read && E->isGLValue())
      visit(L, U);
    return;
  }
  switch (E->getOpcode()) {
  case BO_LAnd:
  case BO_LOr: {
    visit(L, Use::Read);
    State Short = Now;
    visit(R, Use::Read);
    join(Now, Short);
    return;
  }
  case BO_Comma:
    discarded(L);
    visit(R, U);
    return;
  case BO_Shl:
  case BO_Shr:
    // `stream >> x` of a template.
    if (E->isTypeDependent()) {
      visit(L, Use::Escape);
      visit(R, E->getOpcode() == BO_Shr && R->isGLValue() ? Use::Escape
                                                          : Use::Read);
      return;
    }
    break;
  default:
    break;
  }
  const bool Pointer = E->getType()->isPointerType();
  visit(L, Pointer && L->getType()->isPointerType() ? U : Use::Read);
  visit(R, Pointer && R->getType()->isPointerType() ? U : Use::Read);
}

void FlowWalker::conditional(const Expr *Condition, const Expr *True,
                             const Expr *False, Use U) {
  visit(Condition, Use::Read);
  State Else = Now;
  if (True)
    visit(True, U);
  std::swap(Now, Else);
  visit(False, U);
  join(Now, Else);
}

/// \p U of what \p Pointer points to.
void FlowWalker::element(const Expr *Pointer, Use U) {
  const Expr *P = Pointer->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(P)) {
    if (C->getCastKind() == CK_ArrayToPointerDecay) {
      part(C->getSubExpr(), U);
      return;
    }
    if (C->getCastKind() == CK_LValueToRValue) {
      visit(C->getSubExpr(), Use::Read);
      if (const ValueDecl *D = namedVariable(C->getSubExpr()))
        pointee(D, U, C->getSubExpr());
      return;
    }
    if (C->getSubExpr()->getType()->isPointerType()) {
      element(C->getSubExpr(), U);
      return;
    }
  }
  if (const auto *B = dyn_cast<BinaryOperator>(P); B && B->isAdditiveOp()) {
    const bool Left = !B->getRHS()->getType()->isPointerType();
    visit(Left ? B->getRHS() : B->getLHS(), Use::Read);
    element(Left ? B->getLHS() : B->getRHS(), U);
    return;
  }
  if (const auto *A = dyn_cast<UnaryOperator>(P);
      A && A->getOpcode() == UO_AddrOf) {
    visit(A->getSubExpr(), U);
    return;
  }
  // In a template, what is subscripted may be an array, a pointer or a class.
  if (P->isGLValue()) {
    const ValueDecl *D = namedVariable(P);
    if (D && D->getType()->isPointerType()) {
      visit(P, Use::Read);
      pointee(D, U, P);
    } else {
      part(P, U);
    }
    return;
  }
  if (isa<CXXThisExpr>(P)) {
    usesThis();
    return;
  }
  visit(P, U);
}

/// \p U of an element or a member of \p Whole.
void FlowWalker::part(const Expr *Whole, Use U) {
  Whole = Whole->IgnoreParens();
  while (const auto *C = dyn_cast<CastExpr>(Whole)) {
    if (!C->isGLValue() || !C->getSubExpr()->isGLValue())
      break;
    Whole = C->getSubExpr()->IgnoreParens();
  }
  if (const auto *R = dyn_cast<DeclRefExpr>(Whole)) {
    name(R->getDecl(), U, /*Part=*/true, R);
    return;
  }
  InPath = true;
  visit(Whole, U);
}

void FlowWalker::member(const Expr *Base, bool Arrow, Use U) {
  if (Arrow)
    element(Base, U);
  else
    part(Base, U);
}

void FlowWalker::discarded(const Expr *E) {
  if (!E)
    return;
  if (!reduction(E)) {
    const Expr *Inner = E->IgnoreParens();
    if (const auto *B = dyn_cast<BinaryOperator>(Inner);
        B && B->getOpcode() == BO_Comma) {
      discarded(B->getLHS());
      discarded(B->getRHS());
      return;
    }
    visit(E, Use::Read);
  }
}

bool FlowWalker::reduction(const Stmt *S) {
  if (LambdaDepth || Captured)
    return false;
  const std::optional<ReductionForm> R = matchReduction(S);
  if (!R)
    return false;
  for (const Expr *E : R->Operands)
    value(E);
  Operator = R->Operator;
  IsExact = isExact(*R, R->Variable->getASTContext());
  name(R->Variable, Use::Reduce, /*Part=*/false, R->Name);
  Operator = "";
  return true;
}

} // namespace accx::frontend
