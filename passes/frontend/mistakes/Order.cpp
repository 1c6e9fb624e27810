//===- Order.cpp - Host and device in turns -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside a data construct, and between enter data and exit data, host and
// device have a copy each. What one side writes and the other reads needs an
// update in between, and a wait where that is asynchronous. And the host cannot
// follow a pointer of the device's, in a host_data construct or of acc_malloc.
//
//===----------------------------------------------------------------------===//

#include "frontend/mistakes/Deeds.h"
#include "frontend/mistakes/Visitor.h"

#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// Local pointers that only ever hold what acc_malloc gives.
class DevicePointers final : public MistakeVisitor {
public:
  using MistakeVisitor::MistakeVisitor;

  std::set<const VarDecl *> take() {
    for (const VarDecl *V : Others)
      Given.erase(V);
    return std::move(Given);
  }

private:
  void variable(const VarDecl *V) override {
    if (V->getInit())
      gets(V, V->getInit());
  }
  void expression(const Expr *E) override {
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->isAssignmentOp())
        gets(dyn_cast_or_null<VarDecl>(namedVariable(B->getLHS())),
             B->getRHS());
    } else if (const auto *O = dyn_cast<UnaryOperator>(E)) {
      if (O->getOpcode() == UO_AddrOf)
        Others.insert(
            dyn_cast_or_null<VarDecl>(namedVariable(O->getSubExpr())));
    }
  }
  void gets(const VarDecl *V, const Expr *E) {
    if (!V || !V->isLocalVarDecl() || !V->getType()->isPointerType())
      return;
    (nameOf(calleeOf(E->IgnoreParenCasts())) == "acc_malloc" ? Given : Others)
        .insert(V);
  }

  std::set<const VarDecl *> Given, Others;
};

class OrderSearch final : public MistakeVisitor {
public:
  OrderSearch(MistakeUnit &U, const FunctionDecl *F) : MistakeVisitor(U) {
    DevicePointers Pointers(U);
    Pointers.walk(F->getBody());
    Allocated = Pointers.take();
  }

private:
  void enters(const Directive &D, const Stmt *S) override {
    if (Lambdas)
      return;
    if (D.Kind == DirectiveKind::Wait ||
        (D.has(ClauseKind::Wait) && !queueClause(D)))
      std::erase_if(Pending,
                    [&](const auto &X) { return waitsFor(D, X.second); });
    if (D.Kind == DirectiveKind::Data && !D.has(ClauseKind::If))
      for (const ClauseItem &I : U.items(D))
        if (isWhole(D, I) && row(D.Clauses[I.Clause].Kind).Flags &&
            has(D.Clauses[I.Clause].Kind, Mapping))
          Held[I.Root] = {&D, deviceOf(D)};
    if (D.Kind == DirectiveKind::HostData)
      for (const ClauseItem &I : U.items(D))
        if (I.Root && !I.Member &&
            D.Clauses[I.Clause].Kind == ClauseKind::UseDevice)
          OnDevice.insert(I.Root);
    if (isCompute(D.Kind) && S && !D.has(ClauseKind::If) &&
        !D.has(ClauseKind::Self))
      runs(D, S);
  }

  void leaves(const Directive &D) override {
    for (auto I = Held.begin(); I != Held.end();)
      I = I->second.Region == &D ? Held.erase(I) : std::next(I);
    if (D.Kind == DirectiveKind::Data && isQueued(D) && !Lambdas &&
        !D.has(ClauseKind::If))
      for (const ClauseItem &I : U.items(D)) {
        const ClauseKind Kind = D.Clauses[I.Clause].Kind;
        if ((Kind == ClauseKind::Copy || Kind == ClauseKind::CopyOut) &&
            isWhole(D, I) && !Held.count(I.Root) && !isa<ParmVarDecl>(I.Root))
          Pending[I.Root] = {U.line(D.Loc), deviceOf(D)};
      }
    if (D.Kind == DirectiveKind::HostData)
      OnDevice.clear();
  }

