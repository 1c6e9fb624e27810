//===- Omp.cpp - What looks wrong with OpenMP's constructs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches the syntax tree of a function for target constructs that lose a
// value or repeat a loop, and warns. The other searches of this room read the
// probe, which programs with OpenMP's directives alone do not have.
//
//===----------------------------------------------------------------------===//

#include "frontend/mistakes/Mistakes.h"

#include "frontend/facts/FlowFacts.h"
#include "frontend/parse/Report.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <set>

using namespace clang;

namespace accx::frontend {
namespace {

/// What \p S consists of, captured code in place of its captures.
void forParts(const Stmt *S, llvm::function_ref<void(const Stmt *)> Do) {
  if (const auto *D = dyn_cast<OMPExecutableDirective>(S)) {
    if (D->hasAssociatedStmt())
      Do(D->getRawStmt());
    return;
  }
  if (const auto *C = dyn_cast<CapturedStmt>(S))
    return Do(C->getCapturedStmt());
  for (const Stmt *Child : S->children())
    if (Child)
      Do(Child);
}

class OmpSearch {
public:
  OmpSearch(const Stmt *Function, ASTContext &Context, DiagnosticsEngine &Diags)
      : Function(Function), Context(Context), Diags(Diags) {}

  void search(const Stmt *S) {
    const auto *D = dyn_cast<OMPExecutableDirective>(S);
    if (D && isOpenMPTargetExecutionDirective(D->getDirectiveKind()) &&
        D->hasAssociatedStmt()) {
      checkShared(*D);
      checkLost(*D);
      checkMoved(S);
      return;
    }
    forParts(S, [&](const Stmt *Part) { search(Part); });
  }

private:
  struct Assigned {
    const Expr *First = nullptr;
    const char *Operator = nullptr; // of a reduction; null: otherwise, too
  };

  DiagnosticBuilder warn(SourceLocation Loc, StringRef Text) {
    return report(Diags, Context.getSourceManager().getExpansionLoc(Loc),
                  DiagnosticIDs::Warning, Text);
  }
  unsigned line(SourceLocation Loc) const {
    return Context.getSourceManager().getExpansionLineNumber(Loc);
  }

  /// Scalars of the function that a target construct has copies of.
  void checkLost(const OMPExecutableDirective &D) {
    Named.clear();
    Inner.clear();
    Writes.clear();
    Unclear = false;
    name(D, /*Nested=*/false);
    collect(D.getRawStmt());
    if (Unclear)
      return;
    const SourceLocation End =
        D.getInnermostCapturedStmt()->getCapturedStmt()->getEndLoc();
    for (const auto &[V, A] : Writes) {
      if (Named.count(V) || Inner.count(V) || !V->isLocalVarDeclOrParm() ||
          !V->hasLocalStorage() || !V->getType()->isArithmeticType() ||
          !isReadNext(V, End))
        continue;
      if (A.Operator)
        warn(A.First->getExprLoc(),
             "what line %0 combines in '%1' is lost: without a clause each "
             "device and thread has a copy of it; add 'reduction(%2: %1)' to "
             "the construct in line %3")
            << line(A.First->getExprLoc()) << V->getName() << A.Operator
            << line(D.getBeginLoc());
      else
        warn(
            A.First->getExprLoc(),
            "the value that line %0 gives '%1' is lost behind the construct in "
            "line %2, which has a copy of it; add 'map(tofrom: %1)' there")
            << line(A.First->getExprLoc()) << V->getName()
            << line(D.getBeginLoc());
    }
  }

