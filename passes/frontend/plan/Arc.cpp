//===- Arc.cpp - OpenARC's nests as blocks --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the gang and worker loops, the barriers and the variables of a
// construct for BlockPlanner.h, and chooses the block.
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/BlockPlanner.h"
#include "markers/Markers.h"

#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace accx::frontend {

static bool isSequential(const Directive &D) {
  return D.has(ClauseKind::Seq) || D.has(ClauseKind::Auto);
}

bool ComputePlanner::planBlocks() {
  const Node *Only = onlyLoop();
  return Only && BlockPlanner(*this, *Only).plan();
}

void Planner::planBarrier(const Node &N) {
  if (N.D->Kind == DirectiveKind::OpenArc)
    error(N.D->Loc,
          "'openarc cuda' must stand between a gang loop's directive and the "
          "loop, or in the loop's body; the loop must be all of its construct");
  else
    error(N.D->Loc, "'barrier' must stand in a worker or vector loop of a gang "
                    "loop, or in the body of the gang loop itself; the gang "
                    "loop must be all of its construct");
}

bool BlockPlanner::refuse(SourceLocation Loc, const std::string &Text) {
  P.error(Loc, "%0") << Text;
  return false;
}

std::string BlockPlanner::Workers::count() const {
  std::string Text;
  for (const LoopDim &D : Dims)
    Text += (Text.empty() ? "" : " * ") + D.count();
  return "(" + Text + ")";
}

bool BlockPlanner::Workers::isLiteral() const {
  return llvm::all_of(Dims, [](const LoopDim &D) { return D.IsLiteral; });
}

bool BlockPlanner::plan() {
  Inside = P.T.inside(N);
  for (const Node *At : Inside)
    HasArc |= At->D->Kind == DirectiveKind::Barrier ||
              At->D->Kind == DirectiveKind::OpenArc;
  const unsigned Levels = writtenLevels(*Loop.D);
  if (isSequential(*Loop.D) || (Levels && !(Levels & GangLevel)) ||
      N.D->Kind == DirectiveKind::Serial)
    return false;
  if (!findLoops())
    return HasArc; // and reported

  // The standard's levels, one inside the other, are others' to plan.
  const auto IsSame = [](llvm::ArrayRef<const Node *> Loops) {
    for (size_t I = 1; I < Loops.size(); ++I)
      if (const unsigned Level = writtenLevels(*Loops[I]->D);
          Level && Level == writtenLevels(*Loops[I - 1]->D))
        return true;
    return false;
  };
  bool IsNested = IsSame(GangLoops);
  for (const Workers &W : Nests)
    IsNested |= IsSame(W.Loops);
  if (!HasArc && !IsNested)
    return false;

  C.findNames();
  C.Kernels = false;
  C.Teams = true;
  C.checkDefaultNone();
  readMemoryClauses();
  if (!sortBarriers())
    return true;
  findTeam();
  chooseBlock();
  Parts = {Body};
  if (!Cuts.empty() && !split())
    return true;
  for (Span Part : Parts)
    if (!planGangCode(Part))
      return true;
  planKernels();
  for (const Workers &W : Nests)
    planWorkers(W);
  for (const Node *At : Inside)
    if (!At->isLoop() && At->D->Kind != DirectiveKind::Barrier &&
        At->D->Kind != DirectiveKind::OpenArc)
      P.visit(*At);
  return true;
}

/// The dimensions of \p L, which may collapse several loops.
bool BlockPlanner::addDims(const Node &L, std::vector<LoopDim> &Dims,
                           Span &Body) {
  for (const auto &For : C.associatedLoops(L)) {
    std::optional<LoopDim> D = LoopDim::parse(T, For.Header, P.PP);
    if (!D)
      return false;
    for (const LoopDim &Outer : Dims)
      if (D->mentions(Outer.Name))
        return false;
    D->N = &L;
    Dims.push_back(*D);
    Body = For.Body;
  }
  return !Dims.empty();
}

