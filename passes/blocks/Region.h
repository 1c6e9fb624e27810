//===- Region.h - What a statement does with an array -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region: an array as the directive at its beginning declares it, and the
// instructions from there to its end. It is decoded once, here, for GPUs and
// processors:
//
//     begin(array, ranges, block)       Array, askedShape
//       ... = a[i - 1] ...              Region::Loads
//       a[i] = ...                      Region::Writes
//       barrier                         Region::Barriers
//     end                               Region::End
//
// Invariants: all of a region's code is dominated by its beginning and inside
// of the innermost loop around that; regions within it belong to it; control
// enters it there only, and leaves it at its end only if it is closed.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_BLOCKS_REGION_H
#define ACCX_BLOCKS_REGION_H

#include "markers/Markers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace accx::blocks {

/// A dimension of an array, in bytes from one index to the next and in indices
/// of the range that an iteration declares, and of those that there are.
struct Dimension {
  llvm::Value *Pitch = nullptr;
  llvm::Value *First = nullptr;
  llvm::Value *Extent = nullptr;
  llvm::Value *Low = nullptr;
  llvm::Value *High = nullptr;
};

/// An array of a region.
struct Array {
  llvm::CallInst *Begin = nullptr;
  llvm::CallInst *End = nullptr;
  llvm::Value *Base = nullptr;
  /// Bits of markers::smc.
  unsigned Type = 0;
  int64_t Element = 0;
  int64_t Align = 1;
  unsigned Rank = 0;

  /// All but the end, as \p Begin says. False if numbers are no constants.
  bool read(llvm::CallInst &Begin);
  Dimension dimension(unsigned D) const;

  bool isTransparent() const { return Type & markers::smc::Transparent; }
  bool isFetched() const { return Type & markers::smc::Fetch; }
  bool isChannel() const { return Type & markers::smc::Channel; }
  bool isWrittenBack() const { return Type & markers::smc::WriteBack; }
};

/// A part of a subscript.
struct Term {
  /// The array's dimension; one behind the last: bytes within an element.
  unsigned Dim = 0;
  /// Null: the number 1.
  llvm::Value *V = nullptr;
  int64_t Factor = 1;
};

/// The terms of \p Address, if it is derived in a known way from \p Base, where
/// \p A begins. Of an array of one dimension all are bytes. With \p IsStrict,
/// bytes within an element are constant, and no variables are multiplied that
/// may be rows and their length.
std::optional<llvm::SmallVector<Term, 4>>
splitAddress(llvm::Value *Address, const llvm::Value &Base, const Array &A,
             const llvm::DataLayout &Layout, bool IsStrict);

/// The iterations in each dimension of the blocks that \p Begin asks for, empty
/// if it asks for none; nothing where they are no constants.
std::optional<llvm::SmallVector<int64_t, 3>>
askedShape(const llvm::CallInst &Begin);

/// The object that a block has one of, where \p I is a note that says so.
const llvm::Value *teamObject(const llvm::Instruction &I);

/// What control reaches from a region's beginning before its end.
struct Region {
  llvm::SmallVector<llvm::LoadInst *, 16> Loads;
  /// Whatever may write memory, but not variables of the thread.
  llvm::SmallVector<llvm::Instruction *, 16> Writes;
  /// Reads that are no simple loads.
  llvm::SmallVector<llvm::Instruction *, 4> OtherReads;
  /// Barriers that the program asks for.
  llvm::SmallVector<llvm::CallInst *, 4> Barriers;
  /// All of them, but no notes.
  llvm::DenseSet<const llvm::Instruction *> Code;
  /// Its end; null if there are several.
  llvm::CallInst *End = nullptr;
  /// Control leaves it only through its end, or to end the program.
  bool IsClosed = true;
  bool EndsProgram = false;

  Region(llvm::CallInst &Begin, const llvm::LoopInfo &Loops,
         const llvm::DominatorTree &DT);
};

/// The address that \p I stores to or fills; null if it does neither.
const llvm::Value *writtenBy(const llvm::Instruction &I);
/// The local variable that \p Address is in, or null.
const llvm::AllocaInst *localOf(const llvm::Value *Address);
/// Whether \p I stores to or fills what other iterations may write, too.
bool writesShared(const llvm::Instruction &I);

} // namespace accx::blocks

#endif // ACCX_BLOCKS_REGION_H
