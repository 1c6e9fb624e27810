//===- Compute.cpp - Regions of a compute construct -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   parallel            target teams
//   kernels             one loop: as parallel. Several statements: a target
//                       data around one target region a loop nest. Else: target
//   serial              target
//
// A construct whose whole statement is one loop becomes one combined OpenMP
// directive with it, which Clang compiles without a state machine.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Compute.h"
#include "markers/Markers.h"

#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend {

void Planner::planOrphan(const Node &N) {
  const std::optional<unsigned> Levels = routineLevels(N);
  // Such a routine without a directive is of level seq.
  const Directive &Loop = *N.D;
  const bool Bad =
      !Levels && (Loop.has(ClauseKind::Gang) || Loop.has(ClauseKind::Worker) ||
                  Loop.has(ClauseKind::Vector) || !isImplicitRoutine(N));
  if (Bad)
    error(Loop.Loc, "this loop is in no compute construct, and its function is "
                    "no routine: write 'parallel loop', or '#pragma acc "
                    "routine' in front of the function");
  ComputePlanner(*this, N).planOrphans(
      Levels.value_or(Bad ? AllLevels : NoLevel));
}

ComputePlanner::ComputePlanner(Planner &P, const Node &N)
    : P(P), N(N), D(*N.D), S(P.F.statement(N.D->Ordinal)),
      Kernels(N.D->Kind == DirectiveKind::Kernels) {}

/// The loop that is all there is in the construct, braces apart.
const Node *ComputePlanner::onlyLoop() const {
  if (D.HasLoop)
    return &N;
  if (N.Children.size() != 1 || !N.Children.front()->isLoop())
    return nullptr;
  if (!privateArrays(D).empty())
    return nullptr; // they stand between the construct and the loop
  const Node *Child = N.Children.front();
  return isWhole(P.T.tokens(), N.Statement, *Child) ? Child : nullptr;
}

void ComputePlanner::planConstruct() {
  const Node *Loop = onlyLoop();
  if (planBlocks())
    return;
  if (Kernels && !Loop && splitKernels())
    return;
  findNames();
  NestContext C;
  C.Available = D.Kind == DirectiveKind::Serial ? NoLevel : AllLevels;
  C.NeedsProof = Kernels;
  C.InTeams = D.Kind == DirectiveKind::Parallel || (Kernels && Loop);
  C.Checked = rangeCheck(Loop);
  if (Kernels)
    C.WhyInOrder = [&](const Node &L) { return whyInOrder(L, &L == Loop); };
  std::vector<Node *> Self = {const_cast<Node *>(&N)};
  Nest = assignLevels(D.HasLoop ? Self : N.Children, C, P.F, P.Diags);
  // A sequential loop of kernels runs once, not once in every gang.
  if (Kernels && C.InTeams && !Nest.Roots.front()->parallel()) {
    C.InTeams = false;
    giveForms(Nest, false);
  }
  // A reduction of a construct without a loop needs a copy of its own.
  const bool OwnCopy = D.Kind == DirectiveKind::Serial && !D.HasLoop &&
                       D.has(ClauseKind::Reduction);
  Teams = OwnCopy || (C.InTeams && (!Loop || Nest.levels() != NoLevel ||
                                    D.has(ClauseKind::NumGangs)));
  if (Loop && Nest.Roots.size() == 1 &&
      (Nest.Roots.front()->parallel() || D.HasLoop))
    Fused = Nest.Roots.front().get();
  flattenIfNeeded();
  findReductions(Nest.Roots);
  findLostValues();
  checkDefaultNone();

  Rewrite R;
  R.Statement = Fused ? Fused->N->Statement : N.Statement;
  P.beginData(N, /*Structured=*/true, R);
  planRegion(R);
  addRangeCheck(R);
  describe(R);
  planLoops(Nest.Roots);
  if (D.HasLoop)
    insertPrivateArrays(N);
  else
    R.Inside = privateArrays(D);
  if (countsGangs() && P.PP.getLangOpts().OpenMPIsTargetDevice)
    R.Inside.insert(R.Inside.begin(),
                    Phrase(std::string(markers::Gangs) + "();", D.Loc));
  P.Result.Rewrites[&N] = std::move(R);
  visitInside();
}

/// Plans what stands inside and is not one of the loops: atomic, and what may
/// not stand there.
void ComputePlanner::visitInside() {
  std::vector<const Node *> Work(N.Children.begin(), N.Children.end());
  while (!Work.empty()) {
    const Node *Inner = Work.back();
    Work.pop_back();
    if (Inner->D->Kind == DirectiveKind::Loop)
      Work.insert(Work.end(), Inner->Children.begin(), Inner->Children.end());
    else
      P.visit(*Inner);
  }
}