/// The loop that is all there is in \p Body.
const Node *BlockPlanner::tightInner(Span Body) const {
  size_t I = Body.Begin, End = Body.End;
  while (I < End && T[I].is(tok::l_brace) && skipBrackets(T, I) == End) {
    ++I;
    --End;
  }
  for (const Node *At : Inside)
    if (At->At == I && At->D->Kind == DirectiveKind::OpenArc)
      ++I;
  for (const Node *At : Inside)
    if (At->At == I && At->isLoop() && At->Statement.End == End &&
        !isSequential(*At->D))
      return At;
  return nullptr;
}

/// Whether the nest is of a form that blocks can be made of.
bool BlockPlanner::findLoops() {
  const auto IsOdd = [&](const Node &L) {
    return L.D->has(ClauseKind::Reduction) || L.D->has(ClauseKind::Tile);
  };
  const auto Odd = [&](const Node &L) {
    if (HasArc)
      refuse(
          L.D->Loc,
          "a loop around barriers or with OpenARC's memory clauses must have "
          "the form 'for (i = low; i < high; i += step)', bounds that do not "
          "depend on outer loops around it, and neither reduction nor tile");
    return HasArc;
  };
  const Node *L = &Loop;
  while (L) {
    if (IsOdd(*L) || IsOdd(N) || !addDims(*L, Gangs, Body)) {
      if (Odd(*L))
        P.Result.Rewrites[&N] = Rewrite();
      return false;
    }
    GangLoops.push_back(L);
    if (writtenLevels(*L->D) & ThreadLevels)
      break;
    const Node *Inner = tightInner(Body);
    L = Inner && writtenLevels(*Inner->D) == GangLevel ? Inner : nullptr;
  }
  if (!(writtenLevels(*GangLoops.back()->D) & ThreadLevels))
    for (const Node *At : Inside)
      if (At->isLoop() && !isSequential(*At->D) && At->At >= Body.Begin &&
          At->At < Body.End && !workersAround(*At))
        findWorkers(*At);
  for (const Workers &W : Nests)
    if (W.Dims.empty() ||
        llvm::any_of(W.Loops, [&](const Node *L) { return IsOdd(*L); })) {
      if (Odd(*W.N))
        P.Result.Rewrites[&N] = Rewrite();
      return false;
    }
  return true;
}

/// The nest that begins with \p L.
void BlockPlanner::findWorkers(const Node &L) {
  Workers W;
  W.N = &L;
  const Node *At = &L;
  unsigned Level = writtenLevels(*L.D);
  while (At) {
    if ((writtenLevels(*At->D) & GangLevel) || !addDims(*At, W.Dims, W.Body)) {
      W.Dims.clear();
      break;
    }
    W.Loops.push_back(At);
    const Node *Inner = tightInner(W.Body);
    const unsigned Next = Inner ? writtenLevels(*Inner->D) : NoLevel;
    // A vector loop in a worker loop takes part, a worker loop in a vector
    // loop does not.
    if (!Next || (Next & GangLevel) ||
        (Level == VectorLevel && Next != VectorLevel))
      break;
    Level = Next;
    At = Inner;
  }
  Nests.push_back(std::move(W));
}

BlockPlanner::Workers *BlockPlanner::workersAround(const Node &At) {
  for (Workers &W : Nests)
    if (W.N->At <= At.At && At.At < W.N->Statement.End)
      return &W;
  return nullptr;
}

bool BlockPlanner::sortBarriers() {
  for (const Node *At : Inside) {
    if (At->D->Kind != DirectiveKind::Barrier)
      continue;
    const Node *Around = At->Parent;
    while (Around && !(Around->isLoop() && !isSequential(*Around->D)))
      Around = Around->Parent;
    Workers *W = workersAround(*At);
    if (!W || At->D->has(ClauseKind::Gang)) {
      if (W || !llvm::is_contained(GangLoops, Around))
        return refuse(At->D->Loc,
                      "a barrier of all gangs splits the kernel, and must "
                      "stand in the body of the gang loop itself, outside of "
                      "worker loops and conditions");
      Cuts.push_back(At);
      continue;
    }
    if (!llvm::is_contained(W->Loops, Around))
      return refuse(At->D->Loc,
                    "'barrier' stands in a loop that is not tightly nested in "
                    "the worker loop around it; mark that loop 'seq', or move "
                    "the barrier into the worker loop");
    W->Barriers.push_back(At);
    Rewrite R;
    const std::string Call = marker(markers::SmcBarrier, "");
    R.Before.add(Call.empty() ? ";" : Call, At->D->Loc);
    P.Result.Rewrites[At] = std::move(R);
  }
  return true;
}

