//===- TimeTiles.cpp - Whether steps reach arrays by subscripts alone -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tokens of a tiled loop of steps say where its reads by name go
// (frontend/timetile/TimeLoop.h). The tree says that there are no others: no
// call that does more than compute, no pointer or reference but the arrays'
// names, nothing written but what is known.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/StatementFacts.h"

#include "frontend/facts/Independence.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace accx::frontend {
namespace {

class Visitor : public RecursiveASTVisitor<Visitor> {
public:
  Visitor(const Directive &D, ASTContext &Context) : D(D), Context(Context) {}

  std::string Why;

  // What a clause names is not evaluated, and the list of arrays is ours.
  bool TraverseStaticAssertDecl(StaticAssertDecl *) { return true; }
  bool TraverseVarDecl(VarDecl *V) {
    return isOurs(V->getName()) && V->getType()->isArrayType()
               ? true
               : RecursiveASTVisitor::TraverseVarDecl(V);
  }
  bool VisitVarDecl(VarDecl *V) {
    Inside.insert(V);
    if (V->getName().starts_with("__accx_kept") &&
        !V->getType()->isArithmeticType() && !V->getType()->isDependentType())
      return fail("it reads parts of an array of arrays, or structures");
    return !V->isStaticLocal() ||
           fail("it declares '" + V->getName() + "', which is static");
  }
  bool TraverseForStmt(ForStmt *F) {
    Steps.insert(F->getInc());
    return RecursiveASTVisitor::TraverseForStmt(F);
  }
  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && F->getIdentifier() &&
        (isOurs(F->getName()) || (F->getName() == "swap" && swaps(C))))
      return true;
    if (F && D.HasLeast && F->getIdentifier() && !F->isInStdNamespace() &&
        (F->getName() == "min" || F->getName() == "max"))
      return fail("'" + F->getName() + "' is a function of the program's own");
    return isPure(F) || fail("it calls " +
                             (F ? "'" + F->getNameAsString() + "'"
                                : std::string("a function")) +
                             ", which may do more than compute a value");
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *) {
    return fail("it makes an object of a class");
  }
  bool VisitLambdaExpr(LambdaExpr *) { return fail("it has a lambda"); }
  bool VisitCXXThisExpr(CXXThisExpr *) {
    return fail("it uses members of the class");
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const auto *V = dyn_cast<VarDecl>(E->getDecl());
    if (!V)
      return true;
    const QualType T = V->getType();
    if (T->isReferenceType())
      return fail("'" + V->getName() + "' is a reference");
    const bool IsCounter = llvm::is_contained(D.Counters, V->getName());
    if ((IsCounter || llvm::is_contained(D.Numbers, V->getName())) &&
        !T->isDependentType() &&
        (!T->isIntegralOrUnscopedEnumerationType() || T->isBooleanType() ||
         (IsCounter && Context.getTypeSize(T) < 32)))
      return fail("'" + V->getName() + "' is no integer that holds an index");
    if (const auto At = llvm::find(D.Arrays, V->getName());
        At != D.Arrays.end() && At - D.Arrays.begin() < 2)
      return isCells(T) || fail("'" + V->getName() +
                                "' is no pointer to numbers, or to rows "
                                "of numbers");
    return true;
  }
  bool VisitExpr(Expr *E) {
    if (E->isGLValue() &&
        (E->getType().isVolatileQualified() || E->getType()->isAtomicType()))
      return fail("it has an access that is volatile or atomic");
    if (E->isTypeDependent() && !isa<DeclRefExpr>(E) &&
        isa<CallExpr, CXXDependentScopeMemberExpr, DependentScopeDeclRefExpr,
            UnresolvedMemberExpr>(E))
      return fail("it depends on a parameter of a template");
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) { return reaches(E); }
  bool VisitMemberExpr(MemberExpr *E) { return !E->isArrow() || reaches(E); }
  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->getOpcode() == UO_AddrOf)
      return fail("it takes an address");
    if (E->getOpcode() == UO_Deref)
      return reaches(E);
    return !E->isIncrementDecrementOp() || Steps.contains(E) ||
           assigns(E->getSubExpr());
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    return !E->isAssignmentOp() || assigns(E->getLHS());
  }

