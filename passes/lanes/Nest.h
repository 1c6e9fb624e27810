//===- Nest.h - A loop over threads and the vector loops in it --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a nest once variables are values, in simplified loops with
// closed values (LCSSA).
//
//   for (w = thread; w < trip; w += threads) {   WorkerLoop
//     ...                                        code of one worker
//     for (v = 0; v < n; v++)                    VectorLoop
//       acc = acc op ...
//     x = x op acc
//   }
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_LANES_NEST_H
#define ACCX_LANES_NEST_H

#include "lanes/Workers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#define ACCX_ROOM lanes
#define ACCX_REFUSALS "lanes/Refusals.def"
#include "ir/Refusals.inc"

namespace accx::lanes {

/// result, original and combined of Marks.h.
struct VectorReduction {
  llvm::CallInst *Result = nullptr;
  llvm::CallInst *Original = nullptr;
  llvm::CallInst *Combined = nullptr;
  /// The value that lanes begin with.
  llvm::Constant *Neutral = nullptr;
  /// The steps from the two to the third, operands first. All are pure.
  llvm::SmallVector<llvm::Instruction *, 4> Steps;
  /// Lanes keep their own sums, which a later reduction combines (OwnSums.h).
  bool IsOwn = false;
};

struct VectorLoop {
  llvm::Loop *L = nullptr;
  llvm::CallInst *Enter = nullptr;
  /// 0, 1, 2, ..., of any integer type, compared with a bound by Test.
  llvm::PHINode *Counter = nullptr;
  llvm::ICmpInst *Test = nullptr;
  bool IsSigned = false;
  bool IsInclusive = false;
  unsigned Length = 0;
  bool Writes = false;
  /// Where it writes: whether lanes meet on that side.
  bool WaitsBefore = true;
  bool WaitsAfter = true;
  llvm::SmallVector<VectorReduction, 2> Reductions;
  /// Values after the loop that are those of its last iteration.
  llvm::SmallVector<llvm::PHINode *, 1> Lasts;

  /// Whether none of its reductions ends with it.
  bool isApart() const {
    return !Reductions.empty() &&
           llvm::all_of(Reductions,
                        [](const VectorReduction &R) { return R.IsOwn; });
  }

  llvm::Value *bound() const {
    return Test->getOperand(Test->getOperand(0) == Counter ? 1 : 0);
  }

  /// Sets all but Length and Enter.
  Refusal match(llvm::Loop &Of);
};

struct Nest {
  WorkerLoop W;
  llvm::SmallVector<VectorLoop, 2> Vectors;

  const VectorLoop *vectorOf(const llvm::Instruction &I) const {
    for (const VectorLoop &V : Vectors)
      if (V.L->contains(&I))
        return &V;
    return nullptr;
  }
  const VectorLoop *vectorOf(const llvm::BasicBlock &B) const {
    return vectorOf(B.front());
  }
};

} // namespace accx::lanes

#endif // ACCX_LANES_NEST_H
