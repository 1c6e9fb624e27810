//===- LoopChecks.cpp - What is left to the run, or is a mistake ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the code of a test at run time for pairs of pointers, and searches for
// a dependence that no data can avoid. Both concern loops that Independence.cpp
// could not prove.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/LoopChecks.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <set>

using namespace clang;

namespace accx::frontend {

static std::string print(const Expr *E, const ASTContext &Context,
                         PrinterHelper *Helper = nullptr) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  E->printPretty(Out, Helper, Context.getPrintingPolicy());
  return Text;
}

std::string quote(const Expr *E, const ASTContext &Context) {
  return "'" + print(E, Context) + "' (line " +
         std::to_string(Context.getSourceManager().getExpansionLineNumber(
             E->getBeginLoc())) +
         ")";
}

namespace {

class RangeWriter {
public:
  RangeWriter(const LoopReading &Reading, const LoopScope &Scope)
      : Reading(Reading), Scope(Scope), Subscripts(Scope) {}

  bool add(const Place &P) {
    if ((P.Subscripts.empty() && P.Base->isVariable()) ||
        P.E->refersToBitField())
      return false;
    std::vector<CanonicalLoop> Loops = {Scope.Loop};
    Loops.insert(Loops.end(), P.Around.begin(), P.Around.end());
    for (const auto &Sum : P.Subscripts)
      for (const auto &[E, Negative] : Sum)
        if (const auto S = Subscripts.read(E, P.Around, P.Deferred);
            !S || S->MayWrap || !Subscripts.isLinear(*S, P.Around))
          return false;
    std::string Heads, Ends;
    llvm::SmallVector<CanonicalLoop, 4> Running;
    for (const CanonicalLoop &L : Loops) {
      if (!uses(P.E, L.Variable))
        continue;
      Running.push_back(L);
      const QualType T = L.Variable->getType().getCanonicalType();
      if (!isa<BuiltinType>(T.getTypePtr()) || !addNames(L.Lower, {}) ||
          !addNames(L.Upper, {}))
        return false;
      const std::string Type = T.getUnqualifiedType().getAsString(
                            Scope.Context.getPrintingPolicy()),
                        Name = L.Variable->getNameAsString(),
                        Corner = "__accx_corner_" + Name;
      const bool Open =
          L.Relation == BO_LT || L.Relation == BO_GT || L.Relation == BO_NE;
      const char *Last = !Open ? "" : L.Down ? " + 1" : " - 1";
      Heads +=
          llvm::formatv("for (int {0} = 0; {0} < 2; ++{0}) {{ {1} {2} = "
                        "({1})({0} ? ({3}){4} : ({5})); ",
                        Corner, Type, Name, text(L.Upper), Last, text(L.Lower))
              .str();
      Ends += " }";
    }
    if (!addPlace(P.E, Running))
      return false;
    const std::string Text = text(P.E), Base = rangeOf(*P.Base);
    std::string Code =
        Heads +
        llvm::formatv(
            "{{ const char *__accx_place = (const char *)&({0}); "
            "if (__accx_place < __accx_low_{1}) __accx_low_{1} = __accx_place; "
            "if (__accx_place + sizeof({0}) > __accx_high_{1}) "
            "__accx_high_{1} = __accx_place + sizeof({0}); }",
            Text, Base)
            .str() +
        Ends;
    if (Known.insert(Code).second)
      Check.Code += Code + "\n";
    return true;
  }

  RangeCheck Check;

  /// Part of a variable's name. Two objects of one name have one range.
  static std::string rangeOf(const Object &O) {
    std::string Name = O.Name + (O.isVariable() || O.Behind ? "" : ".");
    for (char &C : Name)
      if (!isAlphanumeric(C))
        C = '_';
    return Name;
  }

private:
  /// What a temporary of an iteration holds; null if \p S names none, or its
  /// value is not known ahead of the loop.
  const Expr *valueOf(const Stmt *S) const {
    const auto *R = dyn_cast<DeclRefExpr>(S);
    const auto *D =
        R ? cast<ValueDecl>(R->getDecl()->getCanonicalDecl()) : nullptr;
    return D && (Reading.Written.contains(D) || Reading.Inner.contains(D))
               ? Reading.Values.valueOf(R)
               : nullptr;
  }

