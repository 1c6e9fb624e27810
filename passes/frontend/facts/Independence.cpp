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

#include "frontend/facts/Independence.h"

#include "frontend/facts/LoopChecks.h"
#include "frontend/facts/LoopPlaces.h"
#include "frontend/facts/StatementFacts.h"
#include "frontend/facts/Subscripts.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace accx::frontend {
namespace {

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
    const LoopReading Reader = readLoop(F, Marks, Context);
    if (Reader.Volatile)
      return text(Reader.Volatile) + " is volatile or atomic";
    if (Reader.Impure)
      return "the call " + text(Reader.Impure) + " may have effects";
    if (Reader.Unseen)
      return "the loop may be left by a jump";
    const LoopScope Scope{*L, Reader.Written, Reader.Inner, Reader.Values,
                          Context};
    const auto [Text, Of] = findCertainDependence(Reader, Scope, Named);
    Certain = Text;
    CertainName = Of ? Of->Name : "";
    if (std::string Why = checkVariables(F, *L); !Why.empty())
      return Why;
    if (std::string Why = checkPlaces(Reader, Scope); !Why.empty())
      return Why;
    if (Pairs.empty())
      return {};
    // They are of this loop's reading; an inner loop of a nest has its own.
    const std::vector<ObjectPair> Own = std::move(Pairs);
    Pairs.clear();
    std::optional<RangeCheck> Check = makeRangeCheck(Reader, Scope, Own);
    if (!Check)
      return WhyPairs;
    Ranges = std::move(*Check);
    return {};
  }

  std::string Certain, CertainName;
  RangeCheck Ranges;
  /// What may hold if the ranges overlap.
  std::string WhyPairs;

  /// Variables that have to be reduced, and what holds if they are not.
  std::vector<MissingReduction> Missing;
  std::string WhyMissing;

private:
  bool isNamed(const ValueDecl *D) const {
    return llvm::is_contained(Named, D);
  }
  bool isNamed(const Object &O) const {
    return O.Root && isNamed(O.Root) &&
           (O.isVariable() || !O.isThroughPointer());
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

  std::string checkPlaces(const LoopReading &Reader, const LoopScope &Scope) {
    llvm::DenseSet<const Object *> Done;
    for (const Place &W : Reader.Places) {
      if (!W.Writes || (W.Base && isNamed(*W.Base)))
        continue;
      if (W.Base && !W.Base->isVariable() && W.Subscripts.empty())
        return text(W.E) + " is written by all iterations";
      if (!W.Base || W.Subscripts.empty())
        return text(W.E) + " is written at a place that is not known";
      const QualType T = W.Base->Type;
      if (!T->isArrayType() && !T->isPointerType())
        return text(W.E) + " is written at a place that is not known";
      if (!Done.insert(W.Base).second)
        continue;
      for (const Place &Other : Reader.Places)
        if (Other.Base != W.Base && mayAlias(W, Other)) {
          if (std::string Why =
                  text(Other.E) + " may be what " + text(W.E) + " writes";
              canCheck(Other.Base) && canCheck(W.Base)) {
            if (!llvm::is_contained(Pairs, ObjectPair(W.Base, Other.Base)))
              Pairs.push_back({W.Base, Other.Base});
            if (WhyPairs.empty())
              WhyPairs = std::move(Why);
          } else {
            return Why;
          }
        }
      if (std::string Why = checkArray(Reader, Scope, W); !Why.empty())
        return Why;
    }
    return {};
  }

  /// Whether all accesses to what \p W writes keep to their iteration.
  std::string checkArray(const LoopReading &Reader, const LoopScope &Scope,
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
        std::optional<Subscript> Sum = Read.read(
            All[At]->Subscripts[D], All[At]->Around, All[At]->Deferred);
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

  /// Whether the memory of \p O can be found ahead of the loop.
  bool canCheck(const Object *O) const {
    if (!O || (O->Root && isNamed(O->Root)))
      return false;
    return !O->isVariable() ||
           (isa<VarDecl>(O->Root) &&
            (O->Type->isPointerType() || O->Type->isArrayType()));
  }

  bool mayAlias(const Place &W, const Place &Other) const {
    if (Other.Base && (isNamed(*Other.Base) || areApart(*W.Base, *Other.Base)))
      return false;
    auto IsRestrict = [](const Object &O) {
      return O.isVariable() && O.Type->isPointerType() &&
             O.Type.isRestrictQualified();
    };
    // What restrict keeps apart is what is not derived from that pointer.
    auto IsItsOwn = [&](const Object &O) {
      if (O.isStored() || IsRestrict(O))
        return true;
      // What a parameter leads to at once is not derived from another one.
      const bool AtOnce =
          O.isVariable() ||
          (O.Root && !O.Behind && O.Path.front().second &&
           llvm::none_of(llvm::drop_begin(O.Path),
                         [](const auto &P) { return P.second; }));
      if (!AtOnce)
        return false;
      const auto *F = dyn_cast<FunctionDecl>(O.Root->getDeclContext());
      return isa<ParmVarDecl>(O.Root) && F && F->getBody() &&
             !writesTo(O.Root, F->getBody());
    };
    if (Other.Base && (IsRestrict(*W.Base) || IsRestrict(*Other.Base)) &&
        IsItsOwn(*W.Base) && IsItsOwn(*Other.Base))
      return false;
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

  std::string text(const Expr *E) const { return quote(E, Context); }

  std::vector<ObjectPair> Pairs;
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
  const bool Only = Depth == 1;
  for (; Depth && Facts.Dependence.empty(); --Depth) {
    Facts.Dependence =
        F ? P.run(F) : "the loops to be collapsed are not tightly nested";
    F = F ? tightlyNested(F) : nullptr;
    if (Facts.Certain.empty()) {
      Facts.Certain = P.Certain;
      Facts.CertainName = P.CertainName;
    }
  }
  if (Facts.Dependence.empty() && !P.Ranges.empty()) {
    Facts.Dependence = P.WhyPairs;
    if (Only) {
      Facts.Ranges = std::move(P.Ranges);
      Facts.Missing = std::move(P.Missing);
    }
  } else if (Facts.Dependence.empty() && !P.Missing.empty()) {
    Facts.Dependence = P.WhyMissing;
    Facts.Missing = std::move(P.Missing);
  }
  Facts.Independent = Facts.Dependence.empty();
}

} // namespace accx::frontend
