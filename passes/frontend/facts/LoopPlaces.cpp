//===- LoopPlaces.cpp - The memory that a loop accesses -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the accesses of a loop and takes each apart into base and
// subscripts. Whether two iterations meet in one of them is decided in
// Independence.cpp.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/LoopPlaces.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtOpenMP.h"

#include <algorithm>

using namespace clang;

namespace accx::frontend {

const char *findObstacle(const Stmt *S, bool InInnerLoop, bool InSwitch) {
  if (!S)
    return nullptr;
  switch (S->getStmtClass()) {
  case Stmt::BreakStmtClass:
    if (!InInnerLoop && !InSwitch)
      return "the loop may end early";
    return nullptr;
  case Stmt::ReturnStmtClass:
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
  case Stmt::CXXThrowExprClass:
    return "the loop may be left by a jump";
  case Stmt::LambdaExprClass:
  case Stmt::BlockExprClass:
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
  case Stmt::CXXTryStmtClass:
  case Stmt::AtomicExprClass:
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return "the loop has code that is not analyzed";
  case Stmt::RecoveryExprClass:
    return "the loop has errors";
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::CXXForRangeStmtClass:
    InInnerLoop = true;
    break;
  case Stmt::SwitchStmtClass:
    InSwitch = true;
    break;
  default:
    break;
  }
  if (isa<OMPExecutableDirective>(S))
    return "the loop has code that is not analyzed";
  if (const auto *E = dyn_cast<Expr>(S); E && E->isTypeDependent())
    return "the loop depends on a template parameter";
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each);
          V && (V->isStaticLocal() || V->getType()->isDependentType() ||
                V->needsDestruction(V->getASTContext())))
        return "the loop has code that is not analyzed";
  for (const Stmt *Child : S->children())
    if (const char *Why = findObstacle(Child, InInnerLoop, InSwitch))
      return Why;
  return nullptr;
}

bool Object::isStored() const {
  const QualType T = Root ? Root->getType() : QualType();
  return Root && !isThroughPointer() && !T->isReferenceType() &&
         !T->isPointerType();
}

bool areApart(const Object &A, const Object &B) {
  if (A.isStored() && B.isStored() && A.Root != B.Root)
    return true;
  // Two members of one structure.
  if (A.Root != B.Root || A.Behind || B.Behind || A.isVariable() ||
      B.isVariable())
    return false;
  for (size_t I = 0; I < A.Path.size() && I < B.Path.size(); ++I)
    if (A.Path[I] != B.Path[I])
      return A.Path[I].second == B.Path[I].second &&
             isa<FieldDecl>(A.Path[I].first) && isa<FieldDecl>(B.Path[I].first);
  return false;
}

namespace {

class LoopReader final : public FlowWalker, public LoopReading {
public:
  LoopReader(const UnitMarks &Marks, ASTContext &Context)
      : FlowWalker(Marks), Context(Context) {}

  void read(const ForStmt *F) {
    Outermost = F;
    Values.readParents(F);
    // What an access means depends on what else the loop assigns, and which
    // names take part in one is known only behind their last use.
    statement(F);
    for (Collect = true; Runs < 2; ++Runs) {
      Places.clear();
      statement(F);
    }
  }

private:
  void access(const ValueDecl *D, Use U, bool Part, const Expr *E) override {
    if (writes(U)) {
      Written.insert(D);
      Values.noteWrite(D, E);
    }
    const QualType T = D->getType().getNonReferenceType();
    if (T.isVolatileQualified())
      Volatile = E;
    // A name that is part of no place: the whole array is used, or goes on.
    if (!Collect || Explained.contains(E) || Inner.contains(D))
      return;
    if (T->isArrayType() || D->getType()->isReferenceType())
      addWhole(E, variable(D), U, T);
  }

  void pointee(const ValueDecl *D, Use U, const Expr *E) override {
    E = E->IgnoreParenImpCasts();
    if (Collect && !Explained.contains(E) && U != Use::Read)
      addWhole(E, nullptr, U, D->getType()->getPointeeType());
  }

  void touches(const Expr *E, Use U) override {
    if (E->getType().isVolatileQualified() || E->getType()->isAtomicType())
      Volatile = E;
    if (!Collect || Explained.contains(E))
      return;
    Place P;
    resolve(E, P);
    if (P.Base && P.Base->Root)
      Explained.insert(P.BaseName);
    if (P.Base && isOwn(*P.Base))
      return;
    if (P.Base && !stays(*P.Base))
      P.Base = nullptr;
    add(E, std::move(P), U, E->getType());
  }

