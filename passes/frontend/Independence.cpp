//===- Independence.cpp - Proves that iterations do not interact ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of one loop:
//   1. Nothing leaves it or has effects that are not seen: no jumps out, no
//      calls but of functions that only compute.
//   2. Every variable from outside that it assigns is assigned first in each
//      iteration, or a clause makes it private or reduces it.
//   3. Of every array or pointer that it writes through, all accesses have a
//      dimension in which different iterations have different subscripts.
//   4. Nothing else that it accesses can be the same memory: arrays are apart
//      from each other, restrict pointers from everything, other pointers only
//      from what has another type.
//
//===----------------------------------------------------------------------===//

#include "frontend/Independence.h"

#include "frontend/StatementFacts.h"
#include "frontend/Subscripts.h"

#include "clang/AST/Decl.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// An access to memory: an element of Base, or, if Base is null, something
/// whose place is not known.
struct Place {
  const Expr *E = nullptr; // as written
  const ValueDecl *Base = nullptr;
  const Expr *BaseName = nullptr;
  bool Writes = false;
  QualType Type;
  /// By dimension, the one next to the base first; each is a sum.
  llvm::SmallVector<llvm::SmallVector<std::pair<const Expr *, bool>, 2>, 3>
      Subscripts;
  std::vector<CanonicalLoop> Around;
  /// Some subscripts are computed at a pointer's declaration, not here.
  bool Deferred = false;
};

/// What cannot stand in a loop whose iterations are to be independent.
const char *findObstacle(const Stmt *S, bool InInnerLoop, bool InSwitch) {
  if (!S)
    return nullptr;
  switch (S->getStmtClass()) {
  case Stmt::BreakStmtClass:
    if (!InInnerLoop && !InSwitch)
      return "the loop may end early";
    return nullptr;
  case Stmt::ReturnStmtClass:
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
  case Stmt::CXXThrowExprClass:
    return "the loop may be left by a jump";
  case Stmt::LambdaExprClass:
  case Stmt::BlockExprClass:
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
  case Stmt::CXXTryStmtClass:
  case Stmt::AtomicExprClass:
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return "the loop has code that is not analyzed";
  case Stmt::RecoveryExprClass:
    return "the loop has errors";
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::CXXForRangeStmtClass:
    InInnerLoop = true;
    break;
  case Stmt::SwitchStmtClass:
    InSwitch = true;
    break;
  default:
    break;
  }
  if (isa<OMPExecutableDirective>(S))
    return "the loop has code that is not analyzed";
  if (const auto *E = dyn_cast<Expr>(S); E && E->isTypeDependent())
    return "the loop depends on a template parameter";
  if (const auto *D = dyn_cast<DeclStmt>(S))
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each);
          V && (V->isStaticLocal() || V->getType()->isDependentType() ||
                V->needsDestruction(V->getASTContext())))
        return "the loop has code that is not analyzed";
  for (const Stmt *Child : S->children())
    if (const char *Why = findObstacle(Child, InInnerLoop, InSwitch))
      return Why;
  return nullptr;
}

class LoopReader final : public FlowWalker {
public:
  LoopReader(const UnitMarks &Marks, ASTContext &Context)
      : FlowWalker(Marks), Context(Context) {}

  void read(const ForStmt *F) {
    Outermost = F;
    // What an access means depends on what else the loop assigns, and which
    // names take part in one is known only behind their last use.
    statement(F);
    for (Collect = true; Runs < 2; ++Runs) {
      Places.clear();
      statement(F);
    }
  }

  llvm::DenseSet<const ValueDecl *> Written, Inner;
  std::vector<Place> Places;
  const Expr *Impure = nullptr, *Volatile = nullptr;
  bool Unseen = false;

private:
  void access(const ValueDecl *D, Use U, bool Part, const Expr *E) override {
    if (writes(U))
      Written.insert(D);
    const QualType T = D->getType().getNonReferenceType();
    if (T.isVolatileQualified())
      Volatile = E;
    // A name that is part of no place: the whole array is used, or goes on.
    if (!Collect || Explained.contains(E) || Inner.contains(D))
      return;
    if (T->isArrayType() || D->getType()->isReferenceType())
      add(E, nullptr, D, U, T);
  }

