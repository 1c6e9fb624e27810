//===- CanonicalLoops.cpp - Loops whose iterations can be counted ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the head of a `for` statement as OpenMP's canonical form, and counts
// how many loops are nested tightly. It looks at single loops; which of their
// iterations are independent is decided in Independence.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/Independence.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace accx::frontend {

/// The only statement in \p S, behind marks, attributes and blocks; null if
/// there are more.
static const Stmt *onlyStatement(const Stmt *S) {
  while (S) {
    if (const auto *A = dyn_cast<AttributedStmt>(S)) {
      S = markOf(A) ? markedStatement(A) : A->getSubStmt();
      continue;
    }
    const auto *Block = dyn_cast<CompoundStmt>(S);
    if (!Block)
      return S;
    const Stmt *Only = nullptr;
    for (const Stmt *Child : Block->body()) {
      if (isa<NullStmt>(Child))
        continue;
      if (const auto *D = dyn_cast<DeclStmt>(Child);
          D && D->isSingleDecl() && operandOf(D->getSingleDecl()))
        continue;
      if (Only)
        return nullptr;
      Only = Child;
    }
    S = Only;
  }
  return nullptr;
}

const ForStmt *loopOf(const Stmt *S) {
  // A block of the program's own is no loop, one of a mark is.
  while (const auto *A = dyn_cast_or_null<AttributedStmt>(S))
    S = markOf(A) ? markedStatement(A) : A->getSubStmt();
  return dyn_cast_or_null<ForStmt>(S);
}

const ForStmt *tightlyNested(const ForStmt *F) {
  return dyn_cast_or_null<ForStmt>(onlyStatement(F->getBody()));
}

const ValueDecl *loopVariable(const ForStmt *F) {
  const Stmt *Init = F->getInit();
  if (const auto *D = dyn_cast_or_null<DeclStmt>(Init)) {
    if (!D->isSingleDecl())
      return nullptr;
    const auto *V = dyn_cast<VarDecl>(D->getSingleDecl());
    return V ? V->getCanonicalDecl() : nullptr;
  }
  const auto *E = dyn_cast_or_null<Expr>(Init);
  if (!E)
    return nullptr;
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  return B && B->getOpcode() == BO_Assign ? namedVariable(B->getLHS())
                                          : nullptr;
}

namespace {

/// Notes what is written.
class Writes final : public FlowWalker {
public:
  explicit Writes(const UnitMarks &Marks) : FlowWalker(Marks) {}
  bool to(const ValueDecl *D, const Stmt *S) {
    Wanted = D;
    Found = false;
    statement(S);
    return Found;
  }

private:
  void access(const ValueDecl *D, Use U, bool, const Expr *) override {
    Found |= D == Wanted && writes(U);
  }
  const ValueDecl *Wanted = nullptr;
  bool Found = false;
};

} // namespace

bool writesTo(const ValueDecl *D, const Stmt *S) {
  static const std::vector<std::unique_ptr<Directive>> None;
  const UnitMarks Marks{None, {}};
  return Writes(Marks).to(D, S);
}

namespace {

/// Whether a variable that \p E names is written in \p Body.
bool changes(const Expr *E, const Stmt *Body) {
  return anyPart(E, [Body](const Stmt *Part) {
    const auto *Name = dyn_cast<Expr>(Part);
    const ValueDecl *D = Name ? namedVariable(Name) : nullptr;
    return D && writesTo(D, Body);
  });
}

/// `i += c`, `i = i + c` and their like: the step, null for 1.
bool readStep(const Expr *E, CanonicalLoop &L) {
  if (!E)
    return false;
  E = E->IgnoreParenImpCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    L.Down = U->isDecrementOp();
    return U->isIncrementDecrementOp() &&
           namedVariable(U->getSubExpr()) == L.Variable;
  }
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || namedVariable(B->getLHS()) != L.Variable)
    return false;
  if (B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign) {
    L.Down = B->getOpcode() == BO_SubAssign;
    L.Step = B->getRHS();
    return true;
  }
  if (B->getOpcode() != BO_Assign)
    return false;
  const auto *Sum =
      dyn_cast<BinaryOperator>(B->getRHS()->IgnoreParenImpCasts());
  if (!Sum || !Sum->isAdditiveOp())
    return false;
  L.Down = Sum->getOpcode() == BO_Sub;
  if (namedVariable(Sum->getLHS()) == L.Variable)
    L.Step = Sum->getRHS();
  else if (namedVariable(Sum->getRHS()) == L.Variable && !L.Down)
    L.Step = Sum->getLHS();
  return L.Step != nullptr;
}

} // namespace

