//===- Mistakes.cpp - What looks wrong in a program -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all searches start from, and how their findings reach the user.
//
//===----------------------------------------------------------------------===//

#include "frontend/mistakes/Mistakes.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace accx::frontend {

const VarDecl *rootVariable(const Expr *E) {
  while (E) {
    E = E->IgnoreParenCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      E = S->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E))
      E = M->getBase();
    else if (const auto *P = dyn_cast<UnaryOperator>(E);
             P && P->getOpcode() == UO_Deref)
      E = P->getSubExpr();
    else
      break;
  }
  return dyn_cast_or_null<VarDecl>(E ? namedVariable(E) : nullptr);
}

const FunctionDecl *calleeOf(const Expr *E) {
  const auto *C = dyn_cast<CallExpr>(E);
  return C ? C->getDirectCallee() : nullptr;
}

StringRef nameOf(const FunctionDecl *F) {
  return F && F->getIdentifier() ? F->getName() : "";
}

const Expr *withoutAddress(const Expr *E) {
  E = E->IgnoreParenCasts();
  const auto *A = dyn_cast<UnaryOperator>(E);
  return A && A->getOpcode() == UO_AddrOf ? A->getSubExpr() : E;
}

bool beginsAtFirst(const Item &I) {
  return llvm::all_of(I.Sections, [](const Section &S) {
    const auto IsZero = [](const Token &T) {
      return T.is(tok::numeric_constant) && T.getLength() == 1 &&
             *T.getLiteralData() == '0';
    };
    return !S.IsElement &&
           (S.Lower.empty() || (S.Lower.size() == 1 && IsZero(S.Lower[0])));
  });
}

namespace {

/// Items of clauses, functions, and which of them are routines.
class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(MistakeUnit &U) : U(U) {}

  bool VisitStaticAssertDecl(StaticAssertDecl *S) {
    const std::optional<MarkedOperand> Op = operandOf(S);
    if (!Op || !Op->Mark.Clause || !Op->Mark.Item || Op->Mark.Bound ||
        !Op->Operand)
      return true;
    const Expr *E = Op->Operand->IgnoreParenImpCasts();
    if (const auto *R = dyn_cast<DeclRefExpr>(E))
      if (const auto *F = dyn_cast<FunctionDecl>(R->getDecl())) {
        U.Routines.insert(F->getCanonicalDecl());
        return true;
      }
    ClauseItem I;
    I.Clause = *Op->Mark.Clause;
    I.Item = *Op->Mark.Item;
    I.Root = rootVariable(E);
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      I.Member = M->getMemberDecl();
      U.NamedMembers.insert(I.Member);
    }
    I.Loc = E->getExprLoc();
    if (I.Root)
      U.Named.insert(I.Root);
    U.Items[Op->Mark.Ordinal].push_back(I);
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->isImplicit())
      return true;
    All.push_back(F);
    if (F->doesThisDeclarationHaveABody() && !U.isForeign(F->getLocation()))
      U.Functions.push_back(F);
    if (F->hasAttr<OMPDeclareTargetDeclAttr>())
      U.Routines.insert(F->getCanonicalDecl());
    return true;
  }

  bool VisitCallExpr(CallExpr *E) {
    const StringRef Name = nameOf(calleeOf(E));
    U.SetsDevice |=
        Name == "omp_set_default_device" || Name.starts_with("acc_set_device_");
    return true;
  }

  bool VisitVarDecl(VarDecl *V) {
    if (const CXXMethodDecl *F = lambdaOf(V)) {
      All.push_back(F);
      Lambdas[F] = V;
    }
    return true;
  }

  /// `routine` without a name is of the function or lambda that comes next.
  void findRoutines() {
    const SourceManager &SM = U.Context.getSourceManager();
    for (const auto &D : U.Marks.Directives) {
      if (D->Kind != DirectiveKind::Routine || D->has(ClauseKind::Argument))
        continue;
      const FunctionDecl *Next = nullptr;
      for (const FunctionDecl *F : All) {
        const SourceLocation At = SM.getExpansionLoc(F->getLocation());
        if (SM.isBeforeInTranslationUnit(D->Loc, At) &&
            (!Next || SM.isBeforeInTranslationUnit(
                          At, SM.getExpansionLoc(Next->getLocation()))))
          Next = F;
      }
      if (Next)
        U.Routines.insert(Next->getCanonicalDecl());
      if (const auto Variable = Lambdas.find(Next); Variable != Lambdas.end())
        U.Named.insert(Variable->second);
    }
    // A lambda that a routine is bound to is on the device, too.
    for (const auto &D : U.Marks.Directives)
      if (const Clause *Bind = D->find(ClauseKind::Bind);
          Bind && !Bind->Values.empty())
        for (const auto &[Code, V] : Lambdas)
          if (V->getIdentifier() ==
              Bind->Values.front().front().getIdentifierInfo())
            U.Named.insert(V);
  }

