//===- StatementFacts.cpp - What a statement does with variables ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks one marked statement for the flags of its variables, and the function
// around it for the variables that are still read behind it.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/StatementFacts.h"

#include "frontend/facts/Independence.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace accx::frontend {

TypeClass classify(QualType T) {
  if (T.isNull())
    return TypeClass::Unknown;
  T = T.getNonReferenceType();
  if (const auto *A = T->getAs<AtomicType>())
    T = A->getValueType();
  if (T->isArrayType())
    return TypeClass::Array;
  if (T->isAnyPointerType() || T->isBlockPointerType() || T->isNullPtrType())
    return TypeClass::Pointer;
  if (T->isRecordType())
    return TypeClass::Record;
  if (T->isDependentType() || T->isUndeducedType())
    return TypeClass::Unknown;
  if (T->isArithmeticType() || T->isEnumeralType() || T->isAnyComplexType() ||
      T->isVectorType() || T->isMemberPointerType())
    return TypeClass::Scalar;
  return TypeClass::Unknown;
}

namespace {

class StatementReader final : public FlowWalker {
public:
  StatementReader(const UnitMarks &Marks, ASTContext &Context)
      : FlowWalker(Marks), Context(Context) {}

  StatementReading read(unsigned Ordinal, const Stmt *S) {
    for (const auto *A = dyn_cast<AttributedStmt>(S); A && !markOf(A);
         A = dyn_cast<AttributedStmt>(S))
      S = A->getSubStmt(); // `#pragma unroll` and its like
    if (const auto *F = dyn_cast<ForStmt>(S))
      loopStatement(F);
    else
      statement(S);
    StatementReading R;
    R.Ordinal = Ordinal;
    R.Facts.Known = true;
    R.Facts.UsesThis = This;
    R.Facts.WritesMembers = Calls || Jumps || Members;
    for (Entry &E : Entries) {
      finish(E);
      R.Facts.Outer.push_back(std::move(E.V));
      R.Declarations.push_back(E.D);
    }
    return R;
  }

private:
  struct Entry {
    const ValueDecl *D;
    Variable V;
    bool UsedFirst = false; // on some path, before it is assigned
    bool OtherWrite = false;
    bool OtherUse = false; // than by a reduction
    bool Kept = false;     // its address outlives the access
  };

  /// What is private to an iteration is decided by one execution of the body;
  /// the loop's own variable has its value there by the loop itself.
  void loopStatement(const ForStmt *F) {
    statement(F->getInit());
    Now = State();
    if (const ValueDecl *I = loopVariable(F))
      if (const auto It = Index.find(I); It != Index.end())
        Now.set(It->second);
    const State Start = Now;
    statement(F->getConditionVariableDeclStmt());
    if (F->getCond())
      value(F->getCond());
    Now = Start;
    // A `break` or `continue` of this loop ends the execution.
    iteration(F->getBody());
    for (const auto &[D, I] : Index)
      Entries[I].V.AlwaysAssigned = Now.holds(I);
    Now = Start;
    if (F->getInc())
      discarded(F->getInc());
  }

  Entry *entry(const ValueDecl *D, const Expr *E) {
    if (Inner.contains(D) || D->getName().empty())
      return nullptr;
    const auto [It, New] = Index.try_emplace(D, Entries.size());
    if (New) {
      Entries.push_back({});
      describe(Entries.back(), D, E);
    }
    return &Entries[It->second];
  }

  void describe(Entry &E, const ValueDecl *D, const Expr *Written) {
    E.D = D;
    llvm::raw_string_ostream Name(E.V.Name);
    if (const auto *R = dyn_cast_or_null<DeclRefExpr>(Written);
        R && R->getQualifier())
      R->getQualifier()->print(Name, Context.getPrintingPolicy());
    if (isa_and_nonnull<MemberExpr>(Written))
      Name << D->getQualifiedNameAsString();
    else
      Name << D->getName();
    const QualType T = D->getType();
    E.V.Class = classify(T);
    E.V.IsReference = T->isReferenceType() || isa<BindingDecl>(D);
    const QualType Object = T.getNonReferenceType();
    E.V.HasVariableLength = Object->isVariablyModifiedType();
    E.V.IsConst = Context.getBaseElementType(Object).isConstQualified();
    if (const auto *V = dyn_cast<VarDecl>(D)) {
      E.V.IsGlobal = V->hasGlobalStorage();
      E.V.IsConst |= V->isConstexpr();
    }
    E.V.Line =
        Context.getSourceManager().getExpansionLineNumber(D->getLocation());
  }

  void access(const ValueDecl *D, Use U, bool Part, const Expr *E) override {
    Entry *At = entry(D, E);
    if (!At)
      return;
    Variable &V = At->V;
    const unsigned I = Index.lookup(D);
    if ((reads(U) || Part) && !Now.holds(I))
      At->UsedFirst = true;
    if (U == Use::Escape)
      At->Kept = true;
    V.Read |= U == Use::Read;
    V.Updated |= !Atomic && (U == Use::Update || U == Use::Reduce);
    if (writes(U)) {
      V.Written = true;
      V.SurelyWritten |= U != Use::Lend && U != Use::Escape;
      if (!V.WriteLine && E)
        V.WriteLine =
            Context.getSourceManager().getExpansionLineNumber(E->getBeginLoc());
      if (!Atomic)
        At->OtherWrite = true;
    }
    if (U == Use::Write && !Part) {
      // In a loop that reduces it nothing is reset.
      V.Assigned |= !isReduced(D);
      if (!Now.Dead)
        Now.set(I);
    }
    if (U == Use::Reduce && V.ReductionOperator.empty()) {
      V.ReductionOperator = Operator;
      V.ReducesExactly = true;
    }
    V.ReducesExactly &= U != Use::Reduce || IsExact;
    if (U != Use::Reduce || V.ReductionOperator != Operator)
      At->OtherUse = true;
  }

