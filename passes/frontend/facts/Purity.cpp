//===- Purity.cpp - Functions that only compute ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a function computes its result from its arguments alone, by a
// list of the standard library's functions or by its body. StatementFacts.cpp
// and LoopPlaces.cpp ask it about calls.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/Independence.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace accx::frontend {
namespace {

bool isValueType(QualType T) {
  T = T.getCanonicalType();
  return T->isArithmeticType() || T->isEnumeralType() ||
         T->isAnyComplexType() || T->isVectorType();
}

/// Functions of <cmath> that are not overloads of a builtin's name, and of
/// <algorithm>, that compute a value from arguments that they do not keep.
bool isStandardFunction(const FunctionDecl *F) {
  if (!F->isInStdNamespace() || !F->getIdentifier())
    return false;
  // A comparison that the caller gives is anything.
  for (const ParmVarDecl *P : F->parameters())
    if (!isValueType(P->getType().getNonReferenceType()))
      return false;
  return llvm::StringSwitch<bool>(F->getName())
      .Cases("abs", "fabs", "fmod", "remainder", "fma", "fmax", "fmin", true)
      .Cases("fdim", "exp", "exp2", "expm1", "log", "log10", "log2", true)
      .Cases("log1p", "pow", "sqrt", "cbrt", "hypot", "sin", "cos", true)
      .Cases("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", true)
      .Cases("tanh", "asinh", "acosh", "atanh", "erf", "erfc", true)
      .Cases("tgamma", "ceil", "floor", "trunc", "round", "nearbyint", true)
      .Cases("rint", "lround", "llround", "lrint", "llrint", "ldexp", true)
      .Cases("scalbn", "scalbln", "copysign", "nextafter", "isnan", true)
      .Cases("isinf", "isfinite", "isnormal", "signbit", true)
      .Cases("max", "min", "clamp", true)
      .Default(false);
}

/// Whether a body touches nothing but its own variables.
class BodyReader final : public FlowWalker {
public:
  BodyReader(const UnitMarks &Marks, unsigned Depth)
      : FlowWalker(Marks), Depth(Depth) {}

  bool isPure(const FunctionDecl *F) {
    for (const ParmVarDecl *P : F->parameters())
      Own.insert(P->getCanonicalDecl());
    statement(F->getBody());
    return Pure;
  }

private:
  void access(const ValueDecl *D, Use U, bool, const Expr *) override {
    const auto *V = dyn_cast<VarDecl>(D);
    const bool Constant = V && V->getType().isConstQualified() && !writes(U);
    Pure &= Own.contains(D) || Constant;
    Pure &= !D->getType().isVolatileQualified();
  }
  void pointee(const ValueDecl *, Use, const Expr *) override { Pure = false; }
  void usesThis() override { Pure = false; }
  void declares(const ValueDecl *D) override {
    if (const auto *V = dyn_cast<VarDecl>(D);
        V && V->isStaticLocal() && !V->getType().isConstQualified())
      Pure = false;
    Own.insert(cast<ValueDecl>(D->getCanonicalDecl()));
  }
  void calls(const Expr *, const FunctionDecl *F) override;
  void unstructured(const Stmt *) override { Pure = false; }

  llvm::DenseSet<const ValueDecl *> Own;
  const unsigned Depth;
  bool Pure = true;
};

bool isPureAt(const FunctionDecl *F, unsigned Depth) {
  if (!F || F->isInvalidDecl())
    return false;
  // `pure` may read memory, which the caller does not see.
  if (F->hasAttr<ConstAttr>())
    return true;
  ASTContext &Context = F->getASTContext();
  // `std::max` has references, yet keeps none of them.
  if (isStandardFunction(F))
    return true;
  if (!isValueType(F->getReturnType()))
    return false;
  for (const ParmVarDecl *P : F->parameters())
    if (!isValueType(P->getType()))
      return false;
  if (const unsigned ID = F->getBuiltinID()) {
    const Builtin::Context &Table = Context.BuiltinInfo;
    if (Table.isConst(ID) || Table.isConstWithoutErrnoAndExceptions(ID))
      return true;
    const char *Header = Table.getHeaderName(ID);
    return Header && StringRef(Header) == "math.h";
  }
  const FunctionDecl *Definition = nullptr;
  if (Depth == 0 || isa<CXXMethodDecl>(F) || !F->hasBody(Definition) ||
      !Definition || Definition->isWeak())
    return false;
  static const std::vector<std::unique_ptr<Directive>> None;
  const UnitMarks Marks{None, {}};
  return BodyReader(Marks, Depth - 1).isPure(Definition);
}

void BodyReader::calls(const Expr *, const FunctionDecl *F) {
  Pure = Pure && isPureAt(F, Depth);
}

} // namespace

bool isPure(const FunctionDecl *F) { return isPureAt(F, 2); }

} // namespace accx::frontend
