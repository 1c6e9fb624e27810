//===- BlockLoopWriter.h - Rewrites loops over blocks -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class behind emitBlockLoop() (BlockNest.h), for its sources.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_BLOCKLOOPWRITER_H
#define ACCX_SMC_BLOCKLOOPWRITER_H

#include "smc/BlockNest.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace accx::smc {

class BlockLoopWriter {
  const BlockNest &N;
  const BlockShape &Shape;
  BlockPlace Place;
  /// Trip counts, in each dimension; their last iterations, how many blocks
  /// there are and the block's number, of type Int.
  llvm::SmallVector<llvm::Value *, 3> Trips, Lasts, Blocks, Numbers;
  llvm::Type *Int = nullptr;
  bool IsWide = false;
  /// Numbers of blocks in each of the grid's dimensions, outermost first; then
  /// the block's of rows that are divided.
  llvm::SmallVector<llvm::Value *, 3> Parts;
  /// There are iterations.
  llvm::Value *IsAny = nullptr;
  bool OwnsGrid = false, CarriesNothing = false;
  /// Blocks are to stay: those of a column are a loop of their own, in which
  /// all that depends on the column is computed ahead.
  const bool Stays;
  /// The variable of the column's number, then; its first value, by how much it
  /// grows, and its bound.
  llvm::AllocaInst *Column = nullptr;
  llvm::Value *FirstColumn = nullptr, *ColumnStep = nullptr, *Columns = nullptr;
  llvm::Value *Active = nullptr;

public:
  BlockLoopWriter(const BlockNest &N, const BlockShape &Shape, bool Stays)
      : N(N), Shape(Shape), Stays(Stays) {}

  BlockPlace write();

private:
  // EmitBlockLoop.cpp: the body, for a thread's own iteration.
  llvm::BasicBlock *before() const;
  void placeThread();
  void replaceIndices(unsigned Dims, llvm::ArrayRef<llvm::User *> Uses);
  void replaceRows();
  void guard(llvm::Instruction &Write);

  // EmitBlockNumbers.cpp: how many blocks there are, and which is the thread's.
  static bool isSigned(const llvm::Value *Trip);
  void countTrips(llvm::IRBuilderBase &B);
  void countBlocks();
  bool planGrid();
  void stepThrough(llvm::IRBuilderBase &B, llvm::Value *Own, llvm::Value *Step);
  void stepThroughGrid(llvm::IRBuilderBase &B);
  void stepThroughColumns(llvm::IRBuilderBase &B);
  void nestColumns(llvm::BasicBlock *Header);

  llvm::SmallVector<llvm::Value *, 3> Indices;
  llvm::Value *Linear = nullptr;
};

} // namespace accx::smc

#endif // ACCX_SMC_BLOCKLOOPWRITER_H
