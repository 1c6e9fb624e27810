//===- GridIv.h - Finds grid-stride loops again -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After inlining and simplification a grid-stride loop is an ordinary loop with
// a mark on its latch; this is what later passes need to know of it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_GRIDLOOP_GRIDIV_H
#define ACCX_GRIDLOOP_GRIDIV_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace accx::gridloop {

/// Whether the loop of \p LoopId is marked as one.
bool isGridLoop(const llvm::MDNode &LoopId);

/// The loops that are, outer ones first.
llvm::SmallVector<llvm::Loop *, 2> gridLoopsOf(llvm::LoopInfo &Loops);

/// Whether \p L has divisions by what it does not change: indices of collapsed
/// loops are quotients.
bool divides(const llvm::Loop &L);

/// Threads of the part of a warp that shares \p L; 0 where others do.
unsigned groupOf(const llvm::Loop &L);

/// A test by which a loop goes on while a counter is below a bound.
struct BoundTest {
  llvm::ICmpInst *Compare = nullptr;
  llvm::Value *Bound = nullptr;
  /// Bound is the last iteration, not the one behind.
  bool IsInclusive = false;

  /// The test of \p Counter, with or without a sign, at the end of \p Block;
  /// \p L does not change its bound.
  static std::optional<BoundTest> find(const llvm::Loop &L,
                                       const llvm::BasicBlock &Block,
                                       const llvm::Value &Counter,
                                       bool IsSigned = false);
};

/// In a loop in simplified, rotated form: for each thread Start, Start + Step,
/// ... as long as Next is below Bound. Neither wraps.
struct GridIv {
  llvm::Loop *Nest = nullptr;
  llvm::PHINode *Iv = nullptr;
  llvm::BinaryOperator *Next = nullptr;
  llvm::Value *Start = nullptr;
  llvm::Value *Step = nullptr;
  /// Where it holds, the threads that step by Step share a run of iterations,
  /// whose first one is FirstOfRun; else all of them. Null: it never does.
  llvm::Value *InRuns = nullptr;
  llvm::Value *FirstOfRun = nullptr;
  /// It may, but where it does is not known any more, or threads do not step
  /// past each other at all.
  bool LostRuns = false;
  /// Turns of the loop at most; 0: nobody knows.
  unsigned MostTurns = 0;
  /// Iv < 2^Bits.
  unsigned Bits = 64;
  /// No iteration depends on another one of its thread.
  bool MayInterleave = false;

  /// Uses the counter itself where its low bits are extended again.
  void dropExtensions() const;

  /// Comparisons by which threads without an iteration stay outside, if nothing
  /// but these and Iv uses Start.
  std::optional<llvm::SmallVector<llvm::ICmpInst *, 1>> guards() const;

  /// Computes what other counters of the loop are out of Iv, as far as they
  /// move with the threads of the grid. LLVM makes such ones where an inner
  /// loop ends at a sum of Iv; they start where Start was. False if one is
  /// left: then threads have to start and step as they do.
  bool dropFollowers(llvm::ScalarEvolution &SE) const;

  /// A value that Iv is below in each iteration that starts; null if none is
  /// found.
  llvm::Value *bound() const;

  /// The counter of \p L, if it is a marked loop in that form.
  static std::optional<GridIv> find(llvm::Loop &L);
};

/// Whether \p Kernel asks for numbers of blocks only to compute \p Ends, where
/// its loop starts and how far it steps. Then a launch may have a grid of
/// several dimensions. \p IsNothing: what means nothing at run time.
bool ownsGrid(const llvm::Function &Kernel,
              llvm::ArrayRef<const llvm::Value *> Ends,
              llvm::function_ref<bool(const llvm::Instruction &)> IsNothing);

} // namespace accx::gridloop

#endif // ACCX_GRIDLOOP_GRIDIV_H
