//===- Sharing.cpp - What a construct does with its variables -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenACC's data attributes in OpenMP's terms.
//
//===----------------------------------------------------------------------===//
//
// Three rules of OpenACC have no counterpart in OpenMP's defaults:
//   - a scalar without a data clause, here or on a data construct around, is
//     firstprivate to each gang, and what an iteration assigns before using it
//     is its own. OpenMP would share it between teams and threads: every
//     region that forks gets private or firstprivate for what it writes.
//   - a scalar with a data clause on a data construct around is that data.
//     OpenMP would pass its host value: it is mapped.
//   - a reduction of a gang loop, or of an inner loop into a variable that
//     nothing in the construct resets, is a reduction of the construct.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"

#include "frontend/parse/Tokens.h"

#include "clang/Basic/IdentifierTable.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend {

void ComputePlanner::addListed(const Directive &D,
                               std::set<std::string> &Names) {
  for (const ListItem &I : itemsOf(D)) {
    const ArgumentForm Form = row(I.clause().Kind).Form;
    if ((Form == ArgumentForm::Variables || Form == ArgumentForm::Reduction) &&
        !I.name().empty())
      Names.insert(I.name().str());
  }
}

void ComputePlanner::findNames() {
  Visible = P.visibleData(N);
  for (const ListItem &I : itemsOf(D))
    if (row(I.clause().Kind).Form == ArgumentForm::Variables &&
        !I.name().empty() && !P.leavesAlone(I))
      Explicit.insert(I.name().str());
}

/// The loops that \p Loop's collapse or tile clause speaks of, outermost first.
std::vector<ComputePlanner::ForSpans>
ComputePlanner::associatedLoops(const Node &Loop) const {
  std::vector<ForSpans> Loops;
  const UnitTokens &T = P.T.tokens();
  unsigned Depth = 1;
  if (const auto It = Merged.find(&Loop); It != Merged.end()) {
    Depth = It->second;
  } else if (const Clause *C = Loop.D->find(ClauseKind::Collapse);
             C && !C->Values.empty() && C->Values.front().size() == 1) {
    const std::string Text = P.text(C->Values.front());
    Depth = std::max(1, std::atoi(Text.c_str()));
  } else if (const Clause *C = Loop.D->find(ClauseKind::Tile)) {
    Depth = C->Values.size();
  }
  ForSpans Next = {Loop.LoopHeader, Loop.LoopBody};
  while (!Next.Header.empty()) {
    Loops.push_back(Next);
    if (--Depth == 0)
      break;
    size_t I = Next.Body.Begin, End = Next.Body.End;
    while (I < End && (T[I].is(tok::l_brace) || T[I].isAnnotation())) {
      End -= T[I].is(tok::l_brace);
      ++I;
    }
    if (I >= End || T[I].isNot(tok::kw_for) || T[I + 1].isNot(tok::l_paren))
      break;
    const size_t Body = skipBrackets(T, I + 1);
    Next = {{I + 2, Body - 1}, {Body, statementEnd(T, I)}};
  }
  return Loops;
}

/// The variables that run over the associated loops, where they are declared
/// outside of them.
std::set<std::string> ComputePlanner::loopVariables(const Node &Loop) const {
  std::set<std::string> Names;
  const UnitTokens &T = P.T.tokens();
  for (const ForSpans &For : associatedLoops(Loop))
    if (T[For.Header.Begin].is(tok::identifier) &&
        T[For.Header.Begin + 1].is(tok::equal))
      Names.insert(T[For.Header.Begin].getIdentifierInfo()->getName().str());
  return Names;
}

/// Whether a gang loop around \p L, or \p L itself, is of a kind that makes
/// the reduction of \p Name one across gangs.
bool ComputePlanner::reducedAcross(const LoopLevels &L, StringRef Name) const {
  if (L.Levels & GangLevel)
    return true;
  for (const LoopLevels *O = L.Outer; O; O = O->Outer)
    for (const ListItem &I :
         itemsOf(*O->N->D, {ClauseKind::Private, ClauseKind::FirstPrivate,
                            ClauseKind::Reduction}))
      if (I.name() == Name)
        return I.clause().Kind == ClauseKind::Reduction;
  const Variable *V = S.find(Name);
  return !V || V->ReducedOnly || !V->Assigned;
}

