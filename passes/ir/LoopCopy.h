//===- LoopCopy.h - Copies of loops and values, loops' options --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies a loop beside itself, for a pass to choose between the two, and sets
// what a loop's metadata says. Loops that are copies have identities of their
// own: options of one must not be those of the other. It also copies a value's
// instructions to another place.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_IR_LOOPCOPY_H
#define ACCX_IR_LOOPCOPY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace accx::ir {

/// Instructions of \p L, but for those of debuggers.
size_t sizeOf(const llvm::Loop &L);

/// An option of a loop: {\p Name, \p Values...}.
llvm::MDNode *loopOption(llvm::LLVMContext &C, llvm::StringRef Name,
                         llvm::ArrayRef<llvm::Constant *> Values = {});

/// Gives the loop that ends with \p End another identity, without the options
/// that begin with one of \p Without and with \p With. A loop that has none
/// gets one for \p With only.
void renewLoop(llvm::Instruction &End,
               llvm::ArrayRef<llvm::StringRef> Without = {},
               llvm::ArrayRef<llvm::MDNode *> With = {});

/// Copies of \p Blocks, in their order, that go on where these do, without a
/// way in; phis there get the copies' values. \p Map may replace values and
/// gets all copies.
llvm::SmallVector<llvm::BasicBlock *, 16>
copyBlocks(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
           llvm::ValueToValueMapTy &Map, const llvm::Twine &Suffix);

/// A copy of \p L that ends at the same exits, without a way in. \p Map may
/// replace values and gets all copies. The copy's loops are renewed with
/// \p Without and \p With. Returns its header.
llvm::BasicBlock *copyLoop(const llvm::Loop &L, llvm::ValueToValueMapTy &Map,
                           const llvm::Twine &Suffix,
                           llvm::ArrayRef<llvm::StringRef> Without = {},
                           llvm::ArrayRef<llvm::MDNode *> With = {});

/// A copy of \p L, with its preheader, that ends at the same exit block, the
/// only one, whose phis get the copy's values. \p Above dominates \p L and is
/// to branch to either preheader; \p Loops and \p DT know of that already.
llvm::Loop *copyBeside(llvm::Loop &L, llvm::BasicBlock &Above,
                       const llvm::Twine &Suffix, llvm::LoopInfo &Loops,
                       llvm::DominatorTree &DT);

/// A copy of \p I, in no block yet, of what \p Of makes of its operands; null
/// where that is null for one.
llvm::Instruction *
copyWith(const llvm::Instruction &I,
         llvm::function_ref<llvm::Value *(llvm::Value &)> Of);

} // namespace accx::ir

#endif // ACCX_IR_LOOPCOPY_H
