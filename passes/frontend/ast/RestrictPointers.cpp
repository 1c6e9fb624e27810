//===- RestrictPointers.cpp - What `restrict` says reaches kernels --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function's `restrict` pointers become parameters of its target regions, and
// Clang forgets what the word said: loads are done again behind each store. The
// word is put on such a parameter here, before code is generated.
//
// It says that no object that is written is reached through the pointer and
// through another that is not based on it (C11, 6.7.3.1). A pointer that was
// computed from it ahead of the region is based on it, but is a parameter of
// its own in the kernel. So all pointers of the region have to be the
// function's parameters that nothing changes, or `restrict` themselves, and
// nothing in the region may get a pointer from memory or a number.
//
//===----------------------------------------------------------------------===//

#include "frontend/ast/Corrections.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/OpenMPKinds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace accx::frontend {

namespace {

/// Whether an object of this type has no pointers in it.
bool hasNoPointers(QualType Type) {
  Type = Type.getCanonicalType();
  if (const auto *Array = Type->getAsArrayTypeUnsafe())
    return hasNoPointers(Array->getElementType());
  if (Type->isArithmeticType() || Type->isAnyComplexType() ||
      Type->isEnumeralType() || Type->isVectorType())
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Record->getDefinition() || Record->isUnion())
    return false;
  Record = Record->getDefinition();
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record);
      Class && (Class->isDynamicClass() ||
                !all_of(Class->bases(), [](const CXXBaseSpecifier &Base) {
                  return hasNoPointers(Base.getType());
                })))
    return false;
  return all_of(Record->fields(), [](const FieldDecl *Field) {
    return hasNoPointers(Field->getType());
  });
}

/// Variables that a function does more with than read them. What directives do
/// with them is no part of it: a region has parameters of its own.
class Changes {
  llvm::SmallPtrSet<const ValueDecl *, 16> Changed;

public:
  explicit Changes(const Stmt *Body) { look(Body); }
  bool have(const ValueDecl *Variable) const {
    return Changed.contains(Variable);
  }

private:
  void look(const Stmt *S) {
    if (!S)
      return;
    if (const auto *Captured = dyn_cast<CapturedStmt>(S))
      return look(Captured->getCapturedStmt());
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(S);
        Cast && Cast->getCastKind() == CK_LValueToRValue &&
        isa<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens()))
      return;
    if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
      Changed.insert(Reference->getDecl());
    for (const Stmt *Child : S->children())
      look(Child);
  }
};

/// Finds pointers that are no parameters of a region, in what it calls, too.
class OtherPointers : public RecursiveASTVisitor<OtherPointers> {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

  /// Functions of libraries have no pointers into the program.
  bool look(const FunctionDecl *F) {
    if (!F)
      return false;
    if (F->getBuiltinID() || !Seen.insert(F->getCanonicalDecl()).second)
      return true;
    const FunctionDecl *Definition = nullptr;
    if (Stmt *Body = F->getBody(Definition))
      return TraverseStmt(Body);
    return F->getASTContext().getSourceManager().isInSystemHeader(
        F->getLocation());
  }

public:
  bool VisitDeclRefExpr(const DeclRefExpr *E) {
    const auto *Variable = dyn_cast<VarDecl>(E->getDecl());
    return !Variable || !Variable->hasGlobalStorage() ||
           hasNoPointers(Variable->getType());
  }
  bool VisitMemberExpr(const MemberExpr *E) {
    const auto *Variable = dyn_cast<VarDecl>(E->getMemberDecl());
    return !Variable || hasNoPointers(Variable->getType());
  }
  bool VisitCastExpr(const CastExpr *E) {
    return E->getCastKind() != CK_IntegralToPointer;
  }
  bool VisitCallExpr(const CallExpr *E) {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(E->getCalleeDecl());
    return !(Method && Method->isVirtual()) && look(E->getDirectCallee());
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) {
    return E->getConstructor()->isTrivial() || look(E->getConstructor());
  }
  bool VisitCXXNewExpr(const CXXNewExpr *) { return false; }
  bool VisitBlockExpr(const BlockExpr *) { return false; }
  bool VisitAsmStmt(const AsmStmt *) { return false; }
};

class Keeper : public RecursiveASTVisitor<Keeper> {
  const FunctionDecl &F;
  const Changes Changed;

  static bool isRestrict(const ValueDecl *Variable) {
    return Variable->getType().isRestrictQualified();
  }

  /// Whether what a region gets of \p Variable is based on no other pointer.
  bool isOfItsOwn(const VarDecl *Variable) const {
    const QualType Type = Variable->getType();
    const bool IsParameter =
        isa<ParmVarDecl>(Variable) && Variable->getDeclContext() == &F;
    if (Type->isReferenceType())
      return IsParameter && hasNoPointers(Type.getNonReferenceType());
    if (!Type->isPointerType())
      return hasNoPointers(Type);
    return hasNoPointers(Type->getPointeeType()) &&
           Variable->getDeclContext() == &F && !Variable->hasGlobalStorage() &&
           (isRestrict(Variable) || (IsParameter && !Changed.have(Variable)));
  }

public:
  explicit Keeper(const FunctionDecl &F) : F(F), Changed(F.getBody()) {}

  /// It may run when the function has ended.
  bool TraverseLambdaExpr(LambdaExpr *) { return true; }
  bool TraverseBlockExpr(BlockExpr *) { return true; }

  bool VisitOMPExecutableDirective(OMPExecutableDirective *D) {
    if (!isOpenMPTargetExecutionDirective(D->getDirectiveKind()))
      return true;
    const CapturedStmt *Region = D->getCapturedStmt(llvm::omp::OMPD_target);
    bool HasRestrict = false;
    for (const CapturedStmt::Capture &C : Region->captures()) {
      if (C.capturesVariableArrayType())
        continue;
      if (C.capturesThis() || !isOfItsOwn(C.getCapturedVar()))
        return true;
      HasRestrict |= isRestrict(C.getCapturedVar());
    }
    if (!HasRestrict || !OtherPointers().TraverseStmt(
                            D->getInnermostCapturedStmt()->getCapturedStmt()))
      return true;
    for (auto [C, Field] : llvm::zip_equal(
             Region->captures(), Region->getCapturedRecordDecl()->fields()))
      if (C.capturesVariableByCopy() && isRestrict(C.getCapturedVar()) &&
          Field->getType()->isPointerType())
        Field->setType(Field->getType().withRestrict());
    return true;
  }
};

} // namespace

void keepRestrict(Decl *Top) {
  forFunctions(Top,
               [](FunctionDecl &F) { Keeper(F).TraverseStmt(F.getBody()); });
}

} // namespace accx::frontend
