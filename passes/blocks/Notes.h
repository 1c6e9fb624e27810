//===- Notes.h - Markers of regions, as passes keep them --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end's markers are unknown functions, behind which LLVM knows
// nothing of a loop. Where a kernel is to be optimized first, notes stand in
// their place: calls of an intrinsic that takes any arguments. No access moves
// across them. All code that reads regions reads both forms by what is here.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_BLOCKS_NOTES_H
#define ACCX_BLOCKS_NOTES_H

#include "markers/Markers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <string>

namespace accx::blocks {

enum class NoteKind : uint8_t {
  Begin,
  End,
  Barrier,
  /// An object that a block has one of.
  Team,
  // Those below are never markers.
  /// Behind what may write memory: other iterations write, too.
  Fence,
  /// In front of a store to a copy: the indices that it writes, and the bytes
  /// within the element (in one dimension: all bytes from the base).
  Write
};

/// Whether \p I is a marker or a note, and which.
std::optional<NoteKind> noteOf(const llvm::Instruction &I);

/// Argument \p Index of the marker that \p Note is or was.
llvm::Value *argumentOf(const llvm::CallInst &Note, unsigned Index);
/// If it is a constant.
std::optional<int64_t> numberOf(const llvm::CallInst &Note, unsigned Index);
/// `file:line: 'array'`.
std::string whereOf(const llvm::CallInst &Note);
/// Not a hint: without it the program would mean something else.
bool isChannel(const llvm::CallInst &Begin);
/// A block whose barriers are the program's own, and no array.
bool isTeam(const llvm::CallInst &Begin);
/// Whether \p I begins such a region.
bool beginsChannel(const llvm::Instruction &I);
bool beginsTeam(const llvm::Instruction &I);

llvm::CallInst *createNote(llvm::IRBuilderBase &B, NoteKind Kind,
                           llvm::ArrayRef<llvm::Value *> Arguments = {});

/// Puts fences where \p F has regions of channel types: what one iteration read
/// or wrote is not what memory has after the writes of all.
void fenceWrites(llvm::Function &F);

bool hasNotes(llvm::Function &F);
/// Removes all notes of \p F.
void removeNotes(llvm::Function &F);

/// Turns markers of code for GPUs into notes, ahead of StripPass. Where no pass
/// will use them, channel types are errors.
class KeepPass : public llvm::PassInfoMixin<KeepPass> {
  const bool WillTile;

public:
  static constexpr llvm::StringLiteral Name = "accx-keep-smc";
  explicit KeepPass(bool WillTile = true) : WillTile(WillTile) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace accx::blocks

#endif // ACCX_BLOCKS_NOTES_H