  /// Any directive but data and compute constructs that names a variable brings
  /// its copies together, or ends them.
  void operand(const MarkedOperand &Op) override {
    const Directive *D = U.Marks.find(Op.Mark.Ordinal);
    if (!D || D->Kind == DirectiveKind::Data || isCompute(D->Kind) ||
        D->Kind == DirectiveKind::Loop || !Op.Operand || Op.Mark.Bound ||
        !Op.Mark.Clause)
      return;
    const VarDecl *V = rootVariable(Op.Operand);
    const ClauseKind Kind = D->Clauses[*Op.Mark.Clause].Kind;
    const bool Sure = !Conditions && !Lambdas && !D->has(ClauseKind::If) &&
                      !isa<MemberExpr>(Op.Operand->IgnoreParenImpCasts()) &&
                      Op.Mark.Item && V;
    if (D->Kind == DirectiveKind::EnterData && Sure &&
        beginsAtFirst(D->Clauses[*Op.Mark.Clause].Items[*Op.Mark.Item])) {
      forget(V);
      const bool IsElsewhere = Held.count(V) && Held[V].Device != deviceOf(*D);
      Held[V] = {nullptr, IsElsewhere ? "?" : deviceOf(*D)};
      return;
    }
    if (D->Kind == DirectiveKind::ExitData && Sure &&
        Kind == ClauseKind::Delete && drop(*D, V))
      return;
    if (D->Kind == DirectiveKind::Update && Kind == ClauseKind::Device &&
        Held.count(V) && Held[V].DeviceWrote && !Held[V].HostWrote) {
      Held[V].Overwritten = Held[V].DeviceWrote;
      Held[V].OverwrittenBy = U.line(D->Loc);
      Held[V].DeviceWrote = 0;
      return;
    }
    forget(V);
    if (D->Kind == DirectiveKind::ExitData && !Lambdas)
      Held.erase(V);
    if (Sure && isQueued(*D) &&
        ((D->Kind == DirectiveKind::Update && Kind == ClauseKind::Self) ||
         (D->Kind == DirectiveKind::ExitData && Kind == ClauseKind::CopyOut)) &&
        beginsAtFirst(D->Clauses[*Op.Mark.Clause].Items[*Op.Mark.Item]))
      Pending[V] = {U.line(D->Loc), deviceOf(*D)};
  }

  /// What holds behind both branches holds.
  void branch(const IfStmt *S) override {
    if (!S->getElse())
      return parts(S);
    const auto Before = std::tuple(Held, Dropped, Pending);
    walk(S->getInit());
    walk(S->getCond());
    walk(S->getThen());
    const auto Then = std::tuple(Held, Dropped, Pending);
    std::tie(Held, Dropped, Pending) = Before;
    walk(S->getElse());
    for (auto &[V, C] : Held) {
      const auto It = std::get<0>(Then).find(V);
      if (It == std::get<0>(Then).end()) {
        C = {C.Region, C.Device};
        continue;
      }
      C.DeviceWrote = It->second.DeviceWrote ? C.DeviceWrote : 0;
      C.HostWrote = It->second.HostWrote ? C.HostWrote : nullptr;
      C.Overwritten = It->second.Overwritten ? C.Overwritten : 0;
    }
    const auto KeepCommon = [](auto &Map, const auto &Other) {
      std::erase_if(Map, [&](const auto &X) { return !Other.count(X.first); });
    };
    KeepCommon(Dropped, std::get<1>(Then));
    KeepCommon(Pending, std::get<2>(Then));
  }