  void pointee(const ValueDecl *D, Use U, const Expr *E) override {
    E = E->IgnoreParenImpCasts();
    if (Collect && !Explained.contains(E) && U != Use::Read)
      add(E, nullptr, nullptr, U, D->getType()->getPointeeType());
  }

  void touches(const Expr *E, Use U) override {
    if (E->getType().isVolatileQualified() || E->getType()->isAtomicType())
      Volatile = E;
    if (!Collect || Explained.contains(E))
      return;
    Place P;
    resolve(E, P);
    if (P.Base && isPrivate(P.Base)) {
      Explained.insert(P.BaseName);
      return;
    }
    if (P.Base && P.Base->getType()->isPointerType() &&
        Written.contains(P.Base))
      P.Base = nullptr; // it points elsewhere each time
    if (P.Base && Inner.contains(P.Base)) {
      Explained.insert(P.BaseName);
      if (!P.Base->getType()->isPointerType() &&
          !P.Base->getType()->isReferenceType())
        return; // an iteration's own
      P.Base = nullptr;
    }
    if (P.Base)
      Explained.insert(P.BaseName);
    P.E = E;
    P.Writes = writes(U);
    P.Type = E->getType();
    P.Around = Around;
    Places.push_back(std::move(P));
  }

  void add(const Expr *E, const Expr *Name, const ValueDecl *Base, Use U,
           QualType T) {
    Place P;
    P.E = E;
    P.Base = Base;
    P.BaseName = Name;
    P.Writes = writes(U);
    P.Type = Context.getBaseElementType(T);
    P.Around = Around;
    Places.push_back(std::move(P));
  }

