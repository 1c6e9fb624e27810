//===- Kernels.cpp - kernels around several statements --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data for the whole construct, one region a statement. A loop whose pointers
// may overlap becomes two regions, a parallel one and a sequential one; the
// host compares addresses and chooses.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"

#include "llvm/Support/FormatVariadic.h"

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
  P.beginData(N, /*Structured=*/true, R);
  OmpDirective Data{"target data", {}, D.Loc};
  findNames();
  P.addMaps(N, /*Structured=*/true, Data.Clauses);
  for (const Variable &V : S.Outer)
    if (V.Class == TypeClass::Scalar && V.Written && !Explicit.count(V.Name) &&
        !Visible.count(V.Name) && !P.DeviceGlobals.count(V.Name))
      Data.Clauses.add("map(ompx_hold, tofrom: " + V.Name + ")", D.Loc);
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
    OmpDirective Region{"target", {}, D.Loc};
    addKernelsScalars(Region);
    P.addIf(N, "target: ", Region.Clauses);
    P.Result.insert(Part.Begin, std::move(Region));
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

/// What has to hold for \p Loop, which stands for the whole construct or is
/// one of its statements; null if nothing has to.
const RangeCheck *ComputePlanner::rangeCheck(const Node *Loop) const {
  if (!Kernels || !Loop || Loop->D->has(ClauseKind::Independent) ||
      Loop->D->has(ClauseKind::Seq))
    return nullptr;
  const StatementFacts &Facts = P.F.statement(Loop->D->Ordinal);
  return Facts.Known && !Facts.Ranges.empty() ? &Facts.Ranges : nullptr;
}

void ComputePlanner::addRangeCheck(Rewrite &R) {
  const RangeCheck *Check =
      Fused && Fused->parallel() ? rangeCheck(Fused->N) : nullptr;
  if (!Check)
    return;
  std::set<std::string> Bases;
  for (const auto &[A, B] : Check->Apart) {
    R.Condition += llvm::formatv("{0}(__accx_high_{1} <= __accx_low_{2} || "
                                 "__accx_high_{2} <= __accx_low_{1})",
                                 R.Condition.empty() ? "" : " && ", A, B)
                       .str();
    Bases.insert({A, B});
  }
  std::string Code;
  for (const std::string &Base : Bases)
    Code += llvm::formatv("const char *__accx_low_{0} = (const char *)~0ul, "
                          "*__accx_high_{0} = (const char *)0; ",
                          Base)
                .str();
  R.Before.add(Code + Check->Code, D.Loc);
  ComputePlanner InOrder(P, N);
  InOrder.Kernels = true;
  InOrder.OnDevice = OnDevice;
  InOrder.findNames();
  Rewrite Other;
  InOrder.planRegion(Other);
  R.Otherwise = std::move(Other.Directives.front());
  P.remark(*Fused->N, "the loop runs in parallel where memory does not "
                      "overlap, which is checked at run time: else " +
                          P.F.statement(Fused->N->D->Ordinal).Dependence);
}

} // namespace accx::frontend
