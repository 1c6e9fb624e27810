//===- FactsReader.cpp - Facts from the probe's syntax tree ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two passes over the tree: the clauses' operands, whose declarations the
// statements' facts depend on; then the statements, function by function.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/FactsReader.h"

#include "frontend/facts/Independence.h"
#include "frontend/facts/StatementFacts.h"

#include "clang/AST/RecursiveASTVisitor.h"

#include <map>
#include <set>

using namespace clang;

namespace accx::frontend {
namespace {

ItemFacts readItem(const Expr *E) {
  ItemFacts F;
  if (!E || isa<RecoveryExpr>(E))
    return F;
  if (const auto *Set = dyn_cast<OverloadExpr>(E)) {
    F.IsFunction = F.Resolved = Set->getNumDecls() > 0;
    return F;
  }
  const ValueDecl *D = nullptr;
  if (const auto *R = dyn_cast<DeclRefExpr>(E)) {
    D = R->getDecl();
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    D = M->getMemberDecl();
    F.IsMember = isa<FieldDecl>(D) && M->isImplicitAccess();
  } else if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(E)) {
    F.IsMember = M->isImplicitAccess();
  }
  F.Resolved = !E->containsErrors();
  F.IsFunction = E->getType()->isFunctionType();
  F.Class = classify(E->getType());
  QualType Inner = E->getType().getNonReferenceType();
  F.IsUnaliased = Inner.isRestrictQualified() || Inner->isArrayType();
  F.HasLength = Inner->isConstantArrayType() || Inner->isVariableArrayType();
  for (QualType T = Inner; !T->isDependentType();) {
    const auto *A =
        dyn_cast_or_null<ConstantArrayType>(T->getAsArrayTypeUnsafe());
    if (!A)
      break;
    F.Extents.push_back(A->getZExtSize());
    T = A->getElementType();
  }
  if (Inner->isPointerType())
    Inner = Inner->getPointeeType();
  else if (const auto *A = Inner->getAsArrayTypeUnsafe())
    Inner = A->getElementType();
  QualType T = Inner;
  while (!T->isDependentType()) {
    const ArrayType *A = T->getAsArrayTypeUnsafe();
    if (!A)
      break;
    const auto *C = dyn_cast<ConstantArrayType>(A);
    F.InnerExtents.push_back(C ? C->getZExtSize() : 0);
    T = A->getElementType();
  }
  F.IsConst = T.isConstQualified();
  if (const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
      Class && Class->hasDefinition())
    F.HasHiddenParts =
        Class->hasNonTrivialDestructor() || Class->isPolymorphic();
  F.PointsToPointers = Inner->isPointerType();
  F.PointsToTables =
      F.PointsToPointers && Inner->getPointeeType()->isPointerType();
  if (D) {
    F.IsReference = D->getType()->isReferenceType() || isa<BindingDecl>(D);
    if (const auto *V = dyn_cast<VarDecl>(D))
      F.IsGlobal = V->hasGlobalStorage();
    if (const auto *P = dyn_cast<ParmVarDecl>(D))
      if (const auto *A = dyn_cast_or_null<ConstantArrayType>(
              P->getOriginalType()->getAsArrayTypeUnsafe()))
        F.ParameterLength = A->getZExtSize();
  }
  return F;
}

ValueFacts readValue(const Expr *E) {
  ValueFacts F;
  if (!E || E->containsErrors() || E->isTypeDependent())
    return F;
  const QualType T = E->getType().getNonReferenceType();
  F.Resolved = true;
  F.Type = T.getUnqualifiedType().getAsString();
  F.IsClass = T->getAsCXXRecordDecl();
  F.IsInteger = T->isIntegralOrUnscopedEnumerationType();
  F.IsAssignable = E->isLValue() && !T.isConstQualified();
  if (const RecordDecl *R = T->isPointerType()
                                ? T->getPointeeType()->getAsRecordDecl()
                                : nullptr) {
    F.IsEvent = R->getName() == "accx_event_object";
    // Of glibc and musl, of the BSDs, of newlib.
    F.IsStream = T.getAsString() == "FILE *" || R->getName() == "_IO_FILE" ||
                 R->getName() == "__sFILE" || R->getName() == "__FILE";
  }
  return F;
}

/// Operands of clauses, and where code is.
class OperandReader : public RecursiveASTVisitor<OperandReader> {
public:
  /// Instances of templates, too.
  bool InInstances = false;
  bool shouldVisitTemplateInstantiations() const { return InInstances; }

