//===- Lost.cpp - Values that get lost in copies --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars without a clause are copies in a compute construct: of each gang, of
// each iteration. Programs that forget that compute something else, silently.
//
//===----------------------------------------------------------------------===//
//
// A gang's own variables are one for all its iterations, which it runs in
// order: what it keeps in them from one to the next, or to what follows the
// loop, must not get lost. Such a loop is not shared out to threads.
//
// Told are, of variables without any clause:
//   - a sum or the like that is read after the loop: a reduction is missing.
//     With -facc-implicit-reductions it is one, and a remark says so;
//   - what an iteration reads before it assigns it: another one's value is
//     meant, but iterations run at the same time;
//   - what is assigned in the construct and read behind it.
//
// And loops that certainly are not independent, but said to be.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"
#include "frontend/plan/PlainLoops.h"

using namespace clang;

namespace accx::frontend {

/// Whether a loop around \p L reduces \p Name, or \p L itself does.
static bool isReduced(const LoopLevels &L, const std::string &Name) {
  for (const LoopLevels *O = &L; O; O = O->Outer)
    if (namesIn(*O->N->D, {ClauseKind::Reduction}).count(Name))
      return true;
  return false;
}

/// Scalars of `kernels` keep what the last iteration assigns. Iterations that
/// run at the same time have their own; lastprivate does for a loop that is
/// \p Alone in the construct, whose iterations all assign them.
std::string ComputePlanner::whyInOrder(const Node &Loop, bool Alone) const {
  std::set<std::string> Own = loopVariables(Loop);
  Own.merge(namesIn(*Loop.D, {ClauseKind::Private, ClauseKind::Reduction}));
  for (const Variable &V : P.F.statement(Loop.D->Ordinal).Outer) {
    if (!V.WrittenFirst || V.WrittenAtomically || Own.count(V.Name))
      continue;
    const std::string Name =
        "'" + V.Name + "' (line " + std::to_string(V.Line) + ")";
    if (Explicit.count(V.Name) || Visible.count(V.Name) ||
        P.DeviceGlobals.count(V.Name))
      return Name + " has a data clause, and iterations assign it";
    if (V.LiveAfter && !(Alone && V.AlwaysAssigned))
      return "the value of " + Name + " may be needed after the loop";
  }
  return {};
}

/// Whether each gang has a \p Name of its own, and runs its iterations in
/// order.
bool ComputePlanner::isOfGang(const std::string &Name) const {
  return !S.find(Name) ||
         namesIn(D, {ClauseKind::Private, ClauseKind::FirstPrivate})
             .count(Name);
}

/// Whether gang loop \p L leaves \p V, which it writes, to each gang as one
/// variable. Where the loop is all there is in the construct nobody can tell.
bool ComputePlanner::isKeptByGang(const LoopLevels &L,
                                  const Variable &V) const {
  return D.Kind == DirectiveKind::Parallel && S.Known && &L != Fused &&
         (L.Levels & GangLevel) && !(L.Levels & ThreadLevels) && V.Written &&
         !V.WrittenAtomically && !V.IsGlobal && !V.IsConst &&
         (V.LiveAfter || !V.WrittenFirst) && V.Class != TypeClass::Unknown &&
         isOfGang(V.Name) && !loopVariables(*L.N).count(V.Name) &&
         !isReduced(L, V.Name) && !Reductions.count(V.Name);
}

/// Gang loops that keep something from one iteration to the next take one
/// thread of each gang, at most until worker and vector loops inside.
void ComputePlanner::keepOfGangs(
    const std::vector<std::unique_ptr<LoopLevels>> &Loops) {
  for (const auto &L : Loops) {
    for (const Variable &V : P.F.statement(L->N->D->Ordinal).Outer)
      if (L->Becomes == Form::DistributeParallelFor && !Merged.count(L->N) &&
          isKeptByGang(*L, V)) {
        L->Becomes = Form::Distribute;
        P.remark(*L->N, "each gang runs its iterations in order: what line " +
                            std::to_string(V.WriteLine) + " writes to '" +
                            V.Name + "' is kept");
      }
    if (!L->parallel())
      keepOfGangs(L->Inner);
  }
}

/// Of one parallel loop. \p Told: names that are done with.
void ComputePlanner::findLost(const LoopLevels &L,
                              std::set<std::string> &Told) {
  const StatementFacts &Facts = P.F.statement(L.N->D->Ordinal);
  const std::set<std::string> Running = loopVariables(*L.N);
  const SourceLocation Loc = L.N->D->Loc;
  if (L.Levels != NoLevel && !Facts.Certain.empty() &&
      !L.N->D->has(ClauseKind::Auto) &&
      (!Kernels || L.N->D->has(ClauseKind::Independent)) &&
      ((L.Levels & ThreadLevels) || !isOfGang(Facts.CertainName)))
    P.warning(Loc, "iterations run at the same time, but %0; say 'seq'")
        << Facts.Certain;
  for (const Variable &V : Facts.Outer) {
    if (L.Levels == NoLevel || L.N->LoopHeader.empty() ||
        Running.count(V.Name) || Told.count(V.Name) ||
        V.Class != TypeClass::Scalar || isReduced(L, V.Name) ||
        sharing(V, *L.N, &L) != Sharing::FirstPrivate ||
        (!(L.Levels & ThreadLevels) && D.Kind != DirectiveKind::Loop &&
         !L.N->D->HasLoop && isOfGang(V.Name)))
      continue;
    if (V.ReducedOnly && V.LiveAfter) {
      if (P.Options.ImplicitReductions && !StringRef(V.Name).contains(':')) {
        addReduction(*L.N->D, {V.Name, V.ReductionOperator}, P.PP);
        P.remark(*L.N, "adds reduction(" + V.ReductionOperator + ": " + V.Name +
                           ") for line " + std::to_string(V.WriteLine));
        continue;
      }
      P.warning(
          Loc,
          "what line %0 combines in '%1' is lost: without a clause iterations "
          "have copies of it; add 'reduction(%2:%1)' to this directive")
          << V.WriteLine << V.Name << V.ReductionOperator;
      Told.insert(V.Name);
    } else if (V.ReadFirst && V.SurelyWritten && !V.ReducedOnly) {
      P.warning(Loc, "line %0 assigns '%1', which a later iteration may read: "
                     "they run at the same time, with copies of it; assign it "
                     "first in each iteration, or say 'seq'")
          << V.WriteLine << V.Name;
      Told.insert(V.Name);
    }
  }
  findShared(L, Told);
  for (const auto &I : L.Inner)
    findLost(*I, Told);
}

/// Whether a data clause of the construct, or of one around it, is about
/// \p Name.
bool ComputePlanner::isShared(const std::string &Name) const {
  const auto IsData = [](ClauseKind K) {
    return K != ClauseKind::Private && K != ClauseKind::FirstPrivate &&
           K != ClauseKind::Reduction && K != ClauseKind::DevicePtr;
  };
  for (const ListItem &I : itemsOf(D))
    if (row(I.clause().Kind).Form == ArgumentForm::Variables &&
        I.name() == Name && I.item().Sections.empty())
      return IsData(I.clause().Kind);
  const auto Around = Visible.find(Name);
  return Around != Visible.end() && IsData(Around->second.Kind);
}

/// Scalars that a data clause makes one for all iterations, and that these
/// assign at the same time.
void ComputePlanner::findShared(const LoopLevels &L,
                                std::set<std::string> &Told) {
  if (L.Levels == NoLevel || L.N->LoopHeader.empty() ||
      L.N->D->has(ClauseKind::Auto) ||
      (Kernels && !L.N->D->has(ClauseKind::Independent)))
    return;
  std::set<std::string> Own = loopVariables(*L.N);
  for (const LoopLevels *O = &L; O; O = O->Outer)
    addListed(*O->N->D, Own);
  // Counters are private, whatever a data clause around says.
  std::set<std::string> Counters;
  const auto AddCounters = [&](const auto &Self, const LoopLevels &O) -> void {
    Counters.merge(loopVariables(*O.N));
    for (const auto &I : O.Inner)
      Self(Self, *I);
  };
  AddCounters(AddCounters, L);
  if (L.N->D != &D)
    for (const ListItem &I : itemsOf(D))
      if (row(I.clause().Kind).Form == ArgumentForm::Variables)
        Own.erase(I.name().str());
  for (const Variable &V : P.F.statement(L.N->D->Ordinal).Outer) {
    if (V.Class != TypeClass::Scalar || V.IsReference || !V.SurelyWritten ||
        V.WrittenAtomically || Told.count(V.Name) || isReduced(L, V.Name) ||
        !isShared(V.Name) || Counters.count(V.Name) ||
        (L.N->D != &D && Own.count(V.Name)))
      continue;
    if (V.ReducedOnly && V.Updated)
      P.warning(L.N->D->Loc,
                "iterations combine values in '%1' (line %0) at the same time, "
                "and a data clause makes it one for all of them; add "
                "'reduction(%2:%1)' to this directive")
          << V.WriteLine << V.Name << V.ReductionOperator;
    else if (V.Updated)
      P.warning(L.N->D->Loc,
                "iterations read and assign '%1' (line %0) at the same time, "
                "and a data clause makes it one for all of them; put '#pragma "
                "acc atomic capture' in front of that line")
          << V.WriteLine << V.Name;
    else if (V.WrittenFirst && V.Read)
      P.warning(L.N->D->Loc, "iterations assign '%1' (line %0) and use the "
                             "value, but a data clause makes it one for all of "
                             "them; add 'private(%1)' to this directive")
          << V.WriteLine << V.Name;
    else
      continue;
    Told.insert(V.Name);
  }
}

/// Of the construct.
void ComputePlanner::findLostValues() {
  if (!S.Known && D.Kind != DirectiveKind::Loop)
    return;
  std::set<std::string> Told;
  for (const auto &L : Nest.Roots)
    findLost(*L, Told);
  if (P.Options.ImplicitReductions)
    findReductions(Nest.Roots);
  if (Kernels || D.Kind == DirectiveKind::Loop)
    return;
  std::set<std::string> Running;
  for (const auto &L : Nest.Roots)
    Running.merge(loopVariables(*L->N));
  const Node &At = Fused ? *Fused->N : N;
  std::set<std::string> Listed;
  addListed(D, Listed);
  for (const auto &L : Nest.Roots)
    addListed(*L->N->D, Listed);
  for (const Variable &V : S.Outer) {
    if (!V.LiveAfter || !V.SurelyWritten || V.Class != TypeClass::Scalar ||
        Told.count(V.Name) || Running.count(V.Name) || Listed.count(V.Name) ||
        V.IsReference)
      continue;
    const bool Atomic = V.Written && V.WrittenAtomically && !V.IsGlobal &&
                        !Visible.count(V.Name) && !Reductions.count(V.Name);
    // Whether someone reads a global variable later is not known.
    if (!Atomic && (V.IsGlobal || sharing(V, At, Fused) == Sharing::Left))
      continue;
    if (Atomic || D.Kind == DirectiveKind::Serial)
      P.warning(D.Loc, "the value that line %0 gives '%1' is lost behind the "
                       "construct, which has a copy of it; add 'copy(%1)'")
          << V.WriteLine << V.Name;
    else
      P.warning(D.Loc, "the value that line %0 gives '%1' is lost behind the "
                       "construct, where each gang has a copy of it; if it is "
                       "not needed there say 'private(%1)'")
          << V.WriteLine << V.Name;
  }
}

} // namespace accx::frontend
