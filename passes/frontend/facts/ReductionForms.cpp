//===- ReductionForms.cpp - What a reduction looks like -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes statements that combine a variable with a value that does not
// depend on it, and do nothing else with it.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/FlowFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace accx::frontend {

const ValueDecl *namedVariable(const Expr *E) {
  if (!E)
    return nullptr;
  E = E->IgnoreParenImpCasts();
  const auto *R = dyn_cast<DeclRefExpr>(E);
  if (!R || !isa<VarDecl, BindingDecl>(R->getDecl()))
    return nullptr;
  return cast<ValueDecl>(R->getDecl()->getCanonicalDecl());
}

const Expr *assignedPlace(const Stmt *S) {
  if (const auto *B = dyn_cast<BinaryOperator>(S))
    return B->isAssignmentOp() ? B->getLHS() : nullptr;
  const auto *U = dyn_cast<UnaryOperator>(S);
  return U && U->isIncrementDecrementOp() ? U->getSubExpr() : nullptr;
}

bool anyPart(const Stmt *S, llvm::function_ref<bool(const Stmt *)> Fits) {
  return S && (Fits(S) || llvm::any_of(S->children(), [&](const Stmt *Child) {
                 return anyPart(Child, Fits);
               }));
}

std::optional<int64_t> constantOf(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Value;
  if (!E || E->isValueDependent() || E->containsErrors() ||
      !E->getType()->isIntegerType() || !E->EvaluateAsInt(Value, Context) ||
      Value.Val.getInt().getSignificantBits() > 64)
    return std::nullopt;
  return Value.Val.getInt().getExtValue();
}

bool mentions(const Stmt *S, const ValueDecl *D) {
  return anyPart(S, [D](const Stmt *Part) {
    const auto *R = dyn_cast<DeclRefExpr>(Part);
    return R && R->getDecl()->getCanonicalDecl() == D;
  });
}

namespace {

/// Whether two expressions are spelled alike and have no effects.
bool same(const Expr *A, const Expr *B) {
  A = A->IgnoreParenImpCasts();
  B = B->IgnoreParenImpCasts();
  if (A->getStmtClass() != B->getStmtClass())
    return false;
  if (const auto *R = dyn_cast<DeclRefExpr>(A))
    return R->getDecl() == cast<DeclRefExpr>(B)->getDecl();
  if (const auto *I = dyn_cast<IntegerLiteral>(A)) {
    const llvm::APInt &Other = cast<IntegerLiteral>(B)->getValue();
    return I->getValue().getBitWidth() == Other.getBitWidth() &&
           I->getValue() == Other;
  }
  if (const auto *F = dyn_cast<FloatingLiteral>(A))
    return F->getValue().bitwiseIsEqual(cast<FloatingLiteral>(B)->getValue());
  if (const auto *M = dyn_cast<MemberExpr>(A)) {
    if (M->getMemberDecl() != cast<MemberExpr>(B)->getMemberDecl())
      return false;
  } else if (const auto *U = dyn_cast<UnaryOperator>(A)) {
    if (U->isIncrementDecrementOp() ||
        U->getOpcode() != cast<UnaryOperator>(B)->getOpcode())
      return false;
  } else if (const auto *Op = dyn_cast<BinaryOperator>(A)) {
    if (Op->isAssignmentOp() ||
        Op->getOpcode() != cast<BinaryOperator>(B)->getOpcode())
      return false;
  } else if (const auto *C = dyn_cast<CallExpr>(A)) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || F != cast<CallExpr>(B)->getDirectCallee() || !F->getBuiltinID())
      return false;
  } else if (const auto *C = dyn_cast<ExplicitCastExpr>(A)) {
    if (C->getType() != B->getType())
      return false;
  } else if (!isa<ArraySubscriptExpr, CXXThisExpr>(A)) {
    return false;
  }
  auto I = A->child_begin(), J = B->child_begin();
  for (; I != A->child_end() && J != B->child_end(); ++I, ++J) {
    const auto *X = dyn_cast_or_null<Expr>(*I);
    const auto *Y = dyn_cast_or_null<Expr>(*J);
    if (!X || !Y || !same(X, Y))
      return false;
  }
  return I == A->child_end() && J == B->child_end();
}

