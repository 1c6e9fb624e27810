//===- Levels.h - Gangs, workers and vectors of a loop nest -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each loop of a compute construct or routine its levels of parallelism
// and the OpenMP worksharing that stands for them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_LEVELS_H
#define ACCX_FRONTEND_PLAN_LEVELS_H

#include "frontend/facts/Facts.h"
#include "frontend/parse/Tree.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace accx::frontend {

/// A set of levels, outermost lowest.
enum LevelSet : unsigned {
  NoLevel = 0,
  GangLevel = 1,
  WorkerLevel = 2,
  VectorLevel = 4,
  ThreadLevels = WorkerLevel | VectorLevel,
  AllLevels = 7
};

/// Those that \p D's clauses name.
unsigned writtenLevels(const Directive &D);

/// What a loop becomes.
enum class Form : uint8_t {
  Sequential,
  Distribute,
  DistributeParallelFor,
  ParallelFor,
  Simd
};

/// As OpenMP spells it; empty for Sequential.
llvm::StringRef spelling(Form F);

struct LoopLevels {
  const Node *N = nullptr;
  LoopLevels *Outer = nullptr;
  unsigned Levels = NoLevel;
  Form Becomes = Form::Sequential;
  /// Why a loop that is not marked `seq` stays sequential.
  std::string WhySequential;
  std::vector<std::unique_ptr<LoopLevels>> Inner;

  bool parallel() const { return Becomes != Form::Sequential; }
};

/// The loops of one construct.
struct LoopNest {
  std::vector<std::unique_ptr<LoopLevels>> Roots;

  /// All levels that some loop uses.
  unsigned levels() const;
};

/// Where the loops stand.
struct NestContext {
  /// Levels that are there to be used: none in `serial`, all in `parallel`,
  /// from its own level down in a routine.
  unsigned Available = AllLevels;
  bool InRoutine = false;
  /// Loops are only parallel if marked or proven independent (kernels).
  bool NeedsProof = false;
  /// The OpenMP region around is `teams`: gangs can be distributed.
  bool InTeams = true;
  /// Loops run in parallel where these ranges have been compared.
  const RangeCheck *Checked = nullptr;
  /// Why a loop that is proven independent has to run in order all the same.
  std::function<std::string(const Node &)> WhyInOrder;
};

/// Loops directly inside \p Parent, or the construct itself if it is combined.
/// Reports levels that are nested the wrong way round.
/// Forms are for the context's InTeams; giveForms() gives others.
LoopNest assignLevels(llvm::ArrayRef<Node *> Children, const NestContext &C,
                      const Facts &F, clang::DiagnosticsEngine &Diags);

void giveForms(LoopNest &Nest, bool InTeams);
/// Of \p L and all in it; vector loops may stay simd ones.
void makeSequential(LoopLevels &L, bool KeepLanes);
/// Gives distributed loops all threads and makes the loops inside sequential:
/// where parallel regions inside a team's loop are slow or not possible.
/// \p KeepLanes: innermost vector loops become simd ones, for passes that
/// spread them over lanes; elsewhere Clang warns of each that it does not
/// vectorize.
void flatten(LoopNest &Nest, bool KeepLanes);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_LEVELS_H
