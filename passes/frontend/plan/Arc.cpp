//===- Arc.cpp - OpenARC's nests as blocks --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BlockPlanner.h. Gang loops become one loop, the worker loops of a gang
// become places in a block:
//
//     for (gang = 0; gang < gangs; ++gang)
//       for (item = 0; item < block; ++item) {
//         int by = ..gang.., bx = ..gang..;
//         ...
//         { int ty = ..item.., tx = ..item..; do body while (0); } barrier
//       }
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/BlockPlanner.h"
#include "frontend/plan/GangTokens.h"
#include "markers/Markers.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace accx::frontend {

static constexpr char MaxBlock[] = "1024";

static unsigned levelsOf(const Directive &D) {
  return (D.has(ClauseKind::Gang) ? GangLevel : 0) |
         (D.has(ClauseKind::Worker) ? WorkerLevel : 0) |
         (D.has(ClauseKind::Vector) ? VectorLevel : 0);
}

static bool isSequential(const Directive &D) {
  return D.has(ClauseKind::Seq) || D.has(ClauseKind::Auto);
}

bool ComputePlanner::planBlocks() {
  const Node *Only = onlyLoop();
  return Only && BlockPlanner(*this, *Only).plan();
}

void Planner::planBarrier(const Node &N) {
  if (N.D->Kind == DirectiveKind::OpenArc)
    report(N.D->Loc, DiagnosticsEngine::Error,
           "'openarc cuda' must stand between a gang loop's directive and the "
           "loop, or in the loop's body; the loop must be all of its "
           "construct");
  else
    report(N.D->Loc, DiagnosticsEngine::Error,
           "'barrier' must stand in a worker or vector loop of a gang loop, or "
           "in the body of the gang loop itself; the gang loop must be all of "
           "its construct");
}