static ConstructReduction reductionOf(const ListItem &I) {
  return {I.clause().Modifier.str(), I.item().Tokens, I.clause().Loc};
}

void ComputePlanner::findReductions(
    const std::vector<std::unique_ptr<LoopLevels>> &Loops) {
  auto Add = [&](const ListItem &I) {
    Reductions.try_emplace(I.name().str(), reductionOf(I));
  };
  if (!D.HasLoop && Loops.data() == Nest.Roots.data())
    for (const ListItem &I : itemsOf(D, {ClauseKind::Reduction}))
      Add(I);
  const std::set<std::string> Own = namesIn(D, {ClauseKind::Private});
  for (const auto &L : Loops) {
    for (const ListItem &I : itemsOf(*L->N->D, {ClauseKind::Reduction})) {
      // Unknown code: a variable of an inner loop is likely declared close.
      const bool Outside = S.Known ? S.find(I.name()) != nullptr
                                   : (L->Levels & GangLevel) || !L->Outer;
      if (Outside && !Own.count(I.name().str()) && reducedAcross(*L, I.name()))
        Add(I);
    }
    findReductions(L->Inner);
  }
}

void ComputePlanner::addConstructReductions(bool ToTeams, OmpDirective &Out) {
  for (const auto &[Name, R] : Reductions) {
    if (!Explicit.count(Name))
      Out.Clauses.add("map(tofrom: ", R.Item, ")", R.Loc);
    if (ToTeams)
      Out.Clauses.add("reduction(" + R.Operator + ": ", R.Item, ")", R.Loc);
  }
}

/// A loop's reductions: those of its clauses, and those of the construct that
/// its body takes part in without saying so.
void ComputePlanner::addReductions(const LoopLevels &L, OmpDirective &Out) {
  const bool Combined = &L == Fused && StringRef(Out.Name).contains("teams");
  if (Combined || L.Becomes == Form::Distribute)
    return; // the construct's clause is this loop's too
  std::set<std::string> Done;
  auto Add = [&](const std::string &Name, const ConstructReduction &R) {
    if (Done.insert(Name).second)
      Out.Clauses.add("reduction(" + R.Operator + ": ", R.Item, ")", R.Loc);
  };
  for (const ListItem &I : itemsOf(*L.N->D, {ClauseKind::Reduction}))
    Add(I.name().str(), reductionOf(I));
  const StatementFacts &Facts = P.F.statement(L.N->D->Ordinal);
  auto Inherit = [&](const std::string &Name, const ConstructReduction &R) {
    const Variable *V = Facts.find(Name);
    if (V && V->Written && !V->WrittenAtomically)
      Add(Name, R);
  };
  for (const auto &[Name, R] : Reductions)
    Inherit(Name, R);
  for (const LoopLevels *O = L.Outer; O; O = O->Outer)
    for (const ListItem &I : itemsOf(*O->N->D, {ClauseKind::Reduction}))
      Inherit(I.name().str(), reductionOf(I));
}

void ComputePlanner::addUserPrivates(const Directive &From, OmpDirective &Out) {
  for (const ListItem &I :
       itemsOf(From, {ClauseKind::Private, ClauseKind::FirstPrivate}))
    if (!isPrivateArray(I))
      Out.Clauses.add(row(I.clause().Kind).Spelling.str() + "(", I.item().Base,
                      ")", I.clause().Loc);
}

