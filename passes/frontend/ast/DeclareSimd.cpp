//===- DeclareSimd.cpp - declare simd of a prototype ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang names the vector variants of a function (OpenMP 5.2, 7.7) where it
// emits a declaration that carries the directive itself. A definition behind a
// prototype that has it inherits nothing, and so has no variants, although
// callers elsewhere, who see the prototype only, count on them. Here it gets
// the prototype's directives, before code is generated. A directive that only
// comes behind the definition is too late for that, and is warned of.
//
//===----------------------------------------------------------------------===//

#include "frontend/ast/Corrections.h"
#include "frontend/parse/Report.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// Copies directives from one declaration to another.
class Inheritance {
public:
  Inheritance(const FunctionDecl &From, FunctionDecl &To)
      : From(From), To(To) {}

  OMPDeclareSimdDeclAttr *copy(const OMPDeclareSimdDeclAttr &Attr) const {
    auto Uniforms = copies(Attr.uniforms()), Aligneds = copies(Attr.aligneds()),
         Alignments = copies(Attr.alignments()),
         Linears = copies(Attr.linears()), Steps = copies(Attr.steps());
    SmallVector<unsigned, 4> Modifiers(Attr.modifiers());
    return OMPDeclareSimdDeclAttr::CreateImplicit(
        To.getASTContext(), Attr.getBranchState(), Attr.getSimdlen(),
        Uniforms.data(), Uniforms.size(), Aligneds.data(), Aligneds.size(),
        Alignments.data(), Alignments.size(), Linears.data(), Linears.size(),
        Modifiers.data(), Modifiers.size(), Steps.data(), Steps.size(),
        Attr.getRange());
  }

private:
  const FunctionDecl &From;
  FunctionDecl &To;

  template <class Range> SmallVector<Expr *, 4> copies(Range &&List) const {
    return SmallVector<Expr *, 4>(
        llvm::map_range(List, [this](Expr *E) { return copy(E); }));
  }

  /// Clauses name parameters, and those of the definition are others. Constants
  /// and `this` are the same.
  Expr *copy(Expr *E) const {
    const auto *Ref =
        E ? dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
    const auto *Parameter =
        Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    if (!Parameter || Parameter->getDeclContext() != &From)
      return E;
    ParmVarDecl *Own = To.getParamDecl(Parameter->getFunctionScopeIndex());
    return DeclRefExpr::Create(
        To.getASTContext(), NestedNameSpecifierLoc(), SourceLocation(), Own,
        /*RefersToEnclosingVariableOrCapture=*/false, Ref->getLocation(),
        Own->getType().getNonReferenceType(), VK_LValue);
  }
};

void inherit(FunctionDecl &F) {
  if (!F.doesThisDeclarationHaveABody() || F.hasAttr<OMPDeclareSimdDeclAttr>())
    return;
  for (const FunctionDecl *Before = F.getPreviousDecl(); Before;
       Before = Before->getPreviousDecl()) {
    if (Before->getNumParams() != F.getNumParams())
      continue;
    const Inheritance Copier(*Before, F);
    for (const auto *Attr : Before->specific_attrs<OMPDeclareSimdDeclAttr>())
      F.addAttr(Copier.copy(*Attr));
  }
}

/// Whether variants of the kind that \p Late asks for are made for \p Early.
bool covers(const OMPDeclareSimdDeclAttr &Early,
            const OMPDeclareSimdDeclAttr &Late) {
  return (Early.getBranchState() == Late.getBranchState() ||
          Early.getBranchState() == OMPDeclareSimdDeclAttr::BS_Undefined) &&
         !Early.getSimdlen() == !Late.getSimdlen();
}

/// Code of a definition is there when a directive behind it is parsed.
void warnIfLate(const FunctionDecl &F, DiagnosticsEngine &Diags) {
  const FunctionDecl *Definition = nullptr;
  // Once is enough for a file that is compiled for devices, too.
  if (F.getASTContext().getLangOpts().OpenMPIsTargetDevice ||
      F.doesThisDeclarationHaveABody() ||
      !F.hasAttr<OMPDeclareSimdDeclAttr>() ||
      !F.isDefined(Definition, /*CheckForPendingFriendDefinition=*/false))
    return;
  for (const auto *Late : F.specific_attrs<OMPDeclareSimdDeclAttr>()) {
    if (llvm::any_of(Definition->specific_attrs<OMPDeclareSimdDeclAttr>(),
                     [&](const auto *Early) { return covers(*Early, *Late); }))
      continue;
    report(Diags, Late->getLocation(), DiagnosticIDs::Warning,
           "'declare simd' behind the definition of %0 makes no variants: "
           "callers in other files run it lane by lane")
        << &F;
    report(Diags, Definition->getLocation(), DiagnosticIDs::Note,
           "put the directive in front of this");
  }
}

void handle(FunctionDecl &F) {
  inherit(F);
  warnIfLate(F, F.getASTContext().getDiagnostics());
}

} // namespace

void inheritDeclareSimd(Decl *Top) {
  if (auto *Template = dyn_cast<FunctionTemplateDecl>(Top))
    handle(*Template->getTemplatedDecl());
  else if (auto *F = dyn_cast<FunctionDecl>(Top))
    handle(*F);
  else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(Top))
    for (Decl *Inner : cast<DeclContext>(Top)->decls())
      inheritDeclareSimd(Inner);
}

} // namespace accx::frontend