  /// Memory of the iteration.
  bool isOwn(const Object &O) const {
    if (!O.Root || (!O.isVariable() && O.isThroughPointer()))
      return false;
    const QualType T = O.Root->getType();
    return isPrivate(O.Root) || (Inner.contains(O.Root) &&
                                 !T->isPointerType() && !T->isReferenceType());
  }

  /// Whether it is the same memory each time.
  bool stays(const Object &O) const {
    if (!O.Root)
      return true;
    const bool Varies =
        Written.contains(O.Root) &&
        (O.Root->getType()->isPointerType() || O.isThroughPointer());
    return !Varies && !Inner.contains(O.Root) && !isPrivate(O.Root);
  }

  void add(const Expr *E, Place P, Use U, QualType T) {
    P.E = E;
    P.Writes = writes(U);
    P.Atomic = Atomic;
    P.Type = T;
    P.Around = Around;
    Places.push_back(std::move(P));
  }
  /// All of \p Base; null: a place that is not known.
  void addWhole(const Expr *E, const Object *Base, Use U, QualType T) {
    Place P;
    P.Base = Base;
    add(E, std::move(P), U, Context.getBaseElementType(T));
  }

  const Object *known(Object O) {
    for (const auto &Old : Objects)
      if (*Old == O)
        return Old.get();
    return Objects.emplace_back(std::make_unique<Object>(std::move(O))).get();
  }

  const Object *variable(const ValueDecl *D) {
    Object O;
    O.Root = cast<ValueDecl>(D->getCanonicalDecl());
    O.Type = D->getType();
    O.Name = D->getNameAsString();
    return known(std::move(O));
  }