  /// Like mentions(), also through temporaries.
  bool uses(const Stmt *S, const ValueDecl *D, unsigned Depth = 0) const {
    if (!S || Depth > 64)
      return false;
    if (const Expr *Value = valueOf(S))
      return uses(Value, D, Depth + 1);
    if (const auto *R = dyn_cast<DeclRefExpr>(S))
      return R->getDecl()->getCanonicalDecl() == D;
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return uses(Child, D, Depth + 1);
    });
  }

  /// Prints the values of temporaries for their names.
  class Values final : public PrinterHelper {
  public:
    explicit Values(const RangeWriter &Of) : Of(Of) {}
    bool handledStmt(Stmt *S, llvm::raw_ostream &Out) override {
      const Expr *Value = Of.valueOf(S);
      if (!Value)
        return false;
      const PrintingPolicy &Policy = Of.Scope.Context.getPrintingPolicy();
      const QualType T = cast<Expr>(S)->getType().getCanonicalType();
      Out << "(";
      if (isa<BuiltinType>(T))
        Out << "(" << T.getUnqualifiedType().getAsString(Policy) << ")";
      Out << "(";
      Value->printPretty(Out, this, Policy);
      Out << "))";
      return true;
    }

  private:
    const RangeWriter &Of;
  };

  std::string text(const Expr *E) const {
    Values Helper(*this);
    return print(E, Scope.Context, &Helper);
  }

  /// Like addNames() for a place of which only the address is taken.
  bool addPlace(const Expr *E, llvm::ArrayRef<CanonicalLoop> Running) {
    E = E->IgnoreParens();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      const auto *Array = dyn_cast<ImplicitCastExpr>(S->getBase());
      return addNames(S->getIdx(), Running) &&
             (Array && Array->getCastKind() == CK_ArrayToPointerDecay
                  ? addPlace(Array->getSubExpr(), Running)
                  : addNames(S->getBase(), Running));
    }
    if (const auto *M = dyn_cast<MemberExpr>(E); M && !M->isArrow())
      return addPlace(M->getBase(), Running);
    if (const auto *R = dyn_cast<DeclRefExpr>(E))
      return isa<VarDecl>(R->getDecl()) && !R->getQualifier() &&
             !R->getDecl()->getType()->isReferenceType() &&
             !Reading.Inner.contains(
                 cast<ValueDecl>(R->getDecl()->getCanonicalDecl()));
    return addNames(E, Running);
  }

  /// Notes what \p S names; false if something is not known ahead of the loop.
  bool addNames(const Stmt *S, llvm::ArrayRef<CanonicalLoop> Running) {
    if (!S || isa<CallExpr>(S))
      return false;
    Check.ReadsMembers |= isa<MemberExpr>(S);
    if (const auto *C = dyn_cast<ImplicitCastExpr>(S);
        C && C->getCastKind() == CK_ArrayToPointerDecay)
      return addPlace(C->getSubExpr(), Running);
    if (const auto *U = dyn_cast<UnaryOperator>(S);
        U && U->getOpcode() == UO_AddrOf)
      return addPlace(U->getSubExpr(), Running);
    if (const auto *R = dyn_cast<DeclRefExpr>(S)) {
      const auto *D = cast<ValueDecl>(R->getDecl()->getCanonicalDecl());
      for (const CanonicalLoop &L : Running)
        if (L.Variable == D)
          return Reading.Values.isInside(R, L.Statement->getBody());
      if (const Expr *Value = valueOf(R))
        return isa<BuiltinType, PointerType>(D->getType().getCanonicalType()) &&
               addNames(Value, Running);
      if (isa<EnumConstantDecl>(D))
        return !R->getQualifier();
      if (!isa<VarDecl>(D) || R->getQualifier() ||
          Reading.Written.contains(D) || Reading.Inner.contains(D))
        return false;
      Check.Names.push_back(D->getNameAsString());
      return true;
    }
    for (const Stmt *Child : S->children())
      if (!addNames(Child, Running))
        return false;
    return true;
  }

  const LoopReading &Reading;
  const LoopScope &Scope;
  SubscriptReader Subscripts;
  std::set<std::string> Known;
};

/// The expressions that every iteration evaluates, if inner loops run at all.
void findSure(const Stmt *S, llvm::DenseSet<const Stmt *> &Sure) {
  if (!S)
    return;
  Sure.insert(S);
  switch (S->getStmtClass()) {
  case Stmt::IfStmtClass:
    findSure(cast<IfStmt>(S)->getCond(), Sure);
    return;
  case Stmt::ConditionalOperatorClass:
    findSure(cast<ConditionalOperator>(S)->getCond(), Sure);
    return;
  case Stmt::BinaryOperatorClass:
    if (const auto *B = cast<BinaryOperator>(S); B->isLogicalOp()) {
      findSure(B->getLHS(), Sure);
      return;
    }
    break;
  case Stmt::SwitchStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::BinaryConditionalOperatorClass:
  case Stmt::LambdaExprClass:
    return;
  default:
    break;
  }
  for (const Stmt *Child : S->children())
    findSure(Child, Sure);
}

/// A member of a structure that the loop has a pointer to.
bool isOneMember(const Place &P) {
  return !P.Base->isVariable() && P.Base->isThroughPointer() &&
         !P.Base->Behind && P.Subscripts.empty();
}

class CertainFinder {
public:
  explicit CertainFinder(const LoopScope &Scope)
      : Scope(Scope), Subscripts(Scope) {}