class Matcher {
public:
  std::optional<ReductionForm> match(const Stmt *S) {
    if (const auto *If = dyn_cast<IfStmt>(S))
      return finish(matchIf(If));
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return std::nullopt;
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    E = E->IgnoreParenImpCasts();
    if (const auto *C = dyn_cast<CStyleCastExpr>(E);
        C && C->getType()->isVoidType())
      E = C->getSubExpr()->IgnoreParenImpCasts();
    return finish(matchExpression(E));
  }

private:
  std::optional<ReductionForm> finish(bool Matched) {
    if (!Matched || !R.Variable)
      return std::nullopt;
    R.Name = Name;
    for (const Expr *E : R.Operands)
      if (mentions(E, R.Variable))
        return std::nullopt;
    const QualType T = R.Variable->getType().getNonReferenceType();
    if (T.isVolatileQualified() || T->isPointerType())
      return std::nullopt;
    return R;
  }

  void take(const Expr *E) {
    Name = E->IgnoreParenImpCasts();
    R.Variable = namedVariable(E);
  }

  bool matchExpression(const Expr *E) {
    if (const auto *U = dyn_cast<UnaryOperator>(E)) {
      take(U->getSubExpr());
      R.Operator = "+";
      return U->isIncrementDecrementOp();
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      take(B->getLHS());
      if (B->getOpcode() == BO_Assign)
        return R.Variable && matchValue(B->getRHS()->IgnoreParenImpCasts());
      R.Operands.push_back(B->getRHS());
      return B->isCompoundAssignmentOp() && setOperator(B->getOpcode());
    }
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
        O && O->getNumArgs() == 2) {
      take(O->getArg(0));
      R.Operands.push_back(O->getArg(1));
      const OverloadedOperatorKind Op = O->getOperator();
      R.Operator = Op == OO_StarEqual ? "*" : "+";
      return Op == OO_PlusEqual || Op == OO_MinusEqual || Op == OO_StarEqual;
    }
    return false;
  }

  bool setOperator(BinaryOperatorKind Op) {
    if (BinaryOperator::isCompoundAssignmentOp(Op))
      Op = BinaryOperator::getOpForCompoundAssignment(Op);
    const char *Name = Op == BO_Add || Op == BO_Sub ? "+"
                       : Op == BO_Mul               ? "*"
                       : Op == BO_And               ? "&"
                       : Op == BO_Or                ? "|"
                       : Op == BO_Xor               ? "^"
                       : Op == BO_LAnd              ? "&&"
                       : Op == BO_LOr               ? "||"
                                                    : nullptr;
    if (Name)
      R.Operator = Name;
    return Name;
  }

  bool isVariable(const Expr *E) const {
    return namedVariable(E) == R.Variable;
  }

  /// The right side of `x = ...`.
  bool matchValue(const Expr *E) {
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return !B->isAssignmentOp() && setOperator(B->getOpcode()) &&
             matchChain(B);
    if (const auto *C = dyn_cast<ConditionalOperator>(E))
      return matchChoice(C->getCond(), C->getTrueExpr(), C->getFalseExpr());
    if (const auto *C = dyn_cast<CXXStaticCastExpr>(E))
      return matchValue(C->getSubExpr()->IgnoreParenImpCasts());
    if (const auto *C = dyn_cast<CallExpr>(E))
      return matchCall(C);
    return false;
  }

  /// `x op a op b`, `a op x`: the variable is at one leaf of a chain of one
  /// operator, and never behind a minus.
  bool matchChain(const BinaryOperator *B) {
    const StringRef Operator = R.Operator;
    ReductionForm Of;
    Of.Variable = R.Variable;
    bool Found = false, Fits = true;
    auto Walk = [&](auto &&Self, const Expr *E, bool Negative) -> void {
      E = E->IgnoreParenImpCasts();
      if (namedVariable(E) == Of.Variable) {
        Fits &= !Found && !Negative;
        Found = true;
        return;
      }
      const auto *Inner = dyn_cast<BinaryOperator>(E);
      if (Inner && mentions(E, Of.Variable) && !Inner->isAssignmentOp() &&
          setOperator(Inner->getOpcode()) && Operator == R.Operator) {
        Self(Self, Inner->getLHS(), Negative);
        Self(Self, Inner->getRHS(), Negative != (Inner->getOpcode() == BO_Sub));
        return;
      }
      Of.Operands.push_back(E);
    };
    Walk(Walk, B, false);
    setOperator(B->getOpcode());
    Of.Operator = R.Operator;
    R = Of;
    return Found && Fits;
  }

  /// `condition ? a : b` or the like: which of max and min, if either.
  bool matchChoice(const Expr *Condition, const Expr *True, const Expr *False) {
    const auto *B = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
    if (!B || !B->isRelationalOp())
      return false;
    const bool Less = B->getOpcode() == BO_LT || B->getOpcode() == BO_LE;
    const Expr *L = B->getLHS(), *G = B->getRHS();
    const Expr *Other = isVariable(L) ? G : L;
    if (!isVariable(L) && !isVariable(G))
      return false;
    auto Is = [&](const Expr *E, const Expr *Side) {
      return isVariable(Side) ? isVariable(E) : same(E, Side);
    };
    bool TakesLeft;
    if (Is(True, L) && (!False || Is(False, G)))
      TakesLeft = true;
    else if (Is(True, G) && (!False || Is(False, L)))
      TakesLeft = false;
    else
      return false;
    R.Operator = Less == TakesLeft ? "min" : "max";
    R.Operands.push_back(Other);
    return true;
  }

  bool matchCall(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getIdentifier() || C->getNumArgs() != 2)
      return false;
    StringRef Name = F->getName();
    Name.consume_front("__builtin_");
    const bool Max =
        Name == "max" || Name == "fmax" || Name == "fmaxf" || Name == "fmaxl";
    const bool Min =
        Name == "min" || Name == "fmin" || Name == "fminf" || Name == "fminl";
    if ((Name == "max" || Name == "min") && !F->isInStdNamespace())
      return false;
    const bool First = isVariable(C->getArg(0));
    if ((!Max && !Min) || First == isVariable(C->getArg(1)))
      return false;
    R.Operator = Max ? "max" : "min";
    R.Operands.push_back(C->getArg(First ? 1 : 0));
    return true;
  }

  /// `if (e > x) x = e;`
  bool matchIf(const IfStmt *If) {
    if (If->getElse() || If->getInit() || If->getConditionVariable())
      return false;
    const Stmt *Then = If->getThen();
    while (const auto *Block = dyn_cast<CompoundStmt>(Then)) {
      if (Block->size() != 1)
        return false;
      Then = Block->body_front();
    }
    const auto *E = dyn_cast<Expr>(Then);
    const auto *B = dyn_cast_or_null<BinaryOperator>(
        E ? E->IgnoreParenImpCasts() : nullptr);
    if (!B || B->getOpcode() != BO_Assign)
      return false;
    take(B->getLHS());
    return R.Variable && matchChoice(If->getCond(), B->getRHS(), nullptr) &&
           !isVariable(B->getRHS());
  }

  ReductionForm R;
  const Expr *Name = nullptr;
};

} // namespace

