//===- Members.cpp - Data constructs and the members they name ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In OpenACC every member of a struct that a clause names is an item with
// counts of its own; OpenMP maps the members that one directive names together,
// as a part of the struct. So there are several directives, each with at most
// one part of a variable:
//
//   enter data copyin(s, s.p[0:n], s.q[0:n])    target enter data map(to: s)
//                                               ... map(to: s.p[0:n])
//                                               ... map(to: s.q[0:n])
//
// What lies deeper is mapped later and unmapped earlier. Compute constructs
// stay one directive: there the runtime keeps held members apart.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Planner.h"

#include <tuple>

using namespace clang;

namespace accx::frontend {

/// How many members deep \p What lies: 2 for `s.p->q[0:n]`.
static unsigned depthOf(const Item &What, const ItemFacts &Facts) {
  unsigned Depth = Facts.IsMember, Nested = 0;
  for (const Token &T : What.Base) {
    if (T.isOneOf(tok::l_square, tok::l_paren))
      ++Nested;
    else if (T.isOneOf(tok::r_square, tok::r_paren))
      --Nested;
    else if (Nested == 0 && T.isOneOf(tok::period, tok::arrow))
      ++Depth;
  }
  return Depth;
}

/// Whether item \p I is what a member points to.
bool Planner::isBehindMember(const ListItem &I) const {
  const ItemFacts Facts = F.item(I);
  return !I.item().Sections.empty() && Facts.Class != TypeClass::Array &&
         depthOf(I.item(), Facts) > 0;
}

namespace {
/// The map clauses of one item.
struct Part {
  unsigned Depth;
  size_t Number;
  std::string Variable;
  Phrases Clauses;
};
} // namespace

/// Adds the directives \p Name that map what \p N's clauses name, with the map
/// type that \p TypeOf gives for an item, empty for none.
void Planner::addDataDirectives(
    const Node &N, StringRef Name, bool Structured,
    llvm::function_ref<StringRef(const ListItem &)> TypeOf, Rewrite &R) {
  const bool Exit = N.D->Kind == DirectiveKind::ExitData;
  SmallVector<Part, 8> Parts;
  bool Behind = false;
  for (const ListItem &I : itemsOf(*N.D)) {
    const StringRef Type = TypeOf(I);
    if (Type.empty())
      continue;
    const ItemFacts Facts = F.item(I);
    Part P{depthOf(I.item(), Facts),
           Parts.size(),
           Facts.IsMember ? "this" : text(I.item().Tokens.take_front()),
           {}};
    addMap(I, Type, Structured, P.Clauses);
    Behind |= isBehindMember(I);
    Parts.push_back(std::move(P));
  }
  llvm::sort(Parts, [](const Part &A, const Part &B) {
    return std::tie(A.Depth, A.Number) < std::tie(B.Depth, B.Number);
  });
  SmallVector<OmpDirective, 2> Directives;
  std::map<std::string, size_t> Next;
  for (Part &P : Parts) {
    size_t &After = Next[P.Variable];
    const size_t Place = P.Depth ? After : 0;
    After = std::max(After, Place + 1);
    while (Directives.size() <= Place)
      Directives.push_back({Name.str(), {}, N.D->Loc});
    Directives[Place].Clauses.append(P.Clauses);
  }
  if (Exit)
    std::reverse(Directives.begin(), Directives.end());
  for (OmpDirective &D : Directives)
    addDataDirective(N, std::move(D), R);
  if ((Behind && !Structured) || (Exit && !Directives.empty())) {
    R.Before.add("__accx_data(1);", N.D->Loc);
    R.After.prepend({Phrase("__accx_data(0);", N.D->Loc)});
  }
}

void Planner::planData(const Node &N, Rewrite &R) {
  beginData(N, /*Structured=*/true, R);
  addAttach(N, R);
  leaveQueue(N, R);
  addDataDirectives(
      N, "target data", /*Structured=*/true,
      [](const ListItem &I) { return enterType(I.clause(), true); }, R);
}

void Planner::planEnterData(const Node &N, Rewrite &R) {
  beginData(N, /*Structured=*/false, R);
  addAttach(N, R);
  addDataDirectives(
      N, "target enter data", /*Structured=*/false,
      [](const ListItem &I) { return enterType(I.clause(), false); }, R);
}

void Planner::planExitData(const Node &N, Rewrite &R) {
  planQueue(N, R);
  const bool Finalize = N.D->has(ClauseKind::Finalize);
  addAttach(N, R);
  addRowExits(N, R);
  Phrases Calls;
  for (const ListItem &I : itemsOf(*N.D, {ClauseKind::CopyOut}))
    // OpenMP either copies or forgets all references.
    if (Finalize && !namesRows(I)) {
      addCallOn("__accx_acc_copyout_finalize_async", I.clause(), I.item(), ", ",
                Calls);
      addQueue(queueClause(*N.D), "", ");", I.clause().Loc, Calls);
    }
  addUnderIf(*N.D, Calls, R.Before);
  addDataDirectives(
      N, "target exit data", /*Structured=*/false,
      [&](const ListItem &I) -> StringRef {
        const ClauseKind K = I.clause().Kind;
        if (!Finalize || K != ClauseKind::CopyOut)
          return mapType(K, Finalize);
        // The call has copied; the pointer to the data goes, too.
        return isBehindMember(I) ? "delete" : "";
      },
      R);
}

} // namespace accx::frontend