  /// From the outermost subscript inwards.
  void resolve(const Expr *E, Place &P) {
    llvm::SmallVector<llvm::SmallVector<std::pair<const Expr *, bool>, 2>, 3>
        Reversed;
    unsigned Depth = 0;
    while (E) {
      E = E->IgnoreParens();
      if (const auto *M = dyn_cast<MemberExpr>(E)) {
        const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
        if (!Field || Field->getParent()->isUnion() ||
            Field->getType()->isReferenceType())
          return;
        // Subscripts of members are no dimension of the base.
        Reversed.clear();
        E = M->getBase();
        if (!M->isArrow())
          continue;
        Reversed.emplace_back();
      } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
        Reversed.push_back({{S->getIdx(), false}});
        E = S->getBase();
      } else if (const auto *U = dyn_cast<UnaryOperator>(E);
                 U && U->getOpcode() == UO_Deref) {
        Reversed.emplace_back();
        E = U->getSubExpr();
      } else {
        break;
      }
      // E is a pointer now.
      while (E) {
        E = E->IgnoreParens();
        if (const auto *B = dyn_cast<BinaryOperator>(E);
            B && B->isAdditiveOp() && E->getType()->isPointerType()) {
          const bool Left = B->getLHS()->getType()->isPointerType();
          Reversed.back().push_back(
              {Left ? B->getRHS() : B->getLHS(), B->getOpcode() == BO_Sub});
          E = Left ? B->getLHS() : B->getRHS();
          continue;
        }
        if (const auto *A = dyn_cast<UnaryOperator>(E);
            A && A->getOpcode() == UO_AddrOf) {
          const auto *S =
              dyn_cast<ArraySubscriptExpr>(A->getSubExpr()->IgnoreParens());
          if (!S)
            return;
          if (P.Deferred)
            Explained.insert(S);
          Reversed.back().push_back({S->getIdx(), false});
          E = S->getBase();
          continue;
        }
        if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
          if (C->getCastKind() == CK_NoOp) {
            E = C->getSubExpr();
            continue;
          }
          if (C->getCastKind() == CK_ArrayToPointerDecay) {
            E = C->getSubExpr();
            break; // on with the array that it is part of
          }
          if (C->getCastKind() == CK_LValueToRValue) {
            const auto *R =
                dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens());
            if (!R || !isa<VarDecl>(R->getDecl()))
              return;
            const auto *V = cast<VarDecl>(R->getDecl()->getCanonicalDecl());
            // A pointer that an iteration computes once, for itself.
            if (Inner.contains(V) && !Written.contains(V) && V->getInit() &&
                !V->getType()->isReferenceType() && Depth < 8) {
              Explained.insert(R);
              ++Depth;
              P.Deferred = true;
              E = V->getInit();
              continue;
            }
            finish(P, R, Reversed);
            return;
          }
        }
        return;
      }
    }
    if (const auto *R = dyn_cast_or_null<DeclRefExpr>(E);
        R && isa<VarDecl>(R->getDecl()))
      finish(P, R, Reversed);
  }

  template <typename T>
  static void finish(Place &P, const DeclRefExpr *R, const T &Reversed) {
    P.Base = cast<ValueDecl>(R->getDecl()->getCanonicalDecl());
    P.BaseName = R;
    P.Subscripts.assign(Reversed.rbegin(), Reversed.rend());
  }

  void usesThis() override {}
  void declares(const ValueDecl *D) override {
    Inner.insert(cast<ValueDecl>(D->getCanonicalDecl()));
  }
  void calls(const Expr *E, const FunctionDecl *F) override {
    // What a pure function reads through a pointer is not seen.
    const bool Pointers = F && llvm::any_of(F->parameters(), [](const auto *P) {
                            return P->getType()->isPointerType();
                          });
    if (!F || !isPure(F) || Pointers)
      Impure = E;
  }
  void unstructured(const Stmt *) override { Unseen = true; }
  void entersLoop(const ForStmt *F) override {
    if (F == Outermost)
      return;
    if (const std::optional<CanonicalLoop> L = canonicalLoop(F))
      Around.push_back(*L);
  }
  void leavesLoop(const ForStmt *F) override {
    if (!Around.empty() && Around.back().Statement == F)
      Around.pop_back();
  }

  ASTContext &Context;
  const ForStmt *Outermost = nullptr;
  llvm::DenseSet<const Expr *> Explained;
  std::vector<CanonicalLoop> Around;
  bool Collect = false;
  unsigned Runs = 0;
};

class Prover {
public:
  Prover(llvm::ArrayRef<const ValueDecl *> Named, const UnitMarks &Marks,
         ASTContext &Context, bool StrictAliasing)
      : Named(Named), Marks(Marks), Context(Context),
        StrictAliasing(StrictAliasing) {}

  std::string run(const ForStmt *F) {
    const std::optional<CanonicalLoop> L = canonicalLoop(F);
    if (!L || !L->Variable->getType()->isIntegerType())
      return "the loop is not in canonical form";
    for (const Stmt *Part :
         {static_cast<const Stmt *>(F->getCond()),
          static_cast<const Stmt *>(F->getInc()), F->getBody()})
      if (const char *Why = findObstacle(Part, false, false))
        return Why;
    LoopReader Reader(Marks, Context);
    Reader.read(F);
    if (Reader.Volatile)
      return text(Reader.Volatile) + " is volatile or atomic";
    if (Reader.Impure)
      return "the call " + text(Reader.Impure) + " may have effects";
    if (Reader.Unseen)
      return "the loop may be left by a jump";
    if (std::string Why = checkVariables(F, *L); !Why.empty())
      return Why;
    return checkPlaces(Reader, *L);
  }

