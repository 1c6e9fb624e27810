//===- Marks.h - What simt-lanes notes down in IR ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some facts show only in Clang's own code, such as which variable is whose
// accumulator. Others show only once variables are values. Marks keep the first
// for the time of the second. They are options on loops' metadata, and calls of
// functions that have no definition. None of them outlives the pass.
//
// The front end brackets vector loops with markers, calls that other passes do
// not know. So MarkPass comes first and notes on the loops' metadata what the
// markers say. Markers may be removed afterwards. A loop with simd's metadata
// belongs to the marker that was opened last on the way to it, in the same
// iteration of all loops around, unless that one was closed before.
//
//   enter()              the vector loop's own variables begin here
//   result(x)            x, the accumulator of the iterations of one lane
//   original(x)          x, the reduction's variable before the loop
//   combined(x)          x, what both make
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_MARKS_H
#define ACCX_LANES_MARKS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <optional>

namespace accx::lanes {

/// On a vector loop: {name, i32 length}. Stays from the markers' removal on.
inline constexpr char VectorMark[] = "accx.lanes.vector";
/// On a loop over threads that this pass has brought into its form.
inline constexpr char WorkersMark[] = "accx.lanes.workers";

/// Lengths of VectorMark, beside those that the program gives.
enum : unsigned { LengthUnknown = 0, LengthOfPlainSimd = 0xffffffff };

inline constexpr char EnterName[] = "accx.lanes.enter";
inline constexpr char ResultName[] = "accx.lanes.result.";
inline constexpr char OriginalName[] = "accx.lanes.original.";
inline constexpr char CombinedName[] = "accx.lanes.combined.";

/// Whether the program says that iterations of \p L may run as lanes do.
bool isSimdLoop(const llvm::Loop &L);
std::optional<unsigned> vectorLength(const llvm::Loop &L);

/// The call that opens a vector loop's variables, at \p B.
llvm::CallInst *emitEnter(llvm::IRBuilderBase &B);
/// \p V as what \p Name says.
llvm::CallInst *emitNote(llvm::IRBuilderBase &B, llvm::StringRef Name,
                         llvm::Value *V);
/// \p V as a note of that name, else null.
llvm::CallInst *asNote(llvm::Value *V, llvm::StringRef Name);

/// Removes all of the above from \p M, or from one loop.
void removeNotes(llvm::Module &M);
void unmark(llvm::Loop &L, llvm::ArrayRef<llvm::StringRef> Marks);

/// Marks the vector loops that markers bracket.
class MarkPass : public llvm::PassInfoMixin<MarkPass> {
public:
  static constexpr llvm::StringLiteral Name = "accx-mark-lanes";

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace accx::lanes

#endif // ACCX_LANES_MARKS_H