  /// From the member \p E up to a variable or `this`; false if there is
  /// something else on the way.
  bool readPath(const Expr *E, Object &O, const DeclRefExpr *&Name) const {
    E = E->IgnoreParens();
    if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
      Name = R;
      O.Root = dyn_cast<VarDecl>(R->getDecl());
      if (!O.Root)
        return false;
      O.Root = cast<ValueDecl>(O.Root->getCanonicalDecl());
      O.Name = O.Root->getNameAsString();
      return stays(O) || !O.isThroughPointer();
    }
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
      if (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueToRValue)
        return readPath(C->getSubExpr(), O, Name);
      if (C->getCastKind() != CK_UncheckedDerivedToBase &&
          C->getCastKind() != CK_DerivedToBase)
        return false;
      for (const CXXBaseSpecifier *B : C->path()) {
        if (B->isVirtual())
          return false;
        O.Path.push_back({B->getType()->getAsCXXRecordDecl(), false});
      }
      return readPath(C->getSubExpr(), O, Name);
    }
    if (isa<CXXThisExpr>(E)) {
      O.Name = "this";
      return true;
    }
    const auto *M = dyn_cast<MemberExpr>(E);
    const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
    if (!Field || Field->getParent()->isUnion() ||
        Field->getType()->isReferenceType() || M->getType()->isAtomicType() ||
        M->getType().isVolatileQualified())
      return false;
    O.Path.push_back({Field, M->isArrow()});
    if (!readPath(M->getBase(), O, Name))
      return false;
    O.Name += (M->isArrow() ? "->" : ".") + Field->getNameAsString();
    return true;
  }

  /// The member \p M, or what it points to.
  bool finishMember(Place &P, const MemberExpr *M, bool Behind,
                    llvm::ArrayRef<Place::Sum> Reversed) {
    Object O;
    const DeclRefExpr *Name = nullptr;
    O.Behind = Behind;
    if (!readPath(M, O, Name))
      return false;
    std::reverse(O.Path.begin(), O.Path.end());
    O.Type = M->getType();
    P.Base = known(std::move(O));
    P.BaseName = Name;
    P.Subscripts.assign(Reversed.rbegin(), Reversed.rend());
    return true;
  }

  /// From the outermost subscript inwards.
  void resolve(const Expr *E, Place &P) {
    llvm::SmallVector<Place::Sum, 3> Reversed;
    unsigned Depth = 0;
    while (E) {
      E = E->IgnoreParens();
      if (const auto *M = dyn_cast<MemberExpr>(E)) {
        const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
        if (!Field || Field->getParent()->isUnion() ||
            Field->getType()->isReferenceType())
          return;
        if (finishMember(P, M, /*Behind=*/false, Reversed))
          return;
        // Subscripts of members are no dimension of the base.
        Reversed.clear();
        P.IsMember = true;
        E = M->getBase();
        if (!M->isArrow())
          continue;
        Reversed.emplace_back();
      } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
        Reversed.push_back({{S->getIdx(), false}});
        E = S->getBase();
      } else if (const auto *U = dyn_cast<UnaryOperator>(E);
                 U && U->getOpcode() == UO_Deref) {
        Reversed.emplace_back();
        E = U->getSubExpr();
      } else {
        break;
      }
      // E is a pointer now.
      while (E) {
        E = E->IgnoreParens();
        if (const auto *B = dyn_cast<BinaryOperator>(E);
            B && B->isAdditiveOp() && E->getType()->isPointerType()) {
          const bool Left = B->getLHS()->getType()->isPointerType();
          Reversed.back().push_back(
              {Left ? B->getRHS() : B->getLHS(), B->getOpcode() == BO_Sub});
          E = Left ? B->getLHS() : B->getRHS();
          continue;
        }
        if (const auto *A = dyn_cast<UnaryOperator>(E);
            A && A->getOpcode() == UO_AddrOf) {
          const auto *S =
              dyn_cast<ArraySubscriptExpr>(A->getSubExpr()->IgnoreParens());
          if (!S)
            return;
          if (P.Deferred)
            Explained.insert(S);
          Reversed.back().push_back({S->getIdx(), false});
          E = S->getBase();
          continue;
        }
        if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
          if (C->getCastKind() == CK_NoOp) {
            E = C->getSubExpr();
            continue;
          }
          if (C->getCastKind() == CK_ArrayToPointerDecay) {
            E = C->getSubExpr();
            break; // on with the array that it is part of
          }
          if (C->getCastKind() == CK_LValueToRValue) {
            const Expr *Pointer = C->getSubExpr()->IgnoreParens();
            if (const auto *M = dyn_cast<MemberExpr>(Pointer)) {
              finishMember(P, M, /*Behind=*/true, Reversed);
              return;
            }
            const auto *R = dyn_cast<DeclRefExpr>(Pointer);
            if (!R || !isa<VarDecl>(R->getDecl()))
              return;
            const auto *V = cast<VarDecl>(R->getDecl()->getCanonicalDecl());
            // A pointer that an iteration computes once, for itself.
            if (const Expr *Value = Inner.contains(V) || Written.contains(V)
                                        ? Values.valueOf(R)
                                        : nullptr;
                Value && Depth < 8) {
              Explained.insert(R);
              ++Depth;
              P.Deferred = true;
              E = Value;
              continue;
            }
            finish(P, R, Reversed);
            return;
          }
        }
        return;
      }
    }
    if (const auto *R = dyn_cast_or_null<DeclRefExpr>(E);
        R && isa<VarDecl>(R->getDecl()))
      finish(P, R, Reversed);
  }

  void finish(Place &P, const DeclRefExpr *R,
              llvm::ArrayRef<Place::Sum> Reversed) {
    P.Base = variable(R->getDecl());
    P.BaseName = R;
    P.Subscripts.assign(Reversed.rbegin(), Reversed.rend());
  }

  void usesThis() override {}
  void declares(const ValueDecl *D) override {
    Inner.insert(cast<ValueDecl>(D->getCanonicalDecl()));
  }
  void calls(const Expr *E, const FunctionDecl *F) override {
    // What a pure function reads through a pointer is not seen.
    const bool Pointers = F && llvm::any_of(F->parameters(), [](const auto *P) {
                            return P->getType()->isPointerType();
                          });
    if (!F || !isPure(F) || Pointers)
      Impure = E;
  }
  void unstructured(const Stmt *) override { Unseen = true; }
  void entersLoop(const ForStmt *F) override {
    if (F == Outermost)
      return;
    if (const std::optional<CanonicalLoop> L = canonicalLoop(F))
      Around.push_back(*L);
  }
  void leavesLoop(const ForStmt *F) override {
    if (!Around.empty() && Around.back().Statement == F)
      Around.pop_back();
  }

  ASTContext &Context;
  const ForStmt *Outermost = nullptr;
  llvm::DenseSet<const Expr *> Explained;
  std::vector<CanonicalLoop> Around;
  bool Collect = false;
  unsigned Runs = 0;
};

} // namespace

LoopReading readLoop(const ForStmt *F, const UnitMarks &Marks,
                     ASTContext &Context) {
  LoopReader Reader(Marks, Context);
  Reader.read(F);
  return std::move(Reader);
}

} // namespace accx::frontend