private:
  /// The code of a variable that holds a lambda, or null.
  static const CXXMethodDecl *lambdaOf(const VarDecl *V) {
    const CXXRecordDecl *Closure =
        V->hasInit() && !V->getType()->isDependentType()
            ? V->getType()->getAsCXXRecordDecl()
            : nullptr;
    return Closure && Closure->isLambda() ? Closure->getLambdaCallOperator()
                                          : nullptr;
  }

  MistakeUnit &U;
  std::vector<const FunctionDecl *> All;
  std::map<const FunctionDecl *, const VarDecl *> Lambdas;
};

} // namespace

MistakeUnit::MistakeUnit(ASTContext &Context, const UnitMarks &Marks)
    : Context(Context), Marks(Marks) {
  Collector C(*this);
  C.TraverseDecl(Context.getTranslationUnitDecl());
  C.findRoutines();
  for (const auto &D : Marks.Directives)
    SetsDevice |= D->Kind == DirectiveKind::Set;
}

std::string wordOf(TokenRange Tokens) {
  if (Tokens.size() != 1)
    return "?";
  const Token &T = Tokens.front();
  if (const IdentifierInfo *Name = T.getIdentifierInfo())
    return Name->getName().str();
  return T.isLiteral() && T.getLiteralData()
             ? std::string(T.getLiteralData(), T.getLength())
             : "?";
}

std::string deviceOf(const Directive &D) {
  const Clause *C = D.find(ClauseKind::DeviceId);
  return !C ? "" : C->Values.empty() ? "?" : wordOf(C->Values.front());
}

bool MistakeUnit::isForeign(SourceLocation Loc) const {
  const SourceManager &SM = Context.getSourceManager();
  return Loc.isInvalid() || SM.isInSystemHeader(SM.getExpansionLoc(Loc));
}

bool MistakeUnit::isHeldElsewhere(const Directive &Here,
                                  const VarDecl *V) const {
  for (const auto &D : Marks.Directives) {
    if (D.get() == &Here || isCompute(D->Kind) ||
        D->Kind == DirectiveKind::Loop)
      continue;
    if (llvm::any_of(items(*D),
                     [&](const ClauseItem &I) { return I.Root == V; }))
      return true;
  }
  return false;
}

unsigned MistakeUnit::line(SourceLocation Loc) const {
  return Context.getSourceManager().getExpansionLineNumber(Loc);
}

void MistakeUnit::tell(SourceLocation Loc, const std::string &Text,
                       bool IsError) {
  const SourceManager &SM = Context.getSourceManager();
  Loc = SM.getExpansionLoc(Loc);
  if (Loc.isInvalid() || SM.isInSystemHeader(Loc))
    return;
  // A directive in a header that is included twice is met twice.
  if (!Told.insert({Loc.getRawEncoding(), Text}).second)
    return;
  const auto [File, Offset] = SM.getDecomposedLoc(Loc);
  Mistake M;
  if (File != SM.getMainFileID()) {
    M.File = SM.getFileEntryRefForID(File);
    if (!M.File)
      return;
  }
  M.Offset = Offset;
  M.Text = Text;
  M.IsError = IsError;
  Found.push_back(std::move(M));
}

std::vector<Mistake> findMistakes(ASTContext &Context, const UnitMarks &Marks) {
  MistakeUnit U(Context, Marks);
  findDataMistakes(U);
  findOrderMistakes(U);
  findLoopMistakes(U);
  findCallMistakes(U);
  findQueueMistakes(U);
  return U.take();
}

void reportMistakes(const std::vector<Mistake> &All, CompilerInstance &CI) {
  SourceManager &SM = CI.getSourceManager();
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  // Clang's options for warnings do not reach a plugin's.
  const bool Quiet =
      Diags.getIgnoreAllWarnings() ||
      llvm::is_contained(CI.getDiagnosticOpts().Warnings, "no-everything");
  const bool Strict = Diags.getWarningsAsErrors();
  const unsigned Ids[] = {
      Diags.getCustomDiagID(DiagnosticsEngine::Warning, "%0"),
      Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0")};
  for (const Mistake &M : All) {
    if (Quiet && !M.IsError)
      continue;
    const FileID File = M.File ? SM.translateFile(*M.File) : SM.getMainFileID();
    if (File.isValid())
      Diags.Report(SM.getLocForStartOfFile(File).getLocWithOffset(M.Offset),
                   Ids[M.IsError || Strict])
          << M.Text;
  }
}

} // namespace accx::frontend