ComputePlanner::Sharing ComputePlanner::sharing(const Variable &V,
                                                const Node &At,
                                                const LoopLevels *L) const {
  if (!V.Written || V.WrittenAtomically || V.IsConst)
    return Sharing::Left;
  if (Explicit.count(V.Name) || Visible.count(V.Name) ||
      P.DeviceGlobals.count(V.Name) || Reductions.count(V.Name))
    return Sharing::Left;
  std::set<std::string> Listed;
  addListed(*At.D, Listed);
  if (Listed.count(V.Name))
    return Sharing::Left;
  if (L && L->Becomes == Form::Distribute && isKeptByGang(*L, V))
    return Sharing::Left;
  const bool Value =
      V.Class == TypeClass::Scalar || V.Class == TypeClass::Pointer;
  if (!Value && !V.WrittenFirst)
    return Sharing::Left;
  if (V.Class == TypeClass::Array)
    return Sharing::Left;
  if (V.WrittenFirst)
    return Kernels && V.LiveAfter && Fused && &At == Fused->N
               ? Sharing::LastPrivate
               : Sharing::Private;
  // Kernels: a scalar is copied, not private.
  return Kernels ? Sharing::Left : Sharing::FirstPrivate;
}

/// What the region of \p At (a loop, or the construct) has to keep to itself.
void ComputePlanner::addPrivates(const Node &At, const LoopLevels *L,
                                 OmpDirective &Out) {
  if (!L && !Teams) // one thread; the target region's copy is its own
    return;
  const StatementFacts &Facts = P.F.statement(At.D->Ordinal);
  std::set<std::string> Running;
  if (L) {
    Running = loopVariables(At);
    if (At.D->has(ClauseKind::Tile))
      // Tiled loops run over new variables, the old ones are plain ones.
      for (const std::string &Name : Running)
        Out.Clauses.add("private(" + Name + ")", At.D->Loc);
  }
  std::set<std::string> InnerReductions;
  if (L) // of variables that an enclosing loop reduces
    for (const LoopLevels *O = L; O; O = O->Outer)
      InnerReductions.merge(namesIn(*O->N->D, {ClauseKind::Reduction}));
  for (const Variable &V : Facts.Outer) {
    if (Running.count(V.Name) || InnerReductions.count(V.Name))
      continue;
    // By Sharing.
    static constexpr const char *Clauses[] = {"", "private(", "firstprivate(",
                                              "lastprivate("};
    if (const Sharing How = sharing(V, At, L); How != Sharing::Left)
      Out.Clauses.add(Clauses[unsigned(How)] + V.Name + ")", At.D->Loc);
  }
}

/// simd takes no firstprivate: a loop that would need it stays sequential.
bool ComputePlanner::laneSafe(const LoopLevels &L) const {
  const StatementFacts &Facts = P.F.statement(L.N->D->Ordinal);
  const std::set<std::string> Running = loopVariables(*L.N);
  std::set<std::string> Listed;
  for (const LoopLevels *O = &L; O; O = O->Outer)
    addListed(*O->N->D, Listed);
  if (L.N->D->has(ClauseKind::FirstPrivate))
    return false;
  for (const Variable &V : Facts.Outer)
    if (!Running.count(V.Name) && !Listed.count(V.Name) &&
        sharing(V, *L.N, &L) == Sharing::FirstPrivate)
      return false;
  return true;
}

/// A scalar of a kernels construct is copied in and out. One that is only read
/// may as well go by value, which is what an asynchronous construct needs.
void ComputePlanner::addKernelsScalars(OmpDirective &Out) {
  if (!S.Known) {
    Out.Clauses.add("defaultmap(tofrom: scalar)", D.Loc);
    return;
  }
  for (const Variable &V : S.Outer) {
    if (V.Class != TypeClass::Scalar || !V.Written || Explicit.count(V.Name) ||
        Visible.count(V.Name) || Reductions.count(V.Name) ||
        P.DeviceGlobals.count(V.Name))
      continue;
    if (Teams && Fused && sharing(V, *Fused->N, Fused) == Sharing::Private)
      continue;
    if ((Teams || D.HasLoop) && Fused && loopVariables(*Fused->N).count(V.Name))
      continue;
    Out.Clauses.add("map(tofrom: " + V.Name + ")", D.Loc);
  }
}

