//===- Loops.cpp - Counters, bounds and missing loops ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter that the body changes, a subscript that leaves its array for a
// value that the counter takes, a parallel construct whose loop nobody shares.
//
//===----------------------------------------------------------------------===//

#include "frontend/facts/Independence.h"
#include "frontend/mistakes/Visitor.h"

using namespace clang;

namespace accx::frontend {
namespace {

/// What ends a loop early, or skips the rest of its body.
bool jumps(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<BreakStmt, ContinueStmt, GotoStmt, ReturnStmt, SwitchStmt>(S))
    return true;
  for (const Stmt *Child : S->children())
    if (jumps(Child))
      return true;
  return false;
}

/// The first place in \p S that assigns to \p D.
const Expr *assignment(const Stmt *S, const ValueDecl *D) {
  if (!S)
    return nullptr;
  if (const Expr *Place = assignedPlace(S); Place && namedVariable(Place) == D)
    return cast<Expr>(S);
  for (const Stmt *Child : S->children())
    if (const Expr *Found = assignment(Child, D))
      return Found;
  return nullptr;
}

struct Range {
  int64_t First, Last;
};

/// The values that the counter of \p F takes, where they are constants.
std::optional<Range> counterOf(const ForStmt *F, const ASTContext &Context) {
  const std::optional<CanonicalLoop> L = canonicalLoop(F);
  if (!L || L->Step || L->Down ||
      (L->Relation != BO_LT && L->Relation != BO_LE))
    return std::nullopt;
  const std::optional<int64_t> First = constantOf(L->Lower, Context),
                               Limit = constantOf(L->Upper, Context);
  if (!First || !Limit)
    return std::nullopt;
  const int64_t Last = *Limit - (L->Relation == BO_LT);
  return Last < *First ? std::nullopt : std::optional(Range{*First, Last});
}

class LoopSearch final : public MistakeVisitor {
public:
  using MistakeVisitor::MistakeVisitor;

private:
  void enters(const Directive &D, const Stmt *S) override {
    const ForStmt *F = S ? loopOf(S) : nullptr;
    if ((D.Kind == DirectiveKind::Loop || D.HasLoop) && F &&
        !D.has(ClauseKind::Seq)) {
      const ValueDecl *V = loopVariable(F);
      if (const Expr *At = V ? assignment(F->getBody(), V) : nullptr)
        U.warn(
            At->getExprLoc(),
            "'{0}', the counter of the loop in line {1}, is changed in its "
            "body: how often a parallel loop runs is decided before it starts",
            V->getName(), U.line(F->getForLoc()));
    }
    if (D.Kind == DirectiveKind::Parallel && !D.HasLoop && S)
      checkShared(D, S);
  }

  void loop(const ForStmt *F) override {
    const std::optional<Range> R = counterOf(F, U.Context);
    const ValueDecl *V = loopVariable(F);
    const bool Sure = R && !jumps(F->getBody());
    Conditions += !Sure;
    if (Sure)
      Counters[V] = *R;
    walk(F->getBody());
    if (Sure)
      Counters.erase(V);
    Conditions -= !Sure;
  }

  void expression(const Expr *Place) override {
    const auto *E = dyn_cast<ArraySubscriptExpr>(Place);
    if (!E || Lambdas)
      return;
    const auto *Type = U.Context.getAsConstantArrayType(
        E->getBase()->IgnoreParenImpCasts()->getType());
    if (!compute() || Conditions || !Type)
      return;
    const std::optional<Range> R = rangeOf(E->getIdx());
    // An array of one element at the end of a structure may be longer.
    if (!R || Type->getSize().ule(1))
      return;
    const int64_t Count = Type->getSize().getLimitedValue(INT64_MAX);
    if (R->First >= 0 && R->Last < Count)
      return;
    const VarDecl *V = rootVariable(E);
    U.warn(E->getExprLoc(),
           "subscript {0} of '{1}' is outside of its {2} elements: look at the "
           "bounds of the loop",
           R->First < 0 ? R->First : R->Last,
           (V ? V->getName() : StringRef("array")), Count);
  }

  /// Of a counter, or a counter and a constant.
  std::optional<Range> rangeOf(const Expr *E) const {
    E = E->IgnoreParenImpCasts();
    if (const ValueDecl *V = namedVariable(E)) {
      const auto It = Counters.find(V);
      return It == Counters.end() ? std::nullopt : std::optional(It->second);
    }
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || !B->isAdditiveOp())
      return std::nullopt;
    const std::optional<Range> L = rangeOf(B->getLHS());
    const std::optional<int64_t> C = constantOf(B->getRHS(), U.Context);
    if (!L || !C || *C > INT32_MAX || *C < INT32_MIN)
      return std::nullopt;
    const int64_t By = B->getOpcode() == BO_Add ? *C : -*C;
    return Range{L->First + By, L->Last + By};
  }

  /// `parallel` alone runs its statement once in each gang.
  void checkShared(const Directive &D, const Stmt *S) {
    if (D.has(ClauseKind::NumGangs))
      return;
    const auto *Block = dyn_cast<CompoundStmt>(S);
    const Stmt *Only = Block && Block->size() == 1 ? Block->body_front() : S;
    const auto *F = dyn_cast<ForStmt>(Only);
    if (!F || hasMark(F) || calls(F))
      return;
    U.warn(D.Loc,
           "'parallel' without 'loop': every gang runs all of the loop in line "
           "{0}; write 'parallel loop' to share its iterations",
           U.line(F->getForLoc()));
  }
  static bool hasMark(const Stmt *S) {
    return anyPart(S, [](const Stmt *Part) {
      const auto *A = dyn_cast<AttributedStmt>(Part);
      return A && markOf(A);
    });
  }
  bool calls(const Stmt *S) const {
    return anyPart(S, [&](const Stmt *Part) {
      const auto *C = dyn_cast<CallExpr>(Part);
      const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
      return C && (!F || !U.isForeign(F->getLocation()));
    });
  }

  std::map<const ValueDecl *, Range> Counters;
};

} // namespace

void findLoopMistakes(MistakeUnit &U) {
  for (const FunctionDecl *F : U.Functions)
    LoopSearch(U).walk(F->getBody());
}

} // namespace accx::frontend