  /// Variables that have to be reduced, and what holds if they are not.
  std::vector<MissingReduction> Missing;
  std::string WhyMissing;

private:
  bool isNamed(const ValueDecl *D) const {
    return llvm::is_contained(Named, D);
  }

  std::string checkVariables(const ForStmt *F, const CanonicalLoop &L) {
    const StatementReading R = readStatement(0, F, Marks, Context);
    for (size_t I = 0; I < R.Declarations.size(); ++I) {
      const Variable &V = R.Facts.Outer[I];
      if (!V.Written || V.WrittenFirst || V.Class == TypeClass::Array ||
          R.Declarations[I] == L.Variable || isNamed(R.Declarations[I]))
        continue;
      std::string Why = "'" + V.Name + "' (line " + std::to_string(V.Line) +
                        ") carries a value from one iteration to the next";
      // A qualified name is nothing that a clause could be made of.
      if (!V.ReducedOnly || !V.ReducesExactly || V.Class != TypeClass::Scalar ||
          V.WrittenAtomically || StringRef(V.Name).contains(':'))
        return Why;
      if (WhyMissing.empty())
        WhyMissing = std::move(Why);
      if (llvm::none_of(Missing, [&](const MissingReduction &M) {
            return M.Name == V.Name;
          }))
        Missing.push_back({V.Name, V.ReductionOperator});
    }
    return {};
  }

  std::string checkPlaces(const LoopReader &Reader, const CanonicalLoop &L) {
    const LoopScope Scope{L, Reader.Written, Reader.Inner, Context};
    llvm::DenseSet<const ValueDecl *> Done;
    for (const Place &W : Reader.Places) {
      if (!W.Writes || (W.Base && isNamed(W.Base)))
        continue;
      if (!W.Base || W.Subscripts.empty())
        return text(W.E) + " is written at a place that is not known";
      const QualType T = W.Base->getType();
      if (!T->isArrayType() && !T->isPointerType())
        return text(W.E) + " is written at a place that is not known";
      if (!Done.insert(W.Base).second)
        continue;
      for (const Place &Other : Reader.Places)
        if (Other.Base != W.Base && mayAlias(W, Other))
          return text(Other.E) + " may be what " + text(W.E) + " writes";
      if (std::string Why = checkArray(Reader, Scope, W); !Why.empty())
        return Why;
    }
    return {};
  }

  /// Whether all accesses to what \p W writes keep to their iteration.
  std::string checkArray(const LoopReader &Reader, const LoopScope &Scope,
                         const Place &W) {
    std::vector<const Place *> All;
    size_t Dimensions = SIZE_MAX;
    for (const Place &P : Reader.Places)
      if (P.Base == W.Base) {
        All.push_back(&P);
        Dimensions = std::min(Dimensions, P.Subscripts.size());
      }
    const Place *Culprit = &W;
    for (size_t D = 0; D < Dimensions; ++D) {
      SubscriptReader Read(Scope);
      std::vector<Subscript> Values;
      std::vector<llvm::ArrayRef<CanonicalLoop>> Around;
      size_t At = 0;
      for (; At < All.size(); ++At) {
        std::optional<Subscript> Sum = Subscript();
        for (const auto &[E, Negative] : All[At]->Subscripts[D]) {
          const auto S = Read.read(E, All[At]->Around, All[At]->Deferred);
          const auto Next =
              S ? Polynomial::sum(Sum->Value, S->Value, Negative ? -1 : 1)
                : std::nullopt;
          if (!Next) {
            Sum = std::nullopt;
            break;
          }
          Sum = Subscript{*Next, Sum->MayWrap || S->MayWrap};
        }
        if (!Sum)
          break;
        Values.push_back(std::move(*Sum));
        Around.push_back(All[At]->Around);
      }
      if (At == All.size() && Read.separate(Values, Around, At))
        return {};
      if (D == 0 && At < All.size())
        Culprit = All[At];
      if (D || Values.size() < All.size())
        continue;
      // What is read is the more telling one of two that do not go together.
      const size_t First = llvm::find(All, &W) - All.begin();
      for (size_t I = 0; I < All.size() && Culprit->Writes; ++I)
        if (!All[I]->Writes && !(Values[I].Value == Values[First].Value))
          Culprit = All[I];
    }
    const std::string Name = text(Culprit->E);
    if (Name == text(W.E))
      return Name + " may be the same element in two iterations";
    return Name + " and " + text(W.E) +
           ", which is written, may be one element in two iterations";
  }

