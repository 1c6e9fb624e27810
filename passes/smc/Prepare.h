//===- Prepare.h - Kernels with regions, as values --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings a kernel that has regions into the form that planning reads: one
// function, its variables values, its loops as they were written, its writes
// and barriers where all threads of a block are.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SMC_PREPARE_H
#define ACCX_SMC_PREPARE_H

#include "smc/Plan.h"

namespace accx::smc {

/// Makes functions that have notes part of their callers, until the notes
/// stand in kernels or cannot be moved. Whether anything changed.
bool inlineNotes(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

/// Makes calls of \p Kernel's body part of it, and its variables values.
void makeValues(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM);

/// `a && b` becomes one branch, so that a write under it leaves one.
void foldConditions(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Brings \p Kernel's writes of channel types, and barriers of the program in
/// their regions, to where all threads of a block are. The result is a note of
/// kind Write with the indices, a store to the array's base, and notes of kind
/// Barrier around both. False if \p Refuse was called.
bool hoistWrites(llvm::Function &Kernel, llvm::FunctionAnalysisManager &FAM,
                 RefuseAt Refuse);

/// Whether a region of \p Kernel is of type Team.
bool hasTeam(llvm::Function &Kernel);

/// Puts the objects that team notes name into shared memory, and a barrier at
/// the end of regions, so that the next block finds them free. False if
/// \p Refuse was called.
bool shareTeamObjects(llvm::Function &Kernel, RefuseAt Refuse);

/// Calls \p Refuse where not all threads of a block come to each of \p Kernel's
/// barriers; for nests that are emitted.
void checkTeamBarriers(llvm::Function &Kernel,
                       llvm::FunctionAnalysisManager &FAM, RefuseAt Refuse);

} // namespace accx::smc

#endif // ACCX_SMC_PREPARE_H