  void pointee(const ValueDecl *D, Use U, const Expr *E) override {
    if (Entry *At = entry(D, E))
      At->V.PointeeWritten |= writes(U);
  }

  void touches(const Expr *E, Use U) override {
    const QualType T = E->getType();
    Members |= writes(U) && (isa<MemberExpr>(E->IgnoreParens()) ||
                             T->isRecordType() || T->isPointerType());
  }

  void usesThis() override { This = true; }
  void declares(const ValueDecl *D) override {
    if (!isa<VarDecl>(D) || !cast<VarDecl>(D)->hasGlobalStorage())
      Inner.insert(cast<ValueDecl>(D->getCanonicalDecl()));
  }
  void calls(const Expr *, const FunctionDecl *F) override {
    Calls |= !F || !isPure(F);
  }
  void unstructured(const Stmt *) override { Jumps = true; }

  void finish(Entry &E) const {
    Variable &V = E.V;
    const bool Volatile =
        E.D->getType().getNonReferenceType().isVolatileQualified();
    // A function that is called may use a global variable at any time.
    const bool Shared = V.IsGlobal && Calls;
    V.WrittenAtomically = V.Written && !E.OtherWrite;
    V.ReducedOnly = V.Written && !E.OtherUse && !Shared;
    if (!V.ReducedOnly)
      V.ReductionOperator.clear();
    V.ReadFirst = E.UsedFirst;
    V.WrittenFirst = V.Assigned && !E.UsedFirst && !E.Kept && !Jumps &&
                     !Volatile && !Shared && !V.IsReference &&
                     V.Class != TypeClass::Array;
  }

  ASTContext &Context;
  std::vector<Entry> Entries;
  llvm::DenseMap<const ValueDecl *, unsigned> Index;
  llvm::DenseSet<const ValueDecl *> Inner;
  bool This = false, Calls = false, Jumps = false, Members = false;
};

/// From the end of each marked statement on: which variables are read before
/// they are assigned. A bit stands for a variable of a statement and holds
/// until the statement ends, and again when the variable has been assigned.
class LivenessReader final : public FlowWalker {
public:
  LivenessReader(const UnitMarks &Marks,
                 std::vector<StatementReading> &Readings,
                 const DeclContext *Function)
      : FlowWalker(Marks), Readings(Readings) {
    for (unsigned R = 0; R < Readings.size(); ++R) {
      const auto &Declarations = Readings[R].Declarations;
      for (unsigned V = 0; V < Declarations.size(); ++V) {
        if (!isLocal(Declarations[V], Readings[R].Facts.Outer[V], Function))
          continue;
        Bits[Declarations[V]].push_back(Places.size());
        OfStatement[Readings[R].Ordinal].push_back(Places.size());
        Places.push_back({R, V});
      }
    }
    Live.resize(Places.size());
    Now.Bits.resize(Places.size(), true);
  }

  void run(const Stmt *Body) {
    statement(Body);
    for (unsigned I = 0; I < Places.size(); ++I) {
      const auto [R, V] = Places[I];
      Readings[R].Facts.Outer[V].LiveAfter = Jumps || Live.test(I);
    }
    for (StatementReading &R : Readings)
      for (unsigned V = 0; V < R.Declarations.size(); ++V)
        if (Kept.contains(R.Declarations[V])) {
          R.Facts.Outer[V].WrittenFirst = false;
          R.Facts.Outer[V].LiveAfter = true;
        }
  }

private:
  static bool isLocal(const ValueDecl *D, const Variable &V,
                      const DeclContext *Function) {
    const DeclContext *Of = D->getDeclContext();
    while (Of && isa<CapturedDecl>(Of))
      Of = Of->getParent();
    const QualType T = D->getType().getNonReferenceType();
    return !V.IsGlobal && !V.IsReference && !T.isVolatileQualified() &&
           Of == Function;
  }

  void access(const ValueDecl *D, Use U, bool Part, const Expr *) override {
    if (U == Use::Escape)
      Kept.insert(D);
    const auto It = Bits.find(D);
    if (It == Bits.end() || isCounter(D))
      return;
    for (unsigned I : It->second) {
      if (U == Use::Bind) // what a const reference shows changes with it
        Live.set(I);
      if (reads(U) && !Now.holds(I))
        Live.set(I);
      if (U == Use::Write && !Part && !Now.Dead)
        Now.set(I);
    }
  }

  void leavesMark(unsigned Ordinal) override {
    if (Now.Dead)
      return;
    if (const auto It = OfStatement.find(Ordinal); It != OfStatement.end())
      for (unsigned I : It->second)
        Now.clear(I);
  }

  void unstructured(const Stmt *) override { Jumps = true; }

  struct Place {
    unsigned Reading, Variable;
  };
  std::vector<StatementReading> &Readings;
  std::vector<Place> Places;
  llvm::DenseMap<const ValueDecl *, llvm::SmallVector<unsigned, 2>> Bits;
  std::map<unsigned, llvm::SmallVector<unsigned, 8>> OfStatement;
  llvm::BitVector Live;
  llvm::DenseSet<const ValueDecl *> Kept;
  bool Jumps = false;
};

} // namespace

StatementReading readStatement(unsigned Ordinal, const Stmt *S,
                               const UnitMarks &Marks, ASTContext &Context) {
  return StatementReader(Marks, Context).read(Ordinal, S);
}

void readLiveness(const Stmt *Body, const DeclContext *Function,
                  const UnitMarks &Marks,
                  std::vector<StatementReading> &Readings) {
  LivenessReader(Marks, Readings, Function).run(Body);
}

} // namespace accx::frontend
