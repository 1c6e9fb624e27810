//===- ArcKernels.cpp - OpenARC's nests, written as kernels ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What BlockPlanner.h has found becomes loops. Gang loops become one loop, the
// worker loops of a gang become places in a block:
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
    R.Inside.add(Index, Loc);
  }
  R.Before.add(Before + ";", Loc);
  R.Head.add(Head, Loc);
  R.Statement = W.Body;
  // Behind the last loop the gang ends, and the pass sees to the next one.
  const bool IsLast = llvm::any_of(Parts, [&](Span Part) {
    auto [I, End] = withoutBraces(T, Part);
    while (I < End && I < W.N->At)
      I = std::max(I + 1, statementEnd(T, I));
    return I == W.N->At && W.N->Statement.End == End;
  });
  R.After.add((IsSame ? "while (0);" : "") + (IsLast ? "" : Barrier), Loc);
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
    for (const ListItem &I : itemsOf(*L.D, {ClauseKind::Private})) {
      const Variable *V = C.S.find(I.name());
      if (V && Done.insert(V->Name).second &&
          C.sharing(*V, N, nullptr) == ComputePlanner::Sharing::Left)
        To.Clauses.add("private(" + V->Name + ")", I.clause().Loc);
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
  K.Head.add("for (long __accx_gang = 0; __accx_gang < (" + Inner +
                 "); ++__accx_gang)",
             Loc);
  const bool HasWorkers = hasWorkers(Part.Begin, Part.End);
  std::string Begin = Index;
  if (HasWorkers) {
    K.Directive.Clauses.add("collapse(2)", Loc);
    K.Head.add("for (int __accx_item = 0; __accx_item < (int)" + Block +
                   "; ++__accx_item)",
               Loc);
    if (IsBlock) {
      const std::string Where = whereOf(P.PP, Loc, "gang");
      if (!P.PP.getTargetInfo().getTriple().isNVPTX())
        Begin = markers::SmcUnavailable + ("(" + Where + ");") + Begin;
      Begin += marker(markers::SmcBegin,
                      Where +
                          ", (const void *)0, 18, 1, 1, 1, 1, 0, 1, 0, 1, 0, "
                          "0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, (long)" +
                          Block + ", " + rowLength());
      const std::string End = marker(markers::SmcEnd, "");
      if (!End.empty())
        K.InsideEnd.add(End, Loc);
    }
  }
  K.Inside.add(Begin, Loc);
  return K;
}

void BlockPlanner::planKernels() {
  const SourceLocation Loc = N.D->Loc;
  Rewrite R;
  R.Statement = N.Statement;
  P.beginData(N, /*Structured=*/true, R);
  std::string Before;
  for (unsigned D = 0; D < Gangs.size(); ++D)
    Before += "const long __accx_gangs_" + std::to_string(P.NumExtents) + "_" +
              std::to_string(D) + " = " + Gangs[D].count() + ";";
  if (!Nests.empty())
    Before += "_Static_assert(" + Block + " >= 1 && " + Block +
              " <= " + MaxBlock +
              ", \"a gang needs 1 to 1024 workers, a number that is known\");";
  R.Before.add(Before, Loc);
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