/// Whether data clauses of \p D name members of the structure \p Name, but not
/// all of it. OpenMP then maps nothing else of it. Not if some of them have to
/// be present: Clang would want that of the whole.
static bool listsMembers(const Directive &D, StringRef Name) {
  bool Found = false;
  for (const ListItem &I : itemsOf(D)) {
    const Clause &C = I.clause();
    const TokenRange Base = I.item().Base;
    if (!has(C.Kind, Mapping) || Base.size() < 2 ||
        Base[1].isNot(tok::period) || wordOf(Base[0]) != Name)
      continue;
    Found = true;
    if (C.Kind == ClauseKind::Present || C.Kind == ClauseKind::NoCreate ||
        C.hasModifier("zero"))
      return false;
  }
  return Found;
}

/// What OpenMP's implicit rules would get wrong for variables without a data
/// clause on the construct.
void ComputePlanner::addImplicitData(OmpDirective &Out) {
  if (Kernels)
    addKernelsScalars(Out);
  for (const ListItem &I : itemsOf(D, {ClauseKind::DevicePtr}))
    Out.Clauses.add("is_device_ptr(", I.item().Tokens, ")", I.clause().Loc);
  const Clause *Default = D.find(ClauseKind::Default);
  const bool Present = Default && Default->Modifier == "present";
  if (Present)
    Out.Clauses.add("defaultmap(present: aggregate)", D.Loc);
  for (const Variable &V : S.Outer) {
    if (Explicit.count(V.Name))
      continue;
    if (OnDevice.count(V.Name) && !V.Written)
      Out.Clauses.add("map(tofrom: " + V.Name + ")", D.Loc);
    if (V.Class == TypeClass::Record && !Present && listsMembers(D, V.Name))
      Out.Clauses.add((V.IsConst ? "map(to: " : "map(tofrom: ") + V.Name + ")",
                      D.Loc);
    const auto Around = Visible.find(V.Name);
    if (Around == Visible.end())
      continue;
    if (Around->second.Kind == ClauseKind::DevicePtr)
      Out.Clauses.add("is_device_ptr(" + V.Name + ")", D.Loc);
    else if (Around->second.Kind == ClauseKind::NoCreate &&
             V.Class == TypeClass::Array)
      Out.Clauses.add("map(alloc: " + V.Name + "[0:0])", D.Loc);
    else if (Around->second.Kind == ClauseKind::NoCreate &&
             Around->second.Whole && !Reductions.count(V.Name))
      Out.Clauses.add("map(ompx_hold, always, alloc: " + V.Name + ")", D.Loc);
    // A pointer that is only read is looked up, and may find what it points to.
    else if ((V.Class == TypeClass::Scalar ||
              (V.Class == TypeClass::Pointer && V.Written &&
               Around->second.Whole)) &&
             !Reductions.count(V.Name))
      Out.Clauses.add("map(tofrom: " + V.Name + ")", D.Loc);
  }
}

void ComputePlanner::checkDefaultNone() {
  const Clause *Default = D.find(ClauseKind::Default);
  if (!Default || Default->Modifier != "none" || !S.Known)
    return;
  std::set<std::string> Listed;
  addListed(D, Listed);
  if (N.isLoop())
    Listed.merge(loopVariables(N));
  for (const Node *At : P.T.inside(N)) {
    addListed(*At->D, Listed);
    if (At->isLoop())
      Listed.merge(loopVariables(*At));
  }
  for (const Variable &V : S.Outer)
    if (!Listed.count(V.Name) && !Visible.count(V.Name) && !V.IsConst &&
        !P.DeviceGlobals.count(V.Name))
      P.error(Default->Loc, "variable '%0' has no data clause, and this "
                            "construct says 'default(none)'")
          << V.Name;
}

} // namespace accx::frontend