  bool mayAlias(const Place &W, const Place &Other) const {
    if (Other.Base && isNamed(Other.Base))
      return false;
    auto IsArray = [](const ValueDecl *D) {
      // A structure of its own is as good as an array.
      return D->getType()->isArrayType() || D->getType()->isRecordType();
    };
    auto IsRestrict = [](const ValueDecl *D) {
      return D->getType()->isPointerType() &&
             D->getType().isRestrictQualified();
    };
    // What restrict keeps apart is what is not derived from that pointer.
    auto IsItsOwn = [&](const ValueDecl *D) {
      if (IsArray(D) || IsRestrict(D))
        return true;
      const auto *F = dyn_cast<FunctionDecl>(D->getDeclContext());
      return isa<ParmVarDecl>(D) && F && F->getBody() &&
             !writesTo(D, F->getBody());
    };
    if (Other.Base) {
      if (IsArray(W.Base) && IsArray(Other.Base))
        return false;
      if ((IsRestrict(W.Base) || IsRestrict(Other.Base)) && IsItsOwn(W.Base) &&
          IsItsOwn(Other.Base))
        return false;
    }
    return compatible(W.Type, Other.Type);
  }

  bool compatible(QualType A, QualType B) const {
    if (!StrictAliasing)
      return true;
    A = Context.getBaseElementType(A).getCanonicalType().getUnqualifiedType();
    B = Context.getBaseElementType(B).getCanonicalType().getUnqualifiedType();
    auto Scalar = [](QualType T) {
      return T->isArithmeticType() || T->isPointerType();
    };
    if (A->isCharType() || B->isCharType() || !Scalar(A) || !Scalar(B))
      return true;
    if (A->isPointerType() || B->isPointerType())
      return A->isPointerType() && B->isPointerType();
    if (A->isIntegerType() && B->isIntegerType())
      return Context.getTypeSize(A) == Context.getTypeSize(B);
    return A == B;
  }

  std::string text(const Expr *E) const {
    std::string Text;
    llvm::raw_string_ostream Out(Text);
    Out << '\'';
    E->printPretty(Out, nullptr, Context.getPrintingPolicy());
    Out << "' (line "
        << Context.getSourceManager().getExpansionLineNumber(E->getBeginLoc())
        << ')';
    return Text;
  }

  llvm::ArrayRef<const ValueDecl *> Named;
  const UnitMarks &Marks;
  ASTContext &Context;
  const bool StrictAliasing;
};

} // namespace

void readIndependence(const ForStmt *F, unsigned Depth,
                      llvm::ArrayRef<const ValueDecl *> Named,
                      const UnitMarks &Marks, ASTContext &Context,
                      bool StrictAliasing, StatementFacts &Facts) {
  Prover P(Named, Marks, Context, StrictAliasing);
  Facts.Dependence.clear();
  for (; Depth && Facts.Dependence.empty(); --Depth) {
    Facts.Dependence =
        F ? P.run(F) : "the loops to be collapsed are not tightly nested";
    F = F ? tightlyNested(F) : nullptr;
  }
  if (Facts.Dependence.empty() && !P.Missing.empty()) {
    Facts.Dependence = P.WhyMissing;
    Facts.Missing = std::move(P.Missing);
  }
  Facts.Independent = Facts.Dependence.empty();
}

} // namespace accx::frontend