void BlockPlanner::readMemoryClauses() {
  for (const Node *At : Inside) {
    if (At->D->Kind != DirectiveKind::OpenArc)
      continue;
    for (const Clause &Of : At->D->Clauses)
      for (TokenRange V : Of.Values) {
        const std::string Name = spell(P.PP, V);
        switch (Of.Kind) {
        case ClauseKind::SharedRO:
        case ClauseKind::SharedRW:
          Shared[Name] = &Of;
          break;
        case ClauseKind::RegisterRO:
        case ClauseKind::RegisterRW:
        case ClauseKind::NoShared:
          Own[Name] = &Of;
          break;
        default:
          break;
        }
        if (C.S.find(Name) && Shared.count(Name))
          P.remark(*At, "'" + Name +
                            "' is not the gang's own and stays in global "
                            "memory: declare a tile in the gang loop's body");
      }
  }
}

/// Variables of the gang's body that its workers share.
void BlockPlanner::findTeam() {
  std::set<std::string> Private;
  for (const Node *L : GangLoops)
    Private.merge(namesIn(*L->D, {ClauseKind::Private}));
  for (const Workers &W : Nests) {
    std::set<std::string> Running;
    for (const LoopDim &D : W.Dims)
      Running.insert(D.Name);
    for (const Variable &V : P.F.statement(W.N->D->Ordinal).Outer) {
      const bool IsOuter = C.S.find(V.Name) && !Private.count(V.Name);
      bool IsGangIndex = false;
      for (const LoopDim &D : Gangs)
        IsGangIndex |= D.Name == V.Name;
      if (IsOuter || IsGangIndex || V.IsGlobal || Running.count(V.Name) ||
          Own.count(V.Name))
        continue;
      if (V.HasVariableLength) {
        refuse(W.N->D->Loc, "'" + V.Name +
                                "' is shared by the workers of a gang; give it "
                                "a constant length");
        continue;
      }
      if (V.Class == TypeClass::Array || Shared.count(V.Name) ||
          (V.Written && !V.WrittenFirst))
        Team.insert(V.Name);
    }
  }
}

/// What clauses say, else as many as the nests with barriers have, else the
/// most that some nest has.
void BlockPlanner::chooseBlock() {
  const Clause *Workers = N.D->find(ClauseKind::NumWorkers);
  const Clause *Length = N.D->find(ClauseKind::VectorLength);
  const auto Add = [&](const std::string &Count) {
    if (Block.empty())
      Block = Count;
    else if (Block.find(Count) == std::string::npos)
      Block = "(" + Count + " > " + Block + " ? " + Count + " : " + Block + ")";
  };
  for (const Clause *Of : {Workers, Length})
    if (Of && !Of->Values.empty())
      Block += (Block.empty() ? "(" : " * (") +
               spell(P.PP, Of->Values.front()) + ")";
  if (Workers && Length)
    Block = "(" + Block + ")";
  if (Block.empty())
    for (const auto &W : Nests)
      if (!W.Barriers.empty())
        Add(W.count());
  if (Block.empty() &&
      llvm::all_of(Nests, [](const auto &W) { return W.isLiteral(); }))
    for (const auto &W : Nests)
      Add(W.count());
  if (Block.empty())
    Block = "256";
  IsBlock = !Team.empty() || Nests.size() > 1;
  for (const auto &W : Nests)
    IsBlock |= !W.Barriers.empty() || W.N->Parent != GangLoops.back();
}

} // namespace accx::frontend