bool isExact(const ReductionForm &R, const ASTContext &Context) {
  const QualType T = R.Variable->getType().getNonReferenceType();
  const StringRef Operator = R.Operator;
  if (T->isDependentType() || T->isAtomicType())
    return false;
  if (T->isRealFloatingType())
    return !llvm::StringSwitch<bool>(Operator)
                .Cases("&", "|", "^", "&&", "||", true)
                .Default(false);
  if (T->isAnyComplexType())
    return Operator == "+" || Operator == "*";
  // Without iterations `s = s && x` leaves a 5, a reduction makes it 1.
  if (T->isBooleanType())
    return Operator == "&" || Operator == "|" || Operator == "&&" ||
           Operator == "||";
  if (!T->isIntegerType() || T->isEnumeralType() || Operator == "&&" ||
      Operator == "||")
    return false;
  const bool Compares = Operator == "max" || Operator == "min";
  return llvm::all_of(R.Operands, [&](const Expr *E) {
    const QualType Own = E->IgnoreParenImpCasts()->getType();
    if (!E->getType()->isIntegerType() || !Own->isIntegerType())
      return false;
    // What is compared must be what is kept.
    const uint64_t Bits = Context.getTypeSize(T),
                   OwnBits = Context.getTypeSize(Own);
    const bool Signed = T->hasSignedIntegerRepresentation(),
               OwnSigned = Own->hasSignedIntegerRepresentation();
    return !Compares ||
           (Signed == OwnSigned ? OwnBits <= Bits : Signed && OwnBits < Bits);
  });
}

std::optional<ReductionForm> matchReduction(const Stmt *S) {
  return Matcher().match(S);
}

} // namespace accx::frontend
