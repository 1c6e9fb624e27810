//===- FlowFacts.cpp - Accesses to variables, in order --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marks, and the walk over statements; FlowExpressions.cpp has expressions.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/FlowFacts.h"

#include "frontend/facts/Independence.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace accx::frontend {

const Directive *UnitMarks::find(unsigned Ordinal) const {
  const auto It =
      llvm::lower_bound(Directives, Ordinal, [](const auto &D, unsigned O) {
        return D->Ordinal < O;
      });
  return It != Directives.end() && (*It)->Ordinal == Ordinal ? It->get()
                                                             : nullptr;
}

const UnitMarks::Named &UnitMarks::named(unsigned Ordinal) const {
  static const Named None;
  const auto It = ByOrdinal.find(Ordinal);
  return It == ByOrdinal.end() ? None : It->second;
}

std::optional<ProbeMark> markOf(const AttributedStmt *S) {
  for (const Attr *A : S->getAttrs())
    if (const auto *Suppress = dyn_cast<SuppressAttr>(A))
      for (StringRef Text : Suppress->diagnosticIdentifiers())
        if (std::optional<ProbeMark> M = parseProbeMark(Text))
          return M;
  return std::nullopt;
}

std::optional<MarkedOperand> operandOf(const Decl *D) {
  const auto *Assert = dyn_cast_or_null<StaticAssertDecl>(D);
  if (!Assert || !Assert->getAssertExpr())
    return std::nullopt;
  const auto *Message = dyn_cast_or_null<StringLiteral>(Assert->getMessage());
  if (!Message || Message->getCharByteWidth() != 1)
    return std::nullopt;
  const std::optional<ProbeMark> M = parseProbeMark(Message->getString());
  if (!M)
    return std::nullopt;
  // sizeof((void)(OPERAND), 1) != 0, with conversions in between.
  MarkedOperand Result{*M, nullptr};
  const Stmt *At = Assert->getAssertExpr();
  while (At) {
    const auto *E = dyn_cast<Expr>(At);
    if (const auto *Cast = dyn_cast<CStyleCastExpr>(At);
        Cast && Cast->getType()->isVoidType()) {
      Result.Operand = Cast->getSubExpr()->IgnoreParenImpCasts();
      break;
    }
    if (const auto *Sizeof = dyn_cast<UnaryExprOrTypeTraitExpr>(At)) {
      At = Sizeof->isArgumentType() ? nullptr : Sizeof->getArgumentExpr();
      continue;
    }
    if (const auto *Binary = dyn_cast<BinaryOperator>(At)) {
      At = Binary->getLHS();
      continue;
    }
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (Inner == E) {
      const auto Children = const_cast<Expr *>(E)->children();
      At = Children.begin() == Children.end() ? nullptr : *Children.begin();
    } else {
      At = Inner;
    }
  }
  return Result;
}

const Stmt *markedStatement(const AttributedStmt *S) {
  const auto *Block = dyn_cast<CompoundStmt>(S->getSubStmt());
  if (!Block || Block->body_empty())
    return nullptr;
  const Stmt *Last = Block->body_back();
  if (const auto *Operands = dyn_cast<DeclStmt>(Last);
      Operands && Operands->isSingleDecl() &&
      operandOf(Operands->getSingleDecl()))
    return nullptr;
  return Last;
}

void FlowWalker::join(State &Into, const State &From) {
  if (From.Dead)
    return;
  if (Into.Dead)
    Into = From;
  else
    Into.Bits &= From.Bits;
}

void FlowWalker::jump(State Jumps::*Where) {
  if (!Targets.empty())
    join(Targets.back().*Where, Now);
  Now.Dead = true;
}

void FlowWalker::statement(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    discarded(E);
    return;
  }
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : cast<CompoundStmt>(S)->body())
      statement(Child);
    return;
  case Stmt::AttributedStmtClass: {
    const auto *A = cast<AttributedStmt>(S);
    if (std::optional<ProbeMark> M = markOf(A))
      marked(A, *M);
    else
      statement(A->getSubStmt());
    return;
  }
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      declaration(D);
    return;
  case Stmt::NullStmtClass:
    return;
  default:
    controlFlow(S);
  }
}

