//===- Data.cpp - Clauses against what the construct does -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each variable that a compute construct or a loop names in a clause: is it
// read before it is written there, is it written at all, is it reduced by
// another operator than the clause says. And pointers that no clause names.
//
//===----------------------------------------------------------------------===//

#include "frontend/mistakes/Deeds.h"
#include "frontend/mistakes/Visitor.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// Local pointers that hold memory of the host which this function took.
class OwnMemory final : public MistakeVisitor {
public:
  using MistakeVisitor::MistakeVisitor;
  std::set<const VarDecl *> Taken, Shown;

private:
  void variable(const VarDecl *V) override {
    if (V->getInit() && isAllocation(V->getInit()))
      Taken.insert(V->getCanonicalDecl());
  }

  void expression(const Expr *E) override {
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->getOpcode() == BO_Assign && isAllocation(B->getRHS()))
      if (const auto *V = dyn_cast_or_null<VarDecl>(namedVariable(B->getLHS())))
        Taken.insert(V);
    const auto *C = dyn_cast<CallExpr>(E);
    if (!C || nameOf(calleeOf(C)) == "free")
      return;
    for (const Expr *A : C->arguments())
      if (const VarDecl *V = rootVariable(withoutAddress(A)))
        Shown.insert(V);
  }

  static bool isAllocation(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (isa<CXXNewExpr>(E))
      return true;
    const StringRef Name = nameOf(calleeOf(E));
    return Name == "malloc" || Name == "calloc" || Name == "realloc" ||
           Name == "aligned_alloc";
  }
};

class DataSearch final : public MistakeVisitor {
public:
  DataSearch(MistakeUnit &U, const FunctionDecl *F)
      : MistakeVisitor(U), Memory(U) {
    Memory.walk(F->getBody());
  }

private:
  void enters(const Directive &D, const Stmt *S) override {
    if (!S || (!isCompute(D.Kind) && D.Kind != DirectiveKind::Loop))
      return;
    DeedReader Reader(U.Marks);
    Reader.read(S);
    for (const ClauseItem &I : U.items(D))
      if (const Deeds *X = I.Root ? Reader.find(I.Root) : nullptr)
        check(D, D.Clauses[I.Clause], I, *X);
    if (isCompute(D.Kind))
      checkMembers(D, S);
    if (isCompute(D.Kind) && Around.size() == 1 && !D.has(ClauseKind::Default))
      for (const auto &[V, X] : Reader.all())
        checkUnnamed(V, X);
  }

  void check(const Directive &D, const Clause &C, const ClauseItem &I,
             const Deeds &X) {
    const std::string Name = ("'" + I.Root->getName() + "'").str();
    const bool Data = !I.Member && !C.hasModifier("always") &&
                      !U.isHeldElsewhere(D, I.Root) &&
                      !isa<ParmVarDecl>(I.Root);
    switch (C.Kind) {
    case ClauseKind::CopyIn:
      if (Data && X.FirstWrite && !X.Lent)
        U.warn(I.Loc,
               "{0} is written in line {1}, but 'copyin' does not copy it "
               "back: write 'copy'",
               Name, line(X.FirstWrite));
      return;
    case ClauseKind::CopyOut:
    case ClauseKind::Create:
      if (Data && X.FirstRead && !X.Lent && !C.hasModifier("zero"))
        U.warn(X.FirstRead->getExprLoc(),
               "{0} is read before the construct writes it, but '{1}' in line "
               "{2} does not copy it in: write '{3}'",
               Name, row(C.Kind).Spelling, U.line(C.Loc),
               (C.Kind == ClauseKind::CopyOut ? "copy" : "copyin"));
      return;
    case ClauseKind::Private:
      if (I.Root->getType()->isPointerType() && X.FollowedUnset && !X.Lent &&
          C.Items[I.Item].Sections.empty() && !I.Member)
        U.warn(X.FollowedUnset->getExprLoc(),
               "{0} points nowhere: 'private' in line {1} copies no pointer; "
               "write 'private({2}[0:count])' for an array of each iteration's "
               "own",
               Name, U.line(C.Loc), I.Root->getName());
      if (X.FirstRead && !X.Lent && !I.Root->getType()->isPointerType())
        U.warn(X.FirstRead->getExprLoc(),
               "{0} is read before it is set, but 'private' in line {1} gives "
               "it no value: write 'firstprivate'",
               Name, U.line(C.Loc));
      return;
    case ClauseKind::Reduction:
      if (X.Operator && !X.OtherUse && !C.Modifier.empty() &&
          C.Modifier != X.Operator &&
          !(C.Modifier == "-" && StringRef(X.Operator) == "+"))
        U.warn(I.Loc,
               "{0} is combined by '{1}' in line {2}, but the clause says "
               "'{3}': write 'reduction({1}:{4})'",
               Name, X.Operator,
               line(X.FirstWrite ? X.FirstWrite : X.FirstRead), C.Modifier,
               I.Root->getName());
      return;
    default:
      return;
    }
  }

  /// A pointer to memory that this function has taken from the host, which no
  /// directive and no function ever sees.
  void checkUnnamed(const ValueDecl *D, const Deeds &X) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V || !X.Followed || !V->isLocalVarDecl() || U.Named.contains(V) ||
        !Memory.Taken.contains(V) || Memory.Shown.contains(V))
      return;
    U.warn(X.Followed->getExprLoc(),
           "'{0}' points to memory of the host that no clause maps: add "
           "'{1}{0}[0:count])' to the construct",
           V->getName(), (X.FirstWrite ? "copy(" : "copyin("));
  }

  /// `s.p[i]` where a clause copies `s`, and none anywhere what `p` points to.
  void checkMembers(const Directive &D, const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    const Expr *Base = nullptr;
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(S))
      Base = A->getBase();
    else if (const auto *P = dyn_cast<UnaryOperator>(S);
             P && P->getOpcode() == UO_Deref)
      Base = P->getSubExpr();
    const auto *M =
        dyn_cast_or_null<MemberExpr>(Base ? Base->IgnoreParenImpCasts() : Base);
    const VarDecl *V = M && M->getType()->isPointerType()
                           ? rootVariable(M->getBase())
                           : nullptr;
    if (V && !U.NamedMembers.contains(M->getMemberDecl()) && isCopied(D, V)) {
      const std::string Name = M->getMemberNameInfo().getAsString();
      U.warn(M->getMemberLoc(),
             "'{0}' of '{1}' points to memory of the host: 'copy({1})' copies "
             "the pointer alone; add 'copy({1}{2}{0}[0:count])'",
             Name, V->getName(), (M->isArrow() ? "->" : "."));
    }
    for (const Stmt *Child : S->children())
      checkMembers(D, Child);
  }

  bool isCopied(const Directive &D, const VarDecl *V) const {
    return llvm::any_of(U.items(D), [&](const ClauseItem &I) {
      const ClauseKind K = D.Clauses[I.Clause].Kind;
      return I.Root == V && !I.Member &&
             (K == ClauseKind::Copy || K == ClauseKind::CopyIn);
    });
  }

  std::string line(const Expr *E) const {
    return std::to_string(U.line(E->getExprLoc()));
  }

  OwnMemory Memory;
};

} // namespace

void findDataMistakes(MistakeUnit &U) {
  for (const FunctionDecl *F : U.Functions)
    DataSearch(U, F).walk(F->getBody());
}

} // namespace accx::frontend