std::optional<CanonicalLoop> canonicalLoop(const ForStmt *F) {
  CanonicalLoop L;
  L.Statement = F;
  L.Variable = loopVariable(F);
  if (!L.Variable || F->getConditionVariable())
    return std::nullopt;
  const QualType T = L.Variable->getType();
  if (T.isVolatileQualified() ||
      !(T->isIntegerType() || T->isPointerType() || T->isDependentType()))
    return std::nullopt;
  if (const auto *D = dyn_cast<DeclStmt>(F->getInit()))
    L.Lower = cast<VarDecl>(D->getSingleDecl())->getInit();
  else
    L.Lower =
        cast<BinaryOperator>(cast<Expr>(F->getInit())->IgnoreParenImpCasts())
            ->getRHS();
  const auto *Condition = dyn_cast_or_null<BinaryOperator>(
      F->getCond() ? F->getCond()->IgnoreParenImpCasts() : nullptr);
  if (!L.Lower || !Condition || !Condition->isComparisonOp() ||
      Condition->getOpcode() == BO_EQ || Condition->getOpcode() == BO_Cmp)
    return std::nullopt;
  if (namedVariable(Condition->getLHS()) == L.Variable) {
    L.Upper = Condition->getRHS();
    L.Relation = Condition->getOpcode();
  } else if (namedVariable(Condition->getRHS()) == L.Variable) {
    L.Upper = Condition->getLHS();
    L.Relation =
        Condition->isRelationalOp()
            ? BinaryOperator::reverseComparisonOp(Condition->getOpcode())
            : Condition->getOpcode();
  } else {
    return std::nullopt;
  }
  // Possible effects (of calls) are the program's promise; certain ones are
  // not.
  const ASTContext &Context = L.Variable->getASTContext();
  for (const Expr *Bound : {L.Lower, L.Upper})
    if (!Bound->isInstantiationDependent() &&
        Bound->HasSideEffects(Context, /*IncludePossibleEffects=*/false))
      return std::nullopt;
  if (!readStep(F->getInc(), L) || mentions(L.Upper, L.Variable) ||
      mentions(L.Step, L.Variable))
    return std::nullopt;
  // `i < n; i -= -1` runs up, too, but nobody writes it.
  if (L.Relation != BO_NE &&
      L.Down != (L.Relation == BO_GT || L.Relation == BO_GE))
    return std::nullopt;
  if (writesTo(L.Variable, F->getBody()) || changes(L.Upper, F->getBody()) ||
      changes(L.Step, F->getBody()))
    return std::nullopt;
  return L;
}

unsigned canonicalDepth(const ForStmt *F) {
  llvm::SmallVector<const ValueDecl *, 4> Outer;
  for (; F; F = tightlyNested(F)) {
    const std::optional<CanonicalLoop> L = canonicalLoop(F);
    if (!L || llvm::any_of(Outer, [&](const ValueDecl *D) {
          return mentions(L->Lower, D) || mentions(L->Upper, D) ||
                 mentions(L->Step, D);
        }))
      break;
    Outer.push_back(L->Variable);
  }
  return Outer.size();
}

} // namespace accx::frontend