void FlowWalker::controlFlow(const Stmt *S) {
  switch (S->getStmtClass()) {
  case Stmt::IfStmtClass:
    return branch(cast<IfStmt>(S));
  case Stmt::ForStmtClass: {
    const auto *For = cast<ForStmt>(S);
    statement(For->getInit());
    entersLoop(For);
    loop(For->getCond(), For->getConditionVariableDeclStmt(), For->getBody(),
         For->getInc(), /*TestsFirst=*/true, /*Ends=*/For->getCond());
    leavesLoop(For);
    return;
  }
  case Stmt::WhileStmtClass: {
    const auto *While = cast<WhileStmt>(S);
    loop(While->getCond(), While->getConditionVariableDeclStmt(),
         While->getBody(), nullptr, /*TestsFirst=*/true, /*Ends=*/true);
    return;
  }
  case Stmt::DoStmtClass: {
    const auto *Do = cast<DoStmt>(S);
    loop(Do->getCond(), nullptr, Do->getBody(), nullptr, /*TestsFirst=*/false,
         /*Ends=*/true);
    return;
  }
  case Stmt::CXXForRangeStmtClass: {
    const auto *For = cast<CXXForRangeStmt>(S);
    statement(For->getInit());
    statement(For->getRangeStmt());
    // Its hidden iterators are not the program's variables.
    declares(For->getLoopVariable());
    loop(nullptr, nullptr, For->getBody(), nullptr, /*TestsFirst=*/true,
         /*Ends=*/true);
    return;
  }
  case Stmt::SwitchStmtClass:
    return switchOn(cast<SwitchStmt>(S));
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    if (!SwitchEntry.empty())
      join(Now, SwitchEntry.back());
    statement(cast<SwitchCase>(S)->getSubStmt());
    return;
  case Stmt::BreakStmtClass:
    return jump(&Jumps::Break);
  case Stmt::ContinueStmtClass:
    return jump(&Jumps::Continue);
  case Stmt::ReturnStmtClass:
    if (const Expr *E = cast<ReturnStmt>(S)->getRetValue())
      value(E);
    Now.Dead = true;
    return;
  case Stmt::LabelStmtClass:
    unstructured(S);
    Now = State();
    statement(cast<LabelStmt>(S)->getSubStmt());
    return;
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
    unstructured(S);
    children(S, /*Unsure=*/true);
    Now.Dead = true;
    return;
  case Stmt::CXXTryStmtClass:
    return tryBlock(cast<CXXTryStmt>(S));
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return assembly(cast<AsmStmt>(S));
  case Stmt::CapturedStmtClass:
    return statement(cast<CapturedStmt>(S)->getCapturedStmt());
  case Stmt::OMPCanonicalLoopClass:
    return statement(cast<OMPCanonicalLoop>(S)->getLoopStmt());
  default:
    break;
  }
  if (const auto *Omp = dyn_cast<OMPExecutableDirective>(S)) {
    for (const OMPClause *C : Omp->clauses())
      for (const Stmt *Child : C->children())
        if (const auto *E = dyn_cast_or_null<Expr>(Child))
          visit(E, Use::Lend);
    if (Omp->hasAssociatedStmt()) {
      // Threads may run it, in any order and any number of times.
      const State Before = Now;
      statement(Omp->getRawStmt());
      Now = Before;
    }
    return;
  }
  unstructured(S);
  children(S, /*Unsure=*/true);
}

void FlowWalker::branch(const IfStmt *S) {
  if (S->isConsteval()) {
    statement(S->isNonNegatedConsteval() ? S->getElse() : S->getThen());
    return;
  }
  statement(S->getInit());
  statement(S->getConditionVariableDeclStmt());
  if (reduction(S))
    return;
  value(S->getCond());
  State Else = Now;
  statement(S->getThen());
  std::swap(Now, Else);
  statement(S->getElse());
  join(Now, Else);
}

