//===- Loop.h - Outer loops marked omp simd ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   A loop marked `omp simd` that has loops inside, or that calls functions
//   with vector variants on memory, is none of LoopVectorize's; one with a
//   private array should not be, because LLVM 19 lets all iterations share it.
//   Its body is a function of one iteration, and iterations are lanes: the
//   whole-function vectorizer widens it.
//
//      for (i = 0; i < n; i++)        for (i = 0; i + VF <= n; i += VF)
//        body(i);                ->     body of lanes i .. i + VF - 1
//                                     if (i < n)
//                                       the same for lanes below n
//
// PLAN
//   Lanes: what `simdlen` says, else as many as a register has of the widest
//   type that the loop loads, stores or computes with, and two or four times as
//   many of small loops, which hides latency. Values that change by a constant
//   each iteration are linear parameters. A reduction has an accumulator for
//   each lane, in memory that becomes a register when the body has been
//   inlined. A local array that only the loop uses is private.
//
// REFUSALS, each a remark
//   Accesses that are not marked as independent, which `safelen` prevents,
//   exits but the last branch, an unknown trip count, values carried from one
//   iteration to the next otherwise than by a step or a reduction, other values
//   of the last iteration that are used behind, local variables that are also
//   used outside, and whatever cannot be widened.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_FUNCTIONS_LOOP_H
#define ACCX_VECTOR_FUNCTIONS_LOOP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

#include <vector>

namespace llvm {
class AllocaInst;
class DominatorTree;
class Loop;
class PHINode;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace accx::vector {

class VariantCaller;

struct OuterLoop {
  struct Induction {
    llvm::PHINode *Phi;
    llvm::Value *Start;
    int64_t Step;
    /// The type's limit is not crossed: a linear parameter.
    bool IsLinear;
  };
  struct Reduction {
    llvm::PHINode *Phi;
    llvm::Value *Start;
    llvm::Value *Next;
    /// Instruction::Add, FAdd, Mul, FMul, And, Or or Xor.
    unsigned Opcode;
  };

  llvm::Loop *Cycle = nullptr;
  unsigned Lanes = 0;
  const llvm::SCEV *LastIteration = nullptr;
  llvm::SmallVector<Induction, 2> Inductions;
  llvm::SmallVector<Reduction, 2> Reductions;
  llvm::SmallVector<llvm::AllocaInst *, 2> Private;
  /// Values from outside, which all iterations share.
  llvm::SmallVector<llvm::Value *, 8> Shared;
};

/// Whether the loop is one for this pass: marked, and beyond LoopVectorize.
bool isOuterSimdLoop(const llvm::Loop &L);

/// How many registers the lanes of one value may take.
unsigned registersPerValue(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Whether inner loops, all of the same trip count in all iterations, access
/// memory in one piece where lanes of this one would gather and scatter.
bool hasBetterInnerLoops(const llvm::Loop &L, llvm::ScalarEvolution &SE);

/// Takes back that accesses to local variables are independent.
void distrustLocals(llvm::Loop &L);

/// Fills the plan, or returns why it is impossible.
llvm::StringRef planOuterLoop(llvm::Loop &L, const llvm::DominatorTree &DT,
                              llvm::ScalarEvolution &SE, OuterLoop &Plan);

/// Replaces the loop, or returns why it is impossible and changes nothing. On
/// success all analyses of the function are out of date.
llvm::StringRef widenOuterLoop(const OuterLoop &Plan,
                               llvm::FunctionAnalysisManager &FAM,
                               VariantCaller &Variants);

/// Does all of that to all functions of a module.
bool widenOuterLoops(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                     VariantCaller &Variants);

} // namespace accx::vector

#endif // ACCX_VECTOR_FUNCTIONS_LOOP_H
