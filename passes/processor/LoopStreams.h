//===- LoopStreams.h - What a loop reads and writes evenly ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   Finds the accesses of a loop of one block whose addresses move by the same
//   number of bytes each round. Also finds which of its stores together write
//   all bytes of an array from the first round to the last, and writes a loop
//   whose stores of those bypass the cache.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_LOOPSTREAMS_H
#define ACCX_PROCESSOR_LOOPSTREAMS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace accx::processor {

/// Bytes that a loop accesses: \p Extent from \p Start on in its first round,
/// moved by \p Step in each other.
struct Stream {
  const llvm::SCEV *Start;
  uint64_t Extent;
  int64_t Step;
  bool Writes;
  /// An array's elements are as far apart as its vectors are wide, in the order
  /// of their addresses. Empty: some bytes may be left out, or are read, too.
  llvm::SmallVector<llvm::StoreInst *, 8> Output;
};

class LoopStreams {
  llvm::Loop &L;
  llvm::ScalarEvolution &SE;
  llvm::SmallVector<Stream, 8> All;

  std::optional<Stream> streamOf(llvm::Instruction &I) const;
  std::optional<int64_t> distance(const Stream &From, const Stream &To) const;
  void addRead(const Stream &S);
  void addStores(llvm::SmallVectorImpl<Stream> &Stores);
  void dropUpdates();

public:
  LoopStreams(llvm::Loop &L, llvm::ScalarEvolution &SE) : L(L), SE(SE) {}
  /// Null, or why the loop's accesses are not known.
  const char *find();
  llvm::ArrayRef<Stream> streams() const { return All; }
  /// Bytes of \p S from the first round's to the last's, with \p Rounds after
  /// the first: 64 bits.
  const llvm::SCEV *span(const Stream &S, const llvm::SCEV *Rounds) const;
  /// Bytes of all arrays that the loop walks along, in all rounds of the loops
  /// around it that are known. An array that is read at several places counts
  /// once.
  const llvm::SCEV *footprint(const llvm::SCEV *Rounds) const;
  /// Whether anything is read that moves.
  bool reads() const;
};

/// Whether \p I is a store of vectors, as LoopStreams takes it for outputs.
bool isVectorStore(const llvm::Instruction &I);

/// How vectors of one size are rotated in their register.
struct Rotation {
  /// Bytes that are moved as a whole; a vector's if it cannot be rotated.
  unsigned Granule = 0;
  llvm::Intrinsic::ID Permute = llvm::Intrinsic::not_intrinsic;

  /// For vectors of \p Bytes in \p F; nothing if it has no registers for them.
  static std::optional<Rotation> of(const llvm::Function &F,
                                    const llvm::TargetTransformInfo &TTI,
                                    unsigned Bytes);
};

/// Writes the second version of \p L that StreamStores.h draws, for two rounds
/// at least. \p Entry, a block that ends with a branch to where \p L is
/// entered, goes to it if \p Condition holds. \p Outputs are all streams whose
/// rotations are given. LCSSA.
void writeStreamLoop(
    llvm::Loop &L, llvm::BasicBlock *Entry, llvm::Value *Condition,
    llvm::ArrayRef<std::pair<const Stream *, Rotation>> Outputs);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_LOOPSTREAMS_H
