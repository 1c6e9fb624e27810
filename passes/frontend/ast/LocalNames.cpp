//===- LocalNames.cpp - Names of local types ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is found by its name, in which its function's stands, in which the
// types of template arguments stand. Lambdas and other types that are local to
// a function which is not inline have no names of their own: Clang numbers
// them in the order in which it first mangles them. The host's compilation and
// a device's emit different functions, so one type gets two numbers, and a
// launch finds another type's kernel, or none. Here such types get names that
// depend on the source alone, before code is generated: a lambda its number
// among those of its context, as CUDA has it; an unnamed type, and the second
// of a name in one function, a name with a number.
//
//===----------------------------------------------------------------------===//

#include "frontend/ast/Corrections.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/MangleNumberingContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// Visits types in the order of the source, which every compilation of a unit
/// has in common. Instantiations follow their templates, whose local types
/// Clang numbers itself.
class Namer : public RecursiveASTVisitor<Namer> {
public:
  explicit Namer(ASTContext &Context) : Context(Context) {}

  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseLambdaExpr(LambdaExpr *L) {
    number(L->getLambdaClass());
    return RecursiveASTVisitor::TraverseLambdaExpr(L);
  }

  bool VisitTagDecl(TagDecl *Tag) {
    if (isNumberedByMangler(Tag))
      name(Tag);
    return true;
  }

private:
  ASTContext &Context;
  /// How many types each function has of each name, unnamed ones included.
  llvm::DenseMap<std::pair<const DeclContext *, const IdentifierInfo *>,
                 unsigned>
      Count;

  void number(CXXRecordDecl *Class) {
    if (Class->isDependentContext() || Class->getLambdaManglingNumber() != 0)
      return;
    const DeclContext *Parent = Class->getDeclContext();
    while (isa<CapturedDecl>(Parent))
      Parent = Parent->getParent();
    MangleNumberingContext &Numbers = Context.getManglingNumberContext(Parent);
    CXXRecordDecl::LambdaNumbering Numbering;
    Numbering.ContextDecl = Class->getLambdaContextDecl();
    Numbering.IndexInContext = Numbers.getNextLambdaIndex();
    Numbering.ManglingNumber =
        Numbers.getManglingNumber(Class->getLambdaCallOperator());
    Numbering.DeviceManglingNumber = 0;
    // What it has without a number, too: the number is of this unit.
    Numbering.HasKnownInternalLinkage = true;
    Class->setLambdaNumbering(Numbering);
  }

  static bool isNumberedByMangler(const TagDecl *Tag) {
    const auto *Record = dyn_cast<CXXRecordDecl>(Tag);
    if (Record && (Record->isLambda() || Record->isInjectedClassName() ||
                   Record->isAnonymousStructOrUnion()))
      return false;
    return Tag->isThisDeclarationADefinition() &&
           Tag->getParentFunctionOrMethod() && !Tag->isDependentContext() &&
           !Tag->isExternallyVisible() && !Tag->getTypedefNameForAnonDecl();
  }

  void name(TagDecl *Tag) {
    const IdentifierInfo *Name = Tag->getIdentifier();
    const unsigned Number = ++Count[{Tag->getParentFunctionOrMethod(), Name}];
    if (Name && Number == 1)
      return;
    // '$' is what every assembler takes and hardly a program has in a name.
    const std::string New =
        (Name ? Name->getName() : StringRef("unnamed")).str() + "$" +
        std::to_string(Number);
    Tag->setDeclName(&Context.Idents.get(New));
  }
};

} // namespace

void nameLocalTypes(Decl *Top, ASTContext &Context) {
  Namer(Context).TraverseDecl(Top);
}

} // namespace accx::frontend
