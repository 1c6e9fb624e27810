//===- InfoLines.cpp - Lines that --accx-info speaks of -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads them from Clang's syntax tree, system headers left out.
//
//===----------------------------------------------------------------------===//

#include "frontend/ast/InfoLines.h"

#include "info/Info.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace accx::frontend {

namespace {
class Reader : public RecursiveASTVisitor<Reader> {
  const SourceManager &Sources;

  void add(info::Lines Are, SourceRange Of, StringRef Name = "") {
    const PresumedLoc First = Sources.getPresumedLoc(Of.getBegin()),
                      Last = Sources.getPresumedLoc(Of.getEnd());
    if (First.isValid() && Last.isValid())
      info::add(Are, {First.getFilename(), First.getLine()}, Last.getLine(),
                Name);
  }

public:
  explicit Reader(const SourceManager &Sources) : Sources(Sources) {}

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (!F->doesThisDeclarationHaveABody())
      return true;
    add(info::OfFunction, F->getSourceRange(), F->getNameAsString());
    if (F->hasAttr<OMPDeclareTargetDeclAttr>())
      add(info::Offloaded, F->getSourceRange());
    return true;
  }

  bool VisitOMPExecutableDirective(OMPExecutableDirective *D) {
    if (isOpenMPTargetExecutionDirective(D->getDirectiveKind()))
      add(info::Offloaded,
          {D->getBeginLoc(), D->getAssociatedStmt()->getEndLoc()});
    return true;
  }

  bool VisitOMPLoopBasedDirective(OMPLoopBasedDirective *D) {
    SourceLocation Last = D->getBeginLoc();
    OMPLoopBasedDirective::doForAllLoops(
        D->getRawStmt(), /*TryImperfectlyNestedLoops=*/true,
        D->getLoopsNumber(), [&](unsigned, Stmt *Loop) {
          Last = Loop->getBeginLoc();
          return false;
        });
    add(info::OfHeads, {D->getBeginLoc(), Last});
    return true;
  }
};
} // namespace

void addInfoLines(CompilerInstance &CI) {
  const SourceManager &Sources = CI.getSourceManager();
  Reader Lines(Sources);
  for (Decl *D : CI.getASTContext().getTranslationUnitDecl()->decls())
    if (!Sources.isInSystemHeader(D->getLocation()))
      Lines.TraverseDecl(D);
  const TargetInfo &Target = CI.getTarget();
  const PresumedLoc Main = Sources.getPresumedLoc(
      Sources.getLocForStartOfFile(Sources.getMainFileID()));
  info::begin(Main.getFilename(),
              !CI.getLangOpts().OpenMPIsTargetDevice ? ""
              : Target.getTriple().isNVPTX()         ? CI.getTargetOpts().CPU
                                                     : "host",
              /*ByFrontEnd=*/true);
}

} // namespace accx::frontend