void ComputePlanner::planOrphans(unsigned Available) {
  findNames();
  NestContext C;
  C.Available = Available;
  C.InRoutine = true;
  std::vector<Node *> Self = {const_cast<Node *>(&N)};
  Nest = assignLevels(Self, C, P.F, P.Diags);
  findLostValues();
  planLoops(Nest.Roots);
  visitInside();
}

/// On a processor a parallel region for each iteration of a gang loop costs
/// more than it brings: gangs are as many as cores. And Clang 19's code for
/// GPUs loses the length of a variable-length array on the way into such a
/// region: there a gang's iterations are workers, whose vector loops run across
/// lanes.
///
/// Host and device compilations agree on a kernel's arguments all the same:
/// they depend on variables and clauses, which stay as they are.
void ComputePlanner::flattenIfNeeded() {
  if (Teams && P.Options.ForGpu)
    mergeTightLoops();
  for (const auto &L : Nest.Roots)
    Distributes |= L->Becomes == Form::Distribute;
  bool VariableLength = false;
  for (const Variable &V : S.Outer)
    VariableLength |= V.HasVariableLength;
  if (Teams && (!P.Options.ForGpu || VariableLength))
    flatten(Nest, /*KeepLanes=*/P.Options.ForGpu);
  if (Teams)
    keepOfGangs(Nest.Roots);
}

/// `if` runs the construct on the device where it holds, `self` where it does
/// not.
void ComputePlanner::addCondition(OmpDirective &Target) {
  const Clause *If = D.find(ClauseKind::If);
  const Clause *Self = D.find(ClauseKind::Self);
  if (If && If->Values.empty())
    If = nullptr;
  if (!If && !Self)
    return;
  Phrases &Out = Target.Clauses;
  Out.add("if(target: ", If ? If->Loc : Self->Loc);
  if (If)
    Out.add("(", If->Values.front(), ")", If->Loc);
  if (Self) {
    Out.add(If ? " && " : "", Self->Loc);
    Out.push_back(Self->Values.empty()
                      ? Phrase("0", Self->Loc)
                      : Phrase("!(", Self->Values.front(), ")", Self->Loc));
  }
  Out.add(")", D.Loc);
}

/// The OpenMP directives of the construct itself.
void ComputePlanner::planRegion(Rewrite &R) {
  OmpDirective Target{"target", {}, D.Loc};
  if (Teams)
    Target.Name += " teams";
  const Form Combined = Fused ? Fused->Becomes : Form::Sequential;
  const bool One =
      Combined == Form::Distribute || Combined == Form::DistributeParallelFor;
  if (One)
    Target.Name += " " + spelling(Combined).str();

  P.addMaps(N, /*Structured=*/true, Target.Clauses);
  // A section without length maps nothing, but attaches.
  for (const Clause &C : D.Clauses)
    if (C.Kind == ClauseKind::Attach)
      for (const Item &I : C.Items)
        Target.Clauses.add("map(ompx_hold, alloc: ", I.Tokens, "[0:0])", C.Loc);
  addFirstPrivateData(Target);
  addImplicitData(Target);
  addCondition(Target);
  addGeometry(Target);
  addUserPrivates(D, Target);
  addConstructReductions(Teams, Target);
  if (!One) {
    addPrivates(N, nullptr, Target);
    R.Directives.push_back(std::move(Target));
    if (Fused && Fused->parallel()) {
      OmpDirective Loop{spelling(Combined).str(), {}, Fused->N->D->Loc};
      R.Directives.push_back(std::move(Loop));
      addLoopClauses(*Fused, R.Directives);
    }
    return;
  }
  R.Directives.push_back(std::move(Target));
  addLoopClauses(*Fused, R.Directives);
}

/// Clang takes loops with code between them, and runs that code once for each
/// inner iteration.
void ComputePlanner::checkDepth(const Directive &Loop) {
  const StatementFacts &Facts = P.F.statement(Loop.Ordinal);
  const Clause *Collapse = Loop.find(ClauseKind::Collapse);
  const Clause *Tile = Loop.find(ClauseKind::Tile);
  if (!Facts.Known || (Collapse && Collapse->hasModifier("force")))
    return;
  unsigned Wanted = Tile ? Tile->Values.size() : 1;
  if (Collapse && !Collapse->Values.empty() &&
      Collapse->Values.front().size() == 1)
    Wanted = std::max<unsigned>(
        Wanted, std::atoi(P.text(Collapse->Values.front()).c_str()));
  // Depth 0: the loop is of a form that cannot be told here (a template's) or
  // that Clang refuses.
  if (Wanted > 1 && Facts.CanonicalDepth && Facts.CanonicalDepth < Wanted)
    P.error((Tile ? Tile : Collapse)->Loc,
            "'%0' needs %1 tightly nested loops; there %plural{1:is|:are}2 %2")
        << (Tile ? Tile : Collapse)->Spelling << Wanted << Facts.CanonicalDepth;
}