  /// The variables that \p D's clauses name. What a directive in the construct
  /// reduces into, it assigns.
  void name(const OMPExecutableDirective &D, bool Nested) {
    for (const OMPClause *C : D.clauses()) {
      if (C->isImplicit())
        continue;
      if (const auto *R = dyn_cast<OMPReductionClause>(C); R && Nested) {
        for (const Expr *E : R->varlists())
          assign(dyn_cast_or_null<VarDecl>(namedVariable(E)), E, nullptr);
        continue;
      }
      Unclear |= isa<OMPDefaultmapClause, OMPDefaultClause>(C);
      // Scheduled counts and the like name variables, too, which harms nothing.
      for (const Stmt *Child : const_cast<OMPClause *>(C)->children())
        nameAll(Child);
    }
    nameCounters(D);
  }
  /// The counters of its loops are private.
  void nameCounters(const OMPExecutableDirective &D) {
    if (const auto *L = dyn_cast<OMPLoopDirective>(&D))
      for (const Expr *Counter : L->counters())
        nameAll(Counter);
  }
  void nameAll(const Stmt *S) {
    if (!S)
      return;
    if (const auto *R = dyn_cast<DeclRefExpr>(S))
      if (const auto *V = dyn_cast<VarDecl>(R->getDecl()))
        Named.insert(V->getCanonicalDecl());
    for (const Stmt *Child : S->children())
      nameAll(Child);
  }

