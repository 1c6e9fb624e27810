//===- LoopCalls.cpp - Teams loops that call functions --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations of `target teams loop` may run at the same time (OpenMP 5.2,
// 11.7), so that Clang gives them to all threads. Where the loop calls a
// function it does not: that might have a `loop` of its own, which binds to the
// threads of the team. One thread of each team then does all. Here the loop is
// given to all threads where the bodies of all functions called are at hand and
// have no directives, before code is generated.
//
//===----------------------------------------------------------------------===//

#include "frontend/ast/Corrections.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace accx::frontend {

namespace {

void setParallel(OMPTargetTeamsGenericLoopDirective &Loop);

/// An explicit instantiation may name what is private. Clang decides when it
/// meets the directive, and has no other way to change that.
template <auto Setter> struct Access {
  friend void setParallel(OMPTargetTeamsGenericLoopDirective &Loop) {
    (Loop.*Setter)(true);
  }
};
template struct Access<
    &OMPTargetTeamsGenericLoopDirective::setCanBeParallelFor>;

/// Functions of C's library, and of CUDA's, which those are on GPUs.
bool isOfLibrary(const FunctionDecl &F) {
  return !F.isDefined() &&
         (F.getBuiltinID() ||
          (F.getIdentifier() && F.getName().starts_with("__nv_")));
}

/// Finds what may hold a directive.
class Search : public RecursiveASTVisitor<Search> {
  Sema &S;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;

public:
  bool MayHave = false;

  explicit Search(Sema &S) : S(S) {}

  bool VisitOMPExecutableDirective(OMPExecutableDirective *) { return found(); }
  // Calls that are not written; coroutines, blocks, and what is not C++.
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *) { return found(); }
  bool VisitCXXNewExpr(CXXNewExpr *) { return found(); }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *) { return found(); }
  bool VisitBlockExpr(BlockExpr *) { return found(); }
  bool VisitCoroutineBodyStmt(CoroutineBodyStmt *) { return found(); }
  bool VisitAsmStmt(AsmStmt *) { return found(); }
  bool VisitVarDecl(VarDecl *V) {
    return V->getType()->isDependentType() || V->getType().isDestructedType()
               ? found()
               : true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    return E->getConstructor()->isTrivial() || look(E->getConstructor());
  }
  bool VisitCallExpr(CallExpr *E) {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(E->getCalleeDecl());
    if (Method && Method->isVirtual())
      return found();
    return look(dyn_cast_or_null<FunctionDecl>(E->getCalleeDecl()));
  }

private:
  bool found() {
    MayHave = true;
    return false;
  }

  bool look(FunctionDecl *F) {
    if (!F)
      return found();
    if (!Seen.insert(F->getCanonicalDecl()).second || isOfLibrary(*F))
      return true;
    const FunctionDecl *Pattern = F->isImplicitlyInstantiable()
                                      ? F->getTemplateInstantiationPattern()
                                      : nullptr;
    if (!F->isDefined() && Pattern && Pattern->isDefined())
      S.InstantiateFunctionDefinition(F->getLocation(), F, /*Recursive=*/true);
    const FunctionDecl *Definition = nullptr;
    Stmt *Body = F->getBody(Definition);
    // Initializers of members are no part of a constructor's body.
    if (!Body || Definition->isInvalidDecl() ||
        isa<CXXConstructorDecl>(Definition))
      return found();
    return TraverseStmt(Body) && !MayHave;
  }
};

class Sharer : public RecursiveASTVisitor<Sharer> {
  Sema &S;

public:
  explicit Sharer(Sema &S) : S(S) {}

  bool VisitOMPTargetTeamsGenericLoopDirective(
      OMPTargetTeamsGenericLoopDirective *Loop) {
    if (Loop->canBeParallelFor())
      return true;
    Search Bodies(S);
    Bodies.TraverseStmt(Loop->getInnermostCapturedStmt()->getCapturedStmt());
    if (!Bodies.MayHave)
      setParallel(*Loop);
    return true;
  }
};

} // namespace

void forFunctions(Decl *Top, llvm::function_ref<void(FunctionDecl &)> Do) {
  if (auto *F = dyn_cast<FunctionDecl>(Top)) {
    if (F->doesThisDeclarationHaveABody() && !F->isDependentContext() &&
        !F->isInvalidDecl())
      Do(*F);
  } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, CXXRecordDecl>(
                 Top)) {
    for (Decl *Inner : cast<DeclContext>(Top)->decls())
      forFunctions(Inner, Do);
  }
}

void shareCallingLoops(Decl *Top, Sema &S) {
  forFunctions(Top,
               [&](FunctionDecl &F) { Sharer(S).TraverseStmt(F.getBody()); });
}

} // namespace accx::frontend
