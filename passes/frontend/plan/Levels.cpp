//===- Levels.cpp - Gangs, workers and vectors of a loop nest -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels as written are kept. A loop without any takes
//   - outermost: gang, and all lower levels if no loop inside can use them;
//   - innermost: every level that is left;
//   - between: worker, if a loop inside is left for vector.
// Then forms follow from levels and from what encloses the loop:
//
//   gang, threads below            distribute
//   gang, none below               distribute parallel for
//   gang and worker or vector      distribute parallel for
//   worker or vector, no threads   parallel for
//   vector below worker            simd
//
//===----------------------------------------------------------------------===//

#include "frontend/plan/Levels.h"
#include "frontend/parse/Report.h"

#include "clang/Basic/Diagnostic.h"

using namespace clang;

namespace accx::frontend {

llvm::StringRef spelling(Form F) {
  static constexpr llvm::StringRef Names[] = {
      "", "distribute", "distribute parallel for", "parallel for", "simd"};
  return Names[static_cast<unsigned>(F)];
}

unsigned writtenLevels(const Directive &D) {
  return (D.has(ClauseKind::Gang) ? GangLevel : 0) |
         (D.has(ClauseKind::Worker) ? WorkerLevel : 0) |
         (D.has(ClauseKind::Vector) ? VectorLevel : 0);
}

static unsigned
levelsOf(const std::vector<std::unique_ptr<LoopLevels>> &Loops) {
  unsigned All = NoLevel;
  for (const auto &L : Loops)
    All |= L->Levels | levelsOf(L->Inner);
  return All;
}

unsigned LoopNest::levels() const { return levelsOf(Roots); }

/// \p Teams and \p Threads: the OpenMP regions open around the loop.
static void giveForm(LoopLevels &L, bool Teams, bool Threads, bool Lanes) {
  L.Becomes = Form::Sequential;
  const bool ThreadsBelow = levelsOf(L.Inner) & ThreadLevels;
  if ((L.Levels & GangLevel) && Teams && !Threads) {
    const bool Whole = (L.Levels & ThreadLevels) || !ThreadsBelow;
    L.Becomes = Whole ? Form::DistributeParallelFor : Form::Distribute;
    Teams = false;
    Threads |= Whole;
  } else if (L.Levels && !Threads) {
    L.Becomes = Form::ParallelFor;
    Threads = true;
  } else if ((L.Levels & VectorLevel) && !Lanes &&
             levelsOf(L.Inner) == NoLevel) {
    L.Becomes = Form::Simd;
    Lanes = true;
  }
  for (auto &I : L.Inner)
    giveForm(*I, Teams, Threads, Lanes);
}

void giveForms(LoopNest &Nest, bool InTeams) {
  for (auto &L : Nest.Roots)
    giveForm(*L, InTeams, false, false);
}

void makeSequential(LoopLevels &L, bool KeepLanes) {
  const bool Lanes =
      KeepLanes && (L.Levels & VectorLevel) && levelsOf(L.Inner) == NoLevel;
  L.Becomes = Lanes ? Form::Simd : Form::Sequential;
  for (auto &I : L.Inner)
    makeSequential(*I, KeepLanes);
}

static void flatten(LoopLevels &L, bool KeepLanes) {
  const bool Distributed = L.Becomes == Form::Distribute;
  if (Distributed)
    L.Becomes = Form::DistributeParallelFor;
  for (auto &I : L.Inner) {
    if (Distributed)
      makeSequential(*I, KeepLanes);
    else
      flatten(*I, KeepLanes);
  }
}

void flatten(LoopNest &Nest, bool KeepLanes) {
  for (auto &L : Nest.Roots)
    flatten(*L, KeepLanes);
}

namespace {

/// Every level above \p Levels' lowest bit is out of reach below it.
unsigned below(unsigned Levels) {
  if (Levels & VectorLevel)
    return NoLevel;
  if (Levels & WorkerLevel)
    return VectorLevel;
  if (Levels & GangLevel)
    return ThreadLevels;
  return AllLevels;
}

class Assigner {
public:
  Assigner(const NestContext &C, const Facts &F, DiagnosticsEngine &Diags)
      : C(C), F(F), Diags(Diags) {}

  /// Builds the tree of loops, each with whether it may be parallel.
  void collect(llvm::ArrayRef<Node *> Nodes, LoopLevels *Outer,
               std::vector<std::unique_ptr<LoopLevels>> &Into) {
    for (const Node *N : Nodes) {
      if (!N->isLoop()) {
        collect(N->Children, Outer, Into);
        continue;
      }
      auto L = std::make_unique<LoopLevels>();
      L->N = N;
      L->Outer = Outer;
      L->WhySequential = whySequential(*N);
      collect(N->Children, L.get(), L->Inner);
      Into.push_back(std::move(L));
    }
  }