void FlowWalker::loop(const Expr *Condition, const DeclStmt *Variable,
                      const Stmt *Body, const Expr *Step, bool TestsFirst,
                      bool Ends) {
  State Head = Now;
  for (;;) {
    State Exit;
    Exit.Dead = true;
    auto Test = [&] {
      statement(Variable);
      if (Condition)
        value(Condition);
      if (Ends)
        Exit = Now;
    };
    if (TestsFirst)
      Test();
    const State Left = loopBody(Body);
    if (!TestsFirst)
      Test();
    if (Step)
      discarded(Step);
    State Again = Head;
    join(Again, Now);
    join(Exit, Left);
    if (Again == Head) {
      Now = std::move(Exit);
      return;
    }
    Head = Again;
    Now = std::move(Again);
  }
}

FlowWalker::State FlowWalker::loopBody(const Stmt *Body) {
  Jumps None;
  None.Break.Dead = None.Continue.Dead = true;
  Targets.push_back(std::move(None));
  statement(Body);
  Jumps Taken = Targets.pop_back_val();
  join(Now, Taken.Continue);
  return std::move(Taken.Break);
}

void FlowWalker::iteration(const Stmt *Body) { join(Now, loopBody(Body)); }

void FlowWalker::switchOn(const SwitchStmt *S) {
  statement(S->getInit());
  statement(S->getConditionVariableDeclStmt());
  value(S->getCond());
  const State Entry = Now;
  bool HasDefault = false;
  for (const SwitchCase *C = S->getSwitchCaseList(); C;
       C = C->getNextSwitchCase())
    HasDefault |= isa<DefaultStmt>(C);
  SwitchEntry.push_back(Entry);
  // `continue` goes to the loop around.
  Jumps Here;
  Here.Break.Dead = true;
  Here.Continue.Dead = true;
  Targets.push_back(std::move(Here));
  Now.Dead = true;
  statement(S->getBody());
  const Jumps Taken = Targets.pop_back_val();
  SwitchEntry.pop_back();
  if (!Targets.empty())
    join(Targets.back().Continue, Taken.Continue);
  join(Now, Taken.Break);
  if (!HasDefault)
    join(Now, Entry);
}

void FlowWalker::tryBlock(const CXXTryStmt *S) {
  const State Before = Now;
  statement(S->getTryBlock());
  State After = Now;
  for (unsigned I = 0; I < S->getNumHandlers(); ++I) {
    const CXXCatchStmt *Handler = S->getHandler(I);
    Now = Before;
    if (const VarDecl *D = Handler->getExceptionDecl())
      declares(D);
    statement(Handler->getHandlerBlock());
    join(After, Now);
  }
  Now = std::move(After);
}

/// The expression `v` of an `atomic capture`, which is written as usual.
static const Expr *capturedInto(const Stmt *S) {
  auto Assignment = [](const Stmt *S) -> const BinaryOperator * {
    const auto *E = dyn_cast_or_null<Expr>(S);
    const auto *B = dyn_cast_or_null<BinaryOperator>(
        E ? E->IgnoreParenImpCasts() : nullptr);
    return B && B->getOpcode() == BO_Assign ? B : nullptr;
  };
  const auto *Block = dyn_cast_or_null<CompoundStmt>(S);
  if (!Block || Block->size() == 1) {
    const BinaryOperator *B = Assignment(Block ? Block->body_front() : S);
    return B ? B->getLHS() : nullptr;
  }
  if (Block->size() != 2)
    return nullptr;
  auto Target = [&](const Stmt *S) -> const Expr * {
    const auto *E = dyn_cast<Expr>(S);
    return E ? assignedPlace(E->IgnoreParenImpCasts()) : nullptr;
  };
  const Stmt *First = Block->body_front(), *Second = Block->body_back();
  if (const BinaryOperator *B = Assignment(First))
    if (const Expr *Other = Target(Second)) {
      const Expr *From = B->getRHS()->IgnoreParenImpCasts();
      if (namedVariable(From) && namedVariable(From) == namedVariable(Other))
        return B->getLHS();
      if (!namedVariable(From) &&
          From->getStmtClass() == Other->IgnoreParens()->getStmtClass())
        return B->getLHS();
    }
  const BinaryOperator *B = Assignment(Second);
  return B ? B->getLHS() : nullptr;
}