/// Completes the last of \p Out, which is the loop's directive.
void ComputePlanner::addLoopClauses(const LoopLevels &L,
                                    std::vector<OmpDirective> &Out) {
  const Directive &Loop = *L.N->D;
  OmpDirective &To = Out.back();
  if (&Loop != &D)
    addUserPrivates(Loop, To);
  addReductions(L, To);
  addPrivates(*L.N, &L, To);
  if (const Clause *C = Loop.find(ClauseKind::Gang);
      C && StringRef(To.Name).contains("distribute"))
    if (const TokenRange *Chunk = C->keyed("static");
        Chunk && !Chunk->empty() && Chunk->front().isNot(tok::star))
      To.Clauses.add("dist_schedule(static, ", *Chunk, ")", C->Loc);
  const Clause *Collapse = Loop.find(ClauseKind::Collapse);
  const Clause *Tile = Loop.find(ClauseKind::Tile);
  checkDepth(Loop);
  if (Tile && !Tile->Values.empty()) {
    OmpDirective Tiles{"tile", {}, Tile->Loc};
    Tiles.Clauses.add("sizes(", Tile->Loc);
    for (unsigned I = 0; I < Tile->Values.size(); ++I) {
      const TokenRange Size = Tile->Values[I];
      const std::string Separator = I + 1 < Tile->Values.size() ? ", " : ")";
      const bool Any = Size.size() == 1 && Size.front().is(tok::star);
      Tiles.Clauses.add(Any ? "16" : "", Any ? TokenRange() : Size, Separator,
                        Tile->Loc);
    }
    To.Clauses.add("collapse(" + std::to_string(Tile->Values.size()) + ")",
                   Tile->Loc);
    Out.push_back(std::move(Tiles));
  } else if (const auto It = Merged.find(L.N); It != Merged.end()) {
    To.Clauses.add("collapse(" + std::to_string(It->second) + ")", Loop.Loc);
  } else if (Collapse && !Collapse->Values.empty()) {
    // `force` collapses loops with code between them, which OpenMP 5.1 does
    // not: the outer loop alone is right, too.
    const StatementFacts &Facts = P.F.statement(Loop.Ordinal);
    if (Collapse->Modifier != "force" || Facts.CanonicalDepth > 1)
      To.Clauses.add("collapse(", Collapse->Values.front(), ")", Collapse->Loc);
  }
}

/// Whether loops inside \p L become OpenMP regions.
static bool nestsRegions(const LoopLevels &L) {
  for (const auto &I : L.Inner)
    if (I->parallel() || nestsRegions(*I))
      return true;
  return false;
}

/// Private variables of a sequential loop are the thread's own: a simd loop
/// that is never one has them, and means nothing else.
void ComputePlanner::addOwnPrivates(const LoopLevels &L, Rewrite &R) {
  OmpDirective Own{"simd", {}, L.N->D->Loc};
  addUserPrivates(*L.N->D, Own);
  if (Own.Clauses.empty())
    return;
  Own.Clauses.add("if(0)", L.N->D->Loc);
  R.Directives.push_back(std::move(Own));
}

/// The variable of a loop is private to it, also where it runs in order. Where
/// that shows, the loop gets one of the same name.
void ComputePlanner::addOwnCounters(const LoopLevels &L, Rewrite &R) {
  if (L.N->D->Implied)
    return;
  for (const LoopLevels *O = L.Outer; O; O = O->Outer)
    if (Merged.count(O->N))
      return;
  const StatementFacts &Facts = P.F.statement(L.N->D->Ordinal);
  for (const std::string &Name : loopVariables(*L.N)) {
    const Variable *V = Facts.find(Name);
    if (V && V->LiveAfter &&
        (V->Class == TypeClass::Scalar || V->Class == TypeClass::Pointer))
      R.Before.add(llvm::formatv("__typeof__({0}) {0};", Name), L.N->D->Loc);
  }
}

void ComputePlanner::planLoops(
    const std::vector<std::unique_ptr<LoopLevels>> &Loops) {
  for (const auto &L : Loops) {
    if (L->N != &N || D.Kind == DirectiveKind::Loop)
      insertPrivateArrays(*L->N);
    if (L.get() != Fused) {
      Rewrite R;
      R.Statement = L->N->Statement;
      if (L->parallel() && (L->Becomes != Form::Simd || laneSafe(*L))) {
        R.Directives.push_back({spelling(L->Becomes).str(), {}, L->N->D->Loc});
        addLoopClauses(*L, R.Directives);
        if (L->Becomes == Form::Simd)
          addLanes(*L, R);
      } else {
        addOwnCounters(*L, R);
        if (!nestsRegions(*L))
          addOwnPrivates(*L, R);
      }
      if (!L->WhySequential.empty())
        P.remark(*L->N, "loop runs sequentially: " + L->WhySequential);
      P.Result.Rewrites[L->N] = std::move(R);
    }
    planLoops(L->Inner);
  }
}