  /// \p Left are the levels that no enclosing loop has taken or passed.
  void assign(LoopLevels &L, unsigned Left) {
    if (mayBeParallel(L)) {
      L.Levels = writtenLevels(*L.N->D);
      if (L.Levels)
        checkWritten(L, Left);
      else
        L.Levels = choose(L, Left);
      // Kernels have no gangs that would do the same: some loop has them.
      if (L.Levels && C.NeedsProof && !L.Outer &&
          !(writtenInside(L) & GangLevel))
        L.Levels |= GangLevel;
    } else if (C.InRoutine && !L.N->D->has(ClauseKind::Seq)) {
      L.Levels = writtenLevels(*L.N->D);
      checkWritten(L, Left);
    }
    const unsigned Rest = L.Levels ? Left & below(L.Levels) : Left;
    for (auto &I : L.Inner)
      assign(*I, Rest);
  }

private:
  bool mayBeParallel(const LoopLevels &L) const {
    return L.WhySequential.empty() && C.Available &&
           !L.N->D->has(ClauseKind::Seq);
  }

  bool isChecked(const StatementFacts &S) const {
    return C.Checked && !S.Ranges.empty() && S.Missing.empty() &&
           llvm::all_of(S.Ranges.Apart, [&](const auto &Pair) {
             return llvm::is_contained(C.Checked->Apart, Pair);
           });
  }

  std::string whySequential(const Node &N) const {
    const Directive &D = *N.D;
    if (D.has(ClauseKind::Seq) || D.has(ClauseKind::Independent) ||
        !(C.NeedsProof || D.has(ClauseKind::Auto)))
      return {};
    const StatementFacts &S = F.statement(D.Ordinal);
    if (S.Known && (S.Independent || isChecked(S)))
      return C.WhyInOrder ? C.WhyInOrder(N) : "";
    return S.Dependence.empty()
               ? "its iterations are not known to be independent"
               : S.Dependence;
  }

  bool anyParallelInside(const LoopLevels &L) const {
    for (const auto &I : L.Inner)
      if (mayBeParallel(*I) || anyParallelInside(*I))
        return true;
    return false;
  }

  unsigned writtenInside(const LoopLevels &L) const {
    unsigned Levels = NoLevel;
    for (const auto &I : L.Inner)
      Levels |= writtenLevels(*I->N->D) | writtenInside(*I);
    return Levels;
  }

  unsigned choose(const LoopLevels &L, unsigned Left) const {
    const unsigned Inside = writtenInside(L);
    if (!anyParallelInside(L)) // innermost
      return Left;
    if ((Left & GangLevel) && !(Inside & GangLevel))
      return GangLevel;
    // A loop between: worker, where vector is left for those inside.
    const bool Between = (Left & ThreadLevels) == ThreadLevels &&
                         !(Left & GangLevel) && !(Inside & WorkerLevel);
    return Between ? WorkerLevel : NoLevel;
  }

  /// Levels that an enclosing loop has used are dropped: with a warning for
  /// the same level twice, an error for a level inside a lower one.
  void checkWritten(LoopLevels &L, unsigned Left) {
    static constexpr struct {
      unsigned Level;
      ClauseKind Clause;
      const char *Name;
    } Rows[] = {{GangLevel, ClauseKind::Gang, "gang"},
                {WorkerLevel, ClauseKind::Worker, "worker"},
                {VectorLevel, ClauseKind::Vector, "vector"}};
    for (const auto &R : Rows) {
      if (!(L.Levels & R.Level) || (Left & R.Level))
        continue;
      L.Levels &= ~R.Level;
      if (C.InRoutine && !(C.Available & R.Level)) {
        report(*L.N, R.Clause, DiagnosticIDs::Error,
               "'%0' loop in a routine of a lower level")
            << R.Name;
        continue;
      }
      const LoopLevels *Same = L.Outer;
      while (Same && !(Same->Levels & R.Level))
        Same = Same->Outer;
      if (Same) {
        report(*L.N, R.Clause, DiagnosticIDs::Warning,
               "'%0' loop inside a '%0' loop runs sequentially; use collapse "
               "for tightly nested loops")
            << R.Name;
        frontend::report(Diags, Same->N->D->Loc, DiagnosticIDs::Note,
                         "enclosing loop is here");
        continue;
      }
      report(*L.N, R.Clause, DiagnosticIDs::Error,
             "'%0' loop inside a loop of a lower level")
          << R.Name;
    }
  }

  DiagnosticBuilder report(const Node &At, ClauseKind K,
                           DiagnosticIDs::Level Level, StringRef Text) {
    return frontend::report(Diags, At.D->find(K)->Loc, Level, Text);
  }

  const NestContext &C;
  const Facts &F;
  DiagnosticsEngine &Diags;
};

} // namespace

LoopNest assignLevels(llvm::ArrayRef<Node *> Nodes, const NestContext &C,
                      const Facts &F, DiagnosticsEngine &Diags) {
  LoopNest Nest;
  Assigner A(C, F, Diags);
  A.collect(Nodes, nullptr, Nest.Roots);
  for (auto &L : Nest.Roots)
    A.assign(*L, C.Available);
  giveForms(Nest, C.InTeams);
  return Nest;
}

} // namespace accx::frontend
