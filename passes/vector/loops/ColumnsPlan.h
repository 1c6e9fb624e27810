//===- ColumnsPlan.h - Which outer loops become lanes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of Columns.h.
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

/// A load or store, and all that changes its address within the outer loop.
struct ColumnAccess {
  /// By \p Step in each iteration of a loop that goes on \p Last times, and
  /// \p More times more often each time that it is entered again, which is
  /// \p Again times. These two may be missing.
  struct Walk {
    const llvm::SCEV *Step, *Last;
    const llvm::SCEV *More = nullptr, *Again = nullptr;
    bool operator==(const Walk &) const = default;
  };

  llvm::Instruction *I = nullptr;
  const llvm::SCEV *Address = nullptr;
  /// Does not change in the outer loop.
  const llvm::SCEV *Start = nullptr;
  uint64_t Size = 0;
  llvm::SmallVector<Walk, 3> Walks;
  /// In bytes from iteration to iteration of the outer loop: 0 or Size.
  uint64_t Stride = 0;
};

/// What an access goes over, and others at a known distance that walk alike:
/// from \p Low bytes behind its start to \p High.
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
  /// Nothing to gain or nothing for this pass: no word about it.
  bool IsNone = true;
};

/// Whether a load of an innermost loop in \p L jumps from iteration to
/// iteration.
bool hasJumps(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Fills the plan, or returns why it is impossible. The loop is in simplified
/// and closed form.
llvm::StringRef planColumns(llvm::Loop &L, const llvm::LoopInfo &LI,
                            llvm::ScalarEvolution &SE, llvm::AAResults &AA,
                            const llvm::TargetTransformInfo &TTI,
                            Columns &Plan);

} // namespace accx::vector

#endif // ACCX_VECTOR_LOOPS_COLUMNSPLAN_H