  struct Body {
    const Stmt *Code;
    const DeclContext *Function;
  };

  OperandReader(ASTContext &Context, UnitMarks &Marks, Facts &Out)
      : Context(Context), Marks(Marks), Out(Out) {}

  std::vector<Body> Bodies;

  bool VisitStaticAssertDecl(StaticAssertDecl *D) {
    if (const std::optional<MarkedOperand> Op = operandOf(D))
      read(*Op);
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl *D) {
    // A lambda's call operator is met as such.
    const auto *M = dyn_cast<CXXMethodDecl>(D);
    if (D->doesThisDeclarationHaveABody() && !(M && M->getParent()->isLambda()))
      Bodies.push_back({D->getBody(), D});
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *E) {
    Bodies.push_back({E->getBody(), E->getCallOperator()});
    return true;
  }
  bool VisitBlockDecl(BlockDecl *D) {
    Bodies.push_back({D->getBody(), D});
    return true;
  }

private:
  void read(const MarkedOperand &Op) {
    const ProbeMark &M = Op.Mark;
    const Directive *D = Marks.find(M.Ordinal);
    if (!D || !M.Clause || *M.Clause >= D->Clauses.size())
      return;
    const Clause &C = D->Clauses[*M.Clause];
    if (!M.Item) {
      const std::optional<int64_t> Depth = constantOf(Op.Operand, Context);
      if (C.Kind == ClauseKind::Collapse && Depth && *Depth > 0)
        Marks.ByOrdinal[M.Ordinal].Collapse =
            std::min<int64_t>(*Depth, 1 << 10);
      return;
    }
    if (hasTypedValues(D->Kind, C.Kind)) {
      auto &Values = Out.Records[M.Ordinal].Values[*M.Clause];
      if (*M.Item < Values.size() && !InInstances)
        Values[*M.Item] = readValue(Op.Operand);
      return;
    }
    auto &Items = Out.Records[M.Ordinal].Items;
    if (*M.Item >= Items[*M.Clause].size())
      return;
    if (M.Bound) {
      if (const std::optional<int64_t> Value = constantOf(Op.Operand, Context))
        Items[*M.Clause][*M.Item].Bounds[*M.Bound] = *Value;
      return;
    }
    Items[*M.Clause][*M.Item] = readItem(Op.Operand);
    const ValueDecl *V = namedVariable(Op.Operand);
    if (V &&
        (C.Kind == ClauseKind::Private || C.Kind == ClauseKind::FirstPrivate))
      Marks.ByOrdinal[M.Ordinal].Privates.push_back(V);
    if (V && C.Kind == ClauseKind::Reduction)
      Marks.ByOrdinal[M.Ordinal].Reductions.push_back(V);
  }

