//===- Compute.h - Planning one compute construct ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which OpenMP regions a compute construct and its loops become, and what each
// of them does with every variable.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_COMPUTE_H
#define ACCX_FRONTEND_PLAN_COMPUTE_H

#include "frontend/plan/Planner.h"

namespace accx::frontend {

/// A reduction that reaches the host's variable.
struct ConstructReduction {
  std::string Operator;
  TokenRange Item;
  clang::SourceLocation Loc;
};

/// Plans a compute construct with the loops in it, or the loops of a routine.
class ComputePlanner {
public:
  ComputePlanner(Planner &P, const Node &N);

  void planConstruct();
  /// \p Available: the levels of the routine around.
  void planOrphans(unsigned Available);

private:
  friend class BlockPlanner;
  enum class Sharing { Left, Private, FirstPrivate, LastPrivate };

  // Compute.cpp: regions.
  const Node *onlyLoop() const;
  void visitInside();
  bool splitKernels();
  void planKernelsLoop(const Node &Construct);
  const RangeCheck *rangeCheck(const Node *Loop) const;
  void addRangeCheck(Rewrite &R);
  void flattenIfNeeded();
  void planRegion(Rewrite &R);
  void addCondition(OmpDirective &Target);
  void planLoops(const std::vector<std::unique_ptr<LoopLevels>> &Loops);
  void checkDepth(const Directive &Loop);
  void addLoopClauses(const LoopLevels &L, std::vector<OmpDirective> &Out);
  void addOwnPrivates(const LoopLevels &L, Rewrite &R);
  void addOwnCounters(const LoopLevels &L, Rewrite &R);
  void addLanes(const LoopLevels &L, Rewrite &R);
  bool countsGangs() const;
  void addGeometry(OmpDirective &D);
  void describe(const Rewrite &R);

  // Lost.cpp: values that are lost in copies.
  std::string whyInOrder(const Node &Loop, bool Alone) const;
  bool isOfGang(const std::string &Name) const;
  bool isKeptByGang(const LoopLevels &L, const Variable &V) const;
  void keepOfGangs(const std::vector<std::unique_ptr<LoopLevels>> &Loops);
  void findLost(const LoopLevels &L, std::set<std::string> &Told);
  bool isShared(const std::string &Name) const;
  void findShared(const LoopLevels &L, std::set<std::string> &Told);
  void findLostValues();

  // Tight.cpp: levels that become one loop.
  bool hasPlainBounds(const Node &Loop) const;
  unsigned tightDepth(const LoopLevels &L) const;
  void mergeTightLoops();

  // Arc.cpp: blocks, barriers, kernels that are split.
  bool planBlocks();

  // PrivateArrays.cpp
  bool isPrivateArray(const ListItem &I) const;
  void addFirstPrivateData(OmpDirective &Target);
  Phrase declarePrivateArray(const ListItem &I) const;
  Phrases privateArrays(const Directive &From) const;
  void insertPrivateArrays(const Node &Loop);

  // Sharing.cpp: variables.
  void findNames();
  void findReductions(const std::vector<std::unique_ptr<LoopLevels>> &Loops);
  bool reducedAcross(const LoopLevels &L, llvm::StringRef Name) const;
  void addUserPrivates(const Directive &From, OmpDirective &Out);
  void addReductions(const LoopLevels &L, OmpDirective &Out);
  void addConstructReductions(bool Teams, OmpDirective &Out);
  void addPrivates(const Node &At, const LoopLevels *L, OmpDirective &Out);
  bool laneSafe(const LoopLevels &L) const;
  Sharing sharing(const Variable &V, const Node &At, const LoopLevels *L) const;
  void addKernelsScalars(OmpDirective &Out);
  void addImplicitData(OmpDirective &Out);
  void checkDefaultNone();
  struct ForSpans {
    Span Header;
    Span Body;
  };
  std::vector<ForSpans> associatedLoops(const Node &Loop) const;
  std::set<std::string> loopVariables(const Node &Loop) const;
  /// Names with a clause on \p D that says how they are shared.
  static void addListed(const Directive &D, std::set<std::string> &Names);

  Planner &P;
  const Node &N;
  const Directive &D;
  const StatementFacts &S;
  LoopNest Nest;
  /// The loop that is part of the construct's own OpenMP directive.
  const LoopLevels *Fused = nullptr;
  /// Loops that run together with those inside: how many in all.
  std::map<const Node *, unsigned> Merged;
  bool Teams = false;
  bool Kernels = false;
  /// Some gang loop leaves threads to the loops inside it.
  bool Distributes = false;
  /// Names that the construct's data clauses hold, and those visible around.
  std::set<std::string> Explicit;
  std::map<std::string, VisibleData> Visible;
  std::map<std::string, ConstructReduction> Reductions;
  /// Scalars whose value is the device's by now: of a loop of a kernels
  /// construct, those that the construct's statements write.
  std::set<std::string> OnDevice;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_COMPUTE_H