/// Clang runs a simd loop of device code serially; the marker tells passes that
/// its iterations are lanes.
void ComputePlanner::addLanes(const LoopLevels &L, Rewrite &R) {
  if (!P.PP.getLangOpts().OpenMPIsTargetDevice)
    return;
  const Clause *Length = L.N->D->find(ClauseKind::Vector);
  if (!Length || Length->Values.empty())
    Length = D.find(ClauseKind::VectorLength);
  const std::string Begin = std::string(markers::LanesBegin) + "(";
  R.Before.push_back(
      Length && !Length->Values.empty()
          ? Phrase(Begin, Length->Values.front(), ");", Length->Loc)
          : Phrase(Begin + "0);", L.N->D->Loc));
  R.After.add(std::string(markers::LanesEnd) + "();", L.N->D->Loc);
}

/// Whether each gang runs code outside of loops that run once, for which the
/// program can tell how many there are. GPUs have as many as are asked for.
bool ComputePlanner::countsGangs() const {
  return Teams && !P.Options.ForGpu && !D.HasLoop && !Fused &&
         D.Kind == DirectiveKind::Parallel && D.has(ClauseKind::NumGangs);
}

void ComputePlanner::addGeometry(OmpDirective &To) {
  if (!Teams)
    return;
  // A keyed argument of a loop (kernels) counts where the construct has none.
  auto Find = [&](ClauseKind Own, ClauseKind OfLoop) -> const Clause * {
    if (const Clause *C = D.find(Own))
      return C;
    const Clause *Found = nullptr;
    llvm::SmallVector<const LoopLevels *, 8> Work;
    for (const auto &L : Nest.Roots)
      Work.push_back(L.get());
    while (!Work.empty() && !Found) {
      const LoopLevels *L = Work.back();
      Work.pop_back();
      if (const Clause *C = L->N->D->find(OfLoop); C && !C->Values.empty() &&
                                                   C->Modifier != "static" &&
                                                   C->Modifier != "dim")
        Found = C;
      for (const auto &I : L->Inner)
        Work.push_back(I.get());
    }
    return Found;
  };
  if (const Clause *C = Find(ClauseKind::NumGangs, ClauseKind::Gang)) {
    // As many as the device takes; libomp warns where it cannot.
    To.Clauses.add(countsGangs() ? "num_teams(__accx_counted_gangs("
                                 : "num_teams(__accx_gangs(",
                   C->Loc);
    for (unsigned I = 0; I < C->Values.size(); ++I)
      To.Clauses.add(I ? " * (" : "(", C->Values[I], ")", C->Loc);
    To.Clauses.add("))", C->Loc);
  } else if (!(Nest.levels() & GangLevel)) {
    // Every gang would do the same.
    To.Clauses.add("num_teams(1)", D.Loc);
  } else if (Distributes || !StringRef(To.Name).contains("parallel for")) {
    To.Clauses.add("num_teams(__accx_gangs(0))", D.Loc);
  }
  const Clause *Workers = Find(ClauseKind::NumWorkers, ClauseKind::Worker);
  const Clause *Vector = Find(ClauseKind::VectorLength, ClauseKind::Vector);
  if (!Workers && !Vector)
    return;
  const SourceLocation Loc = Workers ? Workers->Loc : Vector->Loc;
  To.Clauses.add("thread_limit(", Loc);
  if (Workers)
    To.Clauses.add("(", Workers->Values.front(), ")", Loc);
  if (Workers && Vector)
    To.Clauses.add(" * ", Loc);
  if (Vector)
    To.Clauses.add("(", Vector->Values.front(), ")", Loc);
  To.Clauses.add(Workers && !Vector && (Nest.levels() & VectorLevel) ? " * 32)"
                                                                     : ")",
                 Loc);
}

void ComputePlanner::describe(const Rewrite &R) {
  if (!P.Options.Remarks)
    return;
  std::string Text = "'";
  Text += row(D.Kind).Spelling;
  Text += D.HasLoop ? " loop' becomes '" : "' becomes '";
  for (const OmpDirective &Omp : R.Directives)
    Text += (&Omp == &R.Directives.front() ? "" : " / ") + Omp.Name;
  Text += "'";
  for (const OmpDirective &Omp : R.Directives) {
    for (const Phrase &C : Omp.Clauses)
      Text += " " + C.Before + P.text(C.Tokens) + C.After;
  }
  if (Fused && !Fused->WhySequential.empty())
    Text += "; the loop runs sequentially: " + Fused->WhySequential;
  P.remark(N, Text);
}

} // namespace accx::frontend