/// \p Loop: the statement of \p D, a loop directive.
void FlowWalker::addCounters(const Directive &D, const Stmt *Loop) {
  unsigned Depth = Marks.named(D.Ordinal).Collapse;
  if (const Clause *C = D.find(ClauseKind::Tile); C && !Depth)
    Depth = C->Values.size();
  Depth = std::max(Depth, 1u);
  while (Loop && Depth) {
    if (const auto *A = dyn_cast<AttributedStmt>(Loop)) {
      Loop = A->getSubStmt();
    } else if (const auto *B = dyn_cast<CompoundStmt>(Loop)) {
      Loop = B->body_empty() ? nullptr : B->body_front();
    } else if (const auto *F = dyn_cast<ForStmt>(Loop)) {
      if (const ValueDecl *I = loopVariable(F))
        Counters.push_back(I);
      Loop = F->getBody();
      --Depth;
    } else {
      return;
    }
  }
}

void FlowWalker::marked(const AttributedStmt *S, ProbeMark M) {
  const Stmt *Body = markedStatement(S);
  if (const auto *Block = dyn_cast<CompoundStmt>(S->getSubStmt()))
    for (const Stmt *Child : Block->body())
      if (Child != Body)
        statement(Child);
  const Directive *D = Marks.find(M.Ordinal);
  const size_t Depth = Private.size(), Loops = Counters.size(),
               Sums = Reduced.size();
  Private.append(Marks.named(M.Ordinal).Privates);
  Reduced.append(Marks.named(M.Ordinal).Reductions);
  if (D && (D->Kind == DirectiveKind::Loop || D->HasLoop) && !D->Implied)
    addCounters(*D, Body);
  const bool WasAtomic = Atomic;
  const Expr *WasCaptured = Captured;
  if (D && D->Kind == DirectiveKind::Atomic) {
    Atomic = !D->has(ClauseKind::Read);
    Captured = D->has(ClauseKind::Capture) ? capturedInto(Body) : nullptr;
  }
  statement(Body);
  Atomic = WasAtomic;
  Captured = WasCaptured;
  Private.truncate(Depth);
  Counters.truncate(Loops);
  Reduced.truncate(Sums);
  if (!LambdaDepth)
    leavesMark(M.Ordinal);
}

void FlowWalker::sizes(QualType T) {
  while (!T.isNull()) {
    if (const auto *P = T->getAs<PointerType>())
      T = P->getPointeeType();
    else if (const ArrayType *A = T->getAsArrayTypeUnsafe()) {
      if (const auto *Variable = dyn_cast<VariableArrayType>(A))
        if (const Expr *Size = Variable->getSizeExpr())
          value(Size);
      T = A->getElementType();
    } else
      return;
  }
}

void FlowWalker::declaration(const Decl *D) {
  if (std::optional<MarkedOperand> Op = operandOf(D)) {
    const Directive *Of = Marks.find(Op->Mark.Ordinal);
    if (!Op->Operand || !Of || !Op->Mark.Clause ||
        *Op->Mark.Clause >= Of->Clauses.size())
      return;
    if (!Op->Mark.Item || Op->Mark.Bound ||
        Of->Clauses[*Op->Mark.Clause].Kind != ClauseKind::Private)
      visit(Op->Operand, Use::Read);
    return;
  }
  const auto *V = dyn_cast<VarDecl>(D);
  if (!V) {
    if (const auto *T = dyn_cast<TypedefNameDecl>(D))
      sizes(T->getUnderlyingType());
    return;
  }
  if (V->hasExternalStorage())
    return;
  declares(V);
  if (const auto *Parts = dyn_cast<DecompositionDecl>(V))
    for (const BindingDecl *B : Parts->bindings())
      declares(B);
  const QualType T = V->getType();
  sizes(T);
  const Expr *Init = V->getInit();
  if (!Init)
    return;
  if (const auto *R = T->getAs<ReferenceType>())
    visit(Init,
          R->getPointeeType().isConstQualified() ? Use::Bind : Use::Escape);
  else
    value(Init);
}

void FlowWalker::assembly(const AsmStmt *S) {
  for (unsigned I = 0; I < S->getNumInputs(); ++I)
    visit(S->getInputExpr(I), Use::Lend);
  for (unsigned I = 0; I < S->getNumOutputs(); ++I)
    visit(S->getOutputExpr(I), Use::Lend);
  unstructured(S);
}

} // namespace accx::frontend
