//===- ColumnsPlan.h - Which outer loops become lanes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of an outer loop, which elements they reach, and which of them
// must be compared: what Columns.h needs to make lanes of the loop.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_LOOPS_COLUMNSPLAN_H
#define ACCX_VECTOR_LOOPS_COLUMNSPLAN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <utility>

namespace llvm {
class AAResults;
class Instruction;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace accx::vector {

/// The least rank of vector/functions/Variants.h that has masked accesses.
inline constexpr unsigned LeastRank = 2;

/// A load or store, and how its address changes within the outer loop.
struct ColumnAccess {
  /// The address grows by \p Step in each of \p Last repetitions of a loop. If
  /// \p More and \p Again are there, the loop is entered \p Again times more,
  /// each time with \p More repetitions more.
  struct Walk {
    const llvm::SCEV *Step, *Last;
    const llvm::SCEV *More = nullptr, *Again = nullptr;
    bool operator==(const Walk &) const = default;
  };

  llvm::Instruction *I = nullptr;
  const llvm::SCEV *Address = nullptr;
  /// The address in the first iteration, known ahead of the outer loop.
  const llvm::SCEV *Start = nullptr;
  uint64_t Size = 0;
  llvm::SmallVector<Walk, 3> Walks;
  /// Bytes from one iteration of the outer loop to the next: 0 or Size.
  uint64_t Stride = 0;
};

/// The bytes that an access reaches, together with others that walk alike at a
/// known distance: from \p Low bytes behind its start to \p High.
struct ColumnRange {
  unsigned Access;
  int64_t Low, High;
};

struct Columns {
  llvm::Loop *Outer = nullptr;
  const llvm::SCEV *LastIteration = nullptr;
  llvm::SmallVector<ColumnAccess, 8> Accesses;
  llvm::SmallVector<ColumnRange, 8> Ranges;
  /// Ranges that must not overlap.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 4> Checks;
  /// The pass has nothing to gain or to say here.
  bool IsNone = true;
};

/// Whether a load of an innermost loop in \p L moves by more than an element in
/// each iteration.
bool hasJumps(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Fills the plan, or returns why lanes are impossible. The loop must be in
/// simplified and closed form.
llvm::StringRef planColumns(llvm::Loop &L, const llvm::LoopInfo &LI,
                            llvm::ScalarEvolution &SE, llvm::AAResults &AA,
                            const llvm::TargetTransformInfo &TTI,
                            Columns &Plan);

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_COLUMNSPLAN_H
