//===- Tight.cpp - One iteration space of nested levels -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On GPUs a gang loop around nothing but worker or vector loops becomes one
// collapsed loop:
//
//   gang    for y          distribute parallel for collapse(2)
//   vector    for x          for y, for x
//               body           body
//
// Both levels' iterations are independent, and nothing stands between them, so
// any thread may run any of them. A block per row wastes threads on short rows,
// and a warp per row reads no neighbours' rows from the first cache.
//
// Merged are loops whose count of iterations nothing in the construct can
// change: their bounds are made of numbers and variables that are not written.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"

#include "clang/Basic/IdentifierTable.h"
#include "llvm/Support/CommandLine.h"

using namespace clang;

static llvm::cl::opt<bool> MergeLevels(
    "accx-merge-levels", llvm::cl::init(true), llvm::cl::Hidden,
    llvm::cl::desc("Run OpenACC's gang, worker and vector loops with nothing "
                   "between them as one loop on GPUs"));

namespace accx::frontend {

/// How many loops the directive of \p L speaks of; 0 if that is not plain.
static unsigned ownDepth(const Directive &D) {
  if (D.has(ClauseKind::Tile))
    return 0;
  const Clause *C = D.find(ClauseKind::Collapse);
  if (!C)
    return 1;
  if (C->hasModifier("force") || C->Values.size() != 1 ||
      C->Values.front().size() != 1)
    return 0;
  const Token &Number = C->Values.front().front();
  unsigned Depth = 0;
  if (Number.isNot(tok::numeric_constant) ||
      StringRef(Number.getLiteralData(), Number.getLength())
          .getAsInteger(10, Depth))
    return 0;
  return Depth;
}

/// Whether \p Header, `int i = 0; i < n - 1; ++i`, computes with numbers and
/// names only: no calls, no memory.
static bool isPlain(TokenRange Header) {
  for (size_t I = 0; I < Header.size(); ++I) {
    const Token *Before = I ? &Header[I - 1] : nullptr;
    switch (Header[I].getKind()) {
    case tok::l_square:
    case tok::arrow:
    case tok::period:
    case tok::amp:
    case tok::question:
      return false;
    case tok::star:
      if (!Before || !Before->isOneOf(tok::identifier, tok::numeric_constant,
                                      tok::r_paren))
        return false;
      break;
    case tok::l_paren:
      if (Before && Before->isOneOf(tok::identifier, tok::r_paren))
        return false;
      break;
    default:
      break;
    }
  }
  return true;
}

/// Whether each reduction of \p Inner is one of \p Outer, of whole variables.
static bool reducesTheSame(const Directive &Inner, const Directive &Outer) {
  const auto Around = itemsOf(Outer, {ClauseKind::Reduction});
  return llvm::all_of(
      itemsOf(Inner, {ClauseKind::Reduction}), [&](const ListItem &I) {
        return !I.name().empty() && I.item().Sections.empty() &&
               llvm::any_of(Around, [&](const ListItem &O) {
                 return O.name() == I.name() &&
                        O.clause().Modifier == I.clause().Modifier;
               });
      });
}

/// Whether \p D says nothing but at which level the loop runs.
static bool isOnlyLevel(const Directive &D) {
  static constexpr ClauseSet Levels = {
      ClauseKind::Gang,        ClauseKind::Worker, ClauseKind::Vector,
      ClauseKind::Independent, ClauseKind::Auto,   ClauseKind::Collapse,
      ClauseKind::Reduction};
  return llvm::all_of(D.Clauses,
                      [](const Clause &C) { return Levels.contains(C.Kind); });
}

bool ComputePlanner::hasPlainBounds(const Node &Loop) const {
  for (const ForSpans &For : associatedLoops(Loop)) {
    const TokenRange Header = P.T.text(For.Header);
    if (!isPlain(Header))
      return false;
    for (const Token &Word : Header)
      if (const IdentifierInfo *Name = Word.getIdentifierInfo())
        if (const Variable *V = S.find(Name->getName());
            V && (V->IsReference || V->Class != TypeClass::Scalar))
          return false;
  }
  return true;
}

/// How many loops run as one from \p L on, down to the innermost parallel one;
/// 0 where levels have to stay apart.
unsigned ComputePlanner::tightDepth(const LoopLevels &L) const {
  const StatementFacts &Facts = P.F.statement(L.N->D->Ordinal);
  const Clause *Gang = L.N->D->find(ClauseKind::Gang);
  unsigned Depth = ownDepth(*L.N->D);
  if (!Depth || !Facts.Known || !S.Known || (Gang && Gang->keyed("static")))
    return 0;
  const LoopLevels *At = &L;
  while (At->Inner.size() == 1 && At->N->Children.size() == 1) {
    const LoopLevels &I = *At->Inner.front();
    const StatementFacts &Inner = P.F.statement(I.N->D->Ordinal);
    const unsigned Own = ownDepth(*I.N->D);
    // Equal depths: no sequential loop stands between the two.
    if (!I.parallel() || !Own || !Inner.Known ||
        Facts.CanonicalDepth != Depth + Inner.CanonicalDepth ||
        Inner.CanonicalDepth < Own || !isOnlyLevel(*I.N->D) ||
        !reducesTheSame(*I.N->D, *L.N->D) || !hasPlainBounds(*I.N))
      return 0;
    Depth += Own;
    At = &I;
  }
  const auto IsAtomic = [](const Node *Inside) {
    return Inside->D->Kind == DirectiveKind::Atomic;
  };
  return At != &L && llvm::all_of(At->N->Children, IsAtomic) ? Depth : 0;
}

void ComputePlanner::mergeTightLoops() {
  if (!MergeLevels)
    return;
  for (auto &L : Nest.Roots) {
    if (L->Becomes != Form::Distribute &&
        L->Becomes != Form::DistributeParallelFor)
      continue;
    const unsigned Depth = tightDepth(*L);
    if (!Depth)
      continue;
    L->Becomes = Form::DistributeParallelFor;
    for (auto &I : L->Inner)
      makeSequential(*I, /*KeepLanes=*/false);
    Merged[L->N] = Depth;
  }
}

} // namespace accx::frontend