bool BlockPlanner::refuse(SourceLocation Loc, const std::string &Text) {
  P.report(Loc, DiagnosticsEngine::Error, "%0") << Text;
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
  std::vector<const Node *> Work(N.Children.begin(), N.Children.end());
  while (!Work.empty()) {
    const Node *At = Work.back();
    Work.pop_back();
    Inside.push_back(At);
    HasArc |= At->D->Kind == DirectiveKind::Barrier ||
              At->D->Kind == DirectiveKind::OpenArc;
    Work.insert(Work.end(), At->Children.begin(), At->Children.end());
  }
  llvm::sort(Inside, [](auto *A, auto *B) { return A->At < B->At; });
  const unsigned Levels = levelsOf(*Loop.D);
  if (isSequential(*Loop.D) || (Levels && !(Levels & GangLevel)) ||
      N.D->Kind == DirectiveKind::Serial)
    return false;
  if (!findLoops())
    return HasArc; // and reported

  // The standard's levels, one inside the other, are others' to plan.
  const auto IsSame = [](llvm::ArrayRef<const Node *> Loops) {
    for (size_t I = 1; I < Loops.size(); ++I)
      if (const unsigned Level = levelsOf(*Loops[I]->D);
          Level && Level == levelsOf(*Loops[I - 1]->D))
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
      refuse(L.D->Loc,
             "a loop around barriers or with OpenARC's memory clauses must "
             "have the form 'for (i = low; i < high; i += step)', bounds that "
             "do not depend on outer loops around it, and neither reduction "
             "nor tile");
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
    if (levelsOf(*L->D) & ThreadLevels)
      break;
    const Node *Inner = tightInner(Body);
    L = Inner && levelsOf(*Inner->D) == GangLevel ? Inner : nullptr;
  }
  if (!(levelsOf(*GangLoops.back()->D) & ThreadLevels))
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
  unsigned Level = levelsOf(*L.D);
  while (At) {
    if ((levelsOf(*At->D) & GangLevel) || !addDims(*At, W.Dims, W.Body)) {
      W.Dims.clear();
      break;
    }
    W.Loops.push_back(At);
    const Node *Inner = tightInner(W.Body);
    const unsigned Next = Inner ? levelsOf(*Inner->D) : NoLevel;
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
    R.Before.push_back(phrase(Call.empty() ? ";" : Call, {}, "", At->D->Loc));
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
        if (C.S.find(Name) && Shared.count(Name) && P.Remarks)
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
    for (const Clause &Of : L->D->Clauses)
      if (Of.Kind == ClauseKind::Private)
        for (const Item &I : Of.Items)
          Private.insert(I.name().str());
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
                                "' is shared by the workers of a gang; give "
                                "it a constant length");
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

/// Workers beside each other, where all loops of several dimensions agree.
std::string BlockPlanner::rowLength() const {
  std::string Length;
  for (const Workers &W : Nests) {
    const std::string Own = W.Dims.back().count();
    if (W.Dims.size() < 2 || !W.isLiteral() ||
        (!Length.empty() && Length != Own))
      return "0";
    Length = Own;
  }
  return Length.empty() ? "0" : Length;
}

/// A call of a marker, in compilations for devices.
std::string BlockPlanner::marker(const char *Name,
                                 const std::string &Arguments) const {
  if (!P.PP.getLangOpts().OpenMPIsTargetDevice)
    return "";
  return std::string(Name) + "(" + Arguments + ");";
}

/// Declares the variables of \p Dims for the place \p Number, the innermost
/// running fastest; calculations are of the type that \p Cast says.
static std::string variablesOf(llvm::ArrayRef<LoopDim> Dims,
                               llvm::ArrayRef<std::string> Counts,
                               StringRef Number, StringRef Cast) {
  std::string All;
  for (unsigned D = 0; D < Dims.size(); ++D) {
    std::string Place = (Cast + Number).str();
    if (D + 1 < Dims.size()) {
      Place += (" / " + Cast + "(").str();
      Place += llvm::join(llvm::reverse(Counts.drop_front(D + 1)), " * ");
      Place += ")";
    }
    if (D > 0)
      Place = ("(" + llvm::Twine(Place) + ") % " + Cast + Counts[D]).str();
    if (Cast.empty())
      Place = ("(" + llvm::Twine(Place) + ")").str();
    else
      Place = ("(long)(" + llvm::Twine(Place) + ")").str();
    All += Dims[D].variable(Place);
  }
  return All;
}

void BlockPlanner::planWorkers(const Workers &W) {
  const SourceLocation Loc = W.N->D->Loc;
  const std::string Count = W.count();
  const bool IsSame = Count == Block || !W.Barriers.empty();
  Rewrite R;
  std::string Before, Index;
  if (!W.Barriers.empty() && Count != Block)
    Before += "_Static_assert(" + Count + " == " + Block +
              ", \"a worker loop with a barrier has another number of "
              "iterations than the gang has workers\");";
  for (const Variable &V : P.F.statement(W.N->D->Ordinal).Outer)
    if (Team.count(V.Name))
      Before += marker(markers::SmcTeam, whereOf(P.PP, Loc, V.Name) +
                                             ", (void *)&(" + V.Name + ")");
  const std::string Barrier = IsBlock ? marker(markers::SmcBarrier, "") : "";
  if (ReadsMemory)
    Before += Barrier;
  llvm::SmallVector<std::string, 4> Counts;
  for (const LoopDim &D : W.Dims)
    Counts.push_back(D.count());
  Index = variablesOf(W.Dims, Counts, IsSame ? "__accx_item" : "__accx_worker",
                      "(unsigned)");
  std::string Head;
  if (IsSame) {
    Before += Index;
    Head = "do";
  } else {
    Head = "for (long __accx_worker = __accx_item; __accx_worker < " + Count +
           "; __accx_worker += " + Block + ")";
    R.Inside.push_back(phrase(Index, {}, "", Loc));
  }
  R.Before.push_back(phrase(Before + ";", {}, "", Loc));
  R.Head.push_back(phrase(Head, {}, "", Loc));
  R.Statement = W.Body;
  // Behind the last loop the gang ends, and the pass sees to the next one.
  const bool IsLast = llvm::any_of(Parts, [&](Span Part) {
    auto [I, End] = withoutBraces(T, Part);
    while (I < End && I < W.N->At)
      I = std::max(I + 1, statementEnd(T, I));
    return I == W.N->At && W.N->Statement.End == End;
  });
  R.After.push_back(phrase(
      (IsSame ? "while (0);" : "") + (IsLast ? "" : Barrier), {}, "", Loc));
  P.Result.Rewrites[W.N] = std::move(R);
}

OmpDirective BlockPlanner::directive() {
  OmpDirective To{"target teams distribute parallel for", {}, N.D->Loc};
  P.addMaps(N, /*Structured=*/true, To.Clauses);
  C.addFirstPrivateData(To);
  C.addImplicitData(To);
  C.addCondition(To);
  C.addUserPrivates(*N.D, To);
  C.addPrivates(N, nullptr, To);
  std::set<std::string> Done;
  ComputePlanner::addListed(*N.D, Done);
  const auto AddOf = [&](const Node &L) {
    if (&L == &N)
      return;
    for (const Clause &Of : L.D->Clauses)
      if (Of.Kind == ClauseKind::Private)
        for (const Item &I : Of.Items) {
          const Variable *V = C.S.find(I.name());
          if (V && Done.insert(V->Name).second &&
              C.sharing(*V, N, nullptr) == ComputePlanner::Sharing::Left)
            To.Clauses.push_back(
                phrase("private(" + V->Name + ")", {}, "", Of.Loc));
        }
  };
  for (const Node *L : GangLoops)
    AddOf(*L);
  for (const Workers &W : Nests)
    for (const Node *L : W.Loops)
      AddOf(*L);
  return To;
}

/// The code in \p Part of the gang's body, for all gangs.
Rewrite::Kernel BlockPlanner::kernel(Span Part) {
  const SourceLocation Loc = N.D->Loc;
  Rewrite::Kernel K;
  K.Directive = directive();
  K.Statement = Part;
  llvm::SmallVector<std::string, 4> Counts;
  for (unsigned D = 0; D < Gangs.size(); ++D)
    Counts.push_back(llvm::formatv("__accx_gangs_{0}_{1}", P.NumExtents, D));
  const std::string Index = variablesOf(Gangs, Counts, "__accx_gang", "");
  const std::string Inner = llvm::join(llvm::reverse(Counts), " * ");
  K.Head.push_back(phrase("for (long __accx_gang = 0; __accx_gang < (" + Inner +
                              "); ++__accx_gang)",
                          {}, "", Loc));
  const bool HasWorkers = hasWorkers(Part.Begin, Part.End);
  std::string Begin = Index;
  if (HasWorkers) {
    K.Directive.Clauses.push_back(phrase("collapse(2)", {}, "", Loc));
    K.Head.push_back(phrase("for (int __accx_item = 0; __accx_item < (int)" +
                                Block + "; ++__accx_item)",
                            {}, "", Loc));
    if (IsBlock) {
      const std::string Where = whereOf(P.PP, Loc, "gang");
      if (!P.PP.getTargetInfo().getTriple().isNVPTX())
        Begin = "__accx_smc_unavailable(" + Where + ");" + Begin;
      Begin += marker(markers::SmcBegin,
                      Where +
                          ", (const void *)0, 18, 1, 1, 1, 1, 0, 1, 0, 1, "
                          "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, (long)" +
                          Block + ", " + rowLength());
      const std::string End = marker(markers::SmcEnd, "");
      if (!End.empty())
        K.InsideEnd.push_back(phrase(End, {}, "", Loc));
    }
  }
  K.Inside.push_back(phrase(Begin, {}, "", Loc));
  return K;
}

void BlockPlanner::planKernels() {
  const SourceLocation Loc = N.D->Loc;
  Rewrite R;
  R.Statement = N.Statement;
  P.addZeroed(N, /*Structured=*/true, R);
  P.planQueue(N, R);
  P.addRows(N, /*Structured=*/true, R);
  P.addOneWay(N, R);
  std::string Before;
  for (unsigned D = 0; D < Gangs.size(); ++D)
    Before += "const long __accx_gangs_" + std::to_string(P.NumExtents) + "_" +
              std::to_string(D) + " = " + Gangs[D].count() + ";";
  if (!Nests.empty())
    Before += "_Static_assert(" + Block + " >= 1 && " + Block +
              " <= " + MaxBlock +
              ", \"a gang needs 1 to 1024 workers, a number that is known\");";
  R.Before.push_back(phrase(Before, {}, "", Loc));
  if (Parts.size() > 1) {
    OmpDirective Data{"target data", {}, Loc};
    P.addMaps(N, /*Structured=*/true, Data.Clauses);
    P.addDataDirective(N, std::move(Data), R);
  }
  for (Span Part : Parts)
    R.Kernels.push_back(kernel(Part));
  ++P.NumExtents;
  P.remark(N, "'" + std::string(row(N.D->Kind).Spelling) +
                  "': " + std::to_string(Gangs.size()) + "-dimensional grid, " +
                  (IsBlock ? "blocks of " + Block + " workers, "
                           : "workers side by side, ") +
                  std::to_string(Parts.size()) +
                  (Parts.size() == 1 ? " kernel" : " kernels"));
  P.Result.Rewrites[&N] = std::move(R);
}

} // namespace accx::frontend
