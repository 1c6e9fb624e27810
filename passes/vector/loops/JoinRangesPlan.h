//===- JoinRangesPlan.h - Which ranges follow each other --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of JoinRanges.h.
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

/// All ranges as one. Types are those that \p Outer and \p Inner count in;
/// what is computed of them ahead of the loops is so in 128 bits.
struct JoinedRanges {
  /// A value of the body: \p First, and \p Step more in each iteration.
  struct Line {
    const llvm::SCEV *First, *Step;
  };

  /// Of the outer loop, extended as a signed number or not.
  struct Counter {
    const llvm::SCEVAddRecExpr *Rec;
    bool IsSigned;
    bool operator==(const Counter &) const = default;
  };

  llvm::Loop *Outer = nullptr, *Inner = nullptr;
  /// How often the outer loop goes on.
  const llvm::SCEV *Last = nullptr;
  /// Iterations of a range, \p Each of them or, where \p Begin is known, up to
  /// where the next one begins.
  const llvm::SCEV *Each = nullptr;
  /// Where the first range begins and ends, and where all end at the latest.
  /// The last may be missing.
  const llvm::SCEV *Begin = nullptr, *End = nullptr, *Limit = nullptr;
  bool IsSigned = true;
  /// Whether a range of no iterations is passed by.
  bool IsGuarded = false;
  /// All ranges are passed by unless this is \p RunsIf. May be missing.
  llvm::Value *Condition = nullptr;
  bool RunsIf = true;
  /// What must not wrap from range to range.
  llvm::SmallVector<Counter, 4> Narrow;
  /// What has to be run, and what it uses of counters.
  llvm::SmallPtrSet<const llvm::Instruction *, 32> Needed;
  llvm::MapVector<llvm::Value *, Line> Values;
  /// No such loops: no word about them.
  bool IsNone = true;
};

/// Fills the plan, or returns why it is impossible.
llvm::StringRef planJoin(llvm::Loop &L, const llvm::LoopInfo &LI,
                         const llvm::DominatorTree &DT,
                         llvm::ScalarEvolution &SE, JoinedRanges &Plan);

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_JOINRANGESPLAN_H
