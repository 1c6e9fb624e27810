//===- Kernels.cpp - kernels around several statements --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data for the whole construct, one region a statement.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"

using namespace clang;

namespace accx::frontend {

/// Whether a statement of a kernels region is certainly no declaration.
static bool declaresNothing(const UnitTokens &T, Span S) {
  const Token &First = T[S.Begin], &Second = T[S.Begin + 1];
  if (First.isOneOf(tok::l_brace, tok::kw_for, tok::kw_if, tok::kw_while,
                    tok::kw_do, tok::semi, tok::star, tok::plusplus,
                    tok::minusminus))
    return true;
  return First.is(tok::identifier) &&
         Second.isOneOf(tok::equal, tok::l_square, tok::plusequal,
                        tok::minusequal, tok::starequal, tok::slashequal,
                        tok::plusplus, tok::minusminus, tok::period,
                        tok::arrow);
}

/// kernels around several loops and statements: data for the whole construct,
/// one region a statement. Returns false, with nothing done, where the
/// statements cannot be told apart or declare something.
bool ComputePlanner::splitKernels() {
  const UnitTokens &Tokens = P.T.tokens();
  const Span Whole = N.Statement;
  if (!Tokens[Whole.Begin].is(tok::l_brace) || N.Children.empty())
    return false;
  std::vector<std::pair<Span, const Node *>> Parts;
  for (size_t I = Whole.Begin + 1; I < Whole.End - 1;) {
    const Span Part = {I, statementEnd(Tokens, I)};
    const Node *Loop = nullptr;
    for (const Node *Child : N.Children)
      if (Child->At == I)
        Loop = Child;
    if (Part.End <= I || (Loop && !Loop->isLoop()) ||
        (!Loop && (isDirective(Tokens[I]) || !declaresNothing(Tokens, Part))))
      return false;
    Parts.push_back({Part, Loop});
    I = Part.End;
  }
  // Where all loops are inside of other statements one region is right.
  if (llvm::none_of(Parts, [](const auto &P) { return P.second; }))
    return false;
  Rewrite R;
  R.Statement = Whole;
  P.addZeroed(N, /*Structured=*/true, R);
  P.planQueue(N, R);
  P.addRows(N, /*Structured=*/true, R);
  P.addOneWay(N, R);
  OmpDirective Data{"target data", {}, D.Loc};
  findNames();
  P.addMaps(N, /*Structured=*/true, Data.Clauses);
  for (const Variable &V : S.Outer)
    if (V.Class == TypeClass::Scalar && V.Written && !Explicit.count(V.Name) &&
        !Visible.count(V.Name) && !P.DeviceGlobals.count(V.Name))
      Data.Clauses.push_back(
          phrase("map(ompx_hold, tofrom: " + V.Name + ")", {}, "", D.Loc));
  P.addDataDirective(N, std::move(Data), R);
  P.Result.Rewrites[&N] = std::move(R);
  for (const auto &[Part, Loop] : Parts) {
    if (Loop) {
      ComputePlanner Inner(P, *Loop);
      for (const Variable &V : S.Outer)
        if (V.Class == TypeClass::Scalar && V.Written)
          Inner.OnDevice.insert(V.Name);
      Inner.planKernelsLoop(N);
      continue;
    }
    Insertion Region;
    Region.Directive = {"target", {}, D.Loc};
    addKernelsScalars(Region.Directive);
    P.addIf(N, "target: ", Region.Directive.Clauses);
    P.Result.Insertions.emplace(Part.Begin, std::move(Region));
  }
  for (const Node *Child : N.Children)
    if (!Child->isLoop())
      P.visit(*Child);
  return true;
}

/// A loop of a kernels construct as a region of its own.
void ComputePlanner::planKernelsLoop(const Node &Construct) {
  Kernels = true;
  findNames();
  NestContext C;
  C.NeedsProof = true;
  C.Checked = rangeCheck(&N);
  C.WhyInOrder = [&](const Node &L) { return whyInOrder(L, &L == &N); };
  std::vector<Node *> Self = {const_cast<Node *>(&N)};
  Nest = assignLevels(Self, C, P.F, P.Diags);
  Fused = Nest.Roots.front().get();
  Teams = Fused->parallel();
  giveForms(Nest, Teams);
  flattenIfNeeded();
  findReductions(Nest.Roots);
  findLostValues();
  Rewrite R;
  R.Statement = N.Statement;
  planRegion(R);
  addRangeCheck(R);
  P.addIf(Construct, "target: ", R.Directives.front().Clauses);
  if (!R.Condition.empty())
    P.addIf(Construct, "target: ", R.Otherwise.Clauses);
  describe(R);
  planLoops(Nest.Roots);
  P.Result.Rewrites[&N] = std::move(R);
  visitInside();
}

} // namespace accx::frontend
