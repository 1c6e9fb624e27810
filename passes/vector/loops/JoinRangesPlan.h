//===- JoinRangesPlan.h - Which ranges follow each other --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the ranges of an inner loop begin and end, and which values its body
// needs: what JoinRanges.h needs to join them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_JOINRANGESPLAN_H
#define ACCX_VECTOR_LOOPS_JOINRANGESPLAN_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace accx::vector {

/// All ranges as one. Expressions have the types in which \p Outer and \p Inner
/// count; code ahead of the loops extends them to 128 bits.
struct JoinedRanges {
  /// A value of the body: \p First, plus \p Step for each iteration.
  struct Line {
    const llvm::SCEV *First, *Step;
  };

  /// A counter of the outer loop that the program extends, with its sign or
  /// not.
  struct Counter {
    const llvm::SCEVAddRecExpr *Rec;
    bool IsSigned;
    bool operator==(const Counter &) const = default;
  };

  llvm::Loop *Outer = nullptr, *Inner = nullptr;
  /// How often the outer loop repeats.
  const llvm::SCEV *Last = nullptr;
  /// The number of iterations of a range or, if \p Begin is there, the distance
  /// from where one begins to where the next one does.
  const llvm::SCEV *Each = nullptr;
  /// Where the first range begins and ends, and where all end at the latest, if
  /// there is such a limit.
  const llvm::SCEV *Begin = nullptr, *End = nullptr, *Limit = nullptr;
  bool IsSigned = true;
  /// Whether the program skips empty ranges.
  bool IsGuarded = false;
  /// If there: the program skips all ranges unless this is \p RunsIf.
  llvm::Value *Condition = nullptr;
  bool RunsIf = true;
  /// Counters that must not wrap from range to range.
  llvm::SmallVector<Counter, 4> Narrow;
  /// Instructions that the joined loop runs, and the values that it computes
  /// from its own counter for them.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Needed;
  llvm::MapVector<llvm::Value *, Line> Values;
  /// The loops are no ranges: the pass says nothing.
  bool IsNone = true;
};

/// Fills the plan, or returns why the ranges cannot be joined.
llvm::StringRef planJoin(llvm::Loop &L, const llvm::LoopInfo &LI,
                         const llvm::DominatorTree &DT,
                         llvm::ScalarEvolution &SE, JoinedRanges &Plan);

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_JOINRANGESPLAN_H
