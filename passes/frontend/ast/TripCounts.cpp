//===- TripCounts.cpp - Products of trip counts do not wrap ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang numbers the iterations of collapsed loops in 64 bits where these may be
// needed, but what it divides a number by, to find the counters, are products
// of the inner loops' trip counts in the counters' own type. Inner loops of
// `int` counters with 2^31 iterations or more together get counters that no
// loop has. Here these products are made in the number's type, before code is
// generated: constants have been folded afterwards.
//
//===----------------------------------------------------------------------===//

#include "frontend/ast/Corrections.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace accx::frontend {

namespace {

BinaryOperator *asProduct(Expr *E) {
  auto *Product = dyn_cast<BinaryOperator>(E->IgnoreImpCasts());
  return Product && Product->getOpcode() == BO_Mul ? Product : nullptr;
}

/// Clang's own products are one, which is nowhere in the source, times a trip
/// count, times a trip count...
bool isOfTripCounts(Expr *E) {
  while (BinaryOperator *Product = asProduct(E))
    E = Product->getLHS();
  const auto *One = dyn_cast<IntegerLiteral>(E->IgnoreImpCasts());
  return One && One->getLocation().isInvalid();
}

class Widener : public RecursiveASTVisitor<Widener> {
  ASTContext &Context;

  Expr *convert(Expr *E, QualType Type) {
    return ImplicitCastExpr::Create(Context, Type, CK_IntegralCast, E,
                                    /*BasePath=*/nullptr, VK_PRValue,
                                    FPOptionsOverride());
  }

  /// One, or a product of trip counts, in \p Type.
  Expr *widen(Expr *E, QualType Type) {
    BinaryOperator *Product = asProduct(E);
    if (!Product)
      return convert(E, Type);
    Product->setLHS(widen(Product->getLHS(), Type));
    Product->setRHS(convert(Product->getRHS(), Type));
    Product->setType(Type);
    return Product;
  }

public:
  explicit Widener(ASTContext &Context) : Context(Context) {}

  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) {
    if (Cast->getCastKind() == CK_IntegralCast && asProduct(Cast) &&
        isOfTripCounts(Cast) &&
        Context.getTypeSize(Cast->getType()) >
            Context.getTypeSize(asProduct(Cast)->getType()))
      Cast->setSubExpr(widen(Cast->getSubExpr(), Cast->getType()));
    return true;
  }
};

/// Finds the loops, those of templates as they are instantiated.
class Search : public RecursiveASTVisitor<Search> {
  ASTContext &Context;

public:
  explicit Search(ASTContext &Context) : Context(Context) {}

  bool VisitOMPLoopDirective(OMPLoopDirective *Loop) {
    if (Loop->getLoopsNumber() > 1)
      for (Expr *Update : Loop->updates())
        if (Update) // Templates have none.
          Widener(Context).TraverseStmt(Update);
    return true;
  }
};

} // namespace

void widenTripCounts(Decl *Top, ASTContext &Context) {
  Search(Context).TraverseDecl(Top);
}

} // namespace accx::frontend
