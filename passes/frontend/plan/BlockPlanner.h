//===- BlockPlanner.h - Gangs as blocks of workers --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans constructs that use OpenARC's extensions: nested loops of one level,
// `acc barrier`, `openarc cuda`. docs/openarc.md says what becomes of them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_BLOCKPLANNER_H
#define ACCX_FRONTEND_PLAN_BLOCKPLANNER_H

#include "frontend/parse/LoopDim.h"
#include "frontend/plan/Compute.h"

namespace accx::frontend {

class BlockPlanner {
public:
  BlockPlanner(ComputePlanner &C, const Node &Loop)
      : C(C), P(C.P), N(C.N), Loop(Loop), T(P.T.tokens()) {}

  /// Whether the construct is one for blocks, and planned; what is wrong with
  /// it is reported then.
  bool plan();

private:
  /// Tightly nested worker and vector loops: one place in the block each.
  struct Workers {
    const Node *N = nullptr;
    std::vector<LoopDim> Dims;
    std::vector<const Node *> Loops;
    Span Body;
    std::vector<const Node *> Barriers;

    std::string count() const;
    bool isLiteral() const;
  };

  // Arc.cpp: the nest.
  bool findLoops();
  const Node *tightInner(Span Body) const;
  bool addDims(const Node &L, std::vector<LoopDim> &Dims, Span &Body);
  void findWorkers(const Node &L);
  bool sortBarriers();
  Workers *workersAround(const Node &At);
  void readMemoryClauses();
  void findTeam();
  void chooseBlock();
  bool refuse(clang::SourceLocation Loc, const std::string &Text);

  // ArcKernels.cpp: its kernels.
  std::string rowLength() const;
  void planWorkers(const Workers &W);
  void planKernels();
  Rewrite::Kernel kernel(Span Part);
  OmpDirective directive();
  std::string marker(const char *Name, const std::string &Arguments) const;

  // GangCode.cpp: what stands outside of worker loops.
  bool planGangCode(Span Code);
  bool planStatement(size_t I, size_t End);
  bool planPlain(size_t I, size_t End);
  bool hasWorkers(size_t I, size_t End) const;

  // KernelSplit.cpp: barriers of all gangs.
  bool split();
  bool checkExposed(const std::vector<Span> &Parts);

  ComputePlanner &C;
  Planner &P;
  const Node &N;
  /// The outermost gang loop; N itself if the construct is a combined one.
  const Node &Loop;
  const UnitTokens &T;
  std::vector<LoopDim> Gangs;
  std::vector<const Node *> GangLoops;
  /// Of the innermost gang loop.
  Span Body;
  std::vector<Workers> Nests;
  std::vector<const Node *> Inside;
  /// Barriers of all gangs, where the kernel is split.
  std::vector<const Node *> Cuts;
  std::vector<Span> Parts;
  /// As memory clauses have them.
  std::map<std::string, const Clause *> Shared, Own;
  /// What a gang has one of.
  std::set<std::string> Team;
  /// Iterations of a block.
  std::string Block;
  /// Code of the gang reads memory that workers write.
  bool ReadsMemory = false;
  /// Workers do not only run side by side.
  bool IsBlock = false;
  bool HasArc = false;
};

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_BLOCKPLANNER_H
