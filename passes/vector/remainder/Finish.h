//===- Finish.h - Cleans up the vectorized parts ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   The vectorizer leaves checks that cannot fail, a scalar loop behind them,
//   masks by comparison, and a horizontal reduction for each part. All of it
//   goes here and at once, since later passes hide the patterns.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_REMAINDER_FINISH_H
#define ACCX_VECTOR_REMAINDER_FINISH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace accx::vector {

struct Chain;
struct LoopPart;

/// Folds the checks of all parts by what is known of their counts, and removes
/// what that cuts off. Says what is wrong if a scalar copy of a part remains,
/// or a masked part that is not one straight block or works lane by lane.
llvm::StringRef removeScalarCopies(llvm::ArrayRef<LoopPart> Parts,
                                   llvm::Function &F,
                                   llvm::FunctionAnalysisManager &FAM);

/// Gives the masked part its mask by a shift, and calls in it harmless values
/// in inactive lanes.
void simplifyMasked(const LoopPart &Part, llvm::Function &F,
                    llvm::FunctionAnalysisManager &FAM);

/// Lets the loop of a part count from where the part before ended instead of
/// from 0, so that one register does for what it counts and where it accesses.
void countOn(const LoopPart &Part);

/// Lets the horizontal reductions of a loop marked by the program, whose lanes
/// the vectorizer reduced in its own order already, take any order, too.
void reorderReductions(const Chain &Values);

/// Keeps a reduction in vectors across the parts: one horizontal reduction at
/// the end instead of one a part. What it begins with comes behind that, of a
/// single part, too. True if parts are merged. \p Before comes before all.
bool mergeReductions(const Chain &Values, llvm::Instruction *Before);

} // namespace accx::vector

#endif // ACCX_VECTOR_REMAINDER_FINISH_H