  void collect(const Stmt *S) {
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S))
      name(*D, /*Nested=*/true);
    if (isa<LambdaExpr, AsmStmt>(S))
      Unclear = true;
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X))
          Inner.insert(V->getCanonicalDecl());
    if (const std::optional<ReductionForm> R = matchReduction(S))
      if (const auto *V = dyn_cast_or_null<VarDecl>(R->Variable)) {
        assign(V, R->Name, R->Operator);
        for (const Expr *Operand : R->Operands)
          collect(Operand);
        return;
      }
    if (const Expr *Place = assignedPlace(S))
      assign(dyn_cast_or_null<VarDecl>(namedVariable(Place)), cast<Expr>(S),
             nullptr);
    forParts(S, [&](const Stmt *Part) { collect(Part); });
  }

  void assign(const VarDecl *V, const Expr *E, const char *Operator) {
    if (!V)
      return;
    const auto [It, New] =
        Writes.try_emplace(V->getCanonicalDecl(), Assigned{E, Operator});
    if (!New && (!Operator || !It->second.Operator ||
                 StringRef(Operator) != It->second.Operator))
      It->second.Operator = nullptr;
  }

  /// Whether the first use of \p V behind \p End reads it.
  bool isReadNext(const VarDecl *V, SourceLocation End) const {
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation First;
    bool Reads = false;
    const std::function<void(const Stmt *, bool)> Look = [&](const Stmt *S,
                                                             bool Assigns) {
      if (const auto *R = dyn_cast<DeclRefExpr>(S);
          R && R->getDecl()->getCanonicalDecl() == V) {
        const SourceLocation At = SM.getExpansionLoc(R->getLocation());
        if (SM.isBeforeInTranslationUnit(SM.getExpansionLoc(End), At) &&
            (First.isInvalid() || SM.isBeforeInTranslationUnit(At, First))) {
          First = At;
          Reads = !Assigns;
        }
      }
      const auto *B = dyn_cast<BinaryOperator>(S);
      if (const auto *D = dyn_cast<OMPExecutableDirective>(S))
        for (const OMPClause *C : D->clauses())
          for (const Stmt *Child : const_cast<OMPClause *>(C)->children())
            if (Child)
              Look(Child, true); // what the clause does is its own
      forParts(S, [&](const Stmt *Part) {
        Look(Part, B && B->getOpcode() == BO_Assign && Part == B->getLHS());
      });
    };
    Look(Function, false);
    return Reads;
  }

  /// `target teams` and `target parallel` without a loop of theirs.
  void checkShared(const OMPExecutableDirective &D) {
    const OpenMPDirectiveKind Kind = D.getDirectiveKind();
    const bool Teams = Kind == llvm::omp::OMPD_target_teams;
    if (!Teams && Kind != llvm::omp::OMPD_target_parallel)
      return;
    const Stmt *S = D.getInnermostCapturedStmt()->getCapturedStmt();
    if (const auto *Block = dyn_cast<CompoundStmt>(S);
        Block && Block->size() == 1)
      S = Block->body_front();
    const auto *F = dyn_cast<ForStmt>(S);
    if (!F || calls(F) || llvm::any_of(D.clauses(), [](const OMPClause *C) {
          return isa<OMPNumTeamsClause, OMPNumThreadsClause>(C);
        }))
      return;
    warn(D.getBeginLoc(), "'%0' without '%1': every %2 runs all of the loop in "
                          "line %3")
        << (Teams ? "target teams" : "target parallel")
        << (Teams ? "distribute parallel for" : "for")
        << (Teams ? "team" : "thread") << line(F->getForLoc());
  }
  static bool calls(const Stmt *S) {
    return anyPart(S, [](const Stmt *Part) {
      return isa<CallExpr, OMPExecutableDirective>(Part);
    });
  }

  /// Pointers that threads of a parallel region in \p S share and each moves.
  void checkMoved(const Stmt *S) {
    const auto *D = dyn_cast<OMPExecutableDirective>(S);
    if (D && isOpenMPParallelDirective(D->getDirectiveKind()) &&
        D->hasAssociatedStmt() &&
        !llvm::any_of(D->clauses(), [](const OMPClause *C) {
          return isa<OMPDefaultClause, OMPIfClause>(C);
        })) {
      Inner.clear();
      Named.clear();
      namePrivate(*D);
      collectMoved(D->getInnermostCapturedStmt()->getCapturedStmt(), *D);
    }
    forParts(S, [&](const Stmt *Part) { checkMoved(Part); });
  }

  /// The variables that each thread, or iteration, has of its own.
  void namePrivate(const OMPExecutableDirective &D) {
    for (const OMPClause *C : D.clauses())
      if (!C->isImplicit() &&
          isa<OMPPrivateClause, OMPFirstprivateClause, OMPLastprivateClause,
              OMPLinearClause, OMPReductionClause>(C))
        for (const Stmt *Child : const_cast<OMPClause *>(C)->children())
          nameAll(Child);
    nameCounters(D);
  }

  /// What all threads of \p Region do, and not one of them.
  void collectMoved(const Stmt *S, const OMPExecutableDirective &Region) {
    if (isa<IfStmt, SwitchStmt, AbstractConditionalOperator, LambdaExpr>(S))
      return;
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S)) {
      if (!isOpenMPLoopDirective(D->getDirectiveKind()) ||
          isOpenMPParallelDirective(D->getDirectiveKind()))
        return;
      namePrivate(*D);
    }
    if (const auto *D = dyn_cast<DeclStmt>(S))
      for (const Decl *X : D->decls())
        if (const auto *V = dyn_cast<VarDecl>(X))
          Inner.insert(V->getCanonicalDecl());
    if (const Expr *Place = assignedPlace(S))
      if (const auto *V = dyn_cast_or_null<VarDecl>(namedVariable(Place));
          V && isa<DeclRefExpr>(Place->IgnoreParens()) &&
          V->getType()->isPointerType() && V->isLocalVarDeclOrParm() &&
          V->hasLocalStorage() && !Named.count(V->getCanonicalDecl()) &&
          Inner.insert(V->getCanonicalDecl()).second)
        warn(cast<Expr>(S)->getExprLoc(),
             "each thread of the parallel region in line %0 sets '%1', a "
             "pointer that they share; add 'firstprivate(%1)' there")
            << line(Region.getBeginLoc()) << V->getName();
    forParts(S, [&](const Stmt *Part) { collectMoved(Part, Region); });
  }

  const Stmt *Function;
  ASTContext &Context;
  DiagnosticsEngine &Diags;
  std::set<const VarDecl *> Named, Inner;
  llvm::MapVector<const VarDecl *, Assigned> Writes; // as in the text
  bool Unclear = false;
};

} // namespace

void reportOmpMistakes(const Decl *D, ASTContext &Context,
                       DiagnosticsEngine &Diags) {
  const auto *F = dyn_cast<FunctionDecl>(D);
  if (!F || !F->doesThisDeclarationHaveABody() || F->isDependentContext() ||
      Context.getSourceManager().isInSystemHeader(F->getLocation()) ||
      Diags.getIgnoreAllWarnings())
    return;
  OmpSearch(F->getBody(), Context, Diags).search(F->getBody());
}

} // namespace accx::frontend