  /// By how many values of the loop's variable \p A is ahead of \p B when both
  /// access one element: 0 in the same iteration only. \p Always: in every
  /// iteration, whatever the variable.
  std::optional<int64_t> distance(const Place &A, const Place &B,
                                  bool &Always) {
    Always = true;
    std::optional<int64_t> Shift;
    if (A.Subscripts.size() != B.Subscripts.size() || A.Subscripts.empty())
      return std::nullopt;
    for (size_t D = 0; D < A.Subscripts.size(); ++D) {
      const auto OfA = read(A, D), OfB = read(B, D);
      if (!OfA || !OfB || OfA->Factor != OfB->Factor)
        return std::nullopt;
      const auto Rest = Polynomial::sum(OfA->Rest, OfB->Rest, -1);
      const std::optional<int64_t> Apart =
          Rest ? Rest->asConstant() : std::nullopt;
      if (!Apart || (OfA->Factor == 0 && *Apart != 0))
        return std::nullopt;
      if (OfA->Factor == 0)
        continue;
      Always = false;
      if (*Apart % OfA->Factor != 0)
        return std::nullopt;
      const int64_t By = *Apart / OfA->Factor;
      if (Shift && *Shift != By)
        return std::nullopt;
      Shift = By;
    }
    return Shift.value_or(0);
  }

  /// Whether some two iterations are \p By values apart.
  bool isReached(int64_t By) const {
    const CanonicalLoop &L = Scope.Loop;
    const std::optional<int64_t> Step = L.Step ? constant(L.Step) : 1;
    if (!Step || *Step == 0 || By % *Step != 0)
      return false;
    const std::optional<int64_t> From = constant(L.Lower),
                                 To = constant(L.Upper);
    if (!From || !To)
      return true;
    const bool Closed = L.Relation == BO_LE || L.Relation == BO_GE;
    return std::abs(*To - *From) + Closed > std::abs(By);
  }

private:
  /// One that sums and differences of cannot leave 64 bits.
  std::optional<int64_t> constant(const Expr *E) const {
    const std::optional<int64_t> Value = constantOf(E, Scope.Context);
    return Value && llvm::isInt<33>(*Value) ? Value : std::nullopt;
  }

  std::optional<SubscriptReader::Linear> read(const Place &P, size_t D) {
    const std::optional<Subscript> Sum =
        Subscripts.read(P.Subscripts[D], P.Around, P.Deferred);
    return Sum && !Sum->MayWrap ? Subscripts.linear(*Sum) : std::nullopt;
  }

  const LoopScope &Scope;
  SubscriptReader Subscripts;
};

} // namespace

std::optional<RangeCheck> makeRangeCheck(const LoopReading &Reading,
                                         const LoopScope &Scope,
                                         llvm::ArrayRef<ObjectPair> Pairs) {
  RangeWriter Writer(Reading, Scope);
  const auto Concerns = [&](const Object *O) {
    return llvm::any_of(Pairs, [&](const ObjectPair &P) {
      return P.first == O || P.second == O;
    });
  };
  for (const Place &P : Reading.Places)
    if (P.Base && Concerns(P.Base) && !Writer.add(P))
      return std::nullopt;
  for (const auto &[A, B] : Pairs)
    Writer.Check.Apart.push_back(
        {RangeWriter::rangeOf(*A), RangeWriter::rangeOf(*B)});
  return std::move(Writer.Check);
}

std::pair<std::string, const Object *>
findCertainDependence(const LoopReading &Reading, const LoopScope &Scope,
                      llvm::ArrayRef<const ValueDecl *> Named) {
  if (anyPart(Scope.Loop.Statement->getBody(),
              [](const Stmt *S) { return isa<ContinueStmt>(S); }))
    return {};
  LoopScope Surely = Scope;
  Surely.MembersStay = false;
  llvm::DenseSet<const Stmt *> Sure;
  findSure(Scope.Loop.Statement->getBody(), Sure);
  // Inner loops have to run alike in all iterations.
  const auto IsSure = [&](const Place &P) {
    return P.Base && !P.Atomic && !P.IsMember && Sure.contains(P.E) &&
           llvm::none_of(P.Around, [&](const CanonicalLoop &L) {
             return mentions(L.Lower, Scope.Loop.Variable) ||
                    mentions(L.Upper, Scope.Loop.Variable);
           });
  };
  CertainFinder Finder(Surely);
  for (const Place &W : Reading.Places) {
    if (!W.Writes || !IsSure(W) ||
        (W.Base->Root && llvm::is_contained(Named, W.Base->Root)))
      continue;
    if (isOneMember(W))
      return {"all iterations write " + quote(W.E, Scope.Context), W.Base};
    for (const Place &Other : Reading.Places) {
      const auto SameLoop = [](const CanonicalLoop &A, const CanonicalLoop &B) {
        return A.Statement == B.Statement;
      };
      if (Other.Base != W.Base || !IsSure(Other) ||
          !std::equal(W.Around.begin(), W.Around.end(), Other.Around.begin(),
                      Other.Around.end(), SameLoop))
        continue;
      bool Always = false;
      const std::optional<int64_t> By = Finder.distance(W, Other, Always);
      if (!By || (!Always && *By == 0) || !Finder.isReached(Always ? 1 : *By))
        continue;
      if (Always && &Other == &W)
        return {"all iterations write " + quote(W.E, Scope.Context), W.Base};
      if (!Always)
        return {quote(Other.E, Scope.Context) +
                    " is what another iteration writes as " +
                    quote(W.E, Scope.Context),
                W.Base};
    }
  }
  return {};
}

} // namespace accx::frontend