private:
  bool fail(const Twine &Text) {
    if (Why.empty())
      Why = Text.str();
    return false;
  }
  static bool isOurs(StringRef Name) { return Name.starts_with("__accx_"); }

  static bool isCells(QualType T) {
    if (T->isDependentType())
      return true;
    if (!T->isPointerType())
      return false;
    T = T->getPointeeType();
    if (const auto *Row = T->getAsArrayTypeUnsafe())
      T = Row->getElementType();
    return T->isArithmeticType() && !T.isConstQualified();
  }
  bool swaps(const CallExpr *C) const {
    return C->getNumArgs() == 2 && llvm::all_of(C->arguments(), [&](auto *A) {
             const auto *R = dyn_cast<DeclRefExpr>(A->IgnoreParens());
             return R &&
                    llvm::is_contained(D.Assigned, R->getDecl()->getName());
           });
  }

  /// The variable that an access by subscripts begins at; null if another
  /// pointer is loaded on the way.
  static const VarDecl *baseOf(const Expr *E) {
    for (;;) {
      E = E->IgnoreParens();
      if (const auto *R = dyn_cast<DeclRefExpr>(E))
        return dyn_cast<VarDecl>(R->getDecl());
      if (const auto *C = dyn_cast<CastExpr>(E)) {
        const Expr *Of = C->getSubExpr()->IgnoreParens();
        if (C->getCastKind() == CK_LValueToRValue && !isa<DeclRefExpr>(Of))
          return nullptr;
        E = Of;
      } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
        E = A->getBase();
      } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
        E = M->getBase();
      } else if (const auto *U = dyn_cast<UnaryOperator>(E);
                 U && U->getOpcode() == UO_Deref) {
        E = U->getSubExpr();
      } else {
        return nullptr;
      }
    }
  }
  bool reaches(const Expr *E) {
    const VarDecl *V = baseOf(E);
    if (V &&
        (isOurs(V->getName()) || llvm::is_contained(D.Arrays, V->getName()) ||
         (Inside.contains(V) && !V->getType()->isPointerType())))
      return true;
    return fail("it has an access through what is no array's name");
  }
  bool assigns(const Expr *E) {
    E = E->IgnoreParens();
    const VarDecl *V = baseOf(E);
    if (!V)
      return fail("it assigns something that is no variable");
    const bool IsElement = !isa<DeclRefExpr>(E);
    if (!IsElement && llvm::is_contained(D.Constants, V->getName()))
      return fail("it assigns '" + V->getName() + "'");
    if (isOurs(V->getName()) ||
        (IsElement ? (D.Arrays.size() > 1 && V->getName() == D.Arrays[1]) ||
                         (Inside.contains(V) && !V->getType()->isPointerType())
                   : Inside.contains(V) ||
                         llvm::is_contained(D.Assigned, V->getName())))
      return true;
    return fail("it assigns '" + V->getName() + "'");
  }

  const Directive &D;
  ASTContext &Context;
  llvm::DenseSet<const VarDecl *> Inside;
  /// Of loops: how their variables go on.
  llvm::DenseSet<const Expr *> Steps;
};

/// What a cell takes that calls nothing, in operations and reads: about as many
/// instructions.
class Work : public RecursiveASTVisitor<Work> {
public:
  /// \p Loops of the statement are the steps' and the nest's.
  explicit Work(unsigned Loops) : Loops(Loops) {}

  unsigned Sum = 0;

  // Where an element lies takes little beside the element.
  bool TraverseArraySubscriptExpr(ArraySubscriptExpr *E) {
    add(1);
    const Expr *Base = E->getBase()->IgnoreParenImpCasts();
    return isa<ArraySubscriptExpr>(Base) || TraverseStmt(E->getBase());
  }
  bool TraverseForStmt(ForStmt *F) {
    if (Depth++ < Loops) {
      TraverseStmt(F->getBody());
    } else {
      const unsigned Outside = Sum;
      TraverseStmt(F->getBody());
      Sum = Outside + FewTurns * (Sum - Outside);
    }
    --Depth;
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->getOpcode() == BO_Assign || E->isCommaOp())
      return true;
    const bool Divides = llvm::is_contained(
        {BO_Div, BO_Rem, BO_DivAssign, BO_RemAssign}, E->getOpcode());
    add(Divides ? Division : 1);
    return true;
  }
  bool VisitAbstractConditionalOperator(AbstractConditionalOperator *) {
    add(1);
    return true;
  }
  bool VisitIfStmt(IfStmt *) {
    add(1);
    return true;
  }

private:
  /// What is beside the nest, such as the swap, is not the cell's.
  void add(unsigned Operations) { Sum += Depth < Loops ? 0 : Operations; }

  static constexpr unsigned FewTurns = 4, Division = 8;

  const unsigned Loops;
  unsigned Depth = 0;
};

/// More than these, and the cells around that a block computes anew cost more
/// than their reads.
constexpr unsigned MostWorkOfLine = 64, MostWorkOfSide = 56;

/// Why a loop that has no directive keeps its steps apart.
std::string whyNotWorth(const Stmt *S, const Directive &D) {
  const auto *Both = dyn_cast<CompoundStmt>(S);
  if (!Both || Both->body_empty())
    return "its form is not known";
  Work W(D.Counters.size());
  W.TraverseStmt(const_cast<Stmt *>(Both->body_back()));
  if (W.Sum <= (D.Counters.size() == 2 ? MostWorkOfLine : MostWorkOfSide))
    return "";
  return ("a cell takes some " + Twine(W.Sum) +
          " operations, more than launches of several steps gain; 'accx "
          "timetile' makes them anyway")
      .str();
}

} // namespace

std::string whyNotTiled(const Stmt *S, const Directive &D,
                        ASTContext &Context) {
  Visitor V(D, Context);
  V.TraverseStmt(const_cast<Stmt *>(S));
  return V.Why.empty() && D.Implied ? whyNotWorth(S, D) : V.Why;
}

} // namespace accx::frontend
