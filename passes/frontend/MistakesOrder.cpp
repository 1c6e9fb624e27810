//===- MistakesOrder.cpp - Host and device in turns -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside a data construct host and device have a copy each. What one side
// writes and the other reads needs an update in between. And in a host_data
// construct a pointer is the device's, which the host cannot follow.
//
//===----------------------------------------------------------------------===//

#include "frontend/MistakeDeeds.h"
#include "frontend/MistakeVisitor.h"

using namespace clang;

namespace accx::frontend {
namespace {

class OrderSearch final : public MistakeVisitor {
public:
  using MistakeVisitor::MistakeVisitor;

private:
  void enters(const Directive &D, const Stmt *S) override {
    if (D.Kind == DirectiveKind::Data && !D.has(ClauseKind::If))
      for (const ClauseItem &I : items(D))
        if (I.Root && !I.Member && row(D.Clauses[I.Clause].Kind).Flags &&
            has(D.Clauses[I.Clause].Kind, Mapping))
          Held[I.Root].Region = &D;
    if (D.Kind == DirectiveKind::HostData)
      for (const ClauseItem &I : items(D))
        if (I.Root && !I.Member &&
            D.Clauses[I.Clause].Kind == ClauseKind::UseDevice)
          OnDevice.insert(I.Root);
    if (isCompute(D) && S && !D.has(ClauseKind::If) && !D.has(ClauseKind::Self))
      runs(S);
  }

  void leaves(const Directive &D) override {
    for (auto I = Held.begin(); I != Held.end();)
      I = I->second.Region == &D ? Held.erase(I) : std::next(I);
    if (D.Kind == DirectiveKind::HostData)
      OnDevice.clear();
  }

  /// Any other directive that names a variable brings its copies together.
  void operand(const MarkedOperand &Op) override {
    const Directive *D = U.Marks.find(Op.Mark.Ordinal);
    if (D && D->Kind != DirectiveKind::Data && !isCompute(*D) &&
        D->Kind != DirectiveKind::Loop && Op.Operand)
      forget(rootVariable(Op.Operand));
  }

  void expression(const Expr *E) override {
    if (Lambdas) // nobody knows when
      return;
    if (const auto *C = dyn_cast<CallExpr>(E)) {
      for (const Expr *A : C->arguments())
        if (A->getType()->isPointerType() || A->isGLValue())
          forget(rootVariable(pointed(A)));
    } else if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
      if (C->getCastKind() == CK_LValueToRValue)
        element(C->getSubExpr(), /*Reads=*/true, /*Writes=*/false);
    } else if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->isAssignmentOp())
        element(B->getLHS(), B->isCompoundAssignmentOp(), /*Writes=*/true);
    } else if (const auto *O = dyn_cast<UnaryOperator>(E)) {
      if (O->isIncrementDecrementOp())
        element(O->getSubExpr(), /*Reads=*/true, /*Writes=*/true);
    }
  }

  struct Copies {
    const Directive *Region = nullptr;
    unsigned DeviceWrote = 0; // line
    const Expr *HostWrote = nullptr;
  };

  const std::vector<ClauseItem> &items(const Directive &D) const {
    static const std::vector<ClauseItem> None;
    const auto It = U.Items.find(D.Ordinal);
    return It == U.Items.end() ? None : It->second;
  }

  static const Expr *pointed(const Expr *E) {
    E = E->IgnoreParenCasts();
    const auto *A = dyn_cast<UnaryOperator>(E);
    return A && A->getOpcode() == UO_AddrOf ? A->getSubExpr() : E;
  }

  void forget(const VarDecl *V) {
    if (const auto It = Held.find(V); It != Held.end())
      It->second = {It->second.Region, 0, nullptr};
  }

  void runs(const Stmt *S) {
    DeedReader Reader(U.Marks);
    Reader.read(S);
    for (auto &[V, C] : Held) {
      const Deeds *X = Reader.find(V);
      if (!X)
        continue;
      if (X->FirstRead && C.HostWrote)
        U.warn(C.HostWrote->getExprLoc(),
               "'" + V->getName() +
                   "' is written on the host here, but the device has a copy "
                   "of its own, which line " +
                   Twine(U.line(X->FirstRead->getExprLoc())) +
                   " reads: add '#pragma acc update device(" + V->getName() +
                   ")' in between");
      C.HostWrote = nullptr;
      if (X->FirstWrite)
        C.DeviceWrote = U.line(X->FirstWrite->getExprLoc());
    }
  }

  /// A use of what \p Place names, by code of the host.
  void element(const Expr *Place, bool Reads, bool Writes) {
    if (compute())
      return;
    Place = Place->IgnoreParens();
    const VarDecl *V = rootVariable(Place);
    if (!V || namedVariable(Place)) // elements only
      return;
    if (OnDevice.contains(V)) {
      U.warn(Place->getExprLoc(),
             "'" + V->getName() +
                 "' is an address of the device in this 'host_data' construct: "
                 "the host cannot use what it points to");
      return;
    }
    const auto It = Held.find(V);
    if (It == Held.end())
      return;
    Copies &C = It->second;
    if (Reads && C.DeviceWrote) {
      U.warn(Place->getExprLoc(),
             "'" + V->getName() + "' is read on the host here, but line " +
                 Twine(C.DeviceWrote) +
                 " wrote the device's copy: add '#pragma acc update self(" +
                 V->getName() + ")' in between");
      C.DeviceWrote = 0;
    }
    if (Writes)
      C.HostWrote = Place;
  }

  std::map<const VarDecl *, Copies> Held;
  std::set<const VarDecl *> OnDevice;
};

} // namespace

void findOrderMistakes(MistakeUnit &U) {
  for (const FunctionDecl *F : U.Functions)
    OrderSearch(U).walk(F->getBody());
}

} // namespace accx::frontend