  ASTContext &Context;
  UnitMarks &Marks;
  Facts &Out;
};

/// The marked statements of one body, without those of lambdas in it.
void findMarked(const Stmt *S,
                std::vector<std::pair<unsigned, const Stmt *>> &Out) {
  if (!S || isa<LambdaExpr, BlockExpr>(S))
    return;
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    if (const std::optional<ProbeMark> M = markOf(A))
      if (const Stmt *Behind = markedStatement(A))
        Out.push_back({M->Ordinal, Behind});
  // What OpenMP captures is not among its children.
  if (const auto *Region = dyn_cast<CapturedStmt>(S))
    findMarked(Region->getCapturedStmt(), Out);
  for (const Stmt *Child : S->children())
    findMarked(Child, Out);
}

/// The statements of one body, as far as \p Wants their ordinals.
std::vector<StatementReading>
readBody(const OperandReader::Body &B, const UnitMarks &Marks,
         ASTContext &Context, bool StrictAliasing,
         llvm::function_ref<bool(unsigned)> Wants) {
  std::vector<std::pair<unsigned, const Stmt *>> Marked;
  findMarked(B.Code, Marked);
  std::vector<StatementReading> Readings;
  for (const auto &[Ordinal, S] : Marked) {
    if (!Wants(Ordinal))
      continue;
    Readings.push_back(readStatement(Ordinal, S, Marks, Context));
    StatementFacts &F = Readings.back().Facts;
    if (const Directive *D = Marks.find(Ordinal);
        D && D->Kind == DirectiveKind::TimeTile)
      F.Obstacle = whyNotTiled(S, *D, Context);
    const ForStmt *Loop = loopOf(S);
    if (!Loop)
      continue;
    F.CanonicalDepth = canonicalDepth(Loop);
    const UnitMarks::Named &Own = Marks.named(Ordinal);
    llvm::SmallVector<const ValueDecl *, 8> Named;
    Named.append(Own.Privates);
    Named.append(Own.Reductions);
    readIndependence(Loop, std::max(Own.Collapse, 1u), Named, Marks, Context,
                     StrictAliasing, F);
  }
  if (!Readings.empty())
    readLiveness(B.Code, B.Function, Marks, Readings);
  return Readings;
}

/// Completes the facts of \p Templates, ordinals of statements of templates.
void readInstances(ASTContext &Context, const UnitMarks &Marks,
                   const std::set<unsigned> &Templates, bool StrictAliasing,
                   Facts &Out) {
  // Clauses name declarations of their instance; items' facts stay.
  Facts Items;
  for (const Facts::Record &R : Out.Records) {
    Facts::Record &Own = Items.Records.emplace_back();
    Own.Items.resize(R.Items.size());
    Own.Values.resize(R.Values.size());
  }
  for (size_t R = 0; R < Out.Records.size(); ++R)
    for (size_t C = 0; C < Out.Records[R].Items.size(); ++C)
      Items.Records[R].Items[C].resize(Out.Records[R].Items[C].size());
  UnitMarks None{Marks.Directives, {}};
  OperandReader All(Context, None, Items);
  All.InInstances = true;
  All.TraverseDecl(Context.getTranslationUnitDecl());
  std::map<unsigned, std::vector<StatementFacts>> Instances;
  for (const OperandReader::Body &B : All.Bodies) {
    std::vector<std::pair<unsigned, const Stmt *>> Marked;
    if (!B.Function->isDependentContext())
      findMarked(B.Code, Marked);
    if (llvm::none_of(Marked,
                      [&](const auto &M) { return Templates.count(M.first); }))
      continue;
    UnitMarks Own{Marks.Directives, {}};
    OperandReader Operands(Context, Own, Items);
    Operands.TraverseStmt(const_cast<Stmt *>(B.Code));
    for (StatementReading &R :
         readBody(B, Own, Context, StrictAliasing,
                  [&](unsigned Ordinal) { return Templates.count(Ordinal); }))
      Instances[R.Ordinal].push_back(std::move(R.Facts));
  }
  for (const auto &[Ordinal, Each] : Instances)
    addInstances(Out.Records[Ordinal].Statement, Each);
}

} // namespace

Facts readFacts(ASTContext &Context,
                const std::vector<std::unique_ptr<Directive>> &Directives,
                bool StrictAliasing, TreeReader Others) {
  Facts Out;
  unsigned Count = 0;
  for (const auto &D : Directives)
    Count = std::max(Count, D->Ordinal + 1);
  Out.Records.resize(Count);
  for (const auto &D : Directives)
    for (const Clause &C : D->Clauses) {
      Out.Records[D->Ordinal].Items.emplace_back(C.Items.size());
      Out.Records[D->Ordinal].Values.emplace_back(
          hasTypedValues(D->Kind, C.Kind) ? C.Values.size() : 0);
    }

  UnitMarks Marks{Directives, {}};
  OperandReader Operands(Context, Marks, Out);
  Operands.TraverseDecl(Context.getTranslationUnitDecl());

  std::set<unsigned> Templates;
  for (const OperandReader::Body &B : Operands.Bodies)
    for (StatementReading &R :
         readBody(B, Marks, Context, StrictAliasing, [&](unsigned Ordinal) {
           return Ordinal < Count && !Out.Records[Ordinal].Statement.Known;
         })) {
      Out.Records[R.Ordinal].Statement = std::move(R.Facts);
      if (B.Function->isDependentContext())
        Templates.insert(R.Ordinal);
    }
  if (!Templates.empty())
    readInstances(Context, Marks, Templates, StrictAliasing, Out);
  if (Others)
    Others(Context, Marks);
  return Out;
}

} // namespace accx::frontend