  void expression(const Expr *E) override {
    if (Lambdas) // nobody knows when
      return;
    if (const auto *C = dyn_cast<CallExpr>(E)) {
      called(C);
      for (const Expr *A : C->arguments())
        if (A->getType()->isPointerType() || A->isGLValue())
          forget(rootVariable(withoutAddress(A)));
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
    const Directive *Region = nullptr; // null: of enter data
    std::string Device;                // as deviceOf() says
    unsigned DeviceWrote = 0;          // line
    const Expr *HostWrote = nullptr;
    /// The lines of what the device wrote, and of the `update device` since.
    unsigned Overwritten = 0, OverwrittenBy = 0;
  };
  /// What a queue has yet to copy to the host.
  struct Late {
    unsigned Line;
    std::string Device; // as deviceOf() says
  };
  struct Lost {
    unsigned Wrote, Deleted; // lines
  };

  static bool isWhole(const Directive &D, const ClauseItem &I) {
    return I.Root && !I.Member &&
           beginsAtFirst(D.Clauses[I.Clause].Items[I.Item]);
  }

  static bool isNumber(StringRef Word) {
    return !Word.empty() && llvm::isDigit(Word.front());
  }

  /// Whether the host waits, by \p D, for what \p L says, or may do so.
  bool waitsFor(const Directive &D, const Late &L) const {
    if (!isNumber(L.Device))
      return true;
    if (const Clause *C = D.find(ClauseKind::Device))
      return llvm::any_of(C->Values, [&](TokenRange Device) {
        return !isNumber(wordOf(Device)) || wordOf(Device) == L.Device;
      });
    const Clause *List = D.find(ClauseKind::Argument);
    return U.SetsDevice || L.Device == "0" ||
           (List && List->Modifier == "devnum") ||
           D.Kind != DirectiveKind::Wait;
  }

  /// Whether \p D goes to a queue for sure.
  static bool isQueued(const Directive &D) {
    const Clause *C = queueClause(D);
    return C && (C->Values.empty() || C->Kind == ClauseKind::DeviceId ||
                 (C->Values.front().size() == 1 &&
                  C->Values.front().front().is(tok::numeric_constant)));
  }

  void forget(const VarDecl *V) {
    if (const auto It = Held.find(V); It != Held.end())
      It->second = {It->second.Region, It->second.Device};
    Dropped.erase(V);
    Pending.erase(V);
  }

  bool drop(const Directive &D, const VarDecl *V) {
    const auto It = Held.find(V);
    if (It == Held.end() || It->second.Region || !It->second.DeviceWrote)
      return false;
    const Lost Now = {It->second.DeviceWrote, U.line(D.Loc)};
    Held.erase(It);
    Dropped[V] = Now;
    return true;
  }

  /// Functions of the program may have directives of their own.
  void called(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    const StringRef Name = nameOf(F);
    if (F && (F->getBuiltinID() || U.isForeign(F->getLocation())) &&
        !Name.starts_with("acc_") && !Name.starts_with("accx_"))
      return;
    Pending.clear();
    for (auto &[V, X] : Held)
      if (V->hasGlobalStorage() || V->getType()->isPointerType())
        X = {X.Region, X.Device};
    std::erase_if(Dropped, [](const auto &X) {
      return X.first->hasGlobalStorage() || X.first->getType()->isPointerType();
    });
  }

  void runs(const Directive &D, const Stmt *S) {
    DeedReader Reader(U.Marks);
    Reader.read(S);
    std::set<const VarDecl *> Brought;
    for (const ClauseItem &I : U.items(D)) {
      const Clause &C = D.Clauses[I.Clause];
      if (C.hasModifier("always") || C.hasModifier("alwaysout"))
        Brought.insert(I.Root);
      if (I.Root && (C.hasModifier("always") || C.hasModifier("alwaysin") ||
                     C.hasModifier("alwaysout")))
        forget(I.Root);
      const Deeds *X = isWhole(D, I) ? Reader.find(I.Root) : nullptr;
      if (X && X->FirstWrite && isQueued(D) && !Held.count(I.Root) &&
          (C.Kind == ClauseKind::Copy || C.Kind == ClauseKind::CopyOut) &&
          !isa<ParmVarDecl>(I.Root) && !U.isHeldElsewhere(D, I.Root))
        Pending[I.Root] = {U.line(D.Loc), deviceOf(D)};
    }
    for (auto &[V, C] : Held) {
      const Deeds *X = Reader.find(V);
      if (!X || C.Device != deviceOf(D)) // another device may have a copy
        continue;
      if (X->FirstRead && C.HostWrote)
        U.warn(C.HostWrote->getExprLoc(),
               "'{0}' is written on the host here, but the device has a copy "
               "of its own, which line {1} reads: add '#pragma acc update "
               "device({0})' in between",
               V->getName(), U.line(X->FirstRead->getExprLoc()));
      C.HostWrote = nullptr;
      if (X->FirstWrite && !Brought.count(V))
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
             "'{0}' is an address of the device in this 'host_data' construct: "
             "the host cannot use what it points to",
             V->getName());
      return;
    }
    if (Allocated.contains(V)) {
      U.warn(Place->getExprLoc(),
             "'{0}' is an address of the device, of acc_malloc: the host "
             "cannot use what it points to; 'acc_memcpy_from_device' copies "
             "that to memory of the host",
             V->getName());
      Allocated.erase(V);
      return;
    }
    if (const auto Late = Pending.find(V); Late != Pending.end()) {
      U.warn(Place->getExprLoc(),
             "'{0}' is used on the host here, and what line {1} asks for may "
             "be under way: add '#pragma acc wait{2}' in between",
             V->getName(), Late->second.Line,
             (Late->second.Device.empty() || Late->second.Device == "?"
                  ? std::string()
                  : " device(" + Late->second.Device + ")"));
      Pending.erase(Late);
    }
    if (const auto Gone = Dropped.find(V); Gone != Dropped.end()) {
      if (Reads)
        U.warn(Place->getExprLoc(),
               "'{0}' is read on the host here, but 'delete' in line {1} drops "
               "what the device wrote in line {2}: write 'copyout'",
               V->getName(), Gone->second.Deleted, Gone->second.Wrote);
      Dropped.erase(Gone);
    }
    const auto It = Held.find(V);
    if (It == Held.end())
      return;
    Copies &C = It->second;
    if (Reads && C.Overwritten) {
      U.warn(Place->getExprLoc(),
             "'{0}' is read on the host here, but 'update device' in line {1} "
             "overwrites what line {2} wrote on the device: 'update self({0})' "
             "brings that to the host",
             V->getName(), C.OverwrittenBy, C.Overwritten);
    }
    if (Reads || Writes)
      C.Overwritten = 0;
    if (Reads && C.DeviceWrote) {
      U.warn(Place->getExprLoc(),
             "'{0}' is read on the host here, but line {1} wrote the device's "
             "copy: add '#pragma acc update self({0})' in between",
             V->getName(), C.DeviceWrote);
      C.DeviceWrote = 0;
    }
    if (Writes)
      C.HostWrote = Place;
  }

  std::map<const VarDecl *, Copies> Held;
  /// Deleted from the device without a copy back.
  std::map<const VarDecl *, Lost> Dropped;
  std::map<const VarDecl *, Late> Pending;
  std::set<const VarDecl *> OnDevice, Allocated;
};

} // namespace

void findOrderMistakes(MistakeUnit &U) {
  for (const FunctionDecl *F : U.Functions)
    OrderSearch(U, F).walk(F->getBody());
}

} // namespace accx::frontend
