//===- Notes.h - Markers of regions, as passes keep them --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end's markers are unknown functions, behind which LLVM knows
// nothing of a kernel's loops. Until grid-loop is done, notes stand in their
// place: calls of an intrinsic that takes any arguments. No access moves across
// them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_NOTES_H
#define ACCX_SMC_NOTES_H

#include "markers/Markers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

#include <optional>
#include <string>

namespace accx::smc {

enum class NoteKind : uint8_t {
  Begin,
  End,
  Barrier,
  /// Behind what may write memory: other iterations write, too.
  Fence,
  /// In front of a store to a copy: the indices that it writes, and the bytes
  /// within the element (in one dimension: all bytes from the base).
  Write,
  /// An object that a block has one of.
  Team
};

/// Whether \p I is a note, and which.
std::optional<NoteKind> noteOf(const llvm::Instruction &I);

/// Argument \p Index of markers::SmcBegin.
llvm::Value *argumentOf(const llvm::CallInst &Begin, unsigned Index);
/// If it is a constant.
std::optional<int64_t> numberOf(const llvm::CallInst &Begin, unsigned Index);
/// `file:line: 'array'`.
std::string whereOf(const llvm::CallInst &Begin);
/// Not a hint: without it the program would mean something else.
bool isChannel(const llvm::CallInst &Begin);
/// A block whose barriers are the program's own, and no array.
bool isTeam(const llvm::CallInst &Begin);

llvm::CallInst *createNote(llvm::IRBuilderBase &B, NoteKind Kind,
                           llvm::ArrayRef<llvm::Value *> Arguments = {});

/// Puts fences where \p F has regions of channel types: what one iteration read
/// or wrote is not what memory has after the writes of all.
void fenceWrites(llvm::Function &F);

/// Removes all notes of \p F.
bool removeNotes(llvm::Function &F);

/// Turns markers into notes, ahead of StripPass. Where no pass will use them,
/// channel types of GPU code are errors.
class KeepPass : public llvm::PassInfoMixin<KeepPass> {
  const bool WillTile;

public:
  static constexpr llvm::StringLiteral Name = "accx-keep-smc";
  explicit KeepPass(bool WillTile = true) : WillTile(WillTile) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace accx::smc

#endif // ACCX_SMC_NOTES_H
